//! The exact evaluation: every reached neuron summed from its bias on, in the order of the full pass.
//!
//! The full pass is the same work with every neuron of the first layer touched, so that both give the same bits.

use bitloop_plant::{Kernel, LaneMatrix, Real};

use super::candidate::Candidate;
use super::loss::{Loss, Rows};
use super::loss_sum::{BLOCK, CostScale, LaneLosses, block_loss};
use super::place::Place;
use super::samples::Samples;

/// Neurons whose sums grow side by side, as in the forward pass.
const GROUP: usize = 5;

/// Fills a candidate, and says whether its cost is below `bound`; as soon as it is certainly not, it stops.
pub(super) struct Exact<'a> {
    pub samples: &'a Samples,
    pub loss: Loss,
    pub places: &'a [Place],
    /// Of the changed network.
    pub weights: &'a [f64],
    /// The outputs of all neurons of the current network.
    pub outputs: &'a LaneMatrix,
    pub scale: CostScale,
    pub bound: f64,
    /// The order in which blocks are looked at, or all of them in any order.
    pub order: &'a [usize],
    pub aborts: bool,
    pub candidate: &'a mut Candidate,
}

impl Kernel for Exact<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<R: Real>(mut self) -> bool {
        let mut sum_of_some = 0.0;
        for &block in self.order {
            let loss = block_loss::<R, _>(&mut self, block);
            self.candidate.block_losses[block] = loss;
            sum_of_some += loss;
            if self.aborts && self.scale.is_hopeless(sum_of_some, self.bound) {
                return false;
            }
        }
        self.candidate.cost = self.scale.cost(&self.candidate.block_losses);
        self.candidate.cost < self.bound
    }
}

impl LaneLosses for Exact<'_> {
    fn samples(&self) -> &Samples {
        self.samples
    }

    #[inline(always)]
    fn lanes<V: Real>(&mut self, lane: usize) -> V {
        let stride = self.samples.inputs().n_lanes();
        let candidate = &mut *self.candidate;
        let first_layer = candidate.first_layer;
        let n_touched = candidate.touched.len();

        // The touched neurons of the first changed layer: what they are fed is as it was.
        let place = &self.places[first_layer];
        let fed = match first_layer {
            0 => self.samples.inputs().as_slice(),
            _ => &self.outputs.as_slice()[self.places[first_layer - 1].first_row * stride..],
        };
        let fed = Fed { numbers: fed, stride, lane, replaced: &[], by: &[] };
        for (row, &neuron) in candidate.touched.iter().enumerate() {
            let [sum] = dot::<V, 1>([place.weights(self.weights, neuron)], fed);
            sum.store(&mut candidate.sums.as_mut_slice()[row * stride + lane..]);
            let output = place.activation.apply(sum);
            output.store(&mut candidate.outputs.as_mut_slice()[row * stride + lane..]);
        }

        // The layer after it is fed some changed outputs among unchanged ones; those behind, changed ones alone.
        let mut first_row = n_touched;
        for layer in first_layer + 1..self.places.len() {
            let place = &self.places[layer];
            let (known, free) = candidate.outputs.as_mut_slice().split_at_mut(first_row * stride);
            let fed = if layer == first_layer + 1 {
                let base = self.places[first_layer].first_row * stride;
                let numbers = &self.outputs.as_slice()[base..];
                Fed { numbers, stride, lane, replaced: &candidate.touched, by: known }
            } else {
                let numbers = &known[(first_row - place.n_fed) * stride..];
                Fed { numbers, stride, lane, replaced: &[], by: &[] }
            };
            let sums = &mut candidate.sums.as_mut_slice()[first_row * stride..];
            let mut neuron = 0;
            while neuron + GROUP <= place.n_neurons {
                group::<V, GROUP>(place, self.weights, neuron, fed, sums, free);
                neuron += GROUP;
            }
            while neuron < place.n_neurons {
                group::<V, 1>(place, self.weights, neuron, fed, sums, free);
                neuron += 1;
            }
            first_row += place.n_neurons;
        }
        self.losses(lane)
    }
}

