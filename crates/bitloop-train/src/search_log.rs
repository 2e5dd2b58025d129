//! The log of a search: a JSON object on a line of its own for each event.
//!
//! Of the moves of a run, the first hundred are logged, then every tenth up to a thousand, then every hundredth, and so
//! on, so that a log grows with the logarithm of the work. Validations that find nothing better are logged at the same
//! moves. Which ones are logged depends on the scenario alone. Numbers that are not finite are null.

use serde::Serialize;

use crate::progress::{Event, Progress};

/// One line.
#[derive(Debug, Serialize)]
struct Line {
    event: &'static str,
    /// The run, from 1.
    run: u64,
    evaluations: u64,
    moves: u64,
    bits: u32,
    /// On the training set of the stage.
    error: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation_error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmation_error: Option<f64>,
    /// Whether it is the best of the run, or the run the best of all.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_best: Option<bool>,
    nonfinite_evaluations: u64,
    wall_s: f64,
}

/// The line of an event with its line end; none for an event that is not logged.
#[must_use]
pub fn log_line(progress: &Progress<'_>) -> Option<String> {
    let state = progress.state;
    let (_, moves_of_run) = state.of_run();
    let (event, validation, is_best) = match progress.event {
        Event::Probing => return None,
        Event::Moved | Event::Validated { is_best: false, .. } if !is_logged(moves_of_run) => {
            return None;
        }
        Event::RunStarted => ("run_started", None, None),
        Event::Resumed => ("resumed", None, None),
        Event::Moved => ("moved", None, None),
        Event::BitUnlocked => ("bit_unlocked", None, None),
        Event::Validated { error, is_best } => ("validated", Some(error), Some(is_best)),
        Event::RunEnded => ("run_ended", None, None),
        Event::RunFinished { is_best } => ("run_finished", None, Some(is_best)),
        Event::Pausing(_) => ("pausing", None, None),
    };
    let incumbent = state.incumbent.as_ref().filter(|_| event == "run_finished");
    let line = Line {
        event,
        run: state.run + 1,
        evaluations: state.n_evaluations(),
        moves: state.n_moves(),
        bits: progress.unlocked_bits,
        error: progress.current_error,
        validation_error: validation.or_else(|| incumbent.map(|best| best.validation_error)),
        confirmation_error: incumbent.and_then(|best| best.confirmation_error),
        is_best,
        nonfinite_evaluations: state.spent.n_faults,
        wall_s: state.spent.wall_s,
    };
    let mut text = serde_json::to_string(&line).ok()?;
    text.push('\n');
    Some(text)
}

/// All up to a hundred, then ninety of each power of ten.
fn is_logged(n_moves: u64) -> bool {
    let digits = n_moves.checked_ilog10().unwrap_or(0);
    n_moves.is_multiple_of(10_u64.pow(digits.saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_grow_with_the_logarithm_of_the_moves() {
        let logged = |limit: u64| (0..limit).filter(|&n| is_logged(n)).count();
        assert_eq!((logged(100), logged(1000), logged(10_000)), (100, 190, 280));
    }
}
