//! [`Judge`]: which controller is kept, and when a training stops, whatever the search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use bitloop_scenario::Stop;
use bitloop_sim::{Evaluation, NetworkController};

use crate::error::TrainError;
use crate::isolation::{IsolationError, SetName, candidate};
use crate::state::{Candidate, Mark, Spent, StopReason, TrainingState};
use crate::training::{Event, Execution, Training, TrainingOutcome};

/// What a search knows of the training error of codes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TrainingError {
    /// The error of these very codes.
    Known(f64),
    /// Nothing, but perhaps the error of the real weights that they are rounded from.
    Unknown { unrounded: Option<f64> },
}

/// Keeps the books of a training under way: validation, confirmation, the incumbent, budgets.
pub(crate) struct Judge<'a> {
    pub training: &'a Training,
    pub execution: Execution<'a>,
    pub started: Instant,
    pub state: TrainingState,
    /// What earlier sittings cost.
    before: Spent,
    /// Integration steps of validation, confirmation and test.
    plant_steps: u64,
    /// Their evaluations that were worst.
    n_faults: u64,
}

impl<'a> Judge<'a> {
    pub fn new(training: &'a Training, execution: Execution<'a>, state: TrainingState) -> Self {
        let (started, before) = (Instant::now(), state.spent);
        Self { training, execution, started, state, before, plant_steps: 0, n_faults: 0 }
    }

    /// Why the whole training must stop now, if it must. What the scenario determines comes before the clock and the
    /// user, so that a training is not called interrupted that is at its end.
    pub fn reason_to_stop(&self) -> Option<StopReason> {
        let stop = &self.training.stop;
        if self.target_is_met() {
            Some(StopReason::Target)
        } else if stop.evaluations.is_some_and(|limit| self.state.n_evaluations() >= limit) {
            Some(StopReason::Evaluations)
        } else if !self.state.is_in_descent()
            && stop.descents.is_some_and(|limit| self.state.descent + 1 >= u64::from(limit))
        {
            Some(StopReason::Descents)
        } else if self.urge().is_interrupted() {
            Some(StopReason::Interrupted)
        } else if self.urge().is_late() {
            Some(StopReason::Seconds)
        } else {
            None
        }
    }

    /// Whether the training episodes are the full ones.
    pub fn is_at_full_stage(&self) -> bool {
        self.state.stage + 1 >= self.training.stages.len()
    }

    /// Evaluations that the budgets still allow, of a descent that has used up `of_descent`.
    pub fn evaluations_left(&self, of_descent: u64) -> u64 {
        let Stop { evaluations, descent_evaluations, .. } = self.training.stop;
        let of_all = self.state.evaluations_before + of_descent;
        let left_of_all = evaluations.map_or(u64::MAX, |limit| limit.saturating_sub(of_all));
        let left_of_descent =
            descent_evaluations.map_or(u64::MAX, |limit| limit.saturating_sub(of_descent));
        left_of_all.min(left_of_descent)
    }

    /// Whether a descent, at `error` after `n_evaluations` evaluations, has gone too long without progress.
    pub fn is_out_of_patience(&mut self, error: f64, n_evaluations: u64) -> bool {
        let Some(patience) = self.training.stop.patience else { return false };
        match self.state.progress {
            Some(mark) if error > (1.0 - patience.improvement) * mark.error => {
                n_evaluations - mark.n_evaluations >= patience.evaluations
            }
            _ => {
                self.state.progress = Some(Mark { error, n_evaluations });
                false
            }
        }
    }

    /// Whether the best of this descent, or the incumbent, is at or below the target on both sets.
    fn target_is_met(&self) -> bool {
        let Some(target) = self.training.stop.target else { return false };
        [&self.state.best_of_descent, &self.state.incumbent].into_iter().flatten().any(|best| {
            best.validation_error <= target
                && best.confirmation_error.is_some_and(|error| error <= target)
        })
    }

    /// Validates codes; the best of the descent is kept, and confirmed where it meets the target. Tells how it went,
    /// unless these are the best already.
    pub fn validate(
        &mut self,
        codes: &[i32],
        training: TrainingError,
    ) -> Result<Option<Event>, TrainError> {
        if self.state.best_of_descent.as_ref().is_some_and(|best| best.codes == *codes) {
            return Ok(None);
        }
        let validation_error = self.evaluate(codes, SetName::Validation)?.error;
        let best = self.state.best_of_descent.as_ref();
        if best.is_some_and(|best| validation_error >= best.validation_error) {
            return Ok(Some(Event::Validated { error: validation_error, is_best: false }));
        }
        let (training_error, unrounded_training_error) = match training {
            TrainingError::Known(error) => (error, None),
            TrainingError::Unknown { unrounded } => {
                (self.evaluate(codes, SetName::Training)?.error, unrounded)
            }
        };
        let is_at_target =
            self.training.stop.target.is_some_and(|target| validation_error <= target);
        let confirmation_error = if is_at_target {
            Some(self.evaluate(codes, SetName::Confirmation)?.error)
        } else {
            None
        };
        self.state.best_of_descent = Some(Candidate {
            codes: codes.to_vec(),
            descent: self.state.descent,
            training_error,
            unrounded_training_error,
            validation_error,
            confirmation_error,
        });
        Ok(Some(Event::Validated { error: validation_error, is_best: true }))
    }

