//! [`Ledger`]: where a training stands, what it has cost, and when it must stop, whatever is trained.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use bitloop_scenario::Stop;

use crate::state::{Candidate, Mark, Spent, StopReason, TrainingState};

/// The books of a training under way: state, budgets, the incumbent.
pub(crate) struct Ledger<'a> {
    stop: &'a Stop,
    interrupt: &'a AtomicBool,
    started: Instant,
    pub state: TrainingState,
    /// What earlier sittings cost.
    before: Spent,
    /// Whether a target counts only once a confirmation has agreed.
    is_confirmed: bool,
}

impl<'a> Ledger<'a> {
    pub fn new(
        stop: &'a Stop,
        interrupt: &'a AtomicBool,
        state: TrainingState,
        is_confirmed: bool,
    ) -> Self {
        let (started, before) = (Instant::now(), state.spent);
        Self { stop, interrupt, started, state, before, is_confirmed }
    }

    /// Why the whole training must stop now, if it must. What the scenario determines comes before the clock and the
    /// user, so that a training is not called interrupted that is at its end.
    pub fn reason_to_stop(&self) -> Option<StopReason> {
        let stop = self.stop;
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

    /// Evaluations that the budgets still allow, of a descent that has used up `of_descent`.
    pub fn evaluations_left(&self, of_descent: u64) -> u64 {
        let &Stop { evaluations, descent_evaluations, .. } = self.stop;
        let of_all = self.state.evaluations_before + of_descent;
        let left_of_all = evaluations.map_or(u64::MAX, |limit| limit.saturating_sub(of_all));
        let left_of_descent =
            descent_evaluations.map_or(u64::MAX, |limit| limit.saturating_sub(of_descent));
        left_of_all.min(left_of_descent)
    }

    /// Whether a descent, at `error` after `n_evaluations` evaluations, has gone too long without progress.
    pub fn is_out_of_patience(&mut self, error: f64, n_evaluations: u64) -> bool {
        let Some(patience) = self.stop.patience else { return false };
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

    /// Whether the best of this descent, or the incumbent, is at or below the target on all that must agree.
    fn target_is_met(&self) -> bool {
        let Some(target) = self.stop.target else { return false };
        [&self.state.best_of_descent, &self.state.incumbent].into_iter().flatten().any(|best| {
            best.validation_error <= target
                && best.confirmation_error.map_or(!self.is_confirmed, |error| error <= target)
        })
    }

    /// Ends a descent: its best becomes the incumbent if it is better. Tells whether it has.
    pub fn end_descent(&mut self, best: Option<Candidate>) -> bool {
        let incumbent = self.state.incumbent.as_ref();
        let is_best = best
            .as_ref()
            .is_some_and(|best| incumbent.is_none_or(|incumbent| best.merit() < incumbent.merit()));
        if is_best {
            self.state.incumbent = best;
        }
        let (n_evaluations, n_moves) = self.state.of_descent();
        self.state.evaluations_before += n_evaluations;
        self.state.moves_before += n_moves;
        self.state.search = None;
        self.state.sampling = None;
        self.state.stage = 0;
        self.state.progress = None;
        is_best
    }

    /// Brings the account up to date with the integration steps and faults of this sitting.
    pub fn account(&mut self, plant_steps: u64, n_faults: u64) {
        self.state.spent = Spent {
            wall_s: self.before.wall_s + self.started.elapsed().as_secs_f64(),
            plant_steps: self.before.plant_steps + plant_steps,
            n_faults: self.before.n_faults + n_faults,
        };
    }

    /// What may want it all to end at once.
    pub fn urge(&self) -> Urge<'a> {
        let seconds = self.stop.seconds.map(|seconds| seconds - self.before.wall_s);
        Urge { interrupt: self.interrupt, started: self.started, seconds }
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
