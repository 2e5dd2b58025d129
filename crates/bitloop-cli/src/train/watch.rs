//! Whoever watches a training: a live display on a terminal, plain lines elsewhere.

use std::io::{IsTerminal, stderr};

use bitloop_scenario::Stop;
use bitloop_train::{Event, Progress, TrainingState};

use crate::output::number;
use crate::train::lines::Lines;
use crate::train::live::Live;
use crate::train::rate::Rate;

/// Shows how a training goes.
pub trait Watch {
    /// Shows a line of its own.
    fn say(&mut self, line: &str);
    /// Shows where the training stands, as often as makes sense.
    fn show(&mut self, progress: &Progress<'_>);
    /// Shows what the best controller does now, where there is room for it.
    fn show_doing(&mut self, _doing: &str) {}
    /// Leaves the screen tidy.
    fn finish(&mut self);
}

/// A live display if standard error is a terminal, plain lines otherwise, of a training that begins in this state.
pub fn start(stop: &Stop, before: &TrainingState) -> Box<dyn Watch> {
    if stderr().is_terminal() {
        Box::new(Live::start(stop.clone(), before))
    } else {
        Box::new(Lines::start(stop.clone(), before))
    }
}

/// The confirmation error of the best of all runs so far, or its validation error where nothing confirms.
fn best(progress: &Progress<'_>) -> String {
    let best = progress.state.incumbent.as_ref();
    let error = best.map(|best| best.confirmation_error.unwrap_or(best.validation_error));
    format!("best {}", number::error_or_dash(error))
}

/// Where the search stands.
pub fn position(progress: &Progress<'_>) -> String {
    let validation = progress.state.best_of_run.as_ref().map(|best| best.validation_error);
    format!(
        "run {}  bits {}/{}  error {}  validation {}  {}",
        progress.state.run + 1,
        progress.unlocked_bits,
        progress.bits,
        number::error(progress.current_error),
        number::error_or_dash(validation),
        best(progress),
    )
}

/// What the speed is of: integration steps, or evaluations on examples, which have no plant.
pub fn work_count(state: &TrainingState) -> (u64, &'static str) {
    match state.spent.plant_steps {
        0 => (state.n_evaluations(), "evaluations/s"),
        n => (n, "plant steps/s"),
    }
}

/// What was done, and how fast.
pub fn work(progress: &Progress<'_>, rate: &mut Rate) -> String {
    let state = progress.state;
    let (moves, evaluations) = (state.n_moves(), state.n_evaluations());
    let (count, what) = work_count(state);
    let per_s = number::with_prefix(rate.update(count));
    format!("moves {moves}  evaluations {evaluations}  {per_s} {what}")
}

/// How much of the budgets is used, from 0 to 1, and what is left in words. The budget that ends first is reported.
pub fn left(stop: &Stop, progress: &Progress<'_>) -> Option<(f64, String)> {
    let elapsed = progress.state.spent.wall_s;
    let evaluations = progress.state.n_evaluations();
    let runs = progress.state.run;
    let by_seconds = stop
        .seconds
        .map(|limit| (elapsed / limit, format!("{} left", number::span(limit - elapsed))));
    let by_evaluations = stop.evaluations.map(|limit| {
        let left = limit.saturating_sub(evaluations);
        (evaluations as f64 / limit as f64, format!("{left} evaluations left"))
    });
    let by_runs = stop.runs.map(|limit| {
        let left = u64::from(limit).saturating_sub(runs);
        (runs as f64 / f64::from(limit), format!("{} left", number::counted(left, "run")))
    });
    let by_refinement = progress.state.reached.zip(stop.refine).map(|(reached, limit)| {
        let used = evaluations - reached.n_evaluations;
        let left = limit.saturating_sub(used);
        (used as f64 / limit as f64, format!("{left} evaluations of `refine` left"))
    });
    [by_seconds, by_evaluations, by_runs, by_refinement]
        .into_iter()
        .flatten()
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(used, text)| (used.clamp(0.0, 1.0), text))
}

/// Notices what is worth a line that stays: a best of all runs, the end of a run.
#[derive(Debug, Default)]
pub struct News {
    best_run: Option<u64>,
    is_at_target: bool,
}

impl News {
    /// The line for a new best of all runs.
    pub fn of_best(&mut self, progress: &Progress<'_>) -> Option<String> {
        let best = progress.state.incumbent.as_ref()?;
        if self.best_run == Some(best.run) {
            return None;
        }
        self.best_run = Some(best.run);
        let confirmation = best
            .confirmation_error
            .map_or(String::new(), |error| format!(", {} in confirmation", number::error(error)));
        Some(format!(
            "run {} is the best so far: errors {} in training, {} in validation{confirmation}",
            best.run + 1,
            number::error_or_dash(best.training_error),
            number::error(best.validation_error),
        ))
    }

    /// The line for a target that is reached where the run goes on.
    pub fn of_target(&mut self, stop: &Stop, progress: &Progress<'_>) -> Option<String> {
        let (reached, refine) = progress.state.reached.zip(stop.refine)?;
        if self.is_at_target {
            return None;
        }
        self.is_at_target = true;
        let n_evaluations = number::counted(reached.n_evaluations, "evaluation");
        Some(format!(
            "the target is reached after {n_evaluations}; up to {refine} more lower the error further"
        ))
    }

    /// The line for the end of a run.
    pub fn of_end(progress: &Progress<'_>) -> Option<String> {
        (progress.event == Event::RunEnded).then(|| {
            format!(
                "run {} ended: error {}, moves {}, evaluations {}",
                progress.state.run + 1,
                number::error(progress.current_error),
                progress.state.n_moves(),
                progress.state.n_evaluations(),
            )
        })
    }
}
