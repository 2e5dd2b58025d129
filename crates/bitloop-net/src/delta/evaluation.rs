//! [`DeltaEvaluation`]: a network, its samples, the current weights, and probes of changed weights.

use std::ops::Range;
use std::sync::Arc;

use bitloop_plant::{Isa, LaneMatrix, dispatch};

use super::error::DeltaError;
use super::kernels::{CommitKernel, ProbeKernel};
use super::loss::Loss;
use super::loss_sum::{BLOCK, CostScale};
use super::measure::{Measure, Partial, TargetSums};
use super::penalty::SquareSum;
use super::place::{Place, PlacedChange, WeightSteps, places, rounded};
use super::reach::{CHUNK, ChunkRows, Neurons, Reach, Setting, touched_by};
use super::samples::Samples;
use crate::activation::Activation;
use crate::layer_scaling::LayerScaling;
use crate::shape::{Feedback, Network};

/// One weight takes a new value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightChange {
    /// Which weight, in the order of [`Network`].
    pub weight_index: usize,
    /// What it becomes: a whole number of steps.
    pub value: f64,
}

/// The cost of a network over samples, and its cost after changes of weights.
///
/// ```text
/// cost = (sum over samples of their loss) / n_samples + penalty * (sum over weights and biases of w^2)
/// ```
/// with the losses of [`Loss`]. Where samples have weights, each loss counts as often as its sample, and their sum stands for
/// `n_samples`. The print names a regularization weight, and gives no formula; the factor here is on the
/// plain sum of squares beside the mean loss, and how the paper's weight relates to it is the caller's decision.
///
/// # What is certain
/// * Sums and outputs of every neuron for every sample are those of a full pass over the current weights, whatever
///   changes led to them: sums are exact (see the module).
/// * The cost that [`probe`](Self::probe) answers is that of a full pass over the changed weights, bit for bit, on every
///   instruction set, and there is an answer if and only if that cost is below the bound.
/// * The network that is evaluated is the given one but for the rounding of inputs and of hidden neurons' outputs, to 32
///   binary places and more with weights of 12 bits and up to 255 inputs a neuron. [`report`](super::report()) does
///   not round.
#[derive(Debug)]
pub struct DeltaEvaluation {
    network: Network,
    fixed: Fixed,
    divisor: f64,
    penalty: f64,
    isa: Isa,
    aborts: bool,
    weights: Vec<f64>,
    /// The same in steps.
    codes: Vec<f64>,
    squares: SquareSum,
    /// Of all neurons, at the current weights.
    current: Neurons,
    block_sums: Vec<f64>,
    /// The blocks of each chunk, those of the highest loss first, since they exceed a bound soonest.
    chunks: Vec<Range<usize>>,
    /// Room for sorting them.
    stretches: Vec<(usize, f64)>,
    cost: f64,
    /// Room for commits.
    own: DeltaScratch,
}

/// The parts that are constant while weights change; separate, so that they can be read while sums are written.
#[derive(Debug)]
struct Fixed {
    places: Vec<Place>,
    samples: Arc<Samples>,
    /// Rounded to their quantum.
    inputs: LaneMatrix,
    loss: Loss,
    steps: WeightSteps,
    /// Where outputs are fitted.
    target_sums: Option<TargetSums>,
}

impl Fixed {
    fn measure(&self) -> Measure<'_> {
        self.target_sums.as_ref().map_or(Measure::Losses, Measure::Fitted)
    }

    fn setting(&self) -> Setting<'_> {
        Setting {
            inputs: &self.inputs,
            samples: &self.samples,
            loss: self.loss,
            measure: self.measure(),
            places: &self.places,
        }
    }

    /// Room for the sums of all blocks.
    fn block_sums(&self) -> Vec<f64> {
        let n_blocks = self.inputs.n_lanes().div_ceil(BLOCK);
        vec![0.0; n_blocks * self.measure().n_sums(self.samples.targets().n_rows())]
    }

    fn scratch(&self) -> DeltaScratch {
        DeltaScratch {
            changes: Vec::new(),
            touched: Vec::new(),
            codes: Vec::new(),
            rows: ChunkRows::new(&self.places, self.inputs.n_lanes()),
            block_sums: self.block_sums(),
            partial: Partial::new(self.measure(), self.samples.targets().n_rows()),
        }
    }
}

