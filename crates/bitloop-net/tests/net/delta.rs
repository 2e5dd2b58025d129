//! Delta evaluation against full passes, bit for bit, over random networks, losses, moves and long sequences.

use std::sync::Arc;

use bitloop_net::{
    Activation, DeltaEvaluation, DeltaScaling, Layer, LayerScaling, Loss, Network, Samples,
    WeightChange, WeightSteps,
};
use bitloop_plant::{Isa, Real};
use proptest::prelude::*;

/// Numbers in [-1, 1) from a linear congruence.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed ^ 0x9e37_79b9_7f4a_7c15;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

fn index_below(n: usize, number: &mut impl FnMut() -> f64) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small")]
    let index = ((number() + 1.0) * 0.5 * n as f64) as usize;
    index.min(n - 1)
}

/// A step that is no power of two, and multiples up to a range of 4.
pub fn steps(seed: u64) -> WeightSteps {
    let most = [2, 7, 2048, 1 << 15, 1 << 23][usize::try_from(seed / 5 % 5).unwrap()];
    WeightSteps { step: 4.0 / (f64::from(most) - 0.9), most }
}

fn on_grid(steps: WeightSteps, weight: f64) -> f64 {
    (weight / steps.step).round().clamp(-f64::from(steps.most), f64::from(steps.most)) * steps.step
}

/// A network, a loss that fits it, and samples.
#[derive(Debug, Clone)]
struct Case {
    network: Network,
    loss: Loss,
    steps: WeightSteps,
    penalty: f64,
    scaling: DeltaScaling,
    samples: Arc<Samples>,
    inputs: Vec<Vec<f64>>,
    targets: Vec<Vec<f64>>,
    seed: u64,
}

impl Case {
    fn new(
        n_inputs: usize,
        hidden: &[usize],
        n_outputs: usize,
        n_samples: usize,
        seed: u64,
    ) -> Self {
        use Activation::{Linear, Logistic, Tanh};
        let (loss, output) = [
            (Loss::SquaredError, Linear),
            (Loss::SquaredError, Logistic),
            (Loss::LogisticCrossEntropy, Logistic),
            (Loss::SoftmaxCrossEntropy, Linear),
            (Loss::SquaredError, Tanh),
        ][usize::try_from(seed % 5).unwrap()];
        let hidden = hidden.iter().enumerate().map(|(index, &n_neurons)| {
            let kinds = [Tanh, Logistic, Tanh, Linear];
            Layer::new(n_neurons, kinds[(index + usize::try_from(seed % 4).unwrap()) % 4])
        });
        let mut layers: Vec<Layer> = hidden.collect();
        layers.push(Layer::new(n_outputs, output));
        let network = Network::new(n_inputs, 1, layers).unwrap();
        let mut number = numbers(seed);
        let inputs = rows(n_inputs, n_samples, &mut number);
        let mut targets = rows(n_outputs, n_samples, &mut number);
        if loss != Loss::SquaredError {
            for sample in 0..n_samples {
                let class = index_below(n_outputs, &mut number);
                for (output, row) in targets.iter_mut().enumerate() {
                    row[sample] = if output == class { 1.0 } else { 0.0 };
                }
            }
        }
        let samples = Samples::new(&inputs, &targets).unwrap();
        let fits_outputs = seed.is_multiple_of(5) && !seed.is_multiple_of(2);
        // Some samples count for more, and some not at all.
        let is_weighted = seed % 3 == 1 && !fits_outputs;
        let weights: Vec<f64> = (0..n_samples).map(|k| [1.0, 0.3, 5.0, 0.0][k % 4]).collect();
        let samples = if is_weighted { samples.weighted(&weights).unwrap() } else { samples };
        let samples = Arc::new(samples);
        let penalty = if seed.is_multiple_of(2) { 0.0 } else { 1e-3 };
        let exponents: Vec<i32> = match seed % 3 {
            0 => Vec::new(),
            _ => (0..network.layers().len()).map(|layer| [1, -2, 0][layer % 3]).collect(),
        };
        let scaling =
            DeltaScaling { layers: LayerScaling::new(&network, &exponents).unwrap(), fits_outputs };
        Self { network, loss, steps: steps(seed), penalty, scaling, samples, inputs, targets, seed }
    }

    fn evaluation(&self, isa: Isa) -> DeltaEvaluation {
        let samples = Arc::clone(&self.samples);
        let (network, steps, penalty) = (self.network.clone(), self.steps, self.penalty);
        DeltaEvaluation::scaled(network, samples, self.loss, steps, penalty, &self.scaling)
            .unwrap()
            .on(isa)
    }

