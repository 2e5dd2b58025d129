//! What changed weights reach: sums and outputs of a few lanes, from those that are stored (TBLM, Sec. III-B).

use bitloop_plant::{Kernel, LaneMatrix, Real};

use super::loss::{Loss, Rows};
use super::loss_sum::{BLOCK, CostScale, LaneLosses, block_loss};
use super::place::{Place, PlacedChange};

/// Neurons whose sums grow side by side, since one chain of fused products waits for itself.
const GROUP: usize = 5;

/// What does not change while weights do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setting<'a> {
    /// `[n_inputs][n_lanes]`, rounded to their quantum.
    pub inputs: &'a LaneMatrix,
    /// `[n_outputs][n_lanes]`
    pub targets: &'a LaneMatrix,
    pub n_samples: usize,
    pub loss: Loss,
    pub places: &'a [Place],
    /// The real weight of a whole step.
    pub step: f64,
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

/// Working memory for a few lanes.
#[derive(Debug)]
pub(super) struct LaneRows {
    /// The neurons that are reached, each in its own row.
    pub neurons: Neurons,
    /// By how much the outputs of touched neurons change.
    differences: LaneMatrix,
}

impl LaneRows {
    pub fn new(places: &[Place]) -> Self {
        let widest = places.iter().map(|place| place.n_neurons).max().unwrap_or(0);
        Self {
            neurons: Neurons::zeros(places, BLOCK),
            differences: LaneMatrix::zeros(widest, BLOCK),
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

/// Asks whether the cost of the other network is below a bound, and writes nothing but working memory. As soon as it is
/// certainly not below, it stops.
pub(super) struct ProbeKernel<'a, C> {
    pub setting: Setting<'a>,
    pub reach: Reach<'a>,
    pub current: &'a Neurons,
    pub scale: CostScale,
    pub bound: f64,
    /// The order in which blocks are looked at.
    pub order: &'a [usize],
    pub aborts: bool,
    /// Whether the answer is no longer needed.
    pub is_canceled: C,
    pub rows: &'a mut LaneRows,
    pub block_losses: &'a mut [f64],
}

impl<C: Fn() -> bool> Kernel for ProbeKernel<'_, C> {
    type Output = Option<f64>;

    #[inline(always)]
    fn run<R: Real>(mut self) -> Option<f64> {
        let mut sum_of_some = 0.0;
        let enough = self.scale.sum_of_cost(self.bound);
        for &block in self.order {
            let loss = block_loss::<R, _>(&mut self, block);
            self.block_losses[block] = loss;
            sum_of_some += loss;
            let is_hopeless = || self.scale.is_hopeless(sum_of_some, self.bound);
            if self.aborts && sum_of_some >= enough && is_hopeless() || (self.is_canceled)() {
                return None;
            }
        }
        Some(self.scale.cost(self.block_losses)).filter(|&cost| cost < self.bound)
    }
}

impl<C> LaneLosses for ProbeKernel<'_, C> {
    fn n_samples(&self) -> usize {
        self.setting.n_samples
    }

    #[inline(always)]
    fn lanes<V: Real>(&mut self, lane: usize) -> V {
        LaneReach { setting: self.setting, reach: self.reach, current: self.current, lane }
            .losses(self.rows)
    }
}

/// Makes the other network the current one; gives its cost.
pub(super) struct CommitKernel<'a> {
    pub setting: Setting<'a>,
    pub reach: Reach<'a>,
    pub current: &'a mut Neurons,
    pub scale: CostScale,
    pub rows: &'a mut LaneRows,
    pub block_losses: &'a mut [f64],
}

impl Kernel for CommitKernel<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<R: Real>(mut self) -> f64 {
        for block in 0..self.block_losses.len() {
            self.block_losses[block] = block_loss::<R, _>(&mut self, block);
        }
        self.scale.cost(self.block_losses)
    }
}

impl LaneLosses for CommitKernel<'_> {
    fn n_samples(&self) -> usize {
        self.setting.n_samples
    }

    #[inline(always)]
    fn lanes<V: Real>(&mut self, lane: usize) -> V {
        let Self { setting, reach, current, rows, .. } = self;
        let losses =
            LaneReach { setting: *setting, reach: *reach, current, lane }.losses::<V>(rows);
        let first_layer = reach.first.first().map_or(0, |change| change.layer);
        let place = &setting.places[first_layer];
        let n_rows = current.sums.n_rows();
        let later = if reach.first.is_empty() { 0 } else { place.first_row + place.n_neurons };
        let touched = reach.touched.iter().map(|neuron| place.first_row + neuron);
        for row in touched.chain(later..n_rows) {
            keep::<V>(&rows.neurons.sums, &mut current.sums, row, lane);
            keep::<V>(&rows.neurons.outputs, &mut current.outputs, row, lane);
        }
        losses
    }
}

