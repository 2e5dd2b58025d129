//! [`TrainingResult`]: what `result.json` holds of a training.

use std::io;
use std::path::Path;

use bitloop_folder::{FolderError, RESULT_FORMAT};
use bitloop_scenario::{ErrorFigure, ErrorUnit};
use bitloop_train::{
    BehaviorSummary, Outcome, Product, ProductKind, Score, SetName, Training, WorstEpisode,
};
use serde::Serialize;

/// The result of a training, with the same keys for controllers and models; null for sets that there are not, and for
/// numbers that are not finite.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrainingResult {
    /// The number of the format.
    pub format: u64,
    /// The controller or model.
    #[serde(flatten)]
    pub product: ProductJson,
    /// The trainer's name in scenarios.
    pub trainer: &'static str,
    /// Of rows, what errors are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_figure: Option<ErrorFigure>,
    /// Of rows, what errors are measured in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_unit: Option<ErrorUnit>,
    /// The scenario's aggregate of the errors of episodes, the mean by default, or `error_figure` over rows, as the next ones.
    pub training_error: Option<f64>,
    /// Of the real weights before rounding, where the search has such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unrounded_training_error: Option<f64>,
    /// On the validation set.
    pub validation_error: Option<f64>,
    /// The training error in the unit of the targets, where they are numbers that all have one scale, as the next ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub training_unscaled_error: Option<f64>,
    /// On the validation set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validation_unscaled_error: Option<f64>,
    /// On the test set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_unscaled_error: Option<f64>,
    /// On the confirmation set.
    pub confirmation_error: Option<f64>,
    /// Confirmation episodes that ended before their horizon, of closed loops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmation_failed_episodes: Option<usize>,
    /// On the test set, of episodes the mean.
    pub test_error: Option<f64>,
    /// The scenario's aggregate of the errors of the test episodes, where that is not the mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_aggregate_error: Option<f64>,
    /// On the test set, without the penalties of the scenario, if it has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_own_error: Option<f64>,
    /// Test episodes that ended before their horizon, of closed loops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_failed_episodes: Option<usize>,
    /// Share of the rows whose class is right, where targets are classes, as the next ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub training_classified: Option<f64>,
    /// On the validation set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validation_classified: Option<f64>,
    /// On the test set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_classified: Option<f64>,
    /// The target of the scenario, if it has one.
    pub target: Option<f64>,
    /// Whether the training ended because its target was reached; null without a target.
    pub target_reached: Option<bool>,
    /// Whether the aggregate of the test errors is at or below the target; null without a target or a test.
    pub test_meets_target: Option<bool>,
    /// Share of the weights that are zero.
    pub zero_share: f64,
    /// Share of the weights that are zero at the start of each run from random ones, if the scenario asks for some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_zero_share: Option<f64>,
    /// Runs begun.
    pub runs: u64,
    /// Accepted moves.
    pub moves: u64,
    /// Evaluations of the cost.
    pub evaluations: u64,
    /// Those until the target was reached; null without one, or where it was not.
    pub evaluations_to_target: Option<u64>,
    /// Evaluations that counted as worst.
    pub nonfinite_evaluations: u64,
    /// Integration steps simulated.
    pub plant_steps: u64,
    /// Seconds from start to end.
    pub wall_s: f64,
    /// Why the training ended.
    pub stop_reason: &'static str,
    /// Root seed.
    pub seed: u64,
    /// What the controller does in the test, of closed loops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behavior: Option<BehaviorSummary>,
    /// The test episode with the largest error, of closed loops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<WorstEpisode>,
}

/// Where a controller or model is, and its digest, under keys that name its kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
    #[must_use]
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

/// The behavior of a controller in its test.
fn behavior(training: &dyn Training, test: Option<&Score>) -> Option<BehaviorSummary> {
    let behaviors = test?.behaviors.as_ref()?;
    let indices: Vec<usize> = (0..behaviors.n_episodes()).collect();
    Some(BehaviorSummary::of(training.plant()?, behaviors, &indices))
}

impl TrainingResult {
    pub(crate) fn new(
        training: &dyn Training,
        outcome: &Outcome,
        product: &Product,
        path: &Path,
        seed: u64,
    ) -> Self {
        let (best, scores) = (&outcome.best, &outcome.scores);
        let classified = |score: &Option<Score>| score.as_ref().and_then(Score::classified);
        let of_rows = |score: &Option<Score>| score.as_ref()?.fit;
        let unscaled = |score: &Option<Score>| of_rows(score)?.unscaled_error;
        let test = scores.test.as_ref();
        let target = training.stop().target;
        Self {
            format: RESULT_FORMAT,
            product: ProductJson::new(product.kind, path, &product.digest),
            trainer: training.trainer_name(),
            error_figure: of_rows(&scores.training).map(|fit| fit.figure),
            error_unit: of_rows(&scores.training).map(|fit| fit.unit),
            training_unscaled_error: unscaled(&scores.training),
            validation_unscaled_error: unscaled(&scores.validation),
            test_unscaled_error: unscaled(&scores.test),
            training_error: best.training_error,
            unrounded_training_error: best.unrounded_training_error,
            validation_error: training.has(SetName::Validation).then_some(best.validation_error),
            confirmation_error: best.confirmation_error,
            confirmation_failed_episodes: best.confirmation_failures,
            test_error: test.map(|score| score.error),
            test_aggregate_error: test.and_then(|score| Some(score.aggregate_error?.1)),
            test_own_error: test.and_then(|score| score.own_error),
            test_failed_episodes: test
                .filter(|_| product.kind == ProductKind::Controller)
                .map(Score::n_failed),
            training_classified: classified(&scores.training),
            validation_classified: classified(&scores.validation),
            test_classified: classified(&scores.test),
            behavior: behavior(training, test),
            worst: test.and_then(|score| score.worst.clone()),
            target,
            target_reached: target.map(|_| outcome.reached.is_some()),
            test_meets_target: target
                .zip(test)
                .map(|(target, score)| score.target_error() <= target),
            zero_share: outcome.weights.zero_share(),
            start_zero_share: training.start_zero_share(),
            runs: outcome.n_runs,
            moves: outcome.n_moves,
            evaluations: outcome.n_evaluations,
            evaluations_to_target: outcome.reached.map(|reached| reached.n_evaluations),
            nonfinite_evaluations: outcome.n_faults,
            plant_steps: outcome.plant_steps,
            wall_s: outcome.wall_s,
            stop_reason: outcome.stop_reason.name(),
            seed,
        }
    }

    /// The text of `result.json`: one object and a line end.
    ///
    /// # Errors
    /// If a path in it is no text.
    pub fn to_text(&self) -> io::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Writes it.
    pub(crate) fn write(&self, folder: &bitloop_folder::RunFolder) -> Result<(), FolderError> {
        let text = self.to_text().map_err(|error| FolderError::write(folder.path(), error))?;
        folder.finish(&text)
    }
}