    /// Ends a descent: its best meets the confirmation set, and becomes the incumbent if it is better on the worse of the
    /// two sets. Tells whether it has.
    pub fn end_descent(&mut self) -> Result<bool, TrainError> {
        let mut is_best = false;
        if let Some(mut best) = self.state.best_of_descent.take() {
            if best.confirmation_error.is_none() {
                let confirmation = self.evaluate(&best.codes, SetName::Confirmation)?;
                best.confirmation_error = Some(confirmation.error);
            }
            let incumbent = self.state.incumbent.as_ref();
            is_best = incumbent.is_none_or(|incumbent| best.merit() < incumbent.merit());
            if is_best {
                self.state.incumbent = Some(best);
            }
        }
        let (n_evaluations, n_moves) = self.state.of_descent();
        self.state.evaluations_before += n_evaluations;
        self.state.moves_before += n_moves;
        self.state.search = None;
        self.state.sampling = None;
        self.state.stage = 0;
        self.state.progress = None;
        Ok(is_best)
    }

    /// Brings the account up to date. `work` are the integration steps and the faults of the search in this sitting.
    pub fn account(&mut self, work: (u64, u64)) {
        let (plant_steps, n_faults) = work;
        self.state.spent = Spent {
            wall_s: self.before.wall_s + self.started.elapsed().as_secs_f64(),
            plant_steps: self.before.plant_steps + plant_steps + self.plant_steps,
            n_faults: self.before.n_faults + n_faults + self.n_faults,
        };
    }

    /// Tests the winner, once, and tells how it all went. `work` are the integration steps and the faults of the search.
    pub fn conclude(
        &mut self,
        stop_reason: StopReason,
        work: (u64, u64),
    ) -> Result<TrainingOutcome, TrainError> {
        let best = self.state.incumbent.clone();
        let best = best.expect("the first descent leaves an incumbent");
        let test = self.evaluate(&best.codes, SetName::Test)?;
        self.account(work);
        let Spent { wall_s, plant_steps, n_faults } = self.state.spent;
        Ok(TrainingOutcome {
            best,
            test,
            stop_reason,
            n_descents: self.state.descent + 1,
            n_moves: self.state.n_moves(),
            n_evaluations: self.state.n_evaluations(),
            plant_steps,
            n_faults,
            wall_s,
        })
    }

    /// What may want it all to end at once.
    pub fn urge(&self) -> Urge<'a> {
        let Self { training, execution, started, before, .. } = self;
        let seconds = training.stop.seconds.map(|seconds| seconds - before.wall_s);
        Urge { interrupt: execution.interrupt, started: *started, seconds }
    }

    /// Whether the plant still lives, if it is isolated. To be asked after all that may have evaluated, and before what
    /// came of it is kept.
    pub fn check_plant(&self) -> Result<(), IsolationError> {
        self.training.isolation.as_ref().map_or(Ok(()), |isolation| isolation.check())
    }

    /// Runs codes over a set in full, without a bound.
    pub fn evaluate(&mut self, codes: &[i32], set: SetName) -> Result<Evaluation, TrainError> {
        let Training { network, rig, seed, isolation, .. } = self.training;
        let weights = self.training.weights(codes);
        let Execution { isa, n_threads, .. } = self.execution;
        let evaluation = if let Some(isolation) = isolation {
            let candidate = || candidate(codes, *seed);
            isolation.evaluate(isa, set, &weights, n_threads.get(), candidate)?
        } else {
            let controller = NetworkController { network, weights: &weights };
            let set = self.training.set(set);
            rig.closed_loop.evaluate(isa, &controller, set, n_threads.get())?
        };
        self.plant_steps += evaluation.plant_steps;
        self.n_faults += u64::from(!evaluation.error.is_finite());
        Ok(evaluation)
    }
}

/// What may want it all to end in the middle of an evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Urge<'a> {
    interrupt: &'a AtomicBool,
    started: Instant,
    /// What is left of the budget for this sitting.
    seconds: Option<f64>,
}

impl Urge<'_> {
    /// Whether the user wants it to end.
    pub fn is_interrupted(self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Whether the seconds are over.
    pub fn is_late(self) -> bool {
        self.seconds.is_some_and(|limit| self.started.elapsed().as_secs_f64() >= limit)
    }

    /// Either of them. Once true, it stays true.
    pub fn is_urgent(self) -> bool {
        self.is_interrupted() || self.is_late()
    }
}