#[inline(always)]
fn keep<V: Real>(rows: &LaneMatrix, kept: &mut LaneMatrix, row: usize, lane: usize) {
    let stride = kept.n_lanes();
    V::load(&rows.as_slice()[row * BLOCK..]).store(&mut kept.as_mut_slice()[row * stride + lane..]);
}

/// The lanes of the other network from `lane` on.
#[derive(Clone, Copy)]
struct LaneReach<'a> {
    setting: Setting<'a>,
    reach: Reach<'a>,
    current: &'a Neurons,
    lane: usize,
}

impl LaneReach<'_> {
    /// Their losses. Every reached neuron is computed into `rows`.
    #[inline(always)]
    fn losses<V: Real>(&self, rows: &mut LaneRows) -> V {
        let places = self.setting.places;
        let last = places.len() - 1;
        match self.reach.first.first().map(|change| change.layer) {
            None => {
                let fed = &self.setting.inputs.as_slice()[self.lane..];
                self.layer_anew::<V>(0, fed, self.stride(), &mut rows.neurons);
                for layer in 1..=last {
                    self.later_layer::<V>(layer, &mut rows.neurons);
                }
            }
            Some(first_layer) if first_layer == last => self.changed_outputs::<V>(rows),
            Some(first_layer) => {
                self.differences::<V>(first_layer, rows);
                self.next_layer::<V>(first_layer + 1, rows);
                for layer in first_layer + 2..=last {
                    self.later_layer::<V>(layer, &mut rows.neurons);
                }
            }
        }
        let place = &places[last];
        let numbers = &rows.neurons.outputs.as_slice()[place.first_row * BLOCK..];
        let targets = &self.setting.targets.as_slice()[self.lane..];
        self.setting.loss.of_lanes(
            place.n_neurons,
            Rows { numbers, stride: BLOCK },
            Rows { numbers: targets, stride: self.stride() },
        )
    }

    #[inline(always)]
    fn stride(&self) -> usize {
        self.setting.inputs.n_lanes()
    }

    /// What a layer is fed by the current network.
    #[inline(always)]
    fn fed(&self, layer: usize) -> &[f64] {
        match layer.checked_sub(1) {
            None => self.setting.inputs.as_slice(),
            Some(before) => {
                let first_row = self.setting.places[before].first_row;
                &self.current.outputs.as_slice()[first_row * self.stride()..]
            }
        }
    }

    /// The output of a neuron with this sum.
    #[inline(always)]
    fn output<V: Real>(&self, place: &Place, sum: V) -> V {
        let output = place.activation.apply(sum * V::splat(self.setting.step));
        // Adding and taking away a large number rounds to the quantum.
        let rounder = V::splat(place.rounder);
        (output + rounder) - rounder
    }

    /// Computes sum and output of a touched neuron; takes its changes off the front of `changes`. The new output.
    #[inline(always)]
    fn touch<V: Real>(
        &self,
        place: &Place,
        neuron: usize,
        changes: &mut &[PlacedChange],
        neurons: &mut Neurons,
    ) -> V {
        let stride = self.stride();
        let fed = self.fed(changes[0].layer);
        let row = place.first_row + neuron;
        let mut sum = V::load(&self.current.sums.as_slice()[row * stride + self.lane..]);
        while let Some((change, rest)) = changes.split_first()
            && change.neuron == neuron
        {
            sum = added(sum, change, fed, stride, self.lane);
            *changes = rest;
        }
        self.write(place, neuron, sum, neurons)
    }

    /// Notes a sum, and the output that comes of it.
    #[inline(always)]
    fn write<V: Real>(&self, place: &Place, neuron: usize, sum: V, neurons: &mut Neurons) -> V {
        let at = (place.first_row + neuron) * BLOCK;
        let output = self.output(place, sum);
        sum.store(&mut neurons.sums.as_mut_slice()[at..]);
        output.store(&mut neurons.outputs.as_mut_slice()[at..]);
        output
    }

    /// Step 1 of the paper, in the output layer: its values, most of them unchanged.
    #[inline(always)]
    fn changed_outputs<V: Real>(&self, rows: &mut LaneRows) {
        let stride = self.stride();
        let place = &self.setting.places[self.setting.places.len() - 1];
        if self.reach.touched.len() < place.n_neurons {
            for row in place.first_row..place.first_row + place.n_neurons {
                let old = &self.current.outputs.as_slice()[row * stride + self.lane..];
                V::load(old).store(&mut rows.neurons.outputs.as_mut_slice()[row * BLOCK..]);
            }
        }
        let mut changes = self.reach.first;
        for &neuron in self.reach.touched {
            self.touch::<V>(place, neuron, &mut changes, &mut rows.neurons);
        }
    }

    /// Steps 1 and 2: `o' - o` of the touched neurons.
    #[inline(always)]
    fn differences<V: Real>(&self, layer: usize, rows: &mut LaneRows) {
        let stride = self.stride();
        let place = &self.setting.places[layer];
        let mut changes = self.reach.first;
        for (index, &neuron) in self.reach.touched.iter().enumerate() {
            let new = self.touch::<V>(place, neuron, &mut changes, &mut rows.neurons);
            let row = place.first_row + neuron;
            let old = V::load(&self.current.outputs.as_slice()[row * stride + self.lane..]);
            (new - old).store(&mut rows.differences.as_mut_slice()[index * BLOCK..]);
        }
    }

    /// Step 3: what the differences add to every neuron of the next layer, and its own changes.
    #[inline(always)]
    fn next_layer<V: Real>(&self, layer: usize, rows: &mut LaneRows) {
        let stride = self.stride();
        let place = &self.setting.places[layer];
        let fed = self.fed(layer);
        let sums = &self.current.sums.as_slice()[place.first_row * stride + self.lane..];
        let mut changes = self.reach.second;
        for neuron in 0..place.n_neurons {
            let codes = place.weights(self.reach.codes, neuron);
            let mut sum = V::load(&sums[neuron * stride..]);
            while let Some((change, rest)) = changes.split_first()
                && change.neuron == neuron
            {
                sum = added(sum, change, fed, stride, self.lane);
                changes = rest;
            }
            for (row, &input) in self.reach.touched.iter().enumerate() {
                let difference = V::load(&rows.differences.as_slice()[row * BLOCK..]);
                sum = difference.mul_add(V::splat(codes[1 + input]), sum);
            }
            self.write(place, neuron, sum, &mut rows.neurons);
        }
    }

    /// Step 4: a layer summed anew from the one before it.
    #[inline(always)]
    fn later_layer<V: Real>(&self, layer: usize, neurons: &mut Neurons) {
        let place = &self.setting.places[layer];
        let before = place.first_row - place.n_fed;
        let mut neuron = 0;
        while neuron + GROUP <= place.n_neurons {
            let fed = &neurons.outputs.as_slice()[before * BLOCK..];
            let sums = self.sums::<V, GROUP>(place, neuron, fed, BLOCK);
            self.write_group(place, neuron, sums, neurons);
            neuron += GROUP;
        }
        while neuron < place.n_neurons {
            let fed = &neurons.outputs.as_slice()[before * BLOCK..];
            let sums = self.sums::<V, 1>(place, neuron, fed, BLOCK);
            self.write_group(place, neuron, sums, neurons);
            neuron += 1;
        }
    }

    /// The same for a layer that is fed by what does not change.
    #[inline(always)]
    fn layer_anew<V: Real>(&self, layer: usize, fed: &[f64], stride: usize, neurons: &mut Neurons) {
        let place = &self.setting.places[layer];
        for neuron in 0..place.n_neurons {
            let sums = self.sums::<V, 1>(place, neuron, fed, stride);
            self.write_group(place, neuron, sums, neurons);
        }
    }

    /// The sums of `N` neurons from `neuron` on, fed with `[n_fed][stride]`.
    #[inline(always)]
    fn sums<V: Real, const N: usize>(
        &self,
        place: &Place,
        neuron: usize,
        fed: &[f64],
        stride: usize,
    ) -> [V; N] {
        let codes: [&[f64]; N] =
            std::array::from_fn(|j| place.weights(self.reach.codes, neuron + j));
        let mut sums: [V; N] = std::array::from_fn(|j| V::splat(codes[j][0]));
        for input in 0..place.n_fed {
            let signal = V::load(&fed[input * stride..]);
            for (sum, codes) in sums.iter_mut().zip(codes) {
                *sum = signal.mul_add(V::splat(codes[1 + input]), *sum);
            }
        }
        sums
    }

    #[inline(always)]
    fn write_group<V: Real, const N: usize>(
        &self,
        place: &Place,
        neuron: usize,
        sums: [V; N],
        neurons: &mut Neurons,
    ) {
        for (j, sum) in sums.into_iter().enumerate() {
            self.write(place, neuron + j, sum, neurons);
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
