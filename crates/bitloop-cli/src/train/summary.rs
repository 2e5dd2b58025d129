//! What a training came to, for people and for programs.

use std::path::Path;

use bitloop_scenario::{self as file, SavedController, Scenario, Stop};
use bitloop_train::{StopReason, Training, TrainingOutcome};
use serde::Serialize;

use crate::controller::{layers_in_short, weights_in_short};
use crate::environment;
use crate::output::number::{counted, error, error_or_dash, plain, span, with_prefix};
use crate::output::{shell, table::Facts};

/// A finished training.
#[derive(Clone, Copy, Debug)]
pub struct Summary<'a> {
    /// Where the controller is.
    pub path: &'a Path,
    /// The controller.
    pub saved: &'a SavedController,
    /// How it came about.
    pub outcome: &'a TrainingOutcome,
    /// The command that goes on with it.
    pub resume: &'a str,
}

/// The result as `--json` prints it.
#[derive(Debug, Serialize)]
pub struct TrainJson {
    controller: String,
    training_error: f64,
    /// Of the real weights before rounding, where the search has such.
    #[serde(skip_serializing_if = "Option::is_none")]
    unrounded_training_error: Option<f64>,
    validation_error: f64,
    confirmation_error: Option<f64>,
    test_error: f64,
    test_failed_episodes: usize,
    descents: u64,
    moves: u64,
    evaluations: u64,
    nonfinite_evaluations: u64,
    plant_steps: u64,
    wall_s: f64,
    stop_reason: &'static str,
    seed: u64,
    controller_digest: String,
}

impl Summary<'_> {
    /// For programs.
    pub fn json(&self) -> TrainJson {
        let Summary { path, saved, outcome, .. } = *self;
        TrainJson {
            controller: path.display().to_string(),
            training_error: outcome.best.training_error,
            unrounded_training_error: outcome.best.unrounded_training_error,
            validation_error: outcome.best.validation_error,
            confirmation_error: outcome.best.confirmation_error,
            test_error: outcome.test.error,
            test_failed_episodes: outcome.test.n_failed(),
            descents: outcome.n_descents,
            moves: outcome.n_moves,
            evaluations: outcome.n_evaluations,
            nonfinite_evaluations: outcome.n_faults,
            plant_steps: outcome.plant_steps,
            wall_s: outcome.wall_s,
            stop_reason: outcome.stop_reason.name(),
            seed: saved.made_by.seed,
            controller_digest: saved.digest.clone(),
        }
    }

    /// For people.
    pub fn text(&self, training: &Training, scenario: &Scenario) -> String {
        let Summary { path, saved, outcome, resume } = *self;
        let best = &outcome.best;
        let mut facts = Facts::default();
        facts.add("training error", {
            let rounded = error(best.training_error);
            best.unrounded_training_error.map_or(rounded.clone(), |unrounded| {
                format!("{rounded}  ({} before rounding to the grid)", error(unrounded))
            })
        });
        facts.add("validation error", error(best.validation_error));
        facts.add("confirmation error", error_or_dash(best.confirmation_error));
        facts.add(
            "test error",
            format!("{}  ({})", error(outcome.test.error), {
                let n_episodes = outcome.test.episodes.len();
                let horizon = scenario.episodes.test.map(|test| plain(test.horizon_s));
                let of = horizon.map_or(String::new(), |seconds| format!(" of {seconds} s"));
                format!("{n_episodes} new episodes{of}, {} failed", outcome.test.n_failed())
            }),
        );
        facts.add(
            "descents",
            format!("{} (the best is number {})", outcome.n_descents, best.descent + 1),
        );
        facts.add("moves", outcome.n_moves.to_string());
        facts.add("evaluations", outcome.n_evaluations.to_string());
        facts.add("plant steps", with_prefix(outcome.plant_steps as f64));
        facts.add("time", span(outcome.wall_s));
        let target = "validation and confirmation errors are";
        let n_evaluations = outcome.n_evaluations;
        let stopped = stop_in_words(outcome.stop_reason, &training.stop, n_evaluations, target);
        facts.add("stopped", stopped);
        if outcome.n_faults > 0 {
            let n_faults = counted(outcome.n_faults, "evaluation");
            facts.add(
                "not finite",
                format!("{n_faults}, which count as the worst: the plant broke, or gave NaN, infinity or a cost below 0"),
            );
        }
        facts.add("digest", saved.digest.clone());
        facts.add("controller", path.display().to_string());
        format!(
            "\ntrained {} for {}\n{}\nSee it again, or run it for longer:\n  {} replay {}\n{}",
            network_in_short(training, scenario),
            saved.plant.name,
            facts.text(),
            environment::program(),
            shell::quoted(path),
            go_on(outcome.stop_reason, resume),
        )
    }
}

/// Layers and weights of the network that is trained.
pub fn network_in_short(training: &Training, scenario: &Scenario) -> String {
    let bits = match &scenario.training {
        Some(file::Training::TelescopicBlm(blm)) => Some(blm.bits),
        _ => None,
    };
    format!(
        "{}, {}",
        layers_in_short(training.network.n_inputs(), &training.shape),
        weights_in_short(training.network.n_weights(), bits)
    )
}

/// How to go on with a training that was cut off.
pub fn go_on(stop_reason: StopReason, resume: &str) -> String {
    match stop_reason {
        StopReason::Interrupted => format!("\nGo on with the training:\n  {resume}\n"),
        StopReason::Seconds => format!("\nGo on with the training:\n  {resume} --seconds N\n"),
        _ => String::new(),
    }
}

/// Why a training ended; `target` says what is at or below the target.
pub fn stop_in_words(
    stop_reason: StopReason,
    stop: &Stop,
    n_evaluations: u64,
    target: &str,
) -> String {
    let number = |value: Option<f64>| value.map_or(String::new(), plain);
    match stop_reason {
        StopReason::Target => format!("target: {target} at or below {}", number(stop.target)),
        StopReason::Descents => "descents: all that the scenario allows are done".to_owned(),
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
