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

    /// Rows of working memory: the window of inputs if it holds past ones, and the outputs of every hidden layer. What is fed
    /// directly is copied behind the outputs that it is fed with, so that one sum runs over both.
    fn n_scratch(&self) -> usize {
        let window = if self.window() > 1 { self.n_seen() } else { 0 };
        let n_neurons = self.layers().iter().map(|layer| layer.n_neurons).sum::<usize>();
        window + n_neurons - self.n_outputs() + self.n_direct()
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

    /// Layer after layer: where its rows lie is found once, and not in every block.
    #[inline(always)]
    fn run<R: Real>(self) {
        let Self { network, weights, n_lanes, lanes } = self;
        let rows = Rows { stride: lanes.input.n_lanes(), n_lanes: LaneMatrix::covered(n_lanes) };
        let mut fed = lanes.input.as_slice();
        let mut output = lanes.output.as_mut_slice();
        let mut memory_rest = lanes.memory.as_mut_slice();
        let mut scratch = lanes.scratch.as_mut_slice();
        if network.window() > 1 {
            let (n_inputs, n_seen) = (network.n_inputs(), network.n_seen());
            let n_past = n_seen - n_inputs;
            let window = take_mut(&mut scratch, n_seen * rows.stride);
            let past = take_mut(&mut memory_rest, n_past * rows.stride);
            // The present and the past inputs, newest first; then the past moves on by one query.
            rows.copy(fed, window, n_inputs);
            rows.copy(past, &mut window[n_inputs * rows.stride..], n_past);
            rows.copy(window, past, n_past);
            fed = window;
        }
        let seen = fed;
        let mut weights_rest = weights;
        let n_layers = network.layers().len();
        for (index, (n_fed, layer)) in network.fed_layers().enumerate() {
            let n_beside = network.n_beside(index);
            let outputs = if index + 1 == n_layers { &mut output } else { &mut scratch };
            let outputs = take_mut(outputs, (layer.n_neurons + n_beside) * rows.stride);
            let weights = take(&mut weights_rest, layer.n_neurons * n_weights_of(n_fed, layer));
            let past = take_mut(&mut memory_rest, n_memory_of(layer) * rows.stride);
            let input = LayerInput { layer, n_fed, fed, past, stride: rows.stride };
            let _ = for_each_block::<R>(&mut Neurons { input, weights, outputs }, 0..rows.n_lanes);
            rows.copy(seen, &mut outputs[layer.n_neurons * rows.stride..], n_beside);
            // The past outputs may be overwritten only after the whole layer has read them.
            rows.copy(outputs, past, n_memory_of(layer));
            fed = outputs;
        }
    }
}

/// Rows of signals, `stride` numbers apart, of which the first `n_lanes` are computed.
#[derive(Clone, Copy)]
struct Rows {
    stride: usize,
    n_lanes: usize,
}

impl Rows {
    /// Copies the first `n_rows` rows.
    fn copy(self, from: &[f64], to: &mut [f64], n_rows: usize) {
        for start in (0..n_rows).map(|row| row * self.stride) {
            to[start..][..self.n_lanes].copy_from_slice(&from[start..][..self.n_lanes]);
        }
    }
}

/// `o_j` for every neuron j of a layer.
struct Neurons<'a> {
    input: LayerInput<'a>,
    weights: &'a [f64],
    outputs: &'a mut [f64],
}

impl LaneWork for Neurons<'_> {
    #[inline(always)]
    fn block<R: Real>(&mut self, lane: usize) -> ControlFlow<()> {
        let LayerInput { layer, n_fed, stride, .. } = self.input;
        // Then no row of this length needs a check of its own.
        assert!(lane <= stride && R::LANES <= stride - lane, "lanes beyond a row");
        let per_neuron = n_weights_of(n_fed, layer);
        let (mut weights_rest, mut outputs_rest) = (self.weights, &mut *self.outputs);
        let mut neuron = 0;
        while neuron < layer.n_neurons {
            let n = if neuron + GROUP <= layer.n_neurons { GROUP } else { 1 };
            let weights = take(&mut weights_rest, n * per_neuron);
            let outputs = take_mut(&mut outputs_rest, n * stride);
            if n == GROUP {
                self.input.sums::<R, GROUP>(neuron, weights, outputs, lane);
            } else {
                self.input.sums::<R, 1>(neuron, weights, outputs, lane);
            }
            match layer.activation {
                Activation::Tanh => activate::<R>(Activation::Tanh, outputs, stride, lane),
                Activation::Logistic => activate::<R>(Activation::Logistic, outputs, stride, lane),
                Activation::Linear => {}
            }
            neuron += n;
        }
        ControlFlow::Continue(())
    }
}

/// What the neurons of a layer see.
#[derive(Clone, Copy)]
struct LayerInput<'a> {
    layer: &'a Layer,
    n_fed: usize,
    /// The outputs of the layer before, in rows of `stride` numbers.
    fed: &'a [f64],
    /// The layer's own, at the query before.
    past: &'a [f64],
    stride: usize,
}

impl LayerInput<'_> {
    /// `s_j` for `N` neurons from `neuron` on, whose weights and outputs these are.
    #[inline(always)]
    fn sums<R: Real, const N: usize>(
        self,
        neuron: usize,
        weights: &[f64],
        outputs: &mut [f64],
        lane: usize,
    ) {
        let Self { layer, n_fed, fed, past, stride } = self;
        let per_neuron = n_weights_of(n_fed, layer);
        let mut rest = weights;
        let weights: [&[f64]; N] = std::array::from_fn(|_| take(&mut rest, per_neuron));
        let mut acc: [R; N] = std::array::from_fn(|j| R::splat(weights[j][0]));
        let of_fed = weights.map(|weights| &weights[1..][..n_fed]);
        add_products::<R, N>(&mut acc, of_fed, fed, n_fed, stride, lane);
        let of_past = weights.map(|weights| &weights[1 + n_fed..]);
        match layer.feedback {
            Feedback::None => {}
            Feedback::Full => {
                let of_past = of_past.map(|weights| &weights[..layer.n_neurons]);
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
            acc.store(&mut take_mut(&mut rest, stride)[lane..]);
        }
    }
}

/// Adds the first `n` signals to `N` sums, each times the weight of the same position of `n`.
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

/// As [`take`], of numbers that change.
#[inline(always)]
#[expect(clippy::mut_mut, reason = "what is left of a slice is another slice")]
fn take_mut<'a>(rest: &mut &'a mut [f64], n: usize) -> &'a mut [f64] {
    let (taken, others) = std::mem::take(rest).split_at_mut(n);
    *rest = others;
    taken
}

#[inline(always)]
fn activate<R: Real>(activation: Activation, values: &mut [f64], stride: usize, lane: usize) {
    let mut rest = values;
    while !rest.is_empty() {
        let row = &mut take_mut(&mut rest, stride)[lane..];
        activation.apply(R::load(row)).store(row);
    }
}
