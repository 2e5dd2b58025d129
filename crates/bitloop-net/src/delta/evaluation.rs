//! [`DeltaEvaluation`]: a network and its samples, current weights and probes of others.

use std::sync::{Arc, Mutex, PoisonError};

use bitloop_plant::{Isa, LaneMatrix, dispatch};

use super::candidate::{Candidate, touched_by};
use super::error::DeltaError;
use super::exact::Exact;
use super::loss::Loss;
use super::loss_sum::{BLOCK, CostScale};
use super::penalty::SquareSum;
use super::place::{Place, PlacedChange, places};
use super::quick::{Quick, QuickRows};
use super::samples::Samples;
use crate::shape::{Feedback, Network};

/// One weight takes a new value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightChange {
    /// Which weight, in the order that [`Network`] tells.
    pub weight_index: usize,
    /// What it becomes.
    pub value: f64,
}

/// The cost of a network over samples, and what changed weights would make of it.
///
/// ```text
/// cost = (sum over samples of their loss) / n_samples + penalty * (sum over weights and biases of w^2)
/// ```
/// with the losses of [`Loss`]. The print names a regularization weight, and gives no formula; the factor here is on the
/// plain sum of squares beside the mean loss, and what the paper's weight means is for the caller to say.
///
/// # What is certain
/// * Sums and outputs of every neuron for every sample are those of a full pass over the current weights, bit for bit,
///   whatever changes led to them.
/// * The cost that [`probe`](Self::probe) answers is that of a full pass over the changed weights, bit for bit, on every
///   instruction set, and it is below the bound.
/// * Early abort changes no answer.
/// * A candidate whose approximate cost is not below the current cost is not looked at again, though its exact cost may be
///   lower by a rounding. That depends on the current weights and the changes alone: not on the bound, as long as it is
///   not above the current cost, nor on what was probed before.
#[derive(Debug)]
pub struct DeltaEvaluation {
    network: Network,
    places: Vec<Place>,
    samples: Arc<Samples>,
    loss: Loss,
    divisor: f64,
    penalty: f64,
    isa: Isa,
    aborts: bool,
    weights: Vec<f64>,
    squares: SquareSum,
    /// Of all neurons, layer by layer, at the current weights.
    sums: LaneMatrix,
    outputs: LaneMatrix,
    block_losses: Vec<f64>,
    /// The blocks, that of the highest loss first: they tell soonest.
    order: Vec<usize>,
    /// Room for sorting them.
    stretches: Vec<(usize, f64)>,
    cost: f64,
    /// The latest candidate that a probe found to be below its bound: mostly the next one to be committed.
    latest: Mutex<Candidate>,
}

/// The working memory of one probe at a time.
#[derive(Debug)]
pub struct DeltaScratch {
    changes: Vec<PlacedChange>,
    touched: Vec<usize>,
    /// The changed weights, where more than the first changed layer needs them.
    weights: Vec<f64>,
    rows: QuickRows,
    candidate: Candidate,
}

