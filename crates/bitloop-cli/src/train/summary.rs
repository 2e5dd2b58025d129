//! The result of a training, for people and for programs.

use std::path::Path;

use bitloop_run::RESULT_FORMAT;
use bitloop_scenario::Stop;
use bitloop_train::{
    Candidate, Outcome, Product, ProductKind, Score, SetName, StopReason, Training,
};
use serde::Serialize;

use crate::controller::{layers_in_short, weights_in_short};
use crate::environment;
use crate::output::number::{counted, error, error_or_dash, plain, span, with_prefix};
use crate::output::{shell, table::Facts};

/// A finished training.
#[derive(Clone, Copy, Debug)]
pub struct Summary<'a> {
    /// What was trained.
    pub training: &'a dyn Training,
    /// Its result.
    pub outcome: &'a Outcome,
    /// The controller or model.
    pub product: &'a Product,
    /// Where that is.
    pub path: &'a Path,
    /// Root seed of the training.
    pub seed: u64,
    /// The command that resumes the training.
    pub resume: &'a str,
}

/// The result as `--json` prints it; null for sets that there are not.
#[derive(Debug, Serialize)]
pub struct TrainJson {
    format: u64,
    #[serde(flatten)]
    product: ProductJson,
    trainer: &'static str,
    training_error: Option<f64>,
    /// Of the real weights before rounding, where the search has such.
    #[serde(skip_serializing_if = "Option::is_none")]
    unrounded_training_error: Option<f64>,
    validation_error: Option<f64>,
    confirmation_error: Option<f64>,
    test_error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    test_failed_episodes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    training_classified: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation_classified: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    test_classified: Option<f64>,
    zero_share: f64,
    runs: u64,
    moves: u64,
    evaluations: u64,
    nonfinite_evaluations: u64,
    plant_steps: u64,
    wall_s: f64,
    stop_reason: &'static str,
    seed: u64,
}

/// Where a controller or model is, and its digest, under keys that name its kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum ProductJson {
    /// Of a closed loop.
    Controller {
        /// The file.
        controller: String,
        /// Its digest.
        controller_digest: String,
    },
    /// Of examples.
    Model {
        /// The file.
        model: String,
        /// Its digest.
        model_digest: String,
    },
}

impl ProductJson {
    /// The keys of a file.
    pub fn new(kind: ProductKind, path: &Path, digest: &str) -> Self {
        let (path, digest) = (path.display().to_string(), digest.to_owned());
        match kind {
            ProductKind::Controller => {
                Self::Controller { controller: path, controller_digest: digest }
            }
            ProductKind::Model => Self::Model { model: path, model_digest: digest },
        }
    }
}