impl Exact<'_> {
    /// The losses of some lanes whose reached neurons are known.
    #[inline(always)]
    fn losses<V: Real>(&mut self, lane: usize) -> V {
        let stride = self.samples.inputs().n_lanes();
        let candidate = &mut *self.candidate;
        let last = self.places[self.places.len() - 1];
        let targets = Rows { numbers: &self.samples.targets().as_slice()[lane..], stride };
        if candidate.first_layer + 1 < self.places.len() {
            let first_row = candidate.first_row(self.places, self.places.len() - 1);
            let numbers = &candidate.outputs.as_slice()[first_row * stride + lane..];
            return self.loss.of_lanes(last.n_neurons, Rows { numbers, stride }, targets);
        }
        // Only some outputs changed.
        let finals = candidate.finals.as_mut_slice();
        if candidate.touched.len() < last.n_neurons {
            let old = &self.outputs.as_slice()[last.first_row * stride + lane..];
            for neuron in 0..last.n_neurons {
                V::load(&old[neuron * stride..]).store(&mut finals[neuron * BLOCK..]);
            }
        }
        for (row, &neuron) in candidate.touched.iter().enumerate() {
            let new = V::load(&candidate.outputs.as_slice()[row * stride + lane..]);
            new.store(&mut finals[neuron * BLOCK..]);
        }
        self.loss.of_lanes(last.n_neurons, Rows { numbers: finals, stride: BLOCK }, targets)
    }
}

/// The rows that a layer is fed, some of them replaced, in some lanes.
#[derive(Clone, Copy)]
struct Fed<'a> {
    /// `[n_fed][stride]`
    numbers: &'a [f64],
    stride: usize,
    lane: usize,
    /// Which rows, ascending.
    replaced: &'a [usize],
    /// By these, one for each.
    by: &'a [f64],
}

/// Sums and outputs of `N` neurons from `neuron` on, into the rows of their layer.
#[inline(always)]
fn group<V: Real, const N: usize>(
    place: &Place,
    weights: &[f64],
    neuron: usize,
    fed: Fed<'_>,
    sums: &mut [f64],
    outputs: &mut [f64],
) {
    let of_group = dot::<V, N>(std::array::from_fn(|j| place.weights(weights, neuron + j)), fed);
    for (j, sum) in of_group.into_iter().enumerate() {
        let at = (neuron + j) * fed.stride + fed.lane;
        sum.store(&mut sums[at..]);
        place.activation.apply(sum).store(&mut outputs[at..]);
    }
}

/// `b_j + sum_i w_ij o_i` of `N` neurons, in the order of the inputs.
#[inline(always)]
fn dot<V: Real, const N: usize>(weights: [&[f64]; N], fed: Fed<'_>) -> [V; N] {
    let mut sums: [V; N] = std::array::from_fn(|j| V::splat(weights[j][0]));
    let mut next = 0;
    for (row, &input) in fed.replaced.iter().enumerate() {
        add_inputs(&mut sums, weights, fed, next..input);
        add_input(&mut sums, weights, input, V::load(&fed.by[row * fed.stride + fed.lane..]));
        next = input + 1;
    }
    add_inputs(&mut sums, weights, fed, next..weights[0].len() - 1);
    sums
}

#[inline(always)]
fn add_inputs<V: Real, const N: usize>(
    sums: &mut [V; N],
    weights: [&[f64]; N],
    fed: Fed<'_>,
    inputs: std::ops::Range<usize>,
) {
    for input in inputs {
        add_input(sums, weights, input, V::load(&fed.numbers[input * fed.stride + fed.lane..]));
    }
}

#[inline(always)]
fn add_input<V: Real, const N: usize>(
    sums: &mut [V; N],
    weights: [&[f64]; N],
    input: usize,
    signal: V,
) {
    for (sum, weights) in sums.iter_mut().zip(weights) {
        *sum = signal.mul_add(V::splat(weights[1 + input]), *sum);
    }
}