/// The working memory of one probe at a time.
#[derive(Debug)]
pub struct DeltaScratch {
    changes: Vec<PlacedChange>,
    touched: Vec<usize>,
    /// The changed weights in steps, where more than the first changed layer needs them.
    codes: Vec<f64>,
    rows: ChunkRows,
    block_sums: Vec<f64>,
    partial: Partial,
}

/// How sums and outputs are scaled beyond the weights.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeltaScaling {
    /// The power of two of each layer.
    pub layers: LayerScaling,
    /// Whether scale and offset of each output are those of least squares, for whatever weights, which needs linear outputs and
    /// the squared error. With them a cost is
    /// ```text
    /// (sum over outputs j of min over a, b of sum over samples of (a o_j + b - t_j)^2) / (n_samples n_outputs) + penalty
    /// ```
    pub fits_outputs: bool,
}

impl DeltaEvaluation {
    /// The evaluation of a feed-forward network on samples, with all weights zero. Weights are whole numbers of `steps`;
    /// `penalty` multiplies the sum of their squares; 0 for none.
    ///
    /// # Errors
    /// A network that does not fit the samples or the loss, or that has a memory; a penalty that is negative or not
    /// finite; steps that are not positive, or more than 2^23 of them; inputs near the largest numbers that there are.
    pub fn new(
        network: Network,
        samples: Arc<Samples>,
        loss: Loss,
        steps: WeightSteps,
        penalty: f64,
    ) -> Result<Self, DeltaError> {
        Self::scaled(network, samples, loss, steps, penalty, &DeltaScaling::default())
    }

    /// The same with sums and outputs that are scaled beyond the weights.
    ///
    /// # Errors
    /// As [`DeltaEvaluation::new`], and outputs that cannot be fitted.
    pub fn scaled(
        network: Network,
        samples: Arc<Samples>,
        loss: Loss,
        steps: WeightSteps,
        penalty: f64,
        scaling: &DeltaScaling,
    ) -> Result<Self, DeltaError> {
        check_shape(&network, &samples)?;
        check_penalty(penalty)?;
        loss.check(&network, &samples)?;
        steps.check()?;
        if scaling.fits_outputs && !(can_fit(&network, loss) && samples.weights().is_none()) {
            return Err(DeltaError::Fit);
        }
        let (input_rounder, places) = places(&network, loss, steps, &scaling.layers, &samples)?;
        let inputs = rounded(samples.inputs(), input_rounder);
        let n_lanes = inputs.n_lanes();
        let current = Neurons::zeros(&places, n_lanes);
        let divisor = loss.divisor(&samples);
        let target_sums = scaling.fits_outputs.then(|| TargetSums::of(&samples));
        let fixed = Fixed { places, samples, inputs, loss, steps, target_sums };
        let mut evaluation = Self {
            divisor,
            current,
            block_sums: fixed.block_sums(),
            chunks: Vec::new(),
            stretches: Vec::new(),
            weights: Vec::new(),
            codes: Vec::new(),
            squares: SquareSum::default(),
            cost: f64::NAN,
            own: fixed.scratch(),
            isa: Isa::best(),
            aborts: true,
            network,
            fixed,
            penalty,
        };
        evaluation.sort_chunks();
        evaluation.set(&vec![0.0; evaluation.network.n_weights()]);
        Ok(evaluation)
    }

    /// The same on another instruction set; no bit changes.
    #[must_use]
    pub fn on(self, isa: Isa) -> Self {
        Self { isa, ..self }
    }

    /// The same with or without early abort; no answer changes.
    #[must_use]
    pub fn with_early_abort(self, aborts: bool) -> Self {
        Self { aborts, ..self }
    }

    /// Makes another penalty count.
    ///
    /// # Errors
    /// A penalty that is negative or not finite.
    pub fn set_penalty(&mut self, penalty: f64) -> Result<(), DeltaError> {
        check_penalty(penalty)?;
        if penalty != self.penalty {
            self.penalty = penalty;
            let weights = self.weights.clone();
            self.set(&weights);
        }
        Ok(())
    }

    /// The network.
    #[must_use]
    pub const fn network(&self) -> &Network {
        &self.network
    }

    /// The samples.
    #[must_use]
    pub fn samples(&self) -> &Samples {
        &self.fixed.samples
    }