impl Summary<'_> {
    /// For programs.
    pub fn json(&self) -> TrainJson {
        let Summary { training, outcome, product, path, seed, .. } = *self;
        let (best, scores) = (&outcome.best, &outcome.scores);
        let classified = |score: &Option<Score>| score.as_ref().and_then(|score| score.classified);
        let is_closed_loop = product.kind == ProductKind::Controller;
        TrainJson {
            format: RESULT_FORMAT,
            product: ProductJson::new(product.kind, path, &product.digest),
            trainer: training.trainer_name(),
            training_error: best.training_error,
            unrounded_training_error: best.unrounded_training_error,
            validation_error: self.validation_error(),
            confirmation_error: best.confirmation_error,
            test_error: scores.test.as_ref().map(|score| score.error),
            test_failed_episodes: scores
                .test
                .as_ref()
                .filter(|_| is_closed_loop)
                .map(Score::n_failed),
            training_classified: classified(&scores.training),
            validation_classified: classified(&scores.validation),
            test_classified: classified(&scores.test),
            zero_share: outcome.weights.zero_share(),
            runs: outcome.n_runs,
            moves: outcome.n_moves,
            evaluations: outcome.n_evaluations,
            nonfinite_evaluations: outcome.n_faults,
            plant_steps: outcome.plant_steps,
            wall_s: outcome.wall_s,
            stop_reason: outcome.stop_reason.name(),
            seed,
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        let Summary { training, outcome, product, path, resume, .. } = *self;
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
        self.add_errors(&mut facts);
        self.add_work(&mut facts);
        facts.add("digest", product.digest.clone());
        facts.add(kind, path.display().to_string());
        format!(
            "\ntrained {}\n{}\n{use_it}\n{}",
            in_short(training),
            facts.text(),
            go_on(outcome.stop_reason, resume),
        )
    }

    fn add_errors(&self, facts: &mut Facts) {
        let (best, scores) = (&self.outcome.best, &self.outcome.scores);
        let rounded = error_or_dash(best.training_error);
        let unrounded = best.unrounded_training_error;
        facts.add(
            "training error",
            unrounded.map_or_else(
                || format!("{rounded}{}", in_brackets(scores.training.as_ref())),
                |unrounded| {
                    format!("{rounded}  ({} before rounding to the grid)", error(unrounded))
                },
            ),
        );
        if let Some(value) = self.validation_error() {
            let details = in_brackets(scores.validation.as_ref());
            facts.add("validation error", format!("{}{details}", error(value)));
        }
        if let Some(value) = best.confirmation_error {
            facts.add("confirmation error", error(value));
        }
        if let Some(score) = &scores.test {
            facts.add("test error", format!("{}{}", error(score.error), in_brackets(Some(score))));
        }
    }

    fn add_work(&self, facts: &mut Facts) {
        let Summary { training, outcome, .. } = *self;
        let zero_share = outcome.weights.zero_share();
        if zero_share > 0.0 {
            facts.add("weights at zero", format!("{:.1} %", 100.0 * zero_share));
        }
        let best_run = outcome.best.run + 1;
        facts.add("runs", format!("{} (the best is number {best_run})", outcome.n_runs));
        facts.add("moves", outcome.n_moves.to_string());
        facts.add("evaluations", outcome.n_evaluations.to_string());
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

    /// The error on the validation set, if there is one.
    fn validation_error(&self) -> Option<f64> {
        let Summary { training, outcome, .. } = *self;
        training.has(SetName::Validation).then_some(outcome.best.validation_error)
    }
}

/// What a score is of: `  (50 new episodes of 1000 s, 0 failed)`, `  (RMSE, 97.93 % of 193 rows classified)`.
fn in_brackets(score: Option<&Score>) -> String {
    let Some(score) = score else { return String::new() };
    let n_samples = score.n_samples as u64;
    if score.episodes.is_empty() {
        let rows = counted(n_samples, "row");
        return score.classified.map_or_else(
            || format!("  (RMSE over {rows})"),
            |share| format!("  (RMSE, {:.2} % of {rows} classified)", 100.0 * share),
        );
    }
    let horizon = score.horizon_s.map_or_else(String::new, |s| format!(" of {} s", plain(s)));
    let episodes = counted(n_samples, "new episode");
    format!("  ({episodes}{horizon}, {} failed)", score.n_failed())
}

/// The network, its trainer and its task: `4 inputs -> 5 Tanh -> 1 Linear, 31 weights of 16 bits, by TelescopicBlm for
/// inverted-pendulum`.
pub fn in_short(training: &dyn Training) -> String {
    let network = network_in_short(training);
    format!("{network}, by {} {}", training.trainer_name(), training.subject())
}

/// Layers and weights of the network that is trained.
pub fn network_in_short(training: &dyn Training) -> String {
    let bits = training.grid().map(|grid| grid.bits_per_weight());
    format!(
        "{}, {}",
        layers_in_short(training.network().n_inputs(), training.shape()),
        weights_in_short(training.network().n_weights(), bits)
    )
}

/// How to resume a training that was cut off.
fn go_on(stop_reason: StopReason, resume: &str) -> String {
    match stop_reason {
        StopReason::Interrupted => format!("\nGo on with the training:\n  {resume}\n"),
        StopReason::Seconds => format!("\nGo on with the training:\n  {resume} --seconds N\n"),
        _ => String::new(),
    }
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
