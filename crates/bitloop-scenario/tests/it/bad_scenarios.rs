//! One valid scenario with one thing spoiled at a time; the whole messages are in the snapshot.

use std::fmt::Write as _;

use bitloop_scenario::{ErrorKind, FileError, ScenarioFile};

pub const GOOD: &str = r#"// A scenario.
Scenario(
    plant: "inverted-pendulum",
    parameters: {"l": 1.0, "m": Uniform(0.9, 1.1), "g": Normal(mean: 9.81, sd: 0.1)},
    observations: ["x", "theta"],
    simulation: (integrator: Euler, step_s: 0.01, sample_time_s: 0.1),
    initial: {"theta": Uniform(-0.4, 0.4)},
    scaling: {"x": (center: 0.0, scale: 2.0)},
    controller: FeedForward(hidden: [5, 3], hidden_activation: [Tanh, Logistic]),
    episodes: (training: (count: 50, horizon_s: 100, transient_s: 1)),
    training: TelescopicBlm(
        bits: 16,
        max_weight: 10,
        initialization: Bounded(0.01),
        growth: Threshold(phi: 0.1, eta: 0.95), preset: Paper,
    ),
    stop: (target: 1e-3, seconds: 25),
)
"#;

fn refuse(text: &str) -> FileError {
    ScenarioFile::parse(text, "scenarios/a.ron").expect_err(text)
}

