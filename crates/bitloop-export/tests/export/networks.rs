//! Random controllers and models of every shape that a scenario allows.

use bitloop_export::{Codes, Decoding, Encoding, Fit, Input, Origin, Output, Portable, Weights};
use bitloop_net::{Activation, Feedback, Layer, Network};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// The first `n` networks of a fixed stream.
pub fn sample<S: Strategy<Value = Portable>>(strategy: &S, n: usize) -> Vec<Portable> {
    let mut runner = TestRunner::deterministic();
    (0..n).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

/// A controller: feed-forward or recurrent, some with a window, with scaled and bounded channels.
pub fn controller() -> impl Strategy<Value = Portable> {
    controller_with(false)
}

/// The same with a direct path from inputs to outputs beside hidden layers.
pub fn direct_controller() -> impl Strategy<Value = Portable> {
    controller_with(true)
        .prop_filter("a layer to go around", |portable| portable.network.n_direct() > 0)
}

fn controller_with(direct: bool) -> impl Strategy<Value = Portable> {
    let encoding = prop_oneof![
        Just((0.0, 1.0)),
        (-400.0..400.0_f64, 0.01..50.0_f64),
        (-1e3..1e3_f64, 1e-2..1e3_f64)
    ];
    let bounds = prop_oneof![
        Just((f64::NEG_INFINITY, f64::INFINITY)),
        (-3.0..-0.1_f64, 0.1..3.0_f64),
        (-3.0..3.0_f64).prop_map(|low| (low, f64::INFINITY)),
        (-3.0..3.0_f64).prop_map(|high| (f64::NEG_INFINITY, high)),
    ];
    let inputs = prop::collection::vec(encoding.clone(), 1..5);
    let outputs = prop::collection::vec((encoding, bounds), 1..4);
    (inputs, outputs).prop_flat_map(move |(inputs, outputs)| {
        let shape = shape(inputs.len(), outputs.len(), true, direct);
        (shape, weights(false)).prop_map(move |(network, weights)| Portable {
            origin: origin(Some("random"), Some(0.02)),
            inputs: inputs
                .iter()
                .enumerate()
                .map(|(at, &(center, scale))| Input {
                    name: format!("input {at}"),
                    unit: "°/s".to_owned(),
                    encoding: Encoding::Scaled { center, scale },
                })
                .collect(),
            outputs: outputs
                .iter()
                .enumerate()
                .map(|(at, &((center, scale), (low, high)))| Output {
                    name: format!("output {at}"),
                    unit: String::new(),
                    fit: None,
                    decoding: Decoding::Scaled {
                        center,
                        scale,
                        min: center + scale * low,
                        max: center + scale * high,
                    },
                })
                .collect(),
            weights: weights.take(network.n_weights()),
            network,
        })
    })
}

/// A model of examples: numbers, words and classes. With `real` weights may be real.
pub fn model(real: bool) -> impl Strategy<Value = Portable> {
    let range = (-50.0..50.0_f64, 0.0..40.0_f64)
        .prop_map(|(min, width)| (min, if width < 4.0 { min } else { min + width }));
    let encoding = prop_oneof![
        range.clone().prop_map(|(min, max)| Encoding::Range { min, max, low: -1.0, high: 1.0 }),
        Just(Encoding::Scaled { center: 0.0, scale: 1.0 }),
        (1..4_usize).prop_map(|n| Encoding::Words(words(n))),
    ];
    let unbounded = (f64::NEG_INFINITY, f64::INFINITY);
    let decoding = prop_oneof![
        Just(Decoding::Scaled { center: 0.0, scale: 1.0, min: unbounded.0, max: unbounded.1 }),
        range.prop_map(|(min, max)| Decoding::Range { min, max, low: 0.0, high: 1.0 }),
        (2..5_usize).prop_map(|n| Decoding::Classes(words(n))),
    ];
    let fit = prop::option::of((-30.0..30.0_f64, -2.0..2.0_f64))
        .prop_map(|fit| fit.map(|(scale, offset)| Fit { scale, offset }));
    let target = (decoding, fit).prop_map(|(decoding, fit)| match decoding {
        Decoding::Classes(_) => (decoding, None),
        _ => (decoding, fit),
    });
    let columns = prop::collection::vec(encoding, 1..5);
    let targets = prop::collection::vec(target, 1..3);
    (columns, targets).prop_flat_map(move |(columns, targets)| {
        let n_inputs = columns.iter().map(Encoding::n_variables).sum();
        let n_outputs = targets.iter().map(|(decoding, _)| decoding.n_variables()).sum();
        let shape = shape(n_inputs, n_outputs, false, false);
        (shape, weights(real)).prop_map(move |(network, weights)| Portable {
            origin: origin(None, None),
            inputs: columns
                .iter()
                .enumerate()
                .map(|(at, encoding)| Input {
                    name: format!("column {at}"),
                    unit: String::new(),
                    encoding: encoding.clone(),
                })
                .collect(),
            outputs: targets
                .iter()
                .enumerate()
                .map(|(at, (decoding, fit))| Output {
                    name: format!("target */ {at}"),
                    unit: String::new(),
                    fit: *fit,
                    decoding: decoding.clone(),
                })
                .collect(),
            weights: weights.take(network.n_weights()),
            network,
        })
    })
}

fn words(n: usize) -> Vec<String> {
    (0..n).map(|word| format!("<={word}0 K")).collect()
}

fn origin(plant: Option<&str>, sample_time_s: Option<f64>) -> Origin {
    Origin {
        plant: plant.map(str::to_owned),
        sample_time_s,
        scenario: "random.ron".to_owned(),
        scenario_digest: "0".repeat(64),
        digest: "f".repeat(64),
        bitloop_version: "0".to_owned(),
    }
}

fn shape(
    n_inputs: usize,
    n_outputs: usize,
    memory: bool,
    direct: bool,
) -> impl Strategy<Value = Network> {
    let activation =
        prop_oneof![Just(Activation::Tanh), Just(Activation::Logistic), Just(Activation::Linear)];
    let hidden = prop::collection::vec((1..8_usize, activation.clone()), 0..4);
    let (feedbacks, windows) = if memory { (0..3_u8, 1..4_usize) } else { (0..1, 1..2) };
    (hidden, activation, feedbacks, windows).prop_map(move |(hidden, last, feedback, window)| {
        let feedback = match feedback {
            1 => Feedback::Full,
            2 => Feedback::SelfOnly,
            _ => Feedback::None,
        };
        let hidden = hidden.into_iter().map(|(n_neurons, activation)| Layer {
            n_neurons,
            activation,
            feedback,
        });
        let layers = hidden.chain([Layer::new(n_outputs, last)]).collect();
        let network = Network::new(n_inputs, window, layers).unwrap();
        if direct { network.clone().with_direct_path().unwrap_or(network) } else { network }
    })
}

/// A source of weights, of which a network takes as many as it needs.
#[derive(Clone, Debug)]
struct Draws {
    bits: u32,
    max_weight: f64,
    shares: Vec<f64>,
    is_real: bool,
}

fn weights(real: bool) -> impl Strategy<Value = Draws> {
    let shares = prop::collection::vec(-1.0..1.0_f64, 64);
    let is_real = if real { any::<bool>().boxed() } else { Just(false).boxed() };
    (2..=24_u32, 0.3..20.0_f64, shares, is_real)
        .prop_map(|(bits, max_weight, shares, is_real)| Draws { bits, max_weight, shares, is_real })
}

impl Draws {
    fn take(&self, n: usize) -> Weights {
        let share =
            |at: usize| self.shares[at * 37 % self.shares.len()] * (1.0 - at as f64 * 1e-3).abs();
        if self.is_real {
            return Weights::Real((0..n).map(|at| self.max_weight * share(at)).collect());
        }
        let most = f64::from(1 << (self.bits - 1)) - 1.0;
        #[expect(clippy::cast_possible_truncation, reason = "at most 24 bits")]
        let codes = (0..n).map(|at| (most * share(at)).round() as i32).collect();
        Weights::Codes(Codes::new(self.bits, self.max_weight, codes).unwrap())
    }
}
