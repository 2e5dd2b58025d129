//! The forward pass over blocks of lanes.
//!
//! The sums of five neurons are computed together, since a single chain of fused products is bound by latency. Each sum
//! keeps its own order of terms, so that the grouping moves no bit. The transfer function is applied right after the five
//! sums, so that the processor overlaps its divisions with the sums of the next five.

use std::ops::ControlFlow;

use bitloop_plant::{Isa, Kernel, LaneMatrix, LaneWork, Real, dispatch, for_each_block};

use crate::activation::Activation;
use crate::shape::{Feedback, Layer, Network, n_memory_of, n_weights_of};
use crate::signals::SignalLanes;

/// Neurons whose sums are computed together.
const GROUP: usize = 5;

impl Network {
    /// Buffers that fit the network.
    #[must_use]
    pub fn signals(&self, n_lanes: usize) -> SignalLanes {
        SignalLanes::zeros(
            self.n_inputs(),
            self.n_outputs(),
            self.n_memory(),
            self.n_scratch(),
            n_lanes,
        )
    }

    /// Numbers that [`Network::signals`] holds for each lane.
    #[must_use]
    pub fn n_signals(&self) -> usize {
        self.n_inputs() + self.n_outputs() + self.n_memory() + self.n_scratch()
    }

    /// Rows of working memory: the window of inputs if it holds past ones, and the outputs of every layer. What is fed
    /// directly is copied behind the outputs that it is fed with, so that one sum runs over both.
    fn n_scratch(&self) -> usize {
        let window = if self.window() > 1 { self.window() * self.n_inputs() } else { 0 };
        window + self.layers().iter().map(|layer| layer.n_neurons).sum::<usize>() + self.n_direct()
    }

    /// Answers one query in lanes `0..n_lanes`: reads `lanes.input`, writes `lanes.output`, updates `lanes.memory`.
    ///
    /// `weights: [n_weights]` in the order of [`Network`].
    ///
    /// # Panics
    /// If `weights` or `lanes` do not fit the network.
    pub fn forward(&self, isa: Isa, weights: &[f64], n_lanes: usize, lanes: &mut SignalLanes) {
        assert_eq!(weights.len(), self.n_weights(), "weights of another network");
        assert!(
            lanes.input.n_rows() == self.n_inputs()
                && lanes.output.n_rows() == self.n_outputs()
                && lanes.memory.n_rows() == self.n_memory()
                && lanes.scratch.n_rows() == self.n_scratch()
                && n_lanes <= lanes.input.n_lanes(),
            "buffers of another network"
        );
        dispatch(isa, Forward { network: self, weights, n_lanes, lanes });
    }
}

struct Forward<'a> {
    network: &'a Network,
    weights: &'a [f64],
    n_lanes: usize,
    lanes: &'a mut SignalLanes,
}

impl Kernel for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Real>(mut self) {
        let all = 0..LaneMatrix::covered(self.n_lanes);
        let _ = for_each_block::<R>(&mut self, all);
    }
}

impl LaneWork for Forward<'_> {
    #[inline(always)]
    fn block<R: Real>(&mut self, first_lane: usize) -> ControlFlow<()> {
        block::<R>(self.network, self.weights, self.lanes, first_lane);
        ControlFlow::Continue(())
    }
}

/// All layers, at one block of lanes.
#[inline(always)]
fn block<R: Real>(network: &Network, weights: &[f64], lanes: &mut SignalLanes, lane: usize) {
    let stride = lanes.input.n_lanes();
    let input = lanes.input.as_slice();
    let memory = lanes.memory.as_mut_slice();
    let output = lanes.output.as_mut_slice();
    let mut scratch = lanes.scratch.as_mut_slice();
    let mut fed: &[f64] = input;
    let mut memory_rest = memory;
    if network.window() > 1 {
        let n_inputs = network.n_inputs();
        let n_past = n_inputs * (network.window() - 1);
        let (window, rest) = scratch.split_at_mut((n_inputs + n_past) * stride);
        let (past, memory_of_layers) = memory_rest.split_at_mut(n_past * stride);
        slide_window::<R>(input, past, window, n_inputs, stride, lane);
        (fed, scratch, memory_rest) = (window, rest, memory_of_layers);
    }
    let seen = fed;
    let mut weights_rest = weights;
    for (index, (n_fed, layer)) in network.fed_layers().enumerate() {
        let per_neuron = n_weights_of(n_fed, layer);
        let (of_layer, others) = weights_rest.split_at(layer.n_neurons * per_neuron);
        let (past, memory_of_others) = memory_rest.split_at_mut(n_memory_of(layer) * stride);
        let n_beside = network.n_beside(index);
        let (outputs, free) = scratch.split_at_mut((layer.n_neurons + n_beside) * stride);
        neurons::<R>(layer, n_fed, of_layer, fed, past, outputs, stride, lane);
        copy_rows::<R>(seen, &mut outputs[layer.n_neurons * stride..], n_beside, stride, lane);
        // The past outputs may be overwritten only after the whole layer has read them.
        copy_rows::<R>(outputs, past, n_memory_of(layer), stride, lane);
        (weights_rest, memory_rest, fed, scratch) = (others, memory_of_others, outputs, free);
    }
    copy_rows::<R>(fed, output, network.n_outputs(), stride, lane);
}

