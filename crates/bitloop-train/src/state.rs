//! [`TrainingState`]: all that a training needs to be resumed, as one serializable value.

use bitloop_blm::SearchState;
use serde::{Deserialize, Serialize};

/// Weights that were validated, and their errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Integer weights.
    pub codes: Vec<i32>,
    /// Real weights, of a trainer that has no grid; then there are no codes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<f64>,
    /// The run that found it, from 0.
    pub run: u64,
    /// Its error on the training set; known of the incumbent.
    #[serde(default)]
    pub training_error: Option<f64>,
    /// The same of the real weights that the codes are rounded from, where the search knows such weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unrounded_training_error: Option<f64>,
    /// Its error on the validation set.
    pub validation_error: f64,
    /// Its error on the confirmation set, once it was evaluated there to the end: where it meets the target, or makes the
    /// candidate the incumbent.
    pub confirmation_error: Option<f64>,
    /// How many episodes of that set did not reach their horizon; known with its error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmation_failures: Option<usize>,
}

impl Candidate {
    /// What incumbents are compared by: the worse of the validation and the confirmation error, so that a controller that
    /// is good on one set of episodes by chance is not preferred.
    #[must_use]
    pub fn merit(&self) -> f64 {
        self.confirmation_error.map_or(self.validation_error, |error| {
            if error > self.validation_error { error } else { self.validation_error }
        })
    }
}

/// Why a training ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StopReason {
    /// Validation and confirmation errors reached the target.
    Target,
    /// The allowed runs are done.
    Runs,
    /// The allowed evaluations are used up.
    Evaluations,
    /// The allowed seconds are over.
    Seconds,
    /// The user interrupted it.
    Interrupted,
}

/// The cost of a training so far. It is not determined by the scenario, and enters no decision but a budget in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// Seconds, those before each resumption included.
    pub wall_s: f64,
    /// Integration steps simulated, for validation too.
    pub plant_steps: u64,
    /// Evaluations that were worst because the plant broke in them, or gave a cost that is negative or not finite.
    pub n_faults: u64,
}

impl Spent {
    /// The cost of one after the other.
    #[must_use]
    pub fn and(self, after: Self) -> Self {
        Self {
            wall_s: self.wall_s + after.wall_s,
            plant_steps: self.plant_steps + after.plant_steps,
            n_faults: self.n_faults + after.n_faults,
        }
    }
}

impl StopReason {
    /// Whether the search was stopped at a moment that the scenario does not determine, so that it can be resumed there.
    #[must_use]
    pub const fn is_pause(self) -> bool {
        matches!(self, Self::Seconds | Self::Interrupted)
    }

    /// The name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Target => "target",
            Self::Runs => "runs",
            Self::Evaluations => "evaluations",
            Self::Seconds => "seconds",
            Self::Interrupted => "interrupted",
        }
    }
}

/// When a training reached its target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reached {
    /// Evaluations of the objective until then, over all runs.
    pub n_evaluations: u64,
    /// What the training had cost by then.
    pub spent: Spent,
}

/// An error, and when it was reached.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// The error over the training episodes of the stage.
    pub error: f64,
    /// Evaluations of the run at that time.
    pub n_evaluations: u64,
}

/// The state of a run whose trainer has no weights in codes, or tries whole weight vectors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SamplingState {
    /// Evaluations of the objective.
    pub n_evaluations: u64,
    /// Generations of CMA-ES, improvements of a random search, steps along gradients.
    pub n_moves: u64,
    /// The best on the training set of the stage, if there is any yet.
    pub best: Option<Sample>,
    /// Whether the best was validated.
    pub is_validated: bool,
}

/// Weights that were tried, and their cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// `[n_weights]`, on the grid or not.
    pub weights: Vec<f64>,
    /// Their cost on the training set of the stage.
    pub cost: f64,
}

/// What CMA-ES keeps of its runs to choose the population of the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestartState {
    /// Runs with the first population or a multiple of it.
    pub n_large: u32,
    /// Their evaluations.
    pub large_evaluations: u64,
    /// Evaluations of the last of them.
    pub last_large_evaluations: u64,
    /// Evaluations of the runs with small populations in between.
    pub small_evaluations: u64,
}

/// The state of a training between two probes. With the scenario it determines all that follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingState {
    /// The current run, from 0.
    pub run: u64,
    /// Its search by telescopic BLM; none between runs.
    pub search: Option<SearchState>,
    /// Its search by another trainer; none between runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampling: Option<SamplingState>,
    /// What CMA-ES keeps from run to run.
    #[serde(default)]
    pub restarts: RestartState,
    /// The stage of the curriculum that the run has reached, from 0.
    pub stage: usize,
    /// How often the run's training episodes were drawn anew.
    #[serde(default)]
    pub draw: u64,
    /// Whether weights that are at the target on them were validated, so that they are to be drawn anew.
    #[serde(alias = "has_missed", default, skip_serializing_if = "std::ops::Not::not")]
    pub was_validated_at_target: bool,
    /// The last time that the run made progress.
    pub progress: Option<Mark>,
    /// The best of this run on the validation set.
    pub best_of_run: Option<Candidate>,
    /// The best of the finished runs, by [`Candidate::merit`].
    pub incumbent: Option<Candidate>,
    /// When the target was reached, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached: Option<Reached>,
    /// Evaluations of finished runs.
    pub evaluations_before: u64,
    /// Accepted moves of finished runs.
    pub moves_before: u64,
    /// What the training has cost.
    #[serde(default)]
    pub spent: Spent,
}

impl TrainingState {
    /// The state before the first run.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            run: 0,
            search: None,
            sampling: None,
            restarts: RestartState {
                n_large: 0,
                large_evaluations: 0,
                last_large_evaluations: 0,
                small_evaluations: 0,
            },
            stage: 0,
            draw: 0,
            was_validated_at_target: false,
            progress: None,
            best_of_run: None,
            incumbent: None,
            reached: None,
            evaluations_before: 0,
            moves_before: 0,
            spent: Spent { wall_s: 0.0, plant_steps: 0, n_faults: 0 },
        }
    }

    /// Evaluations of the objective so far: first costs and probes in order, not speculation, not validation.
    #[must_use]
    pub fn n_evaluations(&self) -> u64 {
        self.evaluations_before + self.of_run().0
    }

    /// Accepted moves so far; generations of CMA-ES, improvements of a random search.
    #[must_use]
    pub fn n_moves(&self) -> u64 {
        self.moves_before + self.of_run().1
    }

    /// Whether a run has begun and is not finished.
    #[must_use]
    pub const fn is_in_run(&self) -> bool {
        self.search.is_some() || self.sampling.is_some()
    }

    /// Evaluations and moves of the current run.
    pub(crate) fn of_run(&self) -> (u64, u64) {
        let of_search = self.search.as_ref().map(|search| (search.n_evaluations, search.n_moves));
        let of_sampling = || self.sampling.as_ref().map(|s| (s.n_evaluations, s.n_moves));
        of_search.or_else(of_sampling).unwrap_or((0, 0))
    }
}

impl SamplingState {
    /// The beginning of a run.
    pub(crate) const fn new() -> Self {
        Self { n_evaluations: 0, n_moves: 0, best: None, is_validated: false }
    }
}

impl Default for TrainingState {
    fn default() -> Self {
        Self::new()
    }
}
