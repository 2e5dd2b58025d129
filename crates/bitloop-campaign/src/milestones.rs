//! [`Milestones`]: the best candidates of a training while it went on.
//!
//! A campaign asks when a training became a success, so that it can find where to cut off. The reported set decides what a
//! success is, but the training must not see it. So the best candidates on validation are noted on the way, and scored after
//! the training. To score each of them would cost more than some trainings. Noted are the first, each whose validation error
//! is at most 0.9 times that of the one noted before, and the last of each run that became the best. A candidate of a later run
//! counts where it is below what the runs before came to, and not if its run ends worse than they did, in confirmation for one.

use bitloop_train::{
    Candidate, Event, Execution, Outcome, Progress, SetName, TrainError, Training,
};
use serde::{Deserialize, Serialize};

/// A milestone's validation error over that of the one before, at most.
const RATIO: f64 = 0.9;

/// A candidate that was the best of the training on validation at some time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Milestone {
    /// Evaluations of the training when it was found.
    pub evaluations: u64,
    /// Its error on the validation set.
    pub validation_error: f64,
    /// Its error on the set that the training reports.
    pub error: f64,
}

/// The best candidates of the runs that became the best, and of the current one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Milestones {
    noted: Vec<Noted>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Noted {
    evaluations: u64,
    candidate: Candidate,
    /// Whether it stays when a better one comes.
    stays: bool,
}

impl Milestones {
    /// Takes note of a new best.
    pub fn note(&mut self, progress: &Progress<'_>) {
        let state = progress.state;
        if progress.event == (Event::RunFinished { is_best: false }) {
            self.noted.retain(|noted| noted.candidate.run != state.run);
        }
        let is_best = matches!(progress.event, Event::Validated { is_best: true, .. });
        let before = state.incumbent.as_ref().map_or(f64::INFINITY, Candidate::merit);
        let best = state.best_of_run.as_ref().filter(|_| is_best);
        let Some(best) = best.filter(|best| best.validation_error < before || before.is_infinite())
        else {
            return;
        };
        let run_of = |noted: &Noted| noted.candidate.run;
        let last_that_stays = self.noted.iter().rev().find(|noted| noted.stays);
        let stays =
            last_that_stays.filter(|noted| run_of(noted) == best.run).is_none_or(|before| {
                best.validation_error <= RATIO * before.candidate.validation_error
            });
        self.noted.pop_if(|last| !last.stays && last.candidate.run == best.run);
        let evaluations = state.n_evaluations();
        self.noted.push(Noted { evaluations, candidate: best.clone(), stays });
    }

    /// Scores them on the reported set; none if that is interrupted. The last is the one of the outcome, whose error there is
    /// `error`.
    pub fn score(
        self,
        training: &dyn Training,
        outcome: &Outcome,
        (set, error): (SetName, f64),
        execution: Execution<'_>,
    ) -> Result<Option<Vec<Milestone>>, TrainError> {
        let best = &outcome.best;
        let is_of_outcome = |noted: &Noted| {
            noted.candidate.codes == best.codes && noted.candidate.weights == best.weights
        };
        let is_complete = self.noted.last().is_some_and(is_of_outcome);
        let mut milestones = Vec::new();
        for noted in &self.noted {
            let error = if is_of_outcome(noted) {
                error
            } else {
                let score = training.score(&noted.candidate, set, execution)?;
                let Some(score) = score else { return Ok(None) };
                score.error
            };
            milestones.push(Milestone {
                evaluations: noted.evaluations,
                validation_error: noted.candidate.validation_error,
                error,
            });
        }
        // A search that does not show when it found its best has found it at its end.
        if !is_complete {
            milestones.push(Milestone {
                evaluations: outcome.n_evaluations,
                validation_error: best.validation_error,
                error,
            });
        }
        Ok(Some(milestones))
    }
}