#[test]
fn each_mistake_is_reported_with_its_place_and_a_hint() {
    ScenarioFile::parse(GOOD, "good.ron").unwrap();
    let spoiled = [
        ("typo in a field", "bits: 16", "bitts: 16"),
        ("typo in a field at the top", "observations", "obsevations"),
        ("unknown field", "bits: 16", "color: 16"),
        ("typo in a choice", "TelescopicBlm", "TelescopicBml"),
        ("unknown choice", "integrator: Euler", "integrator: Leapfrog"),
        ("typo in a distribution", "Uniform(0.9", "Unifrom(0.9"),
        ("typo in a field of a distribution", "sd: 0.1", "std: 0.1"),
        ("a missing field of a distribution", ", sd: 0.1", ""),
        ("a distribution with too many numbers", "(-0.4, 0.4)", "(-0.4, 0.4, 0.5)"),
        ("a distribution with too few numbers", "(-0.4, 0.4)", "(1)"),
        ("a distribution without names", "Normal(mean: 9.81, sd: 0.1)", "Normal(0, 0.3)"),
        ("a distribution of huge numbers", "(-0.4, 0.4)", "(-1e308, 1e308)"),
        ("a huge number below 0", "horizon_s: 100", "horizon_s: -1e308"),
        ("two commas", "seconds: 25", "seconds: 25,,"),
        ("a path as a name", "\"inverted-pendulum\"", "\"./libcart.so\""),
        ("a plant without quotes", "\"inverted-pendulum\"", "pendulum"),
        ("a step longer than the horizon", "step_s: 0.01, sample_time_s: 0.1", "step_s: 101"),
        ("a name that drives a terminal", "[\"x\", \"theta\"]", "[\"\u{202e}x\", \"\u{202e}x\"]"),
        ("a distribution as a text", "\"l\": 1.0", "\"l\": \"1.0\""),
        ("typo in a list of activations", "Logistic", "Logitsic"),
        ("missing field", "plant: \"inverted-pendulum\",", ""),
        ("missing horizon", "horizon_s: 100, ", ""),
        ("field twice", "bits: 16,", "bits: 16, bits: 16,"),
        ("map key twice", "\"m\": Uniform", "\"l\": Uniform"),
        ("another kind of file", "Scenario(", "Controller("),
        ("bits 1", "bits: 16", "bits: 1"),
        ("bits 25", "bits: 16", "bits: 25"),
        ("bits below 0", "bits: 16", "bits: -16"),
        ("bits with a point", "bits: 16", "bits: 16.5"),
        ("bits too large", "bits: 16", "bits: 99999999999999999999"),
        ("bits as a text", "bits: 16", "bits: \"16\""),
        ("start_bits above bits", "bits: 16", "bits: 16, start_bits: 17"),
        ("w_init below epsilon", "Bounded(0.01)", "Bounded(1e-4)"),
        ("w_init below the coarse step", "Bounded(0.01)", "BoundedOnCoarseGrid(0.5)"),
        ("w_init above max_weight", "Bounded(0.01)", "Bounded(11)"),
        ("NaN", "max_weight: 10", "max_weight: NaN"),
        ("inf", "Uniform(-0.4, 0.4)", "Uniform(-inf, 0.4)"),
        ("1e999", "target: 1e-3", "target: 1e999"),
        ("max_weight 0", "max_weight: 10", "max_weight: 0"),
        ("another preset", "preset: Paper", "preset: Papr"),
        ("phi 0", "phi: 0.1", "phi: 0"),
        ("phi above 1", "phi: 0.1", "phi: 1.1"),
        ("eta above 1", "eta: 0.95", "eta: 1.5"),
        ("uniform upside down", "Uniform(-0.4, 0.4)", "Uniform(0.4, -0.4)"),
        ("sd below 0", "sd: 0.1", "sd: -0.1"),
        ("horizon below 0", "horizon_s: 100", "horizon_s: -100"),
        ("horizon 0", "horizon_s: 100", "horizon_s: 0"),
        ("too many steps", "horizon_s: 100", "horizon_s: 1e12"),
        ("step 0", "step_s: 0.01", "step_s: 0"),
        ("sample time not a multiple", "sample_time_s: 0.1", "sample_time_s: 0.105"),
        ("sample time below the step", "sample_time_s: 0.1", "sample_time_s: 0.001"),
        ("transient as long as the horizon", "transient_s: 1", "transient_s: 100"),
        ("count 0", "count: 50", "count: 0"),
        ("observation twice", "\"theta\"]", "\"x\"]"),
        ("no observations", "[\"x\", \"theta\"]", "[]"),
        ("scale 0", "scale: 2.0", "scale: 0"),
        ("failure cost below 0", "observations:", "failure_cost: -1, observations:"),
        ("a layer without units", "[5, 3]", "[5, 0]"),
        ("activations for other layers", "[Tanh, Logistic]", "[Tanh]"),
        ("a target without a budget", ", seconds: 25", ""),
        ("a budget of nothing", "seconds: 25", "runs: 0"),
        ("a comma is missing", "bits: 16,", "bits: 16"),
        ("a bracket is missing", "[\"x\", \"theta\"],", "[\"x\", \"theta\","),
    ];
    let mut report = String::new();
    for (what, from, to) in spoiled {
        assert_eq!(GOOD.matches(from).count(), 1, "{what}: `{from}` must stand once");
        let error = refuse(&GOOD.replace(from, to));
        let _ = write!(report, "## {what}\n{error}\n\n");
        assert!(error.place.is_some(), "{error}");
        assert!(error.hint.is_some(), "{error}");
    }
    for (what, text) in [
        ("text after the end", format!("{GOOD}x")),
        ("cut short", GOOD[..400].to_owned()),
        ("cut short in a text", GOOD[..60].to_owned()),
        ("empty", String::new()),
        ("only a comment", "// nothing\n".to_owned()),
        ("not a scenario", "hello world".to_owned()),
        ("a list", "[1, 2]".to_owned()),
        (
            "a test without a horizon",
            "Scenario(plant: \"p\", episodes: (test: (count: 5)))".to_owned(),
        ),
    ] {
        let _ = write!(report, "## {what}\n{}\n\n", refuse(&text));
    }
    insta::assert_snapshot!(report);
}

