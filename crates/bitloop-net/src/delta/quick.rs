//! The approximate evaluation: changes are added to stored sums (TBLM, Sec. III-B).
//!
//! Nothing is written but a few lanes of working memory, and block losses.

use bitloop_plant::{Kernel, LaneMatrix, Real};

use super::loss::{Loss, Rows};
use super::loss_sum::{BLOCK, CostScale, LaneLosses, block_loss};
use super::place::{Place, PlacedChange};
use super::samples::Samples;

/// Working memory: a few lanes of the neurons of two layers.
#[derive(Debug)]
pub(super) struct QuickRows {
    /// By how much the outputs of touched neurons change.
    pub differences: LaneMatrix,
    /// The outputs of two layers, in turn.
    pub even: LaneMatrix,
    pub odd: LaneMatrix,
    pub block_losses: Vec<f64>,
}

impl QuickRows {
    pub fn new(places: &[Place], n_blocks: usize) -> Self {
        let widest = places.iter().map(|place| place.n_neurons).max().unwrap_or(0);
        let rows = || LaneMatrix::zeros(widest, BLOCK);
        Self { differences: rows(), even: rows(), odd: rows(), block_losses: vec![0.0; n_blocks] }
    }
}

/// Says whether the cost of the changed network seems to be below a bound; as soon as it is certainly not, it stops.
pub(super) struct Quick<'a, C> {
    pub samples: &'a Samples,
    pub loss: Loss,
    pub places: &'a [Place],
    /// Of the changed network; those of the first changed layer are not looked at.
    pub weights: &'a [f64],
    /// Sums and outputs of all neurons of the current network.
    pub sums: &'a LaneMatrix,
    pub outputs: &'a LaneMatrix,
    /// The changes of the first changed layer, sorted by weight.
    pub first: &'a [PlacedChange],
    /// Those of the layer after it. (Further layers are summed anew anyway.)
    pub second: &'a [PlacedChange],
    pub touched: &'a [usize],
    pub scale: CostScale,
    pub bound: f64,
    /// The order in which blocks are looked at.
    pub order: &'a [usize],
    pub aborts: bool,
    /// Whether the answer is no longer needed.
    pub is_canceled: C,
    pub rows: &'a mut QuickRows,
}

impl<C: Fn() -> bool> Kernel for Quick<'_, C> {
    type Output = bool;

    #[inline(always)]
    fn run<R: Real>(mut self) -> bool {
        let mut sum_of_some = 0.0;
        for &block in self.order {
            let loss = block_loss::<R, _>(&mut self, block);
            self.rows.block_losses[block] = loss;
            sum_of_some += loss;
            if self.aborts && self.scale.is_hopeless(sum_of_some, self.bound)
                || (self.is_canceled)()
            {
                return false;
            }
        }
        self.scale.cost(&self.rows.block_losses) < self.bound
    }
}

impl<C> LaneLosses for Quick<'_, C> {
    fn samples(&self) -> &Samples {
        self.samples
    }

    #[inline(always)]
    fn lanes<V: Real>(&mut self, lane: usize) -> V {
        let stride = self.samples.inputs().n_lanes();
        let last = self.places.len() - 1;
        let first_layer = self.first[0].layer;
        let targets = Rows { numbers: &self.samples.targets().as_slice()[lane..], stride };
        let n_outputs = self.places[last].n_neurons;

        if first_layer == last {
            self.changed_outputs::<V>(lane);
            let values = Rows { numbers: self.rows.even.as_slice(), stride: BLOCK };
            return self.loss.of_lanes(n_outputs, values, targets);
        }
        self.differences::<V>(first_layer, lane);
        self.next_layer::<V>(first_layer + 1, lane);
        for layer in first_layer + 2..=last {
            std::mem::swap(&mut self.rows.even, &mut self.rows.odd);
            self.later_layer::<V>(layer);
        }
        let values = Rows { numbers: self.rows.even.as_slice(), stride: BLOCK };
        self.loss.of_lanes(n_outputs, values, targets)
    }
}

