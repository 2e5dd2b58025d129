//! The neurons that changed weights affect: their sums and outputs of a chunk of lanes, from those that are stored (TBLM, Sec. III-B).
//!
//! Work goes stage by stage, each a loop over the lanes of the chunk, so that what has to be decided is decided once a
//! chunk; its rows stay in the first cache in between.

use std::ops::Range;

use bitloop_plant::{LaneMatrix, Real};

use super::lanes::{Growing, activate, subtract, sum_anew};
use super::loss::{Loss, Rows};
use super::loss_sum::BLOCK;
use super::measure::{Measure, Partial};
use super::place::{Place, PlacedChange};
use super::samples::{SAMPLE_UNIT, Samples};

/// The most lanes that are worked on at a time: many, so that little goes into deciding what to do, and few enough that a
/// hopeless candidate is dropped soon.
pub(super) const CHUNK: usize = 4 * BLOCK;

/// Neurons whose sums are computed together, since a single chain of fused products is bound by latency.
const GROUP: usize = 5;

/// The parts that are constant while weights change.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setting<'a> {
    /// `[n_inputs][n_lanes]`, rounded to their quantum.
    pub inputs: &'a LaneMatrix,
    pub samples: &'a Samples,
    pub loss: Loss,
    pub measure: Measure<'a>,
    pub places: &'a [Place],
}

impl Setting<'_> {
    #[inline(always)]
    fn output(&self) -> &Place {
        &self.places[self.places.len() - 1]
    }

    #[inline(always)]
    pub fn n_outputs(&self) -> usize {
        self.output().n_neurons
    }

    /// Notes the sums of a chunk's blocks, and adds them to `partial`.
    #[inline(always)]
    pub fn sum_blocks<R: Real>(
        &self,
        blocks: &Range<usize>,
        rows: &mut ChunkRows,
        block_sums: &mut [f64],
        partial: &mut Partial,
    ) {
        let (output, samples) = (self.output(), self.samples);
        self.measure.sum_blocks::<R>(output, samples, blocks, rows, block_sums, partial);
    }

    /// The undivided loss of all blocks.
    #[inline(always)]
    pub fn total(&self, block_sums: &[f64]) -> f64 {
        self.measure.total(self.samples.n_samples(), block_sums, self.n_outputs())
    }
}

/// Numbers of each neuron, layer by layer, for each sample.
#[derive(Debug, Clone)]
pub(super) struct Neurons {
    /// Sums in steps: exact, see the module.
    pub sums: LaneMatrix,
    /// Outputs, rounded to their quantum; those of the last layer are the values that the loss is computed from.
    pub outputs: LaneMatrix,
}

impl Neurons {
    pub fn zeros(places: &[Place], n_lanes: usize) -> Self {
        let n_rows = places.iter().map(|place| place.n_neurons).sum();
        Self {
            sums: LaneMatrix::zeros(n_rows, n_lanes),
            outputs: LaneMatrix::zeros(n_rows, n_lanes),
        }
    }
}

/// Working memory for a chunk.
#[derive(Debug)]
pub(super) struct ChunkRows {
    /// The neurons that are reached, each in its own row.
    pub neurons: Neurons,
    /// By how much the outputs of touched neurons change.
    differences: LaneMatrix,
    /// Of each lane.
    pub losses: [f64; CHUNK],
}

impl ChunkRows {
    /// For the chunks that `n_lanes` are cut into.
    pub fn new(places: &[Place], n_lanes: usize) -> Self {
        let widest = places.iter().map(|place| place.n_neurons).max().unwrap_or(0);
        let longest = n_lanes.min(CHUNK);
        Self {
            neurons: Neurons::zeros(places, longest),
            differences: LaneMatrix::zeros(widest, longest),
            losses: [0.0; CHUNK],
        }
    }
}

/// The changes between the current network and another one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach<'a> {
    /// The weights of the other network, in steps; those of the first changed layer are not looked at.
    pub codes: &'a [f64],
    /// The changes of the first changed layer, sorted by weight. Without any, all neurons are summed anew.
    pub first: &'a [PlacedChange],
    /// Those of the layer after it. (Further layers are summed anew anyway.)
    pub second: &'a [PlacedChange],
    /// The neurons of the first changed layer that have changed weights, ascending.
    pub touched: &'a [usize],
}

/// The lanes of the other network in a chunk.
pub(super) struct ChunkReach<'a> {
    pub setting: Setting<'a>,
    pub reach: Reach<'a>,
    pub current: &'a Neurons,
    pub lanes: Range<usize>,
}