    fn weights(&self) -> Vec<f64> {
        let mut number = numbers(self.seed + 1);
        (0..self.network.n_weights()).map(|_| on_grid(self.steps, 2.0 * number())).collect()
    }

    /// The values of the output layer that the loss sees, of one sample, by the docs of [`Network`].
    fn values(&self, weights: &[f64], sample: usize) -> Vec<f64> {
        let mut fed: Vec<f64> = self.inputs.iter().map(|row| row[sample]).collect();
        let mut weights = weights.iter().copied();
        for (index, layer) in self.network.layers().iter().enumerate() {
            let is_last = index + 1 == self.network.layers().len();
            let outputs = (0..layer.n_neurons).map(|_| {
                let bias = weights.next().unwrap();
                let sum = fed.iter().fold(bias, |s, o| o.mul_add(weights.next().unwrap(), s));
                match layer.activation {
                    _ if is_last && self.loss != Loss::SquaredError => sum,
                    Activation::Tanh => Real::tanh(sum),
                    Activation::Logistic => Real::logistic(sum),
                    Activation::Linear => sum,
                }
            });
            fed = outputs.collect();
        }
        fed
    }

    /// The cost by its textbook formula, in plain order.
    fn textbook_cost(&self, weights: &[f64]) -> f64 {
        let n_samples = self.samples.n_samples();
        let squares: f64 = weights.iter().map(|w| w * w).sum();
        let weights = &self.scaling.layers.weights(&self.network, weights);
        if self.scaling.fits_outputs {
            return self.fitted_loss(weights) + self.penalty * squares;
        }
        let losses = (0..n_samples).map(|sample| {
            let values = self.values(weights, sample);
            let targets: Vec<f64> = self.targets.iter().map(|row| row[sample]).collect();
            let pairs = values.iter().zip(&targets);
            let loss: f64 = match self.loss {
                Loss::SquaredError => {
                    pairs.map(|(o, t)| (o - t) * (o - t)).sum::<f64>() / targets.len() as f64
                }
                Loss::LogisticCrossEntropy => pairs
                    .map(|(&z, t)| {
                        // 1 - o by symmetry, since the difference has no digits left where o is almost 1.
                        let (o, one_minus_o) = (Real::logistic(z), Real::logistic(-z));
                        -t * Real::ln(o) - (1.0 - t) * Real::ln(one_minus_o)
                    })
                    .sum(),
                Loss::SoftmaxCrossEntropy => {
                    // Shifted by the largest value, which cancels: no exponential overflows.
                    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    let total: f64 = values.iter().map(|&z| Real::exp(z - largest)).sum();
                    pairs.map(|(&z, t)| -t * (z - largest - Real::ln(total))).sum()
                }
            };
            self.samples.weights().map_or(loss, |weights| weights[sample] * loss)
        });
        let total: f64 = self
            .samples
            .weights()
            .map_or(n_samples as f64, |weights| weights[..n_samples].iter().sum());
        losses.sum::<f64>() / total + self.penalty * squares
    }

    /// The mean of the squared errors by the best scale and offset of each output, from sums about means.
    fn fitted_loss(&self, weights: &[f64]) -> f64 {
        let n_samples = self.samples.n_samples();
        let values: Vec<Vec<f64>> = (0..n_samples).map(|k| self.values(weights, k)).collect();
        let n_outputs = self.targets.len();
        let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / n_samples as f64;
        let of_output = |output: usize| {
            let z: Vec<f64> = values.iter().map(|values| values[output]).collect();
            let t = &self.targets[output];
            let (z_mean, t_mean) = (mean(&z), mean(t));
            let sum = |f: &dyn Fn(f64, f64) -> f64| {
                z.iter().zip(t).map(|(z, t)| f(z - z_mean, t - t_mean)).sum::<f64>()
            };
            let (zz, zt, tt) = (sum(&|z, _| z * z), sum(&|z, t| z * t), sum(&|_, t| t * t));
            // Of outputs that are the same for all samples, the mean of the targets is the best.
            let size = z.iter().fold(0.0, |most: f64, z| most.max(z.abs()));
            let is_same = zz <= 1e-12 * size * size * n_samples as f64;
            if is_same { tt } else { tt - zt * zt / zz }
        };
        (0..n_outputs).map(of_output).sum::<f64>() / (n_samples * n_outputs) as f64
    }
}

fn rows(n: usize, n_samples: usize, number: &mut impl FnMut() -> f64) -> Vec<Vec<f64>> {
    (0..n).map(|_| (0..n_samples).map(|_| number()).collect()).collect()
}

