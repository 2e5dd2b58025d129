//! Where a training stands: one serializable value.

use bitloop_blm::SearchState;
use serde::{Deserialize, Serialize};

/// A controller in the running: its codes and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Integer weights.
    pub codes: Vec<i32>,
    /// Real weights, of a trainer that has no grid; then there are no codes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<f64>,
    /// Which descent found it.
    pub descent: u64,
    /// Its error over the training episodes.
    pub training_error: f64,
    /// The same of the real weights that the codes are rounded from, where the search knows such weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unrounded_training_error: Option<f64>,
    /// Its error over the validation episodes.
    pub validation_error: f64,
    /// Its error over the confirmation episodes, once they were run.
    pub confirmation_error: Option<f64>,
}

impl Candidate {
    /// What incumbents are compared by: the worse of validation and confirmation. A controller that shines on one set of
    /// episodes and falls in another is no good one.
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
    /// The allowed descents are done.
    Descents,
    /// The allowed evaluations are used up.
    Evaluations,
    /// The allowed seconds are over.
    Seconds,
    /// The user wanted it to end.
    Interrupted,
}

/// What a training has cost so far. None of it depends on the scenario alone, and none of it enters a decision, but for a
/// budget in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// Seconds, of all sittings.
    pub wall_s: f64,
    /// Integration steps simulated, for validation too.
    pub plant_steps: u64,
    /// Evaluations that were worst because the plant broke in them, or gave a cost that is negative or not finite.
    pub n_faults: u64,
}

impl StopReason {
    /// Whether the search was cut off at a moment that the scenario does not determine, so that it can go on from there.
    #[must_use]
    pub const fn is_pause(self) -> bool {
        matches!(self, Self::Seconds | Self::Interrupted)
    }

    /// The name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Target => "target",
            Self::Descents => "descents",
            Self::Evaluations => "evaluations",
            Self::Seconds => "seconds",
            Self::Interrupted => "interrupted",
        }
    }
}

/// An error, and when it was reached.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// The error over the training episodes of the stage.
    pub error: f64,
    /// Evaluations of the descent at that time.
    pub n_evaluations: u64,
}

/// Where a descent stands in which whole candidates are drawn: by CMA-ES, or at random.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SamplingState {
    /// Evaluations of the objective.
    pub n_evaluations: u64,
    /// Generations of CMA-ES; of random search, improvements.
    pub n_moves: u64,
    /// The best on the training episodes of the stage, if there is any yet.
    pub best: Option<Sample>,
    /// Whether the best was validated.
    pub is_validated: bool,
}

/// Weights that were drawn, and what they cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// `[n_weights]`, on the grid or not.
    pub weights: Vec<f64>,
    /// Their error over the training episodes of the stage.
    pub cost: f64,
}

/// What the runs of CMA-ES so far say of the next one.
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

/// Where a training stands between two probes. With the scenario it determines all that follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingState {
    /// The descent that is under way, from 0.
    pub descent: u64,
    /// Its search by telescopic BLM; none between descents.
    pub search: Option<SearchState>,
    /// Its search by CMA-ES or at random; none between descents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampling: Option<SamplingState>,
    /// What CMA-ES has to remember from descent to descent.
    #[serde(default)]
    pub restarts: RestartState,
    /// How far its curriculum has got, from 0.
    pub stage: usize,
    /// The last time that it made progress.
    pub progress: Option<Mark>,
    /// The best on validation of this descent.
    pub best_of_descent: Option<Candidate>,
    /// The best of the descents so far, by [`Candidate::merit`].
    pub incumbent: Option<Candidate>,
    /// Evaluations of finished descents.
    pub evaluations_before: u64,
    /// Accepted moves of finished descents.
    pub moves_before: u64,
    /// What it has cost.
    #[serde(default)]
    pub spent: Spent,
}

impl TrainingState {
    /// Nothing done yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            descent: 0,
            search: None,
            sampling: None,
            restarts: RestartState {
                n_large: 0,
                large_evaluations: 0,
                last_large_evaluations: 0,
                small_evaluations: 0,
            },
            stage: 0,
            progress: None,
            best_of_descent: None,
            incumbent: None,
            evaluations_before: 0,
            moves_before: 0,
            spent: Spent { wall_s: 0.0, plant_steps: 0, n_faults: 0 },
        }
    }

    /// Evaluations of the objective so far: first costs and probes in order, not speculation, not validation.
    #[must_use]
    pub fn n_evaluations(&self) -> u64 {
        self.evaluations_before + self.of_descent().0
    }

    /// Accepted moves so far; generations of CMA-ES, improvements of a random search.
    #[must_use]
    pub fn n_moves(&self) -> u64 {
        self.moves_before + self.of_descent().1
    }

    /// Whether a descent is under way.
    #[must_use]
    pub const fn is_in_descent(&self) -> bool {
        self.search.is_some() || self.sampling.is_some()
    }

    /// Evaluations and moves of the descent that is under way.
    pub(crate) fn of_descent(&self) -> (u64, u64) {
        let of_search = self.search.as_ref().map(|search| (search.n_evaluations, search.n_moves));
        let of_sampling = || self.sampling.as_ref().map(|s| (s.n_evaluations, s.n_moves));
        of_search.or_else(of_sampling).unwrap_or((0, 0))
    }
}

impl Default for TrainingState {
    fn default() -> Self {
        Self::new()
    }
}