impl<'a> ChunkReach<'a> {
    /// The chunk of some blocks that lie side by side.
    #[inline(always)]
    pub fn new(
        setting: Setting<'a>,
        reach: Reach<'a>,
        current: &'a Neurons,
        blocks: &Range<usize>,
    ) -> Self {
        let n_lanes = setting.inputs.n_lanes();
        let lanes = blocks.start * BLOCK..n_lanes.min(blocks.end * BLOCK);
        Self { setting, reach, current, lanes }
    }

    /// Computes every reached neuron, and the losses where they count, into `rows`.
    #[inline(always)]
    pub fn compute<V: Real>(&self, rows: &mut ChunkRows) {
        // Else the last lanes of a chunk would be left out.
        const {
            assert!(BLOCK.is_multiple_of(SAMPLE_UNIT) && SAMPLE_UNIT.is_multiple_of(V::LANES));
        }
        let places = self.setting.places;
        let last = places.len() - 1;
        let n_known = match self.reach.first.first().map(|change| change.layer) {
            None => 0,
            Some(first_layer) if first_layer == last => {
                self.changed_outputs::<V>(&mut rows.neurons);
                last + 1
            }
            Some(first_layer) => {
                self.differences::<V>(first_layer, rows);
                self.next_layer::<V>(first_layer + 1, rows);
                first_layer + 2
            }
        };
        for layer in n_known..=last {
            self.layer_anew::<V>(layer, &mut rows.neurons);
        }
        if let Measure::Fitted(_) = self.setting.measure {
            return;
        }
        let place = &places[last];
        let stride = rows.neurons.outputs.n_lanes();
        let numbers = &rows.neurons.outputs.as_slice()[place.first_row * stride..];
        self.setting.loss.of_lanes::<V>(
            place.n_neurons,
            Rows { numbers, stride },
            Rows::of(self.setting.samples.targets(), self.lanes.start),
            &mut rows.losses[..self.lanes.len()],
        );
        if let Some(weights) = self.setting.samples.weights() {
            weigh(&weights[self.lanes.clone()], &mut rows.losses);
        }
    }

    /// Prefetches what the first changed layer will read of the current network, which may be outside of the caches.
    #[inline(always)]
    pub fn prefetch(&self) {
        let Some(first) = self.reach.first.first() else { return };
        let place = &self.setting.places[first.layer];
        for neuron in self.reach.touched {
            self.current.sums.prefetch(place.first_row + neuron, self.lanes.clone());
            self.current.outputs.prefetch(place.first_row + neuron, self.lanes.clone());
        }
        for input in self.reach.first.iter().filter_map(|change| change.input) {
            let (matrix, row) = self.feeding(first.layer, input);
            matrix.prefetch(row, self.lanes.clone());
        }
    }

    /// What a layer is fed by the current network through one of its inputs.
    #[inline(always)]
    fn fed(&self, layer: usize, input: usize) -> &[f64] {
        let (matrix, row) = self.feeding(layer, input);
        &matrix.row(row)[self.lanes.clone()]
    }

    /// Where that lies.
    #[inline(always)]
    fn feeding(&self, layer: usize, input: usize) -> (&LaneMatrix, usize) {
        match layer.checked_sub(1) {
            None => (self.setting.inputs, input),
            Some(before) => (&self.current.outputs, self.setting.places[before].first_row + input),
        }
    }

    /// The sums of the neuron in `row`, to grow in `sums`.
    #[inline(always)]
    fn growing<'b>(&'b self, row: usize, sums: &'b mut LaneMatrix) -> Growing<'b> {
        let current = &self.current.sums.row(row)[self.lanes.clone()];
        Growing::new(current, &mut sums.row_mut(row)[..self.lanes.len()])
    }

    /// Adds those of `changes` that are the neuron's own, and takes them off the front.
    #[inline(always)]
    fn add_changes<V: Real>(
        &self,
        neuron: usize,
        changes: &mut &[PlacedChange],
        sums: &mut Growing<'_>,
    ) {
        while let Some((change, rest)) = changes.split_first()
            && change.neuron == neuron
        {
            match change.input {
                Some(input) => {
                    sums.add_product::<V>(change.difference, self.fed(change.layer, input));
                }
                None => sums.add_constant::<V>(change.difference),
            }
            *changes = rest;
        }
    }

