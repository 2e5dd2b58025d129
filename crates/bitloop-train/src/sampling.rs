//! [`Sampling`]: what searches have in common that draw whole candidates, CMA-ES and random search.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use bitloop_sim::Workspace;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::TrainError;
use crate::judge::{Judge, TrainingError};
use crate::objective::ClosedLoopObjective;
use crate::state::{Sample, SamplingState};
use crate::training::{Event, Progress};

/// A training under way whose candidates are drawn as a whole.
pub(crate) struct Sampling<'a, 'w> {
    pub judge: Judge<'a>,
    pub objective: &'w ClosedLoopObjective<'a>,
    /// None for a single thread, or if the system gives no more.
    pub pool: Option<ThreadPool>,
    watch: &'w mut dyn FnMut(&Progress<'_>),
}

impl<'a, 'w> Sampling<'a, 'w> {
    pub fn new(
        judge: Judge<'a>,
        objective: &'w ClosedLoopObjective<'a>,
        watch: &'w mut dyn FnMut(&Progress<'_>),
    ) -> Self {
        let n_threads = judge.execution.n_threads;
        let pool = (n_threads > NonZeroUsize::MIN)
            .then(|| ThreadPoolBuilder::new().num_threads(n_threads.get()).build().ok())
            .flatten();
        Self { judge, objective, pool, watch }
    }

    /// Where the descent stands; all that `descend` does lies between its beginning and its end.
    pub fn state(&mut self) -> &mut SamplingState {
        self.judge.ledger.state.sampling.get_or_insert_with(SamplingState::new)
    }

    /// Evaluations that the budgets still allow.
    pub fn evaluations_left(&mut self) -> u64 {
        let n_evaluations = self.state().n_evaluations;
        self.judge.ledger.evaluations_left(n_evaluations)
    }

    /// Whether the descent has gone too long without progress.
    pub fn is_out_of_patience(&mut self) -> bool {
        let (cost, n_evaluations) = (self.best_cost(), self.state().n_evaluations);
        self.judge.ledger.is_out_of_patience(cost, n_evaluations)
    }

    /// Error of the best of the descent, infinite if there is none yet.
    pub fn best_cost(&mut self) -> f64 {
        self.state().best.as_ref().map_or(f64::INFINITY, |best| best.cost)
    }

    /// Makes a candidate the best of the descent.
    pub fn improve(&mut self, best: Sample) {
        let state = self.state();
        state.best = Some(best);
        state.is_validated = false;
    }

    /// Validates the best of the descent, rounded to the grid, unless it is an old one.
    pub fn validate(&mut self) -> Result<(), TrainError> {
        let is_full = self.judge.is_at_full_stage();
        let state = self.state();
        if state.is_validated {
            return Ok(());
        }
        state.is_validated = true;
        let Some(Sample { weights, cost }) = state.best.clone() else { return Ok(()) };
        let training = self.judge.training;
        let codes: Vec<i32> =
            weights.iter().map(|&weight| training.grid.nearest_code(weight)).collect();
        let is_on_grid = training.weights(&codes) == weights;
        // Infinite: of another stage, or a fault.
        let training_error = match (is_full && cost < f64::INFINITY, is_on_grid) {
            (true, true) => TrainingError::Known(cost),
            (true, false) => TrainingError::Unknown { unrounded: Some(cost) },
            (false, _) => TrainingError::Unknown { unrounded: None },
        };
        if let Some(event) = self.judge.validate(&codes, training_error)? {
            self.note(event, false);
        }
        Ok(())
    }

    /// Shows how it goes within a descent.
    pub fn note(&mut self, event: Event, is_resumable: bool) {
        let current_error = self.best_cost();
        self.show(current_error, event, is_resumable);
    }

    /// Shows how it goes between two descents.
    pub fn tell(&mut self, event: Event) {
        let incumbent = self.judge.ledger.state.incumbent.as_ref();
        let error = incumbent.map_or(f64::INFINITY, |incumbent| incumbent.training_error);
        self.show(error, event, matches!(event, Event::Pausing(_)));
    }

    fn show(&mut self, current_error: f64, event: Event, is_resumable: bool) {
        let work = self.work();
        self.judge.account(work);
        let bits = self.judge.training.grid.bits_per_weight();
        (self.watch)(&Progress {
            state: &self.judge.ledger.state,
            current_error,
            unlocked_bits: bits,
            bits,
            plant_steps: self.judge.ledger.state.spent.plant_steps,
            event,
            is_resumable,
        });
    }

    /// Integration steps and faults of the search so far.
    pub fn work(&self) -> (u64, u64) {
        (self.objective.plant_steps(), self.objective.n_faults())
    }
}

impl SamplingState {
    /// The beginning of a descent.
    pub(crate) const fn new() -> Self {
        Self { n_evaluations: 0, n_moves: 0, best: None, is_validated: false }
    }
}

/// Workspaces of threads that are not ours, so that none is made anew for each candidate.
#[derive(Debug, Default)]
pub(crate) struct Workspaces {
    idle: Mutex<Vec<Workspace>>,
}

impl Workspaces {
    /// Lends a workspace made for `objective`.
    pub fn lend<R>(
        &self,
        objective: &ClosedLoopObjective<'_>,
        action: impl FnOnce(&mut Workspace) -> R,
    ) -> R {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut work = idle.unwrap_or_else(|| objective.workspace());
        let result = action(&mut work);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(work);
        result
    }
}
