//! Where a training stands: one serializable value.

use bitloop_blm::SearchState;
use serde::{Deserialize, Serialize};

/// A controller in the running: its codes and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Integer weights.
    pub codes: Vec<i32>,
    /// Which descent found it.
    pub descent: u64,
    /// Its error over the training episodes.
    pub training_error: f64,
    /// Its error over the validation episodes.
    pub validation_error: f64,
    /// Its error over the confirmation episodes, once they were run.
    pub confirmation_error: Option<f64>,
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

impl StopReason {
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

/// Where a training stands between two probes. With the scenario it determines all that follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingState {
    /// The descent that is under way, from 0.
    pub descent: u64,
    /// Its search; none between descents.
    pub search: Option<SearchState>,
    /// The best on validation of this descent.
    pub best_of_descent: Option<Candidate>,
    /// The best of the descents so far, by confirmation.
    pub incumbent: Option<Candidate>,
    /// Evaluations of finished descents.
    pub evaluations_before: u64,
    /// Accepted moves of finished descents.
    pub moves_before: u64,
}

impl TrainingState {
    /// Nothing done yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            descent: 0,
            search: None,
            best_of_descent: None,
            incumbent: None,
            evaluations_before: 0,
            moves_before: 0,
        }
    }

    /// Evaluations of the objective so far: first costs and probes in order, not speculation, not validation.
    #[must_use]
    pub fn n_evaluations(&self) -> u64 {
        self.evaluations_before + self.search.as_ref().map_or(0, |search| search.n_evaluations)
    }

    /// Accepted moves so far.
    #[must_use]
    pub fn n_moves(&self) -> u64 {
        self.moves_before + self.search.as_ref().map_or(0, |search| search.n_moves)
    }
}

impl Default for TrainingState {
    fn default() -> Self {
        Self::new()
    }
}