    /// Steps 1 and 2 of the paper: sums and outputs of the touched neurons, and `o' - o`.
    #[inline(always)]
    fn differences<V: Real>(&self, layer: usize, rows: &mut ChunkRows) {
        let n = self.lanes.len();
        let place = &self.setting.places[layer];
        let mut changes = self.reach.first;
        for (index, &neuron) in self.reach.touched.iter().enumerate() {
            let row = place.first_row + neuron;
            let mut sums = self.growing(row, &mut rows.neurons.sums);
            self.add_changes::<V>(neuron, &mut changes, &mut sums);
            let outputs = &mut rows.neurons.outputs.row_mut(row)[..n];
            activate::<V>(place, sums.finish(), outputs);
            let old = &self.current.outputs.row(row)[self.lanes.clone()];
            subtract::<V>(outputs, old, &mut rows.differences.row_mut(index)[..n]);
        }
    }

    /// Step 3: what the differences add to every neuron of the next layer, and its own changes.
    #[inline(always)]
    fn next_layer<V: Real>(&self, layer: usize, rows: &mut ChunkRows) {
        let n = self.lanes.len();
        let place = &self.setting.places[layer];
        let mut changes = self.reach.second;
        for neuron in 0..place.n_neurons {
            let row = place.first_row + neuron;
            let codes = place.weights(self.reach.codes, neuron);
            let mut sums = self.growing(row, &mut rows.neurons.sums);
            self.add_changes::<V>(neuron, &mut changes, &mut sums);
            for (index, &input) in self.reach.touched.iter().enumerate() {
                sums.add_product::<V>(codes[1 + input], &rows.differences.row(index)[..n]);
            }
            let outputs = &mut rows.neurons.outputs.row_mut(row)[..n];
            activate::<V>(place, sums.finish(), outputs);
        }
    }

    /// Step 1 in the output layer: its values, most of them unchanged.
    #[inline(always)]
    fn changed_outputs<V: Real>(&self, neurons: &mut Neurons) {
        let n = self.lanes.len();
        let place = &self.setting.places[self.setting.places.len() - 1];
        let mut changes = self.reach.first;
        for neuron in 0..place.n_neurons {
            let row = place.first_row + neuron;
            let outputs = &mut neurons.outputs.row_mut(row)[..n];
            if changes.first().is_some_and(|change| change.neuron == neuron) {
                let mut sums = self.growing(row, &mut neurons.sums);
                self.add_changes::<V>(neuron, &mut changes, &mut sums);
                activate::<V>(place, sums.finish(), outputs);
            } else {
                outputs.copy_from_slice(&self.current.outputs.row(row)[self.lanes.clone()]);
            }
        }
    }

    /// Step 4: a layer summed anew, from the one before it or from the inputs.
    #[inline(always)]
    fn layer_anew<V: Real>(&self, layer: usize, neurons: &mut Neurons) {
        let n = self.lanes.len();
        let place = &self.setting.places[layer];
        let stride = neurons.sums.n_lanes();
        let (fed, fed_stride) = if layer == 0 {
            let inputs = self.setting.inputs;
            (&inputs.as_slice()[self.lanes.start..], inputs.n_lanes())
        } else {
            let before = place.first_row - place.n_fed;
            (&neurons.outputs.as_slice()[before * stride..], stride)
        };
        let sums = &mut neurons.sums.as_mut_slice()[place.first_row * stride..];
        let codes = |neuron: usize| place.weights(self.reach.codes, neuron);
        let mut neuron = 0;
        while neuron + GROUP <= place.n_neurons {
            let codes: [&[f64]; GROUP] = std::array::from_fn(|j| codes(neuron + j));
            let sums = &mut sums[neuron * stride..];
            sum_anew::<V, GROUP>(codes, fed, fed_stride, sums, stride, n);
            neuron += GROUP;
        }
        while neuron < place.n_neurons {
            let sums = &mut sums[neuron * stride..];
            sum_anew::<V, 1>([codes(neuron)], fed, fed_stride, sums, stride, n);
            neuron += 1;
        }
        for row in place.first_row..place.first_row + place.n_neurons {
            let sums = &neurons.sums.row(row)[..n];
            activate::<V>(place, sums, &mut neurons.outputs.row_mut(row)[..n]);
        }
    }
}

/// Has each loss count as often as its sample.
pub(super) fn weigh(weights: &[f64], losses: &mut [f64]) {
    for (loss, weight) in losses.iter_mut().zip(weights) {
        *loss *= weight;
    }
}

/// Which neurons of the first changed layer have changed weights, ascending.
pub(super) fn touched_by(changes: &[PlacedChange], touched: &mut Vec<usize>) {
    touched.clear();
    let Some(first) = changes.first() else { return };
    for change in changes.iter().take_while(|change| change.layer == first.layer) {
        if touched.last() != Some(&change.neuron) {
            touched.push(change.neuron);
        }
    }
}
