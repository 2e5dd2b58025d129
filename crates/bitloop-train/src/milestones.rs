//! [`Milestones`]: which controllers a run had to show for itself on its way.
//!
//! A campaign asks when a run became a success, so that it can tell where to cut off. The test decides what a success is,
//! but a run must not see it; so the best controllers on validation are noted on the way, and tested after the run. To
//! test each of them would cost more than some runs. Noted are the first, each whose validation error is at most 0.9
//! times that of the one noted before, and the last.

use bitloop_sim::NetworkController;

use crate::error::TrainError;
use crate::run_record::Milestone;
use crate::training::{Event, Execution, Progress, Training, TrainingOutcome};

/// A milestone's validation error over that of the one before, at most.
const RATIO: f64 = 0.9;

/// The best controllers of the descent under way, and of the one that leads.
#[derive(Debug, Default)]
pub(crate) struct Milestones {
    noted: Vec<Noted>,
}

#[derive(Debug)]
struct Noted {
    descent: u64,
    evaluations: u64,
    validation_error: f64,
    codes: Vec<i32>,
    /// Whether it stays when a better one comes.
    stays: bool,
}

impl Milestones {
    /// Takes note of a new best.
    pub fn note(&mut self, progress: &Progress<'_>) {
        let state = progress.state;
        let is_best = matches!(progress.event, Event::Validated { is_best: true, .. });
        let Some(best) = state.best_of_descent.as_ref().filter(|_| is_best) else {
            return;
        };
        let leader = state.incumbent.as_ref().map(|incumbent| incumbent.descent);
        self.noted.retain(|noted| noted.descent == best.descent || Some(noted.descent) == leader);
        let is_of_descent = |noted: &&Noted| noted.descent == best.descent;
        let last_that_stays = self.noted.iter().rev().find(|noted| noted.stays);
        let stays = last_that_stays
            .filter(is_of_descent)
            .is_none_or(|before| best.validation_error <= RATIO * before.validation_error);
        self.noted.pop_if(|last| !last.stays && last.descent == best.descent);
        self.noted.push(Noted {
            descent: best.descent,
            evaluations: state.n_evaluations(),
            validation_error: best.validation_error,
            codes: best.codes.clone(),
            stays,
        });
    }

    /// Tests those of the descent that won. The last is the controller of the outcome.
    pub fn test(
        self,
        training: &Training,
        outcome: &TrainingOutcome,
        execution: Execution<'_>,
    ) -> Result<Vec<Milestone>, TrainError> {
        let best = &outcome.best;
        let noted = self.noted.iter().filter(|noted| noted.descent == best.descent);
        let is_complete = noted.clone().next_back().is_some_and(|last| last.codes == best.codes);
        let mut milestones = Vec::new();
        for noted in noted {
            let test_error = if noted.codes == best.codes {
                outcome.test.error
            } else {
                let weights = training.weights(&noted.codes);
                let controller =
                    NetworkController { network: &training.network, weights: &weights };
                let Execution { isa, n_threads, .. } = execution;
                let closed_loop = &training.rig.closed_loop;
                closed_loop.evaluate(isa, &controller, &training.test, n_threads.get())?.error
            };
            milestones.push(Milestone {
                evaluations: noted.evaluations,
                validation_error: noted.validation_error,
                test_error,
            });
        }
        // A search that does not tell when it found its best has found it at its end.
        if !is_complete {
            milestones.push(Milestone {
                evaluations: outcome.n_evaluations,
                validation_error: best.validation_error,
                test_error: outcome.test.error,
            });
        }
        Ok(milestones)
    }
}
