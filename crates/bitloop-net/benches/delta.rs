//! A probe by delta evaluation beside a full pass, early abort off on both sides. Items are samples answered.

use std::sync::Arc;

use bitloop_net::{
    Activation, DeltaEvaluation, Layer, Loss, Network, Samples, WeightChange, WeightSteps,
};
use bitloop_plant::{Isa, LaneMatrix};
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

/// Of 12 bits, up to 8.
const STEPS: WeightSteps = WeightSteps { step: 8.0 / 2047.0, most: 2048 };

/// Numbers in [-1, 1) from a linear congruence.
fn numbers() -> impl FnMut() -> f64 {
    let mut state = 1_u64;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

struct Setup {
    evaluation: DeltaEvaluation,
    weights: Vec<f64>,
}

fn setup(n_inputs: usize, hidden: &[usize], output: Activation, n_samples: usize) -> Setup {
    let mut number = numbers();
    let mut rows = |n: usize| -> Vec<Vec<f64>> {
        (0..n).map(|_| (0..n_samples).map(|_| number()).collect()).collect()
    };
    let samples = Samples::new(&rows(n_inputs), &rows(1)).expect("valid");
    let mut layers: Vec<Layer> = hidden.iter().map(|&n| Layer::new(n, Activation::Tanh)).collect();
    layers.push(Layer::new(1, output));
    let network = Network::new(n_inputs, 1, layers).expect("a valid shape");
    let weights: Vec<f64> =
        (0..network.n_weights()).map(|_| (number() / STEPS.step).round() * STEPS.step).collect();
    let mut evaluation =
        DeltaEvaluation::new(network, Arc::new(samples), Loss::SquaredError, STEPS, 0.0)
            .expect("fits")
            .with_early_abort(false);
    evaluation.set(&weights);
    Setup { evaluation, weights }
}

fn house_16h() -> Setup {
    setup(16, &[200], Activation::Linear, 15_948)
}

fn two_spirals() -> Setup {
    setup(2, &[20, 20], Activation::Logistic, 193)
}

fn moved(setup: &Setup, index: usize) -> WeightChange {
    let code = (setup.weights[index] / STEPS.step).round() + 128.0;
    WeightChange { weight_index: index, value: code * STEPS.step }
}

/// Probes of the first weights, all over them, each answered as not below its bound.
fn probes(bencher: Bencher<'_, '_>, setup: &Setup, n_weights: usize) {
    let evaluation = &setup.evaluation;
    let mut scratch = evaluation.scratch();
    let mut index = 0;
    bencher.counter(ItemsCount::new(evaluation.samples().n_samples())).bench_local(|| {
        index = (index + 7919) % n_weights;
        let change = moved(setup, index);
        evaluation.probe(&mut scratch, [change], 0.5 * evaluation.cost(), || false)
    });
}

#[divan::bench]
fn house_16h_delta(bencher: Bencher<'_, '_>) {
    let setup = house_16h();
    probes(bencher, &setup, setup.weights.len());
}

/// The same within one neuron, whose rows stay in the cache: the difference is what memory costs.
#[divan::bench]
fn house_16h_delta_cached(bencher: Bencher<'_, '_>) {
    let setup = house_16h();
    let per_neuron = 1 + setup.evaluation.samples().inputs().n_rows();
    probes(bencher, &setup, per_neuron);
}

#[divan::bench]
fn two_spirals_delta(bencher: Bencher<'_, '_>) {
    let setup = two_spirals();
    probes(bencher, &setup, setup.weights.len());
}

/// Commits of weights all over the network: what an accepted move costs beside its probe.
fn commits(bencher: Bencher<'_, '_>, setup: Setup) {
    let Setup { mut evaluation, weights } = setup;
    let mut index = 0;
    bencher.counter(ItemsCount::new(evaluation.samples().n_samples())).bench_local(|| {
        index = (index + 7919) % weights.len();
        let code = (evaluation.weights()[index] / STEPS.step).round();
        let value = if code > 0.0 { code - 128.0 } else { code + 128.0 } * STEPS.step;
        evaluation.commit([WeightChange { weight_index: index, value }]);
    });
}

#[divan::bench]
fn house_16h_commit(bencher: Bencher<'_, '_>) {
    commits(bencher, house_16h());
}

#[divan::bench]
fn two_spirals_commit(bencher: Bencher<'_, '_>) {
    commits(bencher, two_spirals());
}

#[divan::bench]
fn house_16h_set(bencher: Bencher<'_, '_>) {
    let Setup { mut evaluation, weights } = house_16h();
    bencher
        .counter(ItemsCount::new(evaluation.samples().n_samples()))
        .bench_local(|| evaluation.set(&weights));
}

#[divan::bench]
fn two_spirals_set(bencher: Bencher<'_, '_>) {
    let Setup { mut evaluation, weights } = two_spirals();
    bencher
        .counter(ItemsCount::new(evaluation.samples().n_samples()))
        .bench_local(|| evaluation.set(&weights));
}

/// A full pass that keeps nothing: the network's own, in lanes that stay in the cache, and the squared errors.
#[divan::bench]
fn house_16h_full(bencher: Bencher<'_, '_>) {
    full(bencher, &house_16h());
}

#[divan::bench]
fn two_spirals_full(bencher: Bencher<'_, '_>) {
    full(bencher, &two_spirals());
}

fn full(bencher: Bencher<'_, '_>, setup: &Setup) {
    const CHUNK: usize = 64;
    let (network, samples) = (setup.evaluation.network(), setup.evaluation.samples());
    let mut lanes = network.signals(CHUNK);
    bencher.counter(ItemsCount::new(samples.n_samples())).bench_local(|| {
        let mut sum = 0.0;
        for start in (0..samples.n_samples()).step_by(CHUNK) {
            let n = CHUNK.min(samples.n_samples() - start);
            for row in 0..network.n_inputs() {
                let input: &LaneMatrix = samples.inputs();
                lanes.input.row_mut(row)[..n].copy_from_slice(&input.row(row)[start..start + n]);
            }
            network.forward(Isa::best(), &setup.weights, n, &mut lanes);
            for (o, t) in lanes.output.row(0).iter().zip(&samples.targets().row(0)[start..]).take(n)
            {
                sum += (o - t) * (o - t);
            }
        }
        sum
    });
}
