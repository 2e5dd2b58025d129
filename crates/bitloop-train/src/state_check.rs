//! Checks of a saved state against a training. A checkpoint's digest finds damage, but anybody can write a digest.

use bitloop_blm::WeightGrid;

use crate::state::{Candidate, TrainingState};
use crate::state_fault::StateFault;
use crate::task::Task;

/// The largest count in a state that is resumed: far above what can be reached, and small enough that sums of a few counts
/// do not overflow.
const MOST: u64 = 1 << 56;

/// Checks the part of a saved state that does not depend on the trainer; `grid` is that of the weights.
pub(crate) fn check_state<T: Task>(
    state: &TrainingState,
    task: &T,
    grid: Option<WeightGrid>,
) -> Result<(), StateFault> {
    let (n_stages, n_weights) = (task.n_stages(), task.network().n_weights());
    if state.stage >= n_stages {
        return Err(StateFault::new(format!("stage {} of {n_stages}", state.stage + 1)));
    }
    check_counts(state)?;
    if state.was_validated_at_target && !task.fresh_after_miss() {
        return Err(StateFault::new("its training episodes are to be drawn anew, and must stay"));
    }
    // Each draw comes with an evaluation at least.
    let per_draw = if task.fresh_after_miss() { Some(1) } else { task.fresh_every() };
    let most = per_draw.map_or(0, |n| state.of_run().0 / n.max(1));
    if state.draw > most {
        return Err(StateFault::new(format!("draw {} of {most}", state.draw)));
    }
    for candidate in candidates(state) {
        check_errors(candidate)?;
        match grid {
            Some(grid) => check_codes(candidate, n_weights, grid)?,
            None => check_weights(candidate, n_weights)?,
        }
    }
    if let Some(reached) = &state.reached
        && (candidates(state).next().is_none() || reached.n_evaluations > state.n_evaluations())
    {
        return Err(StateFault::new("its target was reached by nothing"));
    }
    if let Some(mark) = &state.progress
        && (mark.error.is_nan() || mark.n_evaluations > state.of_run().0)
    {
        return Err(StateFault::new("its last progress is none"));
    }
    Ok(())
}

/// Checks the state of a trainer that tries whole weight vectors within the range of a grid.
pub(crate) fn check_sampling(
    state: &TrainingState,
    n_weights: usize,
    grid: WeightGrid,
) -> Result<(), StateFault> {
    if state.search.is_some() {
        return Err(another_search());
    }
    let best = state.sampling.as_ref().and_then(|sampling| sampling.best.as_ref());
    let Some(best) = best else { return Ok(()) };
    let range = grid.weight_range();
    let fits = |weight: &f64| weight.is_finite() && weight.abs() <= 2.0 * range;
    if best.weights.len() == n_weights && best.weights.iter().all(fits) && !best.cost.is_nan() {
        return Ok(());
    }
    Err(StateFault::new("the best of its run has other weights"))
}

pub(crate) fn another_search() -> StateFault {
    StateFault::new("it is that of another search")
}

/// The best of the run, and of all runs.
fn candidates(state: &TrainingState) -> impl Iterator<Item = &Candidate> {
    state.best_of_run.iter().chain(&state.incumbent)
}

fn check_errors(candidate: &Candidate) -> Result<(), StateFault> {
    let errors = [
        Some(candidate.validation_error),
        candidate.training_error,
        candidate.unrounded_training_error,
        candidate.confirmation_error,
    ];
    if errors.into_iter().flatten().any(f64::is_nan) {
        return Err(StateFault::new("an error of its best is not a number"));
    }
    Ok(())
}

fn check_codes(
    candidate: &Candidate,
    n_weights: usize,
    grid: WeightGrid,
) -> Result<(), StateFault> {
    let codes = &candidate.codes;
    if codes.len() != n_weights || !candidate.weights.is_empty() {
        return Err(StateFault::new(format!("{} weights instead of {n_weights}", codes.len())));
    }
    match codes.iter().find(|&&code| !grid.contains(code)) {
        Some(code) => Err(StateFault::new(format!("the code {code} is not on the grid"))),
        None => Ok(()),
    }
}

fn check_weights(candidate: &Candidate, n_weights: usize) -> Result<(), StateFault> {
    let weights = &candidate.weights;
    if weights.len() != n_weights || !candidate.codes.is_empty() {
        return Err(StateFault::new(format!("{} weights instead of {n_weights}", weights.len())));
    }
    match weights.iter().find(|weight| !weight.is_finite()) {
        Some(weight) => Err(StateFault::new(format!("the weight {weight} is not finite"))),
        None => Ok(()),
    }
}

fn check_counts(state: &TrainingState) -> Result<(), StateFault> {
    let TrainingState { restarts, spent, reached, .. } = state;
    let mut times = vec![spent.wall_s];
    let mut counts = vec![
        state.run,
        state.evaluations_before,
        state.moves_before,
        restarts.n_large.into(),
        restarts.large_evaluations,
        restarts.last_large_evaluations,
        restarts.small_evaluations,
        spent.plant_steps,
        spent.n_faults,
    ];
    if let Some(reached) = reached {
        counts.extend([reached.n_evaluations, reached.spent.plant_steps, reached.spent.n_faults]);
        times.push(reached.spent.wall_s);
    }
    if let Some(search) = &state.search {
        counts.extend([search.n_evaluations, search.n_moves, search.neighborhood_index]);
        counts.push(search.n_kicks);
    }
    if let Some(sampling) = &state.sampling {
        counts.extend([sampling.n_evaluations, sampling.n_moves]);
    }
    let is_absurd = |time| !(0.0..=1e12).contains(time);
    if counts.iter().any(|&count| count > MOST) || times.iter().any(is_absurd) {
        return Err(StateFault::new("a count or a time in it is absurd".to_owned()));
    }
    Ok(())
}
