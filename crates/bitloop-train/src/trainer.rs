//! [`Trainer`]: a search method over a [`Task`].

use std::fmt;

use bitloop_blm::WeightGrid;
use bitloop_scenario::{Source, Stop};

use crate::error::TrainError;
use crate::outcome::Outcome;
use crate::session::Session;
use crate::state::TrainingState;
use crate::state_check::another_search;
use crate::state_fault::StateFault;
use crate::task::Task;

/// A search method with its settings.
pub trait Trainer<T: Task>: fmt::Debug + Send + Sync {
    /// Its name in scenarios.
    fn name(&self) -> &'static str;

    /// The grid that its weights lie on, or are rounded to; none for real weights, the default.
    fn grid(&self) -> Option<WeightGrid> {
        None
    }

    /// How many of so many weights its runs start with at zero, where the scenario asks for some.
    fn n_zeros_at_start(&self, n_weights: usize) -> Option<usize> {
        let _ = n_weights;
        None
    }

    /// Whether each of its runs ends without a budget.
    fn ends_by_itself(&self) -> bool {
        true
    }

    /// Whether a run can be saved before its end. Else one that is interrupted begins anew.
    fn saves_within_run(&self) -> bool {
        false
    }

    /// Refuses networks of so many weights that the search would need too much memory.
    ///
    /// # Errors
    /// Why, in words.
    fn check_size(&self, n_weights: usize) -> Result<(), String> {
        let _ = n_weights;
        Ok(())
    }

    /// Checks the part of a saved state that belongs to this trainer, of a training with that root seed. By default the
    /// trainer keeps nothing of a run but its beginning.
    ///
    /// # Errors
    /// The first number that this trainer cannot have reached.
    fn check_state(&self, state: &TrainingState, task: &T, seed: u64) -> Result<(), StateFault> {
        let _ = (task, seed);
        if state.search.is_some() { Err(another_search()) } else { Ok(()) }
    }

    /// Trains: prepares what all runs share, then calls [`Session::repeat`] with a function that does one run.
    ///
    /// # Errors
    /// [`TrainError`] if the search refuses its settings, or the task can no longer be evaluated.
    fn train(&self, session: Session<'_, T>) -> Result<Option<Outcome>, TrainError>;
}

/// Refuses a trainer that would never end, or that needs too much memory for so many weights.
///
/// # Errors
/// Which of the two, at its place in the scenario.
pub(crate) fn check_trainer<T: Task>(
    trainer: &dyn Trainer<T>,
    stop: &Stop,
    n_weights: usize,
    source: &Source,
) -> Result<(), TrainError> {
    if !trainer.ends_by_itself() && !has_budget(stop) {
        let message = format!("{} never ends by itself", trainer.name());
        let hint = "give it a budget, for instance evaluations: 100000";
        return Err(source.error_at("stop", message, hint).into());
    }
    trainer.check_size(n_weights).map_err(|message| {
        source.error_at("training", message, "use fewer units, or TelescopicBlm")
    })?;
    Ok(())
}

/// Whether something other than a target ends a run that does not end by itself.
fn has_budget(stop: &Stop) -> bool {
    stop.evaluations.is_some()
        || stop.seconds.is_some()
        || stop.run_evaluations.is_some()
        || stop.patience.is_some()
}