impl<C> Quick<'_, C> {
    /// The new sum of a touched neuron: `s' = s + sum (w' - w) o`; takes its changes off the front of `changes`.
    #[inline(always)]
    fn changed_sum<V: Real>(
        &self,
        place: &Place,
        neuron: usize,
        changes: &mut &[PlacedChange],
        lane: usize,
    ) -> V {
        let stride = self.samples.inputs().n_lanes();
        let fed = match changes[0].layer {
            0 => self.samples.inputs().as_slice(),
            layer => &self.outputs.as_slice()[self.places[layer - 1].first_row * stride..],
        };
        let row = place.first_row + neuron;
        let mut sum = V::load(&self.sums.as_slice()[row * stride + lane..]);
        while let Some((change, rest)) = changes.split_first()
            && change.neuron == neuron
        {
            sum = added(sum, change, fed, stride, lane);
            *changes = rest;
        }
        sum
    }

    /// Step 1 of the paper, in the output layer: its values, most of them unchanged.
    #[inline(always)]
    fn changed_outputs<V: Real>(&mut self, lane: usize) {
        let stride = self.samples.inputs().n_lanes();
        let place = self.places[self.places.len() - 1];
        let old = &self.outputs.as_slice()[place.first_row * stride + lane..];
        if self.touched.len() < place.n_neurons {
            for neuron in 0..place.n_neurons {
                let value = V::load(&old[neuron * stride..]);
                value.store(&mut self.rows.even.as_mut_slice()[neuron * BLOCK..]);
            }
        }
        let mut changes = self.first;
        for &neuron in self.touched {
            let sum = self.changed_sum::<V>(&place, neuron, &mut changes, lane);
            let value = place.activation.apply(sum);
            value.store(&mut self.rows.even.as_mut_slice()[neuron * BLOCK..]);
        }
    }

    /// Steps 1 and 2: `o' - o` of the touched neurons.
    #[inline(always)]
    fn differences<V: Real>(&mut self, layer: usize, lane: usize) {
        let stride = self.samples.inputs().n_lanes();
        let place = self.places[layer];
        let mut changes = self.first;
        for (row, &neuron) in self.touched.iter().enumerate() {
            let sum = self.changed_sum::<V>(&place, neuron, &mut changes, lane);
            let old =
                V::load(&self.outputs.as_slice()[(place.first_row + neuron) * stride + lane..]);
            let difference = place.activation.apply(sum) - old;
            difference.store(&mut self.rows.differences.as_mut_slice()[row * BLOCK..]);
        }
    }

    /// Step 3: what the differences add to every neuron of the next layer, and its own changes.
    #[inline(always)]
    fn next_layer<V: Real>(&mut self, layer: usize, lane: usize) {
        let stride = self.samples.inputs().n_lanes();
        let place = self.places[layer];
        let before = self.places[layer - 1];
        let fed = &self.outputs.as_slice()[before.first_row * stride..];
        let sums = &self.sums.as_slice()[place.first_row * stride + lane..];
        let mut changes = self.second;
        for neuron in 0..place.n_neurons {
            let weights = place.weights(self.weights, neuron);
            let mut sum = V::load(&sums[neuron * stride..]);
            while let Some((change, rest)) = changes.split_first()
                && change.neuron == neuron
            {
                sum = added(sum, change, fed, stride, lane);
                changes = rest;
            }
            for (row, &input) in self.touched.iter().enumerate() {
                let difference = V::load(&self.rows.differences.as_slice()[row * BLOCK..]);
                sum = difference.mul_add(V::splat(weights[1 + input]), sum);
            }
            place.activation.apply(sum).store(&mut self.rows.even.as_mut_slice()[neuron * BLOCK..]);
        }
    }

    /// Step 4: a layer summed anew from the one before it.
    #[inline(always)]
    fn later_layer<V: Real>(&mut self, layer: usize) {
        const GROUP: usize = 5;
        let place = self.places[layer];
        let mut neuron = 0;
        while neuron + GROUP <= place.n_neurons {
            self.group::<V, GROUP>(&place, neuron);
            neuron += GROUP;
        }
        while neuron < place.n_neurons {
            self.group::<V, 1>(&place, neuron);
            neuron += 1;
        }
    }

    #[inline(always)]
    fn group<V: Real, const N: usize>(&mut self, place: &Place, neuron: usize) {
        let weights: [&[f64]; N] = std::array::from_fn(|j| place.weights(self.weights, neuron + j));
        let mut sums: [V; N] = std::array::from_fn(|j| V::splat(weights[j][0]));
        for input in 0..place.n_fed {
            let signal = V::load(&self.rows.odd.as_slice()[input * BLOCK..]);
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum = signal.mul_add(V::splat(weights[1 + input]), *sum);
            }
        }
        for (j, sum) in sums.into_iter().enumerate() {
            let at = (neuron + j) * BLOCK;
            place.activation.apply(sum).store(&mut self.rows.even.as_mut_slice()[at..]);
        }
    }
}

/// A sum with one weight changed.
#[inline(always)]
fn added<V: Real>(sum: V, change: &PlacedChange, fed: &[f64], stride: usize, lane: usize) -> V {
    let difference = V::splat(change.difference);
    match change.input {
        Some(input) => V::load(&fed[input * stride + lane..]).mul_add(difference, sum),
        None => sum + difference,
    }
}