/// Fills `window` with the present and the past inputs, newest first, and moves the past on by one query.
#[inline(always)]
fn slide_window<R: Real>(
    input: &[f64],
    past: &mut [f64],
    window: &mut [f64],
    n_inputs: usize,
    stride: usize,
    lane: usize,
) {
    let n_past = past.len() / stride;
    copy_rows::<R>(input, window, n_inputs, stride, lane);
    copy_rows::<R>(past, &mut window[n_inputs * stride..], n_past, stride, lane);
    copy_rows::<R>(window, past, n_past, stride, lane);
}

#[inline(always)]
fn copy_rows<R: Real>(from: &[f64], to: &mut [f64], n_rows: usize, stride: usize, lane: usize) {
    for row in 0..n_rows {
        R::load(&from[row * stride + lane..]).store(&mut to[row * stride + lane..]);
    }
}

/// `o_j` for every neuron j of a layer.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the slices of one layer, split by the caller")]
fn neurons<R: Real>(
    layer: &Layer,
    n_fed: usize,
    weights: &[f64],
    fed: &[f64],
    past: &[f64],
    outputs: &mut [f64],
    stride: usize,
    lane: usize,
) {
    let per_neuron = n_weights_of(n_fed, layer);
    let (mut weights, mut outputs) = (weights, outputs);
    let mut neuron = 0;
    while neuron < layer.n_neurons {
        let n = if neuron + GROUP <= layer.n_neurons {
            sums::<R, GROUP>(layer, n_fed, neuron, weights, fed, past, outputs, stride, lane);
            GROUP
        } else {
            sums::<R, 1>(layer, n_fed, neuron, weights, fed, past, outputs, stride, lane);
            1
        };
        let (group, others) = outputs.split_at_mut(n * stride);
        match layer.activation {
            Activation::Tanh => activate::<R>(Activation::Tanh, group, stride, lane),
            Activation::Logistic => activate::<R>(Activation::Logistic, group, stride, lane),
            Activation::Linear => {}
        }
        (weights, outputs, neuron) = (&weights[n * per_neuron..], others, neuron + n);
    }
}

/// `s_j` for `N` neurons from `neuron` on; `weights` and `outputs` begin with theirs.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the slices of one layer, split by the caller")]
fn sums<R: Real, const N: usize>(
    layer: &Layer,
    n_fed: usize,
    neuron: usize,
    weights: &[f64],
    fed: &[f64],
    past: &[f64],
    outputs: &mut [f64],
    stride: usize,
    lane: usize,
) {
    let per_neuron = n_weights_of(n_fed, layer);
    let mut rest = weights;
    let weights: [&[f64]; N] = std::array::from_fn(|_| take(&mut rest, per_neuron));
    let mut acc: [R; N] = std::array::from_fn(|j| R::splat(weights[j][0]));
    let of_fed = weights.map(|weights| &weights[1..]);
    add_products::<R, N>(&mut acc, of_fed, fed, n_fed, stride, lane);
    let of_past = weights.map(|weights| &weights[1 + n_fed..]);
    match layer.feedback {
        Feedback::None => {}
        Feedback::Full => {
            add_products::<R, N>(&mut acc, of_past, past, layer.n_neurons, stride, lane);
        }
        Feedback::SelfOnly => {
            let mut past = &past[neuron * stride..];
            for (acc, weights) in acc.iter_mut().zip(of_past) {
                let signal = R::load(&take(&mut past, stride)[lane..]);
                *acc = signal.mul_add(R::splat(weights[0]), *acc);
            }
        }
    }
    let mut rest = outputs;
    for acc in acc {
        let (row, others) = rest.split_at_mut(stride);
        acc.store(&mut row[lane..]);
        rest = others;
    }
}

/// Adds the first `n` signals to `N` sums, each times the weight of the same position.
#[inline(always)]
fn add_products<R: Real, const N: usize>(
    acc: &mut [R; N],
    weights: [&[f64]; N],
    signals: &[f64],
    n: usize,
    stride: usize,
    lane: usize,
) {
    let mut signals = signals;
    for i in 0..n {
        let signal = R::load(&take(&mut signals, stride)[lane..]);
        for (acc, weights) in acc.iter_mut().zip(weights) {
            *acc = signal.mul_add(R::splat(weights[i]), *acc);
        }
    }
}

/// Takes the first `n` numbers off `rest`. Cut one after the other, rows and weights cost a comparison each; found by their
/// positions they cost a product and several, more than the sums of a small layer.
#[inline(always)]
fn take<'a>(rest: &mut &'a [f64], n: usize) -> &'a [f64] {
    let (taken, others) = rest.split_at(n);
    *rest = others;
    taken
}

#[inline(always)]
fn activate<R: Real>(activation: Activation, values: &mut [f64], stride: usize, lane: usize) {
    for row in values.chunks_exact_mut(stride) {
        activation.apply(R::load(&row[lane..])).store(&mut row[lane..]);
    }
}
