//! One query of a network in 56 lanes. Items are lanes answered, or fused products where the name says so.
//!
//! `recurrent_products` beside `fused_products` is how much of the processor's fused peak a large recurrent network gets,
//! its transfer functions, which are no products, included.

use bitloop_net::{Activation, Feedback, Layer, Network};
use bitloop_plant::{Isa, Kernel, Pair, Real, dispatch};
use divan::Bencher;
use divan::counter::ItemsCount;

const N_LANES: usize = 56;

/// Products of each sum of [`fused_products`], and how many sums run side by side, in pairs of vectors.
const N_TERMS: usize = 1000;
const N_SUMS: usize = 5;

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

#[divan::bench(args = [50, 100, 200])]
fn recurrent_products(bencher: Bencher<'_, '_>, n_hidden: usize) {
    let network = network(2, n_hidden, Feedback::Full);
    let n_products = network.n_weights() - n_hidden - 1;
    queries(bencher, Isa::best(), &network, N_LANES * n_products);
}

/// Sums of products in registers alone: as fast as the processor can.
#[divan::bench]
fn fused_products(bencher: Bencher<'_, '_>) {
    let isa = Isa::best();
    let n_lanes = dispatch(isa, Sums([1.0; 2])).1;
    bencher
        .counter(ItemsCount::new(N_TERMS * N_SUMS * n_lanes))
        .bench_local(|| dispatch(isa, Sums(divan::black_box([0.5, 1e-3]))).0);
}

/// Sums that begin apart, each multiplied by the first number and increased by the second one [`N_TERMS`] times.
struct Sums([f64; 2]);

impl Kernel for Sums {
    /// A number that depends on all of them, and the lanes that they are in.
    type Output = (f64, usize);

    #[inline(always)]
    fn run<R: Real>(self) -> (f64, usize) {
        let [factor, term] = self.0.map(Pair::<R>::splat);
        let mut sums: [Pair<R>; N_SUMS] = std::array::from_fn(|at| Pair::splat(at as f64));
        for _ in 0..N_TERMS {
            for sum in &mut sums {
                *sum = sum.mul_add(factor, term);
            }
        }
        let mut total = [0.0; 16];
        sums.into_iter().fold(term, |all, sum| all + sum).store(&mut total);
        (total.iter().sum(), Pair::<R>::LANES)
    }
}

fn forward(bencher: Bencher<'_, '_>, isa: &str, n_inputs: usize, n_hidden: usize, f: Feedback) {
    let isa = Isa::named(isa).expect("an available instruction set");
    queries(bencher, isa, &network(n_inputs, n_hidden, f), N_LANES);
}

fn network(n_inputs: usize, n_hidden: usize, f: Feedback) -> Network {
    let hidden = Layer { n_neurons: n_hidden, activation: Activation::Tanh, feedback: f };
    let output = Layer::new(1, Activation::Linear);
    Network::new(n_inputs, 1, vec![hidden, output]).expect("a valid shape")
}

fn queries(bencher: Bencher<'_, '_>, isa: Isa, network: &Network, n_items: usize) {
    // Weights of both signs that keep sums near 1, where tanh is neither linear nor saturated.
    let weights: Vec<f64> =
        (0..network.n_weights()).map(|i| 0.3 - 0.6 * ((i * 7) % 11) as f64 / 10.0).collect();
    let mut lanes = network.signals(N_LANES);
    for (i, input) in lanes.input.as_mut_slice().iter_mut().enumerate() {
        *input = (i % 13) as f64 / 6.0 - 1.0;
    }
    bencher
        .counter(ItemsCount::new(n_items))
        .bench_local(|| network.forward(isa, &weights, N_LANES, &mut lanes));
}