/// Some changes, mostly of one weight, and some of weights that keep their value.
fn changes(
    steps: WeightSteps,
    weights: &[f64],
    number: &mut impl FnMut() -> f64,
) -> Vec<WeightChange> {
    let n_changes = [1, 1, 1, 2, 5][index_below(5, number)];
    let mut changes: Vec<WeightChange> = Vec::new();
    for _ in 0..n_changes {
        let weight_index = index_below(weights.len(), number);
        let value =
            if number() > 0.9 { weights[weight_index] } else { on_grid(steps, 3.0 * number()) };
        if changes.iter().all(|change| change.weight_index != weight_index) {
            changes.push(WeightChange { weight_index, value });
        }
    }
    changes
}

fn changed(weights: &[f64], changes: &[WeightChange]) -> Vec<f64> {
    let mut weights = weights.to_vec();
    for change in changes {
        weights[change.weight_index] = change.value;
    }
    weights
}

fn case() -> impl Strategy<Value = Case> {
    let hidden = prop::collection::vec(1_usize..12, 0..4);
    (1_usize..5, hidden, 1_usize..4, 1_usize..150, any::<u32>()).prop_map(
        |(n_inputs, hidden, n_outputs, n_samples, seed)| {
            Case::new(n_inputs, &hidden, n_outputs, n_samples, u64::from(seed))
        },
    )
}

