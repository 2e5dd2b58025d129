//! [`Milestones`]: the best controllers that a training had while it ran.
//!
//! A campaign needs to know when a run became a success, to compute the best cut-off. The test decides what a success is,
//! but a run must not see the test. So the best controllers on validation are recorded during the run, and tested after it.
//! Testing each of them would cost more than some runs. Recorded are the first, each whose validation error is at most 0.9
//! times that of the one recorded before, and the last.

use crate::error::TrainError;
use crate::progress::{Event, Progress};
use crate::run_record::Milestone;
use crate::state::Candidate;
use crate::task::SetName;
use crate::training::{Execution, Outcome, Training};

/// A milestone's validation error over that of the one before, at most.
const RATIO: f64 = 0.9;

/// The best controllers of the current run, and of the run of the incumbent.
#[derive(Debug, Default)]
pub(crate) struct Milestones {
    noted: Vec<Noted>,
}

#[derive(Debug)]
struct Noted {
    evaluations: u64,
    candidate: Candidate,
    /// Whether it is kept when a better one is found.
    stays: bool,
}

impl Milestones {
    /// Records a new best.
    pub fn note(&mut self, progress: &Progress<'_>) {
        let state = progress.state;
        let is_best = matches!(progress.event, Event::Validated { is_best: true, .. });
        let Some(best) = state.best_of_run.as_ref().filter(|_| is_best) else {
            return;
        };
        let leader = state.incumbent.as_ref().map(|incumbent| incumbent.run);
        let run_of = |noted: &Noted| noted.candidate.run;
        self.noted.retain(|noted| run_of(noted) == best.run || Some(run_of(noted)) == leader);
        let last_that_stays = self.noted.iter().rev().find(|noted| noted.stays);
        let stays =
            last_that_stays.filter(|noted| run_of(noted) == best.run).is_none_or(|before| {
                best.validation_error <= RATIO * before.candidate.validation_error
            });
        self.noted.pop_if(|last| !last.stays && last.candidate.run == best.run);
        let evaluations = state.n_evaluations();
        self.noted.push(Noted { evaluations, candidate: best.clone(), stays });
    }

    /// Tests those of the winning run. The last is the controller of the outcome.
    pub fn test(
        self,
        training: &dyn Training,
        outcome: &Outcome,
        execution: Execution<'_>,
    ) -> Result<Vec<Milestone>, TrainError> {
        let best = &outcome.best;
        let of_outcome = outcome.scores.least_selected().map_or(f64::NAN, |score| score.error);
        let is_of_outcome = |noted: &Noted| {
            noted.candidate.codes == best.codes && noted.candidate.weights == best.weights
        };
        let noted = self.noted.iter().filter(|noted| noted.candidate.run == best.run);
        let is_complete = noted.clone().next_back().is_some_and(is_of_outcome);
        let mut milestones = Vec::new();
        for noted in noted {
            let test_error = if is_of_outcome(noted) {
                of_outcome
            } else {
                training.score(&noted.candidate, SetName::Test, execution)?.error
            };
            milestones.push(Milestone {
                evaluations: noted.evaluations,
                validation_error: noted.candidate.validation_error,
                test_error,
            });
        }
        // A search that does not show when it found its best counts as finding it at its end.
        if !is_complete {
            milestones.push(Milestone {
                evaluations: outcome.n_evaluations,
                validation_error: best.validation_error,
                test_error: of_outcome,
            });
        }
        Ok(milestones)
    }
}
