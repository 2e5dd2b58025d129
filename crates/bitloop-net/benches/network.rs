//! One query of a network in 56 lanes. Items are lanes answered.

use bitloop_net::{Activation, Feedback, Layer, Network};
use bitloop_plant::Isa;
use divan::Bencher;
use divan::counter::ItemsCount;

const N_LANES: usize = 56;

fn main() {
    divan::main();
}

fn isas() -> Vec<&'static str> {
    Isa::available().map(Isa::name).collect()
}

#[divan::bench(args = isas())]
fn feed_forward_4_5_1(bencher: Bencher<'_, '_>, isa: &str) {
    forward(bencher, isa, 4, 5, Feedback::None);
}

#[divan::bench(args = isas())]
fn recurrent_2_20_1(bencher: Bencher<'_, '_>, isa: &str) {
    forward(bencher, isa, 2, 20, Feedback::Full);
}

fn forward(bencher: Bencher<'_, '_>, isa: &str, n_inputs: usize, n_hidden: usize, f: Feedback) {
    let isa = Isa::named(isa).expect("an available instruction set");
    let hidden = Layer { n_neurons: n_hidden, activation: Activation::Tanh, feedback: f };
    let output = Layer::new(1, Activation::Linear);
    let network = Network::new(n_inputs, 1, vec![hidden, output]).expect("a valid shape");
    // Weights of both signs that keep sums near 1, where tanh is neither linear nor saturated.
    let weights: Vec<f64> =
        (0..network.n_weights()).map(|i| 0.3 - 0.6 * ((i * 7) % 11) as f64 / 10.0).collect();
    let mut lanes = network.signals(N_LANES);
    for (i, input) in lanes.input.as_mut_slice().iter_mut().enumerate() {
        *input = (i % 13) as f64 / 6.0 - 1.0;
    }
    bencher
        .counter(ItemsCount::new(N_LANES))
        .bench_local(|| network.forward(isa, &weights, N_LANES, &mut lanes));
}
