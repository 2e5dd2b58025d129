//! [`Task`]: what is trained, as trainers see it.
//!
//! A task has a cost over its training set, perhaps in stages of growing difficulty, and scores on named sets. The closed
//! loop and the examples are its two implementations. A task knows neither searches nor budgets, and keeps no state of a
//! training.

use std::fmt;
use std::num::NonZeroUsize;

use bitloop_blm::{Objective, Probe, ProbeControl};
use bitloop_data::PartDigests;
use bitloop_net::Network;
use bitloop_plant::{Description, Isa};
use bitloop_scenario::{self as file, Problem};

use crate::error::TrainError;
use crate::execution::Scoring;
use crate::library::Library;
use crate::outcome::Outcome;
use crate::product::{Product, ProductKind, SaveInfo};
use crate::score::{BoundedScore, Score, SetName, WorkCounter};
use crate::state::Candidate;

/// A cost to be found by a [`Task`], of weights that are given as a whole.
pub struct Trial<'a> {
    /// The instruction set.
    pub isa: Isa,
    /// The stage of the curriculum.
    pub stage: usize,
    /// `[n_weights]`, on the grid or not.
    pub weights: &'a [f64],
    /// The bound that the cost is compared with, and what calls the trial off.
    pub control: ProbeControl<'a>,
}

/// What is trained: a network in a closed loop, or on examples.
pub trait Task: fmt::Debug + Send + Sync {
    /// The cost as local search probes it, weight by weight.
    type Objective<'t>: TaskObjective
    where
        Self: 't;
    /// The working memory of one [`cost`](Task::cost) at a time.
    type Scratch: Send;
    /// Whether a training makes a controller or a model.
    const PRODUCT: ProductKind;

    /// The network's shape, as it will be saved.
    fn shape(&self) -> &file::Network;

    /// The network.
    fn network(&self) -> &Network;

    /// The weights by which integrators keep what they have summed. Telescopic BLM starts its runs with
    /// them at 1, since with random ones they would forget.
    fn integrator_weights(&self) -> &[usize] {
        &[]
    }

    /// The description of the plant, if there is one.
    fn plant(&self) -> Option<&Description>;

    /// The library that the plant comes from, if there is a plant and it comes from one.
    fn library(&self) -> Option<&Library>;

    /// Whether there is a plant which says that its bits hold on one machine alone.
    fn has_machine_bits(&self) -> bool {
        false
    }

    /// How many episodes its sets have, and their length, if it has episodes.
    fn episodes(&self) -> Option<&file::Episodes> {
        None
    }

    /// Which rows the parts of the data have, if there are rows.
    fn data(&self) -> Option<&PartDigests> {
        None
    }

    /// Stages of the curriculum, at least 1; the last is the full training set. Stage s of the training episodes that are drawn
    /// after k others has the number k times this, and s.
    fn n_stages(&self) -> usize;

    /// Evaluations of a run after which the training set is drawn anew; none where it stays.
    fn fresh_every(&self) -> Option<u64> {
        None
    }

    /// Whether the training set is drawn anew after weights that are at the target on it have missed it in validation or
    /// confirmation, and after each validation of such weights once the target is reached.
    fn fresh_after_miss(&self) -> bool {
        false
    }

    /// The training error below which a run enters the next stage.
    fn advance_below(&self) -> f64;

    /// Whether there is such a set. Training and validation can always be scored.
    fn has(&self, set: SetName) -> bool;

    /// The sets that are scored for the report at the end of a training.
    fn reported(&self) -> &[SetName];

    /// The cost for a local search, at the first stage. Work is counted by `work`. Evaluations that take long are called
    /// off once `stop` answers true, which it must keep doing.
    ///
    /// # Errors
    /// A network that does not fit the task.
    fn objective<'t>(
        &'t self,
        isa: Isa,
        work: &'t WorkCounter,
        stop: &'t (dyn Fn() -> bool + Sync),
    ) -> Result<Self::Objective<'t>, TrainError>;

    /// Working memory for one thread.
    ///
    /// # Errors
    /// As [`objective`](Task::objective).
    fn scratch(&self) -> Result<Self::Scratch, TrainError>;

    /// The cost of weights over the training set of a stage, if it is below a bound.
    ///
    /// # Errors
    /// If it can no longer be evaluated.
    fn cost(
        &self,
        trial: &Trial<'_>,
        scratch: &mut Self::Scratch,
        work: &WorkCounter,
    ) -> Result<Probe, TrainError>;

    /// Scores weights on a set, in full; none if it is called off.
    ///
    /// # Errors
    /// If the plant breaks.
    fn score(
        &self,
        weights: &[f64],
        set: SetName,
        scoring: Scoring<'_>,
    ) -> Result<Option<Score>, TrainError>;

    /// The error of weights on a set, as [`score`](Self::score) has it, if it is below a bound: which may take less work. An
    /// error that is not finite is not below any bound.
    ///
    /// # Errors
    /// As [`score`](Self::score), where the plant breaks before it is certain that the error is not below the bound.
    fn error_below(
        &self,
        weights: &[f64],
        set: SetName,
        bound: f64,
        scoring: Scoring<'_>,
    ) -> Result<BoundedScore, TrainError> {
        let score = self.score(weights, set, scoring)?;
        Ok(BoundedScore::of(score.map(|score| (score.error, score.n_failed())), bound))
    }

    /// What the bests of runs are compared by, the lower of two: their merit, unless runs differ in more than their weights.
    fn rank(&self, candidate: &Candidate) -> f64 {
        candidate.merit()
    }

    /// The first bad value of weights on the training set, in words, where the task can find it.
    fn diagnose(&self, weights: &[f64], isa: Isa) -> Option<String>;

    /// How many of `n_threads` speed up a local search on this task.
    fn useful_threads(&self, n_threads: NonZeroUsize) -> NonZeroUsize;

    /// Whether the cost over the full training set is the error that [`score`](Task::score) gives of it.
    fn cost_is_error(&self) -> bool;

    /// The error to be shown of a cost: the same, or its root where it is a mean square.
    fn error_of_cost(&self, cost: f64) -> f64;

    /// What the network is trained for, in words: "for inverted-pendulum", "on 1038 rows".
    fn subject(&self) -> String;

    /// What its errors are, of examples.
    fn error_meaning(&self) -> Option<file::ErrorMeaning> {
        None
    }

    /// The file of the trained network.
    ///
    /// # Errors
    /// If a rule of the format is broken, so that the file could not be read back.
    fn product(&self, outcome: &Outcome, info: SaveInfo) -> Result<Product, Problem>;
}

/// The cost of a task as local search probes it.
pub trait TaskObjective: Objective {
    /// Enters another stage. Costs of earlier stages cannot be compared with later ones.
    fn enter(&mut self, stage: usize);

    /// Prepares for a run, of which the weights are set next.
    fn begin_run(&mut self, _run: u64) {}

    /// Why the objective can no longer be evaluated, if so. It then answers all probes with [`Probe::CalledOff`].
    fn failure(&self) -> Option<TrainError>;
}
