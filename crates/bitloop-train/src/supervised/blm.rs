//! A descent of telescopic BLM over examples.

use std::time::{Duration, Instant};

use bitloop_blm::{Explorer, LocalSearch, SearchOptions, Step};
use bitloop_data::Supervised;

use crate::error::TrainError;
use crate::state::StopReason;
use crate::supervised::examiner::{Examiner, Standing};
use crate::training::Event;

/// Probes between two looks at the clock and at the interrupt flag, if they do not take longer than this.
const MOST_PROBES: u64 = 1 << 14;
const LONGEST_LOOK: Duration = Duration::from_millis(100);

/// One descent, from new random weights or from where a saved state left it. `Some` when the whole training must stop.
pub(crate) fn descend<E>(
    examiner: &mut Examiner<'_, '_>,
    options: SearchOptions,
    validate_every: u64,
    explorer: &mut E,
) -> Result<Option<StopReason>, TrainError>
where
    E: Explorer<Objective = Supervised>,
{
    let saved = examiner.ledger.state.search.take();
    let event = if saved.is_some() { Event::Resumed } else { Event::DescentStarted };
    let (seed, descent) = (examiner.fitting.seed, examiner.ledger.state.descent);
    let mut search = match saved {
        Some(saved) => LocalSearch::resume(options, saved, explorer)?,
        None => LocalSearch::begin(options, seed, descent, explorer)?,
    };
    keep(examiner, &search);
    examiner.note(standing(&search), event, false);
    let mut probes_per_look = 64;
    let mut stopped = None;
    loop {
        // Here, and nowhere else, a saved state is taken up.
        examiner.note(standing(&search), Event::Probing, true);
        let looked = Instant::now();
        let n_evaluations = search.state().n_evaluations;
        let limit = examiner.ledger.evaluations_left(n_evaluations).min(probes_per_look);
        let step = search.step(explorer, limit);
        // So that whoever is told of what came of it is told the evaluations that it took.
        keep(examiner, &search);
        match step {
            Step::Moved { .. } => {
                if search.state().n_moves.is_multiple_of(validate_every) {
                    validate(examiner, &search)?;
                }
                examiner.note(standing(&search), Event::Moved, false);
            }
            Step::BitUnlocked { .. } => {
                examiner.note(standing(&search), Event::BitUnlocked, false);
                validate(examiner, &search)?;
            }
            Step::KickDue => validate(examiner, &search)?,
            Step::Kicked { .. } | Step::Paused => {}
            Step::LocalMinimum => break,
        }
        let is_slow = looked.elapsed() > LONGEST_LOOK;
        probes_per_look =
            if is_slow { probes_per_look / 2 } else { probes_per_look * 2 }.clamp(1, MOST_PROBES);
        let n_evaluations = search.state().n_evaluations;
        let is_over = examiner.ledger.evaluations_left(n_evaluations) == 0
            || examiner.ledger.is_out_of_patience(best_cost(&search), n_evaluations);
        stopped = examiner.ledger.reason_to_stop();
        if is_over {
            // A descent that is at its end is ended first; then there is time to be interrupted.
            stopped = stopped.filter(|reason| !reason.is_pause());
            break;
        }
        if let Some(reason) = stopped {
            if reason.is_pause() {
                examiner.note(standing(&search), Event::Pausing(reason), true);
            }
            break;
        }
    }
    validate(examiner, &search)?;
    examiner.note(standing(&search), Event::DescentEnded, false);
    Ok(stopped)
}

/// Scores the current weights.
fn validate(examiner: &mut Examiner<'_, '_>, search: &LocalSearch) -> Result<(), TrainError> {
    if let Some(event) = examiner.validate(&search.state().codes, &search.weights())? {
        examiner.note(standing(search), event, false);
    }
    Ok(())
}

/// Makes the search part of the state that would be saved.
fn keep(examiner: &mut Examiner<'_, '_>, search: &LocalSearch) {
    let state = &mut examiner.ledger.state.search;
    match state {
        // The codes keep their place in memory.
        Some(state) => state.clone_from(search.state()),
        None => *state = Some(search.state().clone()),
    }
}

fn standing(search: &LocalSearch) -> Standing {
    let state = search.state();
    Standing { cost: state.current_cost, unlocked_bits: state.unlocked_bits }
}

/// The lowest cost of a descent so far, kicks aside.
fn best_cost(search: &LocalSearch) -> f64 {
    let state = search.state();
    state.home.as_ref().map_or(state.current_cost, |home| home.cost.min(state.current_cost))
}