    /// The current weights.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The cost of the current weights.
    #[must_use]
    pub const fn cost(&self) -> f64 {
        self.cost
    }

    /// Sums of all neurons in steps, layer by layer: `[n_neurons][n_lanes]`; lanes behind the samples are padding.
    #[must_use]
    pub const fn sums(&self) -> &LaneMatrix {
        &self.current.sums
    }

    /// Room for one probe at a time.
    #[must_use]
    pub fn scratch(&self) -> DeltaScratch {
        self.fixed.scratch()
    }

    /// Makes `weights: [n_weights]` current by a full pass, and gives their cost.
    ///
    /// # Panics
    /// If `weights` are those of another network, or not whole numbers of steps.
    pub fn set(&mut self, weights: &[f64]) -> f64 {
        assert_eq!(weights.len(), self.network.n_weights(), "weights of another network");
        self.codes.clear();
        self.codes.extend(weights.iter().map(|&weight| self.fixed.steps.code(weight)));
        self.weights.clear();
        self.weights.extend_from_slice(weights);
        self.squares = SquareSum::of(weights);
        let all: Vec<usize> = (0..self.fixed.places[0].n_neurons).collect();
        let scale = self.scale(self.squares.total());
        self.rewrite(scale, &[], &all);
        self.cost
    }

    /// The cost of the current weights with `changes` applied, if it is below `bound`.
    ///
    /// `changes` holds each weight at most once. `is_canceled` is asked now and then, and once it says yes the answer may
    /// be `None` whatever the cost.
    ///
    /// # Panics
    /// If a weight does not exist, or is to be no whole number of steps.
    pub fn probe(
        &self,
        scratch: &mut DeltaScratch,
        changes: impl IntoIterator<Item = WeightChange>,
        bound: f64,
        is_canceled: impl Fn() -> bool,
    ) -> Option<f64> {
        self.place(changes, &mut scratch.changes);
        let DeltaScratch { changes, touched, codes, rows, block_sums, partial } = scratch;
        if changes.is_empty() {
            return Some(self.cost).filter(|&cost| cost < bound);
        }
        touched_by(changes, touched);
        let (first, second) = by_layer(changes);
        let has_later = first.len() < changes.len();
        if has_later {
            codes.clear();
            codes.extend_from_slice(&self.codes);
            for change in &*changes {
                codes[change.weight_index] = change.code;
            }
        }
        let codes = if has_later { &*codes } else { &self.codes };
        let kernel = ProbeKernel {
            setting: self.fixed.setting(),
            reach: Reach { codes, first, second, touched },
            current: &self.current,
            scale: self.scale_with(changes),
            bound,
            chunks: &self.chunks,
            aborts: self.aborts && bound < f64::INFINITY,
            is_canceled,
            rows,
            block_sums,
            partial,
        };
        dispatch(self.isa, kernel)
    }

    /// Makes `changes` current.
    ///
    /// # Panics
    /// If a weight does not exist, or is to be no whole number of steps.
    pub fn commit(&mut self, changes: impl IntoIterator<Item = WeightChange>) {
        let mut placed = std::mem::take(&mut self.own.changes);
        let mut touched = std::mem::take(&mut self.own.touched);
        self.place(changes, &mut placed);
        if !placed.is_empty() {
            touched_by(&placed, &mut touched);
            let scale = self.scale_with(&placed);
            for change in &placed {
                self.weights[change.weight_index] = change.value;
                self.codes[change.weight_index] = change.code;
            }
            self.squares.commit(&self.weights, &placed);
            self.rewrite(scale, &placed, &touched);
        }
        (self.own.changes, self.own.touched) = (placed, touched);
    }

    /// Computes what the changes reach, the weights being those that they lead to; everything, if there are none.
    fn rewrite(&mut self, scale: CostScale, changes: &[PlacedChange], touched: &[usize]) {
        let (first, second) = by_layer(changes);
        let kernel = CommitKernel {
            setting: self.fixed.setting(),
            reach: Reach { codes: &self.codes, first, second, touched },
            current: &mut self.current,
            scale,
            chunks: &self.chunks,
            rows: &mut self.own.rows,
            block_sums: &mut self.block_sums,
            partial: &mut self.own.partial,
        };
        self.cost = dispatch(self.isa, kernel);
        self.sort_chunks();
    }