impl DeltaEvaluation {
    /// The evaluation of a feed-forward network on samples, with all weights zero. `penalty` multiplies the sum of squared
    /// weights; 0 for none.
    ///
    /// # Errors
    /// A network that does not fit the samples or the loss, or that has a memory; a penalty that is negative or not
    /// finite.
    pub fn new(
        network: Network,
        samples: Arc<Samples>,
        loss: Loss,
        penalty: f64,
    ) -> Result<Self, DeltaError> {
        check_shape(&network, &samples)?;
        if !(penalty.is_finite() && penalty >= 0.0) {
            return Err(DeltaError::Penalty { found: penalty });
        }
        loss.check(&network, &samples)?;
        let places = places(&network, loss);
        let last = places[places.len() - 1];
        let n_lanes = samples.inputs().n_lanes();
        let n_blocks = n_lanes.div_ceil(BLOCK);
        let n_rows = last.first_row + last.n_neurons;
        let mut evaluation = Self {
            divisor: loss.divisor(&samples),
            sums: LaneMatrix::zeros(n_rows, n_lanes),
            outputs: LaneMatrix::zeros(n_rows, n_lanes),
            block_losses: vec![0.0; n_blocks],
            order: (0..n_blocks).collect(),
            stretches: Vec::new(),
            weights: Vec::new(),
            squares: SquareSum::default(),
            cost: f64::NAN,
            latest: Mutex::new(Candidate::new(last.n_neurons, n_lanes, n_blocks)),
            isa: Isa::best(),
            aborts: true,
            network,
            places,
            samples,
            loss,
            penalty,
        };
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

    /// The network.
    #[must_use]
    pub const fn network(&self) -> &Network {
        &self.network
    }

    /// The samples.
    #[must_use]
    pub fn samples(&self) -> &Samples {
        &self.samples
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

    /// Sums of all neurons, layer by layer: `[n_neurons][n_lanes]`; lanes behind the samples are padding.
    #[must_use]
    pub const fn sums(&self) -> &LaneMatrix {
        &self.sums
    }

    /// Room for one probe at a time.
    #[must_use]
    pub fn scratch(&self) -> DeltaScratch {
        let n_blocks = self.block_losses.len();
        DeltaScratch {
            changes: Vec::new(),
            touched: Vec::new(),
            weights: Vec::new(),
            rows: QuickRows::new(&self.places, n_blocks),
            candidate: Candidate::new(
                self.network.n_outputs(),
                self.samples.inputs().n_lanes(),
                n_blocks,
            ),
        }
    }

    /// Makes `weights: [n_weights]` current by a full pass, and gives their cost.
    ///
    /// # Panics
    /// If `weights` are those of another network.
    pub fn set(&mut self, weights: &[f64]) -> f64 {
        assert_eq!(weights.len(), self.network.n_weights(), "weights of another network");
        self.weights.clear();
        self.weights.extend_from_slice(weights);
        self.squares = SquareSum::of(weights);
        // All rows are new, in the order in which they are kept.
        let mut all = Candidate::new(
            self.network.n_outputs(),
            self.samples.inputs().n_lanes(),
            self.block_losses.len(),
        );
        all.turn_to_all(&self.places);
        std::mem::swap(&mut all.sums, &mut self.sums);
        std::mem::swap(&mut all.outputs, &mut self.outputs);
        let scale = self.scale(self.squares.total());
        let no_outputs = LaneMatrix::zeros(0, all.sums.n_lanes());
        let _ = self.evaluate(&self.weights, &no_outputs, scale, f64::INFINITY, &mut all);
        (self.sums, self.outputs, self.block_losses) = (all.sums, all.outputs, all.block_losses);
        self.cost = all.cost;
        self.sort_blocks();
        self.latest_mut().changes.clear();
        self.cost
    }

    /// The exact cost of the current weights with `changes` applied, if it is below `bound`.
    ///
    /// `changes` holds each weight at most once. `is_canceled` is asked now and then, and once it says yes the answer may
    /// be `None` whatever the cost.
    ///
    /// # Panics
    /// If a weight does not exist.
    pub fn probe(
        &self,
        scratch: &mut DeltaScratch,
        changes: impl IntoIterator<Item = WeightChange>,
        bound: f64,
        is_canceled: impl Fn() -> bool,
    ) -> Option<f64> {
        self.place(changes, &mut scratch.changes);
        let DeltaScratch { changes, touched, weights, rows, candidate } = scratch;
        let mut first_layer = 0;
        touched_by(changes, &mut first_layer, touched);
        let scale = self.scale_with(changes);
        let n_first = changes.partition_point(|change| change.layer == first_layer);
        let n_near = changes.partition_point(|change| change.layer <= first_layer + 1);
        let has_later = n_first < changes.len();
        if has_later {
            self.changed_weights(changes, weights);
        }
        if changes.is_empty() {
            return Some(self.cost).filter(|&cost| cost < bound);
        }
        // Where the current network overflows, its sums tell nothing about others.
        if self.cost.is_finite() {
            let quick = Quick {
                samples: &self.samples,
                loss: self.loss,
                places: &self.places,
                weights: if has_later { weights } else { &self.weights },
                sums: &self.sums,
                outputs: &self.outputs,
                first: &changes[..n_first],
                second: &changes[n_first..n_near],
                touched,
                scale,
                bound: self.quick_bound(bound),
                order: &self.order,
                aborts: self.aborts,
                is_canceled,
                rows,
            };
            if !dispatch(self.isa, quick) {
                return None;
            }
        }
        if !has_later {
            self.changed_weights(changes, weights);
        }
        candidate.turn_to(changes);
        if !self.evaluate(weights, &self.outputs, scale, bound, candidate) {
            return None;
        }
        let cost = candidate.cost;
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(&mut *latest, candidate);
        Some(cost)
    }

    /// Makes `changes` current.
    ///
    /// If they are those that the latest successful probe answered, their rows are taken over; otherwise they are summed
    /// now, to the same bits.
    ///
    /// # Panics
    /// If a weight does not exist.
    pub fn commit(&mut self, changes: impl IntoIterator<Item = WeightChange>) {
        let mut placed = Vec::new();
        self.place(changes, &mut placed);
        if placed.is_empty() {
            return;
        }
        let mut weights = Vec::new();
        self.changed_weights(&placed, &mut weights);
        let mut candidate = std::mem::replace(self.latest_mut(), Candidate::new(0, 8, 0));
        if candidate.changes != placed {
            let scale = self.scale_with(&placed);
            candidate.turn_to(&placed);
            // Not below infinity is an overflow, and is summed to its end all the same.
            let _ = self.evaluate(&weights, &self.outputs, scale, f64::INFINITY, &mut candidate);
        }
        self.take_over(&mut candidate);
        self.weights = weights;
        self.squares.commit(&self.weights, &placed);
        self.sort_blocks();
        candidate.changes.clear();
        *self.latest_mut() = candidate;
    }

    /// Fills a candidate whose changes are set; says whether its cost is below the bound.
    fn evaluate(
        &self,
        weights: &[f64],
        outputs: &LaneMatrix,
        scale: CostScale,
        bound: f64,
        candidate: &mut Candidate,
    ) -> bool {
        candidate.make_room(&self.places);
        let exact = Exact {
            samples: &self.samples,
            loss: self.loss,
            places: &self.places,
            weights,
            outputs,
            scale,
            bound,
            order: &self.order,
            aborts: self.aborts && bound < f64::INFINITY,
            candidate,
        };
        dispatch(self.isa, exact)
    }

    /// Copies the rows of a candidate over those that they replace.
    fn take_over(&mut self, candidate: &mut Candidate) {
        let first = self.places[candidate.first_layer];
        let later_row = first.first_row + first.n_neurons;
        let last = self.places[self.places.len() - 1];
        let n_later = last.first_row + last.n_neurons - later_row;
        let n_touched = candidate.touched.len();
        for (new, kept) in
            [(&candidate.sums, &mut self.sums), (&candidate.outputs, &mut self.outputs)]
        {
            for (row, &neuron) in candidate.touched.iter().enumerate() {
                kept.row_mut(first.first_row + neuron).copy_from_slice(new.row(row));
            }
            for row in 0..n_later {
                kept.row_mut(later_row + row).copy_from_slice(new.row(n_touched + row));
            }
        }
        std::mem::swap(&mut self.block_losses, &mut candidate.block_losses);
        self.cost = candidate.cost;
    }

    /// The changes that change something, sorted by weight.
    fn place(
        &self,
        changes: impl IntoIterator<Item = WeightChange>,
        placed: &mut Vec<PlacedChange>,
    ) {
        placed.clear();
        let real = changes
            .into_iter()
            .filter(|change| self.weights[change.weight_index] != change.value)
            .map(|WeightChange { weight_index, value }| {
                PlacedChange::new(&self.places, &self.weights, weight_index, value)
            });
        placed.extend(real);
        placed.sort_unstable_by_key(|change| change.weight_index);
    }

    fn changed_weights(&self, changes: &[PlacedChange], weights: &mut Vec<f64>) {
        weights.clear();
        weights.extend_from_slice(&self.weights);
        for change in changes {
            weights[change.weight_index] = change.value;
        }
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

    /// What an approximate cost must be below for the exact one to be looked at.
    ///
    /// Below the current cost a margin makes sure that the bound decides by the exact cost alone, so that several threads
    /// with different bounds agree.
    fn quick_bound(&self, bound: f64) -> f64 {
        const MARGIN: f64 = 1e-6;
        let widened = bound + bound.abs() * MARGIN;
        if bound <= self.cost { widened.min(self.cost) } else { widened }
    }

    /// Puts the blocks of the highest losses first. Many blocks are sorted stretch by stretch, since memory is read in
    /// stretches too.
    fn sort_blocks(&mut self) {
        const N_STRETCHES: usize = 32;
        let stretch = self.block_losses.len().div_ceil(N_STRETCHES);
        let losses = self.block_losses.chunks(stretch).map(|losses| losses.iter().sum());
        self.stretches.clear();
        self.stretches.extend((0..).zip(losses));
        self.stretches.sort_by(|(_, a): &(usize, f64), (_, b)| b.total_cmp(a));
        self.order.clear();
        for &(index, _) in &self.stretches {
            let first = index * stretch;
            self.order.extend(first..self.block_losses.len().min(first + stretch));
        }
    }

    fn latest_mut(&mut self) -> &mut Candidate {
        self.latest.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
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
    Ok(())
}
