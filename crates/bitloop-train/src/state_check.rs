//! Whether a saved state fits a training. A checkpoint's digest tells damage from whole, and not who wrote it.

use std::fmt;

use crate::state::{Candidate, SamplingState, TrainingState};
use crate::trainer::Trainer;
use crate::training::Training;

/// The largest count of anything in a state that is taken up: far above what can be reached, and sums of some of them
/// still fit.
const MOST: u64 = 1 << 56;

/// Why a state does not fit a training.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateFault(String);

impl fmt::Display for StateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the saved state does not fit the training: {}", self.0)
    }
}

impl std::error::Error for StateFault {}

impl Training {
    /// Checks a state that was saved.
    ///
    /// # Errors
    /// The first number that this training cannot have reached.
    pub fn check_state(&self, state: &TrainingState) -> Result<(), StateFault> {
        let refuse = |message: String| Err(StateFault(message));
        if state.stage >= self.n_stages() {
            return refuse(format!("stage {} of {}", state.stage + 1, self.n_stages()));
        }
        check_counts(state)?;
        for candidate in state.best_of_descent.iter().chain(&state.incumbent) {
            self.check_candidate(candidate)?;
        }
        if let Some(mark) = &state.progress
            && (mark.error.is_nan() || mark.n_evaluations > state.of_descent().0)
        {
            return refuse("its last progress is none".to_owned());
        }
        match (&self.trainer, &state.search, &state.sampling) {
            (_, None, None) => Ok(()),
            (Trainer::TelescopicBlm(options), Some(search), None) => {
                if (search.seed, search.run) != (self.seed, state.descent) {
                    return refuse("its descent has other random numbers".to_owned());
                }
                search
                    .check(options, self.network.n_weights())
                    .map_err(|error| StateFault(error.to_string()))
            }
            (Trainer::CmaEs(_) | Trainer::RandomSearch(_), None, Some(sampling)) => {
                self.check_sampling(sampling)
            }
            _ => refuse("it is that of another search".to_owned()),
        }
    }

    fn check_candidate(&self, candidate: &Candidate) -> Result<(), StateFault> {
        let n_weights = self.network.n_weights();
        let codes = &candidate.codes;
        if codes.len() != n_weights {
            return Err(StateFault(format!("{} weights instead of {n_weights}", codes.len())));
        }
        if let Some(code) = codes.iter().find(|&&code| !self.grid.contains(code)) {
            return Err(StateFault(format!("the code {code} is not on the grid")));
        }
        let Candidate { training_error, validation_error, .. } = *candidate;
        let errors = [training_error, validation_error].into_iter();
        let others = candidate.unrounded_training_error.into_iter();
        if errors.chain(others).chain(candidate.confirmation_error).any(f64::is_nan) {
            return Err(StateFault("an error of its best is not a number".to_owned()));
        }
        Ok(())
    }

    fn check_sampling(&self, sampling: &SamplingState) -> Result<(), StateFault> {
        let Some(best) = &sampling.best else { return Ok(()) };
        let (n_weights, range) = (self.network.n_weights(), self.grid.weight_range());
        let fits = |weight: &f64| weight.is_finite() && weight.abs() <= 2.0 * range;
        if best.weights.len() == n_weights && best.weights.iter().all(fits) && !best.cost.is_nan() {
            return Ok(());
        }
        Err(StateFault("the best of its descent has other weights".to_owned()))
    }
}

fn check_counts(state: &TrainingState) -> Result<(), StateFault> {
    let TrainingState { restarts, spent, .. } = state;
    let mut counts = vec![
        state.descent,
        state.evaluations_before,
        state.moves_before,
        restarts.n_large.into(),
        restarts.large_evaluations,
        restarts.last_large_evaluations,
        restarts.small_evaluations,
        spent.plant_steps,
        spent.n_faults,
    ];
    if let Some(search) = &state.search {
        counts.extend([search.n_evaluations, search.n_moves, search.neighborhood_index]);
        counts.push(search.n_kicks);
    }
    if let Some(sampling) = &state.sampling {
        counts.extend([sampling.n_evaluations, sampling.n_moves]);
    }
    if counts.iter().any(|&count| count > MOST) || !(0.0..=1e12).contains(&spent.wall_s) {
        return Err(StateFault("a count or a time in it is absurd".to_owned()));
    }
    Ok(())
}
