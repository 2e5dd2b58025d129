//! Whether a saved state fits a training. A checkpoint's digest tells damage from whole, and not who wrote it.

use std::fmt;

use bitloop_blm::{SearchOptions, SearchState, WeightGrid};

use crate::state::{Candidate, SamplingState, TrainingState};
use crate::supervised::{Fitting, FittingTrainer};
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
        let n_weights = self.network.n_weights();
        check_books(state, self.n_stages())?;
        for candidate in candidates(state) {
            check_codes(candidate, n_weights, self.grid)?;
        }
        match (&self.trainer, &state.search, &state.sampling) {
            (_, None, None) => Ok(()),
            (Trainer::TelescopicBlm(options), Some(search), None) => {
                check_search(search, options, (self.seed, state.descent), n_weights)
            }
            (Trainer::CmaEs(_) | Trainer::RandomSearch(_), None, Some(sampling)) => {
                self.check_sampling(sampling)
            }
            _ => Err(another_search()),
        }
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

impl Fitting {
    /// Checks a state that was saved.
    ///
    /// # Errors
    /// The first number that this training cannot have reached.
    pub fn check_state(&self, state: &TrainingState) -> Result<(), StateFault> {
        let n_weights = self.network.n_weights();
        check_books(state, 1)?;
        for candidate in candidates(state) {
            match self.grid() {
                Some(grid) => check_codes(candidate, n_weights, grid)?,
                None => check_weights(candidate, n_weights)?,
            }
        }
        match (&self.trainer, &state.search, &state.sampling) {
            (FittingTrainer::TelescopicBlm { options, .. }, Some(search), None) => {
                check_search(search, options, (self.seed, state.descent), n_weights)
            }
            // Of the other trainers, nothing but the number of the descent is gone on with.
            (FittingTrainer::TelescopicBlm { .. }, _, Some(_)) | (_, Some(_), _) => {
                Err(another_search())
            }
            (_, None, _) => Ok(()),
        }
    }
}

/// The best of the descent, and of all.
fn candidates(state: &TrainingState) -> impl Iterator<Item = &Candidate> {
    state.best_of_descent.iter().chain(&state.incumbent)
}

/// What does not depend on the trainer.
fn check_books(state: &TrainingState, n_stages: usize) -> Result<(), StateFault> {
    if state.stage >= n_stages {
        return Err(StateFault(format!("stage {} of {n_stages}", state.stage + 1)));
    }
    check_counts(state)?;
    for candidate in candidates(state) {
        let Candidate { training_error, validation_error, .. } = *candidate;
        let errors = [training_error, validation_error].into_iter();
        let others = candidate.unrounded_training_error.into_iter();
        if errors.chain(others).chain(candidate.confirmation_error).any(f64::is_nan) {
            return Err(StateFault("an error of its best is not a number".to_owned()));
        }
    }
    if let Some(mark) = &state.progress
        && (mark.error.is_nan() || mark.n_evaluations > state.of_descent().0)
    {
        return Err(StateFault("its last progress is none".to_owned()));
    }
    Ok(())
}

fn check_search(
    search: &SearchState,
    options: &SearchOptions,
    streams: (u64, u64),
    n_weights: usize,
) -> Result<(), StateFault> {
    if (search.seed, search.run) != streams {
        return Err(StateFault("its descent has other random numbers".to_owned()));
    }
    search.check(options, n_weights).map_err(|error| StateFault(error.to_string()))
}

fn another_search() -> StateFault {
    StateFault("it is that of another search".to_owned())
}

fn check_codes(
    candidate: &Candidate,
    n_weights: usize,
    grid: WeightGrid,
) -> Result<(), StateFault> {
    let codes = &candidate.codes;
    if codes.len() != n_weights || !candidate.weights.is_empty() {
        return Err(StateFault(format!("{} weights instead of {n_weights}", codes.len())));
    }
    match codes.iter().find(|&&code| !grid.contains(code)) {
        Some(code) => Err(StateFault(format!("the code {code} is not on the grid"))),
        None => Ok(()),
    }
}

fn check_weights(candidate: &Candidate, n_weights: usize) -> Result<(), StateFault> {
    let weights = &candidate.weights;
    if weights.len() != n_weights || !candidate.codes.is_empty() {
        return Err(StateFault(format!("{} weights instead of {n_weights}", weights.len())));
    }
    match weights.iter().find(|weight| !weight.is_finite()) {
        Some(weight) => Err(StateFault(format!("the weight {weight} is not finite"))),
        None => Ok(()),
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
