//! Saved controllers: what a file looks like, and that it reads back.

use std::fmt::Write as _;

use bitloop_scenario::{
    Activation, Codes, ControllerFile, Errors, Feedback, InputSignal, Integrator, Layer, MadeBy,
    Network, OutputSignal, PlantIdentity, SavedController, SavedSimulation, Weights,
};

pub fn example() -> SavedController {
    let input = |name: &str, unit: &str| InputSignal {
        name: name.into(),
        unit: unit.into(),
        center: 0.0,
        scale: 1.0,
    };
    SavedController {
        format: SavedController::FORMAT_NUMBER,
        plant: PlantIdentity {
            name: "inverted-pendulum".into(),
            version: "0.1.0".into(),
            digest: None,
            machine_bits: false,
            library: None,
        },
        simulation: SavedSimulation {
            integrator: Integrator::Euler,
            step_s: 0.01,
            sample_time_s: 0.1,
        },
        inputs: vec![
            input("x", "m"),
            input("theta", "rad"),
            input("x_dot", "m/s"),
            input("theta_dot", "rad/s"),
        ],
        outputs: vec![OutputSignal {
            name: "force".into(),
            unit: "N".into(),
            center: 0.0,
            scale: 1.0,
            min: Some(-20.0),
            max: None,
        }],
        network: Network::FeedForward {
            layers: vec![
                Layer { units: 5, activation: Activation::Tanh },
                Layer { units: 1, activation: Activation::Linear },
            ], direct: false },
        weights: Weights::Codes(Codes {
            bits: 16,
            max_weight: 10.0,
            codes: (0..31).map(|index| (index * 7919) % 65536 - 32768).collect(),
        }),
        errors: Errors {
            unrounded_training: None,
            training: Some(1.0 / 3.0),
            validation: Some(5e-324),
            confirmation: None,
            test: Some(0.1 + 0.2),
        },
        made_by: MadeBy {
            command: "bitloop train \"scenarios/größer, 2.ron\" --seed 7".into(),
            scenario: "größer, 2.ron".into(),
            scenario_digest: "ab".repeat(32),
            seed: u64::MAX,
            run: 3,
            bitloop_version: "0.1.0".into(),
        },
        scenario: bitloop_scenario::ScenarioFile::parse(
            r#"Scenario(plant: "inverted-pendulum", parameters: {"length": Uniform(0.9, 1.1)}, seed: 7)"#,
            "test.ron",
        )
        .expect("a valid scenario")
        .value,
        digest: String::new(),
        content_digest: String::new(),
    }
}

#[test]
fn a_file_is_readable_and_reads_back_bit_for_bit() {
    let text = example().to_text().unwrap();
    insta::assert_snapshot!(text);
    let file = ControllerFile::parse(&text, "a.ron").unwrap_or_else(|error| panic!("{error}"));
    let mut expected = SavedController { digest: file.value.computed_digest(), ..example() };
    expected.content_digest = expected.computed_content_digest();
    assert_eq!(file.value, expected);
    assert_eq!(file.value.to_text().unwrap(), text);
}

#[test]
fn the_digest_covers_shape_and_codes_only() {
    let digest = example().computed_digest();
    let mut renamed = example();
    renamed.made_by.bitloop_version = "9.9.9".into();
    renamed.plant.version = "2".into();
    assert_eq!(renamed.computed_digest(), digest);

    let mut changed = example();
    changed.network = Network::FeedForward {
        layers: vec![
            Layer { units: 5, activation: Activation::Logistic },
            Layer { units: 1, activation: Activation::Linear },
        ],
        direct: false,
    };
    assert_ne!(changed.computed_digest(), digest);
    let mut changed = example();
    let Weights::Codes(codes) = &mut changed.weights;
    codes.codes[30] += 1;
    assert_ne!(changed.computed_digest(), digest);
}

/// The example with another network of the same layers, and as many weights as that has.
pub fn of_network(network: impl FnOnce(Vec<Layer>) -> Network, n_weights: i32) -> SavedController {
    let layers = example().network.layers().to_vec();
    let codes = (0..n_weights).collect();
    SavedController {
        network: network(layers),
        weights: Weights::Codes(Codes { bits: 16, max_weight: 10.0, codes }),
        ..example()
    }
}

