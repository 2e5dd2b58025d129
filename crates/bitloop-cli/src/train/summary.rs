//! The result of a training, in words.

use bitloop_run::{Trained, TrainingResult};
use bitloop_scenario::{ErrorUnit, Stop};
use bitloop_train::{
    Candidate, Outcome, ProductKind, RowFit, Score, SetName, StopReason, Training,
};

use crate::behavior;
use crate::environment;
use crate::model::rows_in_words;
use crate::network_text::network_in_short;
use crate::output::number::{counted, error, error_or_dash, plain, span, with_prefix};
use crate::output::{shell, table::Facts};

/// The result in words, with what linear-quadratic control comes to; `resume` is the command that resumes the training.
pub fn text(trained: &Trained, lqr: Option<String>, resume: &str) -> String {
    let Trained { training, outcome, product, path, result, .. } = trained;
    let kind = product.kind.name();
    let (program, file) = (environment::program(), shell::quoted(path));
    let use_it = match product.kind {
        ProductKind::Controller => {
            format!("See it again, or run it for longer:\n  {program} replay {file}")
        }
        ProductKind::Model => {
            format!("Apply it to other rows:\n  {program} predict {file} --data FILE")
        }
    };
    let mut facts = Facts::default();
    add_errors(&mut facts, outcome, result, &**training);
    if let Some(lqr) = lqr {
        facts.add("LQR", lqr);
    }
    add_work(&mut facts, &**training, outcome);
    if let Some(missed) = missed_target(result) {
        facts.add("target", missed);
    }
    if let (Some(plant), Some(test)) = (training.plant(), &outcome.scores.test)
        && let Some(behaviors) = &test.behaviors
    {
        let command = format!("{program} replay {file}");
        behavior::add(&mut facts, plant, behaviors, test.worst.as_ref(), &command);
        if let Some(warning) = most_fail(test) {
            facts.add("WARNING", warning);
        }
    }
    facts.add("digest", product.digest.clone());
    facts.add(kind, path.display().to_string());
    format!(
        "\ntrained {}\n{}\n{use_it}\n{}",
        in_short(&**training),
        facts.text(),
        how_to_resume(&**training, outcome.stop_reason, resume),
    )
}

/// What it means that most of the test's episodes fail.
fn most_fail(test: &Score) -> Option<String> {
    let (n_failed, n_episodes) = (test.n_failed(), test.episodes.len());
    (2 * n_failed >= n_episodes && n_failed > 0).then(|| {
        format!(
            "{n_failed} of {n_episodes} test episodes fail; if that costs less than to go on, raise `failure_cost` in the \
             scenario or the plant's, and if they fail late, the horizon"
        )
    })
}

/// What a target that was not reached, or that the test misses, means for the reader.
fn missed_target(result: &TrainingResult) -> Option<String> {
    let target = plain(result.target?);
    if result.target_reached == Some(false) {
        return Some(format!("{target} was not reached"));
    }
    let test_error = result.test_aggregate_error.or(result.test_error);
    let test_error = test_error.filter(|_| result.test_meets_target == Some(false))?;
    let failed = result
        .test_failed_episodes
        .filter(|&n_failed| n_failed > 0)
        .map_or(String::new(), |n_failed| {
            format!(", and {} of it failed", counted(n_failed as u64, "episode"))
        });
    let test_error = error(test_error);
    Some(format!("the test misses it: its error of {test_error} is above {target}{failed}"))
}

fn add_errors(
    facts: &mut Facts,
    outcome: &Outcome,
    result: &TrainingResult,
    training: &dyn Training,
) {
    let (best, scores) = (&outcome.best, &outcome.scores);
    let rounded = error_or_dash(best.training_error);
    let unrounded = best.unrounded_training_error;
    facts.add(
        "training error",
        unrounded.map_or_else(
            || format!("{rounded}{}", in_brackets(scores.training.as_ref())),
            |unrounded| format!("{rounded}  ({} before rounding to the grid)", error(unrounded)),
        ),
    );
    if let Some(value) = result.validation_error {
        let details = in_brackets(scores.validation.as_ref());
        facts.add("validation error", format!("{}{details}", error(value)));
    }
    if let Some(value) = best.confirmation_error {
        let set = training.episodes().and_then(|episodes| episodes.confirmation);
        let details = set.zip(best.confirmation_failures).map_or(String::new(), |(set, n)| {
            of_episodes("episode", u64::from(set.count), Some(set.horizon_s), n)
        });
        facts.add("confirmation error", format!("{}{details}", error(value)));
    }
    if let Some(score) = &scores.test {
        facts.add("test error", format!("{}{}", error(score.error), in_brackets(Some(score))));
        if let Some((aggregate, value)) = score.aggregate_error {
            facts.add("", format!("{}  ({aggregate})", error(value)));
        }
        if let Some(own) = score.own_error {
            behavior::add_own_error(facts, own, score.error);
        }
    } else if training.has(SetName::Test) && outcome.stop_reason == StopReason::Interrupted {
        facts.add("test error", "not known: the test was interrupted".to_owned());
    }
}