#[test]
fn mistakes_in_sensors_actuators_and_disturbances_are_reported_with_their_place_and_a_hint() {
    let mut report = String::new();
    for uncertainty in [
        r#"sensors: {"x": (dropout: 2)}"#,
        r#"sensors: {"x": (noise: Normal(-1))}"#,
        r#"sensors: {"x": (noise: Nromal(1))}"#,
        r#"sensors: {"x": (bias: Uniform(2, 1))}"#,
        r#"sensors: {"x": (delay: 1)}"#,
        r#"sensors: {"x": (quantum: -0.1)}"#,
        r#"actuators: {"force": (gain: Unifrm(1, 2))}"#,
        r#"actuators: {"force": (rate: 0)}"#,
        r#"actuators: {"force": (delay_s: -1)}"#,
        r#"sensor: {"x": ()}"#,
        r#"sensors: {"x": (delay_s: 1e6)}"#,
        r#"disturbances: {"force": [Step(at_s: -1, to: 1)]}"#,
        r#"disturbances: {"force": [Step(at_s: 1, to: 1), Step(at_s: 1e6, to: 1)]}"#,
        r#"disturbances: {"force": [Impulse(at_s: 1, area: Unifrm(1, 2))]}"#,
        r#"disturbances: {"force": [Impulse(at_s: 1, area: 1, width_s: -1)]}"#,
        r#"disturbances: {"force": [Ramp(at_s: 1, to: 1, over_s: 0)]}"#,
        r#"disturbances: {"force": [Sine(amplitude: 1, period_s: Uniform(0, 1))]}"#,
        r#"disturbances: {"force": [Noise(sd: -1)]}"#,
        r#"disturbances: {"force": [Stp(at_s: 1, to: 1)]}"#,
        r#"disturbances: {"force": [Step(at: 1, to: 1)]}"#,
        r#"disturbances: {"force": Step(at_s: 1, to: 1)}"#,
    ] {
        let text =
            GOOD.replace("scaling:", &format!("uncertainty: ({uncertainty}),\n    scaling:"));
        let _ = write!(report, "{}\n\n", refuse(&text));
    }
    insta::assert_snapshot!(report);
}

#[test]
fn deep_nesting_is_refused() {
    for bracket in ["(", "[", "{", "a:(", "Some(", "{\"a\":"] {
        let error = refuse(&bracket.repeat(100_000));
        assert!(error.to_string().lines().count() > 2);
    }
    assert_eq!(refuse(&"[".repeat(100_000)).kind, ErrorKind::TooLarge);
}

#[test]
fn a_test_alone_cannot_be_trained_and_says_so() {
    let text = "Scenario(\n    plant: \"p\",\n    episodes: (test: (horizon_s: 1000)),\n)";
    let file = ScenarioFile::parse(text, "long.ron").unwrap();
    assert_eq!(file.require_test().unwrap().horizon_s, 1000.0);
    let error = file.require_training().unwrap_err();
    assert_eq!(error.kind, ErrorKind::Incomplete);
    assert_eq!(
        error.to_string(),
        "this scenario says no controller, so nothing can be trained\n \
         --> long.ron:1:1\n  \
           |\n\
         1 | Scenario(\n  \
           | ^^^^^^^^\n  \
           = hint: add `controller: FeedForward(hidden: [5])`; a test scenario is for `bitloop \
         replay CONTROLLER --scenario FILE`"
    );
}

#[test]
fn errors_that_need_the_plant_can_be_placed() {
    let file = ScenarioFile::parse(GOOD, "a.ron").unwrap();
    let error =
        file.error_at("observations.1", "the plant has no observation `theta`", "see there");
    let place = error.place.as_ref().unwrap();
    assert_eq!((place.line, place.column, place.width), (5, 25, 7));
    let error = file.error_at_key("initial.theta", "the plant has no state `theta`", "see there");
    let place = error.place.as_ref().unwrap();
    assert_eq!((place.line, place.column, place.width), (7, 15, 7));
}
