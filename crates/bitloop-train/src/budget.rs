//! [`Budget`]: the stopping rules of a training, and its cost so far.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use bitloop_scenario::Stop;

use crate::score::WorkCounter;
use crate::state::{Mark, Spent, StopReason, TrainingState};

/// The stopping rules of a training, with the clock that they need.
#[derive(Debug)]
pub(crate) struct Budget<'a> {
    stop: &'a Stop,
    /// Whether a target counts only once a confirmation has agreed.
    is_confirmed: bool,
    deadline: Deadline<'a>,
    /// The cost before this resumption.
    before: Spent,
}

impl<'a> Budget<'a> {
    pub fn new(
        stop: &'a Stop,
        interrupt: &'a AtomicBool,
        before: Spent,
        is_confirmed: bool,
    ) -> Self {
        let seconds = stop.seconds.map(|seconds| seconds - before.wall_s);
        let deadline = Deadline { interrupt, started: Instant::now(), seconds };
        Self { stop, is_confirmed, deadline, before }
    }

    /// Why the whole training must stop now, if it must. Rules that the scenario determines come before the clock and the
    /// interrupt, so that a training that is at its end is not reported as interrupted. One that has reached its target and goes
    /// on is at its target however it ends, unless the user interrupts it.
    pub fn reason_to_stop(&self, state: &TrainingState) -> Option<StopReason> {
        let stop = self.stop;
        if self.target_is_met(state) {
            let is_refining =
                state.is_in_run() && self.evaluations_left(state, state.of_run().0) > 0;
            match self.deadline.reason() {
                None if is_refining => None,
                Some(StopReason::Interrupted) if is_refining => Some(StopReason::Interrupted),
                _ => Some(StopReason::Target),
            }
        } else if stop.evaluations.is_some_and(|limit| state.n_evaluations() >= limit) {
            Some(StopReason::Evaluations)
        } else if !state.is_in_run()
            && stop.runs.is_some_and(|limit| state.run + 1 >= u64::from(limit))
        {
            Some(StopReason::Runs)
        } else {
            self.deadline.reason()
        }
    }

    /// Evaluations that the budgets still allow the current run, which has used `of_run`.
    pub fn evaluations_left(&self, state: &TrainingState, of_run: u64) -> u64 {
        let &Stop { evaluations, run_evaluations, .. } = self.stop;
        let of_all = state.evaluations_before + of_run;
        let left_of_all = evaluations.map_or(u64::MAX, |limit| limit.saturating_sub(of_all));
        let left_of_run = run_evaluations.map_or(u64::MAX, |limit| limit.saturating_sub(of_run));
        left_of_all.min(left_of_run).min(self.refinement_left(state, of_all))
    }

    /// Evaluations for which a training that has reached its target goes on, after `of_all` evaluations.
    fn refinement_left(&self, state: &TrainingState, of_all: u64) -> u64 {
        let Some(reached) = state.reached.filter(|_| self.target_is_met(state)) else {
            return u64::MAX;
        };
        let end = reached.n_evaluations.saturating_add(self.stop.refine.unwrap_or(0));
        end.saturating_sub(of_all)
    }

    /// Notes the error of the current run after `n_evaluations` evaluations if it is progress, by which patience begins anew.
    pub fn note_progress(&self, state: &mut TrainingState, error: f64, n_evaluations: u64) {
        let Some(patience) = self.stop.patience else { return };
        let is_progress =
            state.progress.is_none_or(|mark| error <= (1.0 - patience.improvement) * mark.error);
        if is_progress {
            state.progress = Some(Mark { error, n_evaluations });
        }
    }

    /// Evaluations until the patience of the current run is used up, after `n_evaluations` and if there is no progress.
    pub fn evaluations_of_patience(&self, state: &TrainingState, n_evaluations: u64) -> u64 {
        let (Some(patience), Some(mark)) = (self.stop.patience, state.progress) else {
            return u64::MAX;
        };
        mark.n_evaluations.saturating_add(patience.evaluations).saturating_sub(n_evaluations)
    }

    /// The error at or below which a training is at its end.
    pub const fn target(&self) -> Option<f64> {
        self.stop.target
    }

    /// Whether the best of the run, or the incumbent, is at or below the target on all sets that must agree.
    pub fn target_is_met(&self, state: &TrainingState) -> bool {
        let Some(target) = self.stop.target else { return false };
        [&state.best_of_run, &state.incumbent].into_iter().flatten().any(|best| {
            best.validation_error <= target
                && best.confirmation_error.map_or(!self.is_confirmed, |error| error <= target)
        })
    }

    /// What the training has cost, with the work and the faulty evaluations since it was resumed.
    pub fn spent(&self, work: &WorkCounter, n_faults: u64) -> Spent {
        self.before.and(Spent {
            wall_s: self.deadline.started.elapsed().as_secs_f64(),
            plant_steps: work.plant_steps(),
            n_faults,
        })
    }

    /// The clock and the interrupt.
    pub const fn deadline(&self) -> Deadline<'a> {
        self.deadline
    }
}

/// The clock and the interrupt, which may end a search in the middle of an evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline<'a> {
    interrupt: &'a AtomicBool,
    started: Instant,
    /// The rest of the budget in seconds.
    seconds: Option<f64>,
}

impl Deadline<'_> {
    /// Whether the user has interrupted the training.
    pub fn is_interrupted(self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Whether the seconds are over.
    fn is_late(self) -> bool {
        self.seconds.is_some_and(|limit| self.started.elapsed().as_secs_f64() >= limit)
    }

    /// Either of them. Once true, it stays true.
    pub fn has_come(self) -> bool {
        self.reason().is_some()
    }

    /// Which of them has come.
    pub fn reason(self) -> Option<StopReason> {
        if self.is_interrupted() {
            Some(StopReason::Interrupted)
        } else if self.is_late() {
            Some(StopReason::Seconds)
        } else {
            None
        }
    }
}