#[test]
fn networks_with_a_memory_are_counted_told_apart_and_read_back() {
    let recurrent =
        |feedback| move |layers| Network::Recurrent { feedback, window: 1, layers, direct: false };
    let delayed = |window| move |layers| Network::TappedDelay { window, layers, direct: false };
    // 5 neurons over 4 inputs, then 1 over 5.
    let controllers = [
        of_network(|layers| Network::FeedForward { layers, direct: false }, 5 * (1 + 4) + 6),
        of_network(recurrent(Feedback::Full), 5 * (1 + 4 + 5) + 6),
        of_network(recurrent(Feedback::SelfOnly), 5 * (1 + 4 + 1) + 6),
        of_network(delayed(1), 5 * (1 + 4) + 6),
        of_network(delayed(3), 5 * (1 + 3 * 4) + 6),
    ];
    let mut report = String::new();
    for controller in &controllers {
        let text = controller.to_text().unwrap_or_else(|problem| panic!("{problem}"));
        let read = ControllerFile::parse(&text, "a.ron").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.value.network, controller.network);
        assert_eq!(read.value.to_text().unwrap(), text);
        let shape =
            text.split_once("    network: ").unwrap().1.split_once("    weights").unwrap().0;
        // Golden: these digests name controllers that are shipped.
        let _ = writeln!(report, "{shape}{}\n", controller.computed_digest());
    }
    insta::assert_snapshot!(report);
}

#[test]
fn the_kind_of_network_alone_moves_the_digest() {
    let codes = example().weights;
    let digest = |network: fn(Vec<Layer>) -> Network| {
        let layers = example().network.layers().to_vec();
        let weights = codes.clone();
        SavedController { network: network(layers), weights, ..example() }.computed_digest()
    };
    let digests = [
        digest(|layers| Network::FeedForward { layers, direct: false }),
        digest(|layers| Network::Recurrent {
            feedback: Feedback::Full,
            window: 1,
            layers,
            direct: false,
        }),
        digest(|layers| Network::Recurrent {
            feedback: Feedback::SelfOnly,
            window: 1,
            layers,
            direct: false,
        }),
        digest(|layers| Network::Recurrent {
            feedback: Feedback::Full,
            window: 2,
            layers,
            direct: false,
        }),
        digest(|layers| Network::Recurrent {
            feedback: Feedback::Full,
            window: 3,
            layers,
            direct: false,
        }),
        digest(|layers| Network::TappedDelay { window: 1, layers, direct: false }),
        digest(|layers| Network::TappedDelay { window: 2, layers, direct: false }),
        digest(|layers| Network::FeedForward { layers, direct: true }),
        digest(|layers| Network::TappedDelay { window: 2, layers, direct: true }),
    ];
    let distinct: std::collections::HashSet<_> = digests.iter().collect();
    assert_eq!(distinct.len(), digests.len());
}

#[test]
fn what_could_not_be_read_back_is_not_written() {
    let mut broken = example();
    broken.errors.test = Some(f64::NAN);
    assert!(broken.to_text().is_err());
    let mut broken = example();
    broken.inputs.pop();
    let problem = broken.to_text().unwrap_err();
    assert_eq!(problem.message, "31 weights, but the network has 26");
}

#[test]
fn long_lists_of_codes_are_read_in_time_and_wrapped() {
    let mut large = example();
    large.network = Network::FeedForward {
        layers: vec![
            Layer { units: 50_000, activation: Activation::Tanh },
            Layer { units: 1, activation: Activation::Linear },
        ],
        direct: false,
    };
    large.weights = Weights::Codes(Codes {
        bits: 24,
        max_weight: 1.0,
        codes: (0..300_001).map(|index| index - 150_000).collect(),
    });
    let text = large.to_text().unwrap();
    assert!(text.lines().all(|line| line.chars().count() <= 104));
    let file = ControllerFile::parse(&text, "large.ron").unwrap();
    assert_eq!(file.value.weights, large.weights);
}
