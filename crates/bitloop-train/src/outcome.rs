//! [`Outcome`]: the result of a training, and [`Scores`], which it reports.

use crate::score::{Score, SetName};
use crate::state::{Candidate, Reached, StopReason};
use crate::weights::Weights;

/// The result of a training.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The winner, with the errors that selected it.
    pub best: Candidate,
    /// Its weights.
    pub weights: Weights,
    /// Its scores on the sets that are reported.
    pub scores: Scores,
    /// Why the training ended.
    pub stop_reason: StopReason,
    /// When the target was reached, if it was. The training may have gone on after it.
    pub reached: Option<Reached>,
    /// Runs begun.
    pub n_runs: u64,
    /// Accepted moves; generations of CMA-ES, improvements of a random search, steps along gradients.
    pub n_moves: u64,
    /// Evaluations of the cost: first costs and probes in order, not speculation, not validation; values and gradients of
    /// trainers that use gradients.
    pub n_evaluations: u64,
    /// Integration steps simulated, validation and test included.
    pub plant_steps: u64,
    /// Evaluations that counted as worst, because the plant broke or gave a negative or infinite cost.
    pub n_faults: u64,
    /// Seconds from start to end.
    pub wall_s: f64,
}

/// Scores on the sets that a training reports: the test of a closed loop, all sets with rows of examples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scores {
    /// On the training set.
    pub training: Option<Score>,
    /// On the validation set.
    pub validation: Option<Score>,
    /// On the test set.
    pub test: Option<Score>,
}

impl Scores {
    /// Puts in the score on a set. Confirmation is not reported.
    pub(crate) fn set(&mut self, set: SetName, score: Option<Score>) {
        match set {
            SetName::Training => self.training = score,
            SetName::Validation => self.validation = score,
            SetName::Confirmation => {}
            SetName::Test => self.test = score,
        }
    }

    /// The score on the set that was used least for selection: the test, or else validation, or else training.
    #[must_use]
    pub fn least_selected(&self) -> Option<&Score> {
        self.test.as_ref().or(self.validation.as_ref()).or(self.training.as_ref())
    }
}