fn assert_same_state(found: &DeltaEvaluation, case: &Case, context: &str) {
    let mut full = case.evaluation(Isa::PORTABLE);
    let cost = full.set(found.weights());
    assert_eq!(found.cost().to_bits(), cost.to_bits(), "cost {context}");
    for row in 0..full.sums().n_rows() {
        let n_samples = case.samples.n_samples();
        // Of zero, there are two, which mean the same.
        let sums = |e: &DeltaEvaluation| e.sums().row(row)[..n_samples].to_vec();
        assert_eq!(sums(found), sums(&full), "sums of neuron {row} {context}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Whatever the order of moves, what is stored is what a full pass gives, and so is each answer.
    #[test]
    fn long_sequences_do_not_drift(case in case()) {
        for isa in Isa::available() {
            let mut number = numbers(case.seed + 2);
            let mut delta = case.evaluation(isa);
            let mut scratch = delta.scratch();
            let mut full = case.evaluation(Isa::PORTABLE);
            delta.set(&case.weights());
            for step in 0..40 {
                let changes = changes(case.steps, delta.weights(), &mut number);
                let expected = full.set(&changed(delta.weights(), &changes));
                let found = delta.probe(&mut scratch, changes.iter().copied(), f64::INFINITY, || false);
                prop_assert_eq!(found.map(f64::to_bits), Some(expected.to_bits()), "step {}", step);
                match index_below(4, &mut number) {
                    0 => {}
                    1 => delta.commit(changes),
                    2 => {
                        // Another probe lies between a probe and its commit.
                        let other = self::changes(case.steps, delta.weights(), &mut number);
                        let _ = delta.probe(&mut scratch, other, f64::INFINITY, || false);
                        delta.commit(changes);
                    }
                    _ => delta.commit(self::changes(case.steps, delta.weights(), &mut number)),
                }
                assert_same_state(&delta, &case, &format!("on {} at step {step}", isa.name()));
            }
        }
    }

    /// A greedy descent takes the same moves with early abort and without, on every instruction set.
    #[test]
    fn early_abort_changes_no_move(case in case()) {
        let descend = |isa, aborts| {
            let mut number = numbers(case.seed + 3);
            let mut delta = case.evaluation(isa).with_early_abort(aborts);
            let mut scratch = delta.scratch();
            delta.set(&case.weights());
            let mut path = Vec::new();
            for _ in 0..300 {
                let changes = changes(case.steps, delta.weights(), &mut number);
                let bound = delta.cost();
                let found = delta.probe(&mut scratch, changes.iter().copied(), bound, || false);
                if let Some(cost) = found {
                    assert!(cost < bound, "{cost} is not below {bound}");
                    delta.commit(changes);
                    assert_eq!(delta.cost().to_bits(), cost.to_bits());
                }
                path.push(found.map(f64::to_bits));
            }
            assert_same_state(&delta, &case, "after a descent");
            path
        };
        let expected = descend(Isa::PORTABLE, false);
        for isa in Isa::available() {
            prop_assert_eq!(&descend(isa, true), &expected, "on {}", isa.name());
        }
    }

    /// There is an answer if and only if the cost is below the bound.
    #[test]
    fn the_bound_alone_decides(case in case()) {
        let mut number = numbers(case.seed + 4);
        let mut delta = case.evaluation(Isa::best());
        let mut full = case.evaluation(Isa::best());
        let mut scratch = delta.scratch();
        let cost = delta.set(&case.weights());
        for _ in 0..60 {
            let changes = changes(case.steps, delta.weights(), &mut number);
            let exact = full.set(&changed(delta.weights(), &changes));
            let bounds = [0.5 * cost, 0.9 * cost, cost, 1.1 * cost, exact, exact.next_up()];
            for bound in bounds {
                let found = delta.probe(&mut scratch, changes.iter().copied(), bound, || false);
                prop_assert_eq!(found, Some(exact).filter(|&exact| exact < bound));
            }
        }
    }

    #[test]
    fn costs_are_those_of_the_textbook(case in case()) {
        let weights = case.weights();
        let found = case.evaluation(Isa::best()).set(&weights);
        let expected = case.textbook_cost(&weights);
        // The textbook does not round signals, up to 2^-21 with 24 bits; a few layers of weights up to 4 amplify that.
        let quantum = f64::from(case.steps.most) * 32.0 * f64::EPSILON;
        prop_assert!((found - expected).abs() <= 1e3 * quantum * (1.0 + expected), "{found} {expected}");
    }
}

/// Many samples are worked on in longer chunks, the last of which is cut short.
#[test]
fn many_samples_come_to_the_same() {
    for (n_samples, seed) in [(2049, 0), (4096, 1), (4111, 2), (6500, 3)] {
        let case = Case::new(3, &[5, 4], 2, n_samples, seed);
        for isa in Isa::available() {
            let mut number = numbers(seed);
            let mut delta = case.evaluation(isa);
            let mut scratch = delta.scratch();
            delta.set(&case.weights());
            for _ in 0..20 {
                let changes = changes(case.steps, delta.weights(), &mut number);
                let expected = case.textbook_cost(&changed(delta.weights(), &changes));
                let bound = f64::INFINITY;
                let found = delta.probe(&mut scratch, changes.iter().copied(), bound, || false);
                let found = found.expect("no bound");
                delta.commit(changes);
                assert_eq!(delta.cost().to_bits(), found.to_bits());
                // As above.
                let quantum = f64::from(case.steps.most) * 32.0 * f64::EPSILON;
                let difference = (found - expected).abs();
                assert!(difference <= 1e3 * quantum * (1.0 + expected), "{found} {expected}");
            }
            assert_same_state(&delta, &case, &format!("{n_samples} samples on {}", isa.name()));
        }
    }
}

#[test]
fn a_canceled_probe_gives_up() {
    let case = Case::new(2, &[4], 1, 100, 0);
    let mut delta = case.evaluation(Isa::best());
    delta.set(&case.weights());
    let changes = [WeightChange { weight_index: 0, value: case.steps.step }];
    let mut scratch = delta.scratch();
    assert_eq!(delta.probe(&mut scratch, changes, f64::INFINITY, || true), None);
    assert!(delta.probe(&mut scratch, changes, f64::INFINITY, || false).is_some());
}

/// A network whose outputs overflow costs infinity; a probe finds the way back.
#[test]
fn overflow_is_no_dead_end() {
    let network = Network::new(1, 1, vec![Layer::new(1, Activation::Linear)]).unwrap();
    let samples = Samples::new(&[vec![0.0, 1.0]], &[vec![0.0, 1.0]]).unwrap();
    let steps = WeightSteps { step: 1e200, most: 1 };
    let mut delta =
        DeltaEvaluation::new(network, Arc::new(samples), Loss::SquaredError, steps, 0.0).unwrap();
    assert_eq!(delta.set(&[0.0, 1e200]), f64::INFINITY);
    let mut scratch = delta.scratch();
    let changes = [WeightChange { weight_index: 1, value: 0.0 }];
    assert_eq!(delta.probe(&mut scratch, changes, f64::INFINITY, || false), Some(0.5));
    delta.commit(changes);
    assert_eq!(delta.cost(), 0.5);
    // And the other way: the candidate overflows.
    let worse = [WeightChange { weight_index: 1, value: 1e200 }];
    assert_eq!(delta.probe(&mut scratch, worse, 0.5, || false), None);
}

#[test]
#[should_panic(expected = "a weight of 0.7 is not on the grid")]
fn weights_off_the_grid_are_not_taken() {
    let case = Case::new(2, &[4], 1, 100, 0);
    case.evaluation(Isa::best()).set(&vec![0.7; case.network.n_weights()]);
}