fn add_work(facts: &mut Facts, training: &dyn Training, outcome: &Outcome) {
    let zero_share = outcome.weights.zero_share();
    let at_start = training.start_zero_share();
    if zero_share > 0.0 || at_start.is_some() {
        let at_start = at_start
            .map_or_else(String::new, |share| format!(", {:.1} % at the start", 100.0 * share));
        facts.add("weights at zero", format!("{:.1} %{at_start}", 100.0 * zero_share));
    }
    let best_run = outcome.best.run + 1;
    facts.add("runs", format!("{} (the best is number {best_run})", outcome.n_runs));
    facts.add("moves", outcome.n_moves.to_string());
    let to_target = outcome.reached.map_or_else(String::new, |reached| {
        let refined = outcome.n_evaluations.saturating_sub(reached.n_evaluations);
        // Mostly since its patience was over.
        let unused = training.stop().refine.filter(|&refine| refined < refine);
        let ended = unused
            .map_or_else(String::new, |refine| format!("; the run ended before {refine} more"));
        if refined == 0 && ended.is_empty() {
            return String::new();
        }
        format!(" ({} until the target was reached{ended})", reached.n_evaluations)
    });
    facts.add("evaluations", format!("{}{to_target}", outcome.n_evaluations));
    if outcome.plant_steps > 0 {
        facts.add("plant steps", with_prefix(outcome.plant_steps as f64));
    }
    facts.add("time", span(outcome.wall_s));
    let target = errors_at_target(training, &outcome.best);
    let (reason, stop) = (outcome.stop_reason, training.stop());
    facts.add("stopped", stop_in_words(reason, stop, outcome.n_evaluations, target));
    if outcome.n_faults > 0 {
        let n_faults = counted(outcome.n_faults, "evaluation");
        facts.add(
            "not finite",
            format!("{n_faults}, which count as the worst: the plant broke, or gave NaN, infinity or a cost below 0"),
        );
    }
}

/// What a score is of: `  (50 new episodes of 1000 s, 0 failed)`, `  (RMSE, 97.93 % of 193 rows right)`.
fn in_brackets(score: Option<&Score>) -> String {
    let Some(score) = score else { return String::new() };
    let n_samples = score.n_samples as u64;
    if let Some(RowFit { figure, unit, unscaled_error, fit }) = &score.fit {
        let name = match unit {
            // What right rows say better.
            ErrorUnit::ClassOutput | ErrorUnit::Nat(_) | ErrorUnit::Share => {
                figure.name().to_owned()
            }
            _ => unit.in_words(*figure),
        };
        let unscaled = unscaled_error
            .filter(|_| *unit != ErrorUnit::Target)
            .map_or(String::new(), |unscaled| format!(", {} unscaled,", error(unscaled)));
        return format!("  ({name}{unscaled}{})", rows_in_words(fit));
    }
    of_episodes("new episode", n_samples, score.horizon_s, score.n_failed())
}

/// What a score of episodes is of.
fn of_episodes(what: &str, n_episodes: u64, horizon_s: Option<f64>, n_failed: usize) -> String {
    let horizon = horizon_s.map_or_else(String::new, |s| format!(" of {} s", plain(s)));
    format!("  ({}{horizon}, {n_failed} failed)", counted(n_episodes, what))
}

/// The network, its trainer and its task: `4 inputs -> 5 Tanh -> 1 Linear, 31 weights of 16 bits, by TelescopicBlm for
/// inverted-pendulum`.
pub fn in_short(training: &dyn Training) -> String {
    let network = network_in_short(training);
    format!("{network}, by {} {}", training.trainer_name(), training.subject())
}

/// How to resume a training that was cut off.
fn how_to_resume(training: &dyn Training, stop_reason: StopReason, resume: &str) -> String {
    let option = match stop_reason {
        StopReason::Interrupted => "",
        StopReason::Seconds => " --seconds N",
        StopReason::Evaluations => " --evaluations N",
        StopReason::Target | StopReason::Runs => return String::new(),
    };
    let from_where = if training.saves_within_run() {
        String::new()
    } else {
        format!(" (from the beginning of its run, since {} keeps no more)", training.trainer_name())
    };
    format!("\nResume the training{from_where}:\n  {resume}{option}\n")
}

/// The errors that a target is about, as the subject of a sentence.
fn errors_at_target(training: &dyn Training, best: &Candidate) -> &'static str {
    if best.confirmation_error.is_some() {
        "validation and confirmation errors are"
    } else if training.has(SetName::Validation) {
        "the validation error is"
    } else {
        "the training error is"
    }
}

/// Why a training ended; `target` says what is at or below the target.
fn stop_in_words(stop_reason: StopReason, stop: &Stop, n_evaluations: u64, target: &str) -> String {
    let number = |value: Option<f64>| value.map_or(String::new(), plain);
    match stop_reason {
        StopReason::Target => format!("target: {target} at or below {}", number(stop.target)),
        StopReason::Runs => "runs: all that the scenario allows are done".to_owned(),
        StopReason::Evaluations => "evaluations: all that the scenario allows are used".to_owned(),
        StopReason::Seconds => format!(
            "seconds: the {} s of the scenario are over\n{:22}(to repeat the run exactly, write `evaluations: {}` \
             instead of `seconds`)",
            number(stop.seconds),
            "",
            n_evaluations,
        ),
        StopReason::Interrupted => "interrupted".to_owned(),
    }
}
