//! [`Sampler`]: evaluation of whole weight vectors, for CMA-ES and random search.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use bitloop_blm::{Probe, WeightGrid};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::TrainError;
use crate::progress::Event;
use crate::score::WorkCounter;
use crate::session::TrainingError;
use crate::session::{Session, Standing};
use crate::state::Sample;
use crate::task::{Task, Trial};
use crate::weights::Weights;

/// Threads, and the working memory that they share.
pub(super) struct Sampler<'a, T: Task> {
    task: &'a T,
    work: &'a WorkCounter,
    /// None for a single thread, or if the system gives no more.
    pub pool: Option<ThreadPool>,
    /// Working memory that no thread uses, to be reused by the next candidate.
    idle: Mutex<Vec<T::Scratch>>,
    /// The first failure in a thread, which cannot return it itself.
    failure: Mutex<Option<TrainError>>,
}

impl<'a, T: Task> Sampler<'a, T> {
    pub fn new(session: &Session<'a, T>) -> Self {
        let n_threads = session.execution.n_threads;
        let pool = (n_threads > NonZeroUsize::MIN)
            .then(|| ThreadPoolBuilder::new().num_threads(n_threads.get()).build().ok())
            .flatten();
        let (task, work) = (session.task, session.work);
        Self { task, work, pool, idle: Mutex::default(), failure: Mutex::default() }
    }

    /// The cost of a trial. After a failure all trials are called off, and [`check`](Self::check) returns the cause.
    pub fn cost(&self, trial: &Trial<'_>) -> Probe {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let scratch = idle.map_or_else(|| self.task.scratch(), Ok);
        let cost = scratch.and_then(|mut scratch| {
            let cost = self.task.cost(trial, &mut scratch, self.work);
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
            cost
        });
        cost.unwrap_or_else(|error| {
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            Probe::CalledOff
        })
    }

    /// Whether all costs so far could be evaluated.
    ///
    /// # Errors
    /// The first failure.
    pub fn check(&self) -> Result<(), TrainError> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }
}

impl<T: Task> Session<'_, T> {
    /// Cost of the best of the run, infinite if there is none yet.
    pub(super) fn best_cost(&mut self) -> f64 {
        self.sampling().best.as_ref().map_or(f64::INFINITY, |best| best.cost)
    }

    /// Makes a sample the best of the run.
    pub(super) fn improve(&mut self, best: Sample) {
        let state = self.sampling();
        state.best = Some(best);
        state.is_validated = false;
    }

    /// Validates the best of the run, rounded to the grid, unless that was done before.
    pub(super) fn validate_best(&mut self, grid: WeightGrid) -> Result<(), TrainError> {
        let state = self.sampling();
        if state.is_validated {
            return Ok(());
        }
        state.is_validated = true;
        let Some(Sample { weights, cost }) = state.best.clone() else { return Ok(()) };
        let codes = weights.iter().map(|&weight| grid.nearest_code(weight)).collect();
        let rounded = Weights::Codes { grid, codes };
        // Infinite: of another stage, or a fault.
        let is_error = self.is_at_full_stage()
            && self.state.draw == 0
            && self.task.cost_is_error()
            && cost < f64::INFINITY;
        let training_error = match (is_error, rounded.values() == weights) {
            (true, true) => TrainingError::Known(cost),
            (true, false) => TrainingError::Unknown { unrounded: Some(cost) },
            (false, _) => TrainingError::Unknown { unrounded: None },
        };
        let standing = self.standing_of_best();
        self.validate(&rounded, training_error, standing)
    }

    /// Shows the observer an event, with the cost of the best of the run.
    pub(super) fn show_best(&mut self, event: Event, is_resumable: bool) {
        let standing = self.standing_of_best();
        self.show(standing, event, is_resumable);
    }

    fn standing_of_best(&mut self) -> Standing {
        Standing { cost: self.best_cost(), unlocked_bits: None }
    }
}