    /// The changes that change something, sorted by weight.
    fn place(
        &self,
        changes: impl IntoIterator<Item = WeightChange>,
        placed: &mut Vec<PlacedChange>,
    ) {
        placed.clear();
        for WeightChange { weight_index, value } in changes {
            if self.weights[weight_index] != value {
                let (code, current) = (self.fixed.steps.code(value), self.codes[weight_index]);
                placed.push(PlacedChange::new(
                    &self.fixed.places,
                    weight_index,
                    value,
                    code,
                    current,
                ));
            }
        }
        placed.sort_unstable_by_key(|change| change.weight_index);
    }

    fn scale(&self, square_sum: f64) -> CostScale {
        // Weights whose squares overflow are no matter where there is no penalty.
        let penalty = if self.penalty == 0.0 { 0.0 } else { self.penalty * square_sum };
        CostScale { divisor: self.divisor, penalty }
    }

    fn scale_with(&self, changes: &[PlacedChange]) -> CostScale {
        if self.penalty == 0.0 {
            return self.scale(0.0);
        }
        self.scale(self.squares.total_with(&self.weights, changes))
    }

    /// Puts the chunks of the highest losses first. Many blocks are sorted stretch by stretch, since memory is read in
    /// stretches too.
    fn sort_chunks(&mut self) {
        const N_STRETCHES: usize = 32;
        // One block alone would spend more on what is decided once a chunk.
        const FEWEST_BLOCKS: usize = 2;
        let n_blocks = self.fixed.inputs.n_lanes().div_ceil(BLOCK);
        let length = n_blocks.div_ceil(N_STRETCHES).max(FEWEST_BLOCKS);
        let losses = |first: usize| match self.fixed.measure() {
            Measure::Losses => self.block_sums[first..n_blocks.min(first + length)].iter().sum(),
            // The sums for least squares say nothing of single blocks.
            Measure::Fitted(_) => 0.0,
        };
        self.stretches.clear();
        self.stretches.extend((0..n_blocks).step_by(length).map(|first| (first, losses(first))));
        self.stretches.sort_by(|(_, a): &(usize, f64), (_, b)| b.total_cmp(a));
        self.chunks.clear();
        for &(first, _) in &self.stretches {
            let end = n_blocks.min(first + length);
            let starts = (first..end).step_by(CHUNK / BLOCK);
            self.chunks.extend(starts.map(|start| start..end.min(start + CHUNK / BLOCK)));
        }
    }
}

/// The changes of the first changed layer, and those of the layer after it.
fn by_layer(changes: &[PlacedChange]) -> (&[PlacedChange], &[PlacedChange]) {
    let first_layer = changes.first().map_or(0, |change| change.layer);
    let n_first = changes.partition_point(|change| change.layer == first_layer);
    let n_near = changes.partition_point(|change| change.layer <= first_layer + 1);
    (&changes[..n_first], &changes[n_first..n_near])
}

/// # Errors
/// A penalty that is negative or not finite.
fn check_penalty(penalty: f64) -> Result<(), DeltaError> {
    let fits = penalty.is_finite() && penalty >= 0.0;
    if fits { Ok(()) } else { Err(DeltaError::Penalty { found: penalty }) }
}

/// Whether least squares can find scale and offset of the outputs of a network.
fn can_fit(network: &Network, loss: Loss) -> bool {
    let is_linear = network.layers().last().is_some_and(|it| it.activation == Activation::Linear);
    loss == Loss::SquaredError && is_linear
}

/// # Errors
/// A network with other inputs or outputs than the samples, or with a memory.
pub(super) fn check_shape(network: &Network, samples: &Samples) -> Result<(), DeltaError> {
    let (n_inputs, n_targets) = (samples.inputs().n_rows(), samples.targets().n_rows());
    if network.n_inputs() != n_inputs {
        let found = network.n_inputs();
        return Err(DeltaError::Count { kind: "inputs", expected: n_inputs, found });
    }
    if network.n_outputs() != n_targets {
        let found = network.n_outputs();
        return Err(DeltaError::Count { kind: "outputs", expected: n_targets, found });
    }
    let remembers = network.layers().iter().any(|layer| layer.feedback != Feedback::None);
    if remembers || network.window() > 1 {
        return Err(DeltaError::Memory);
    }
    if network.n_direct() > 0 {
        return Err(DeltaError::DirectPath);
    }
    Ok(())
}
