//! A network trained on examples as a file that can be applied without any other file.

use bitloop_scenario::{
    Codes, DataSource, Fits, Format, MadeBy, ModelWeights, Regularization, SavedModel,
    SavedOutputFit, SavedRowDigests, SavedRows, ScenarioKind as _,
};

use bitloop_net::OutputFit;
use bitloop_plant::Isa;

use super::convert::saved_columns;
use super::task::ExamplesTask;
use crate::outcome::Outcome;
use crate::product::SaveInfo;
use crate::score::Score;
use crate::task::Task;
use crate::weights::Weights;

/// The file of a training's best network.
#[must_use]
pub fn save_model(task: &ExamplesTask, outcome: &Outcome, info: SaveInfo) -> SavedModel {
    let scenario = task.scenario.without_folders();
    let rows = match &scenario.data {
        DataSource::File(file) => SavedRows { format: file.format, header: file.header },
        // The format in which generated points are written.
        DataSource::Spirals(_) => SavedRows { format: Format::Csv, header: true },
    };
    let weights = match &outcome.weights {
        Weights::Codes { grid, codes } => ModelWeights::Codes(Codes {
            bits: grid.bits_per_weight(),
            max_weight: grid.weight_range(),
            codes: codes.clone(),
        }),
        Weights::Real(weights) => ModelWeights::Real(weights.clone()),
    };
    let output_fit = |fit: &OutputFit| SavedOutputFit { scale: fit.scale, offset: fit.offset };
    let scaled = task.scaled(&outcome.weights.values());
    let found = task.output_fits(Isa::best(), &scaled);
    let threshold = task.threshold(Isa::best(), &scaled, &found);
    let output_fits = found.iter().map(output_fit).collect();
    let fit = |score: &Option<Score>| score.as_ref().and_then(|score| Some(score.fit?.fit));
    let scores = &outcome.scores;
    let mut saved = SavedModel {
        format: SavedModel::FORMAT_NUMBER,
        rows,
        inputs: saved_columns(&task.data.encoding.inputs),
        targets: saved_columns(&task.data.encoding.targets),
        network: task.shape().clone(),
        weights,
        layer_scales: task.layers().exponents().to_vec(),
        output_fits,
        class_weights: task.data.encoding.class_weights.clone(),
        threshold,
        regularization: (scenario.regularization == Regularization::Auto)
            .then(|| task.regularization(outcome.best.run)),
        fits: Fits {
            training: fit(&scores.training),
            validation: fit(&scores.validation),
            test: fit(&scores.test),
        },
        row_digests: SavedRowDigests::of(&task.data.digests),
        made_by: MadeBy {
            command: info.command,
            scenario: info.scenario_name,
            scenario_digest: scenario.digest(),
            seed: scenario.seed,
            run: u32::try_from(outcome.best.run).unwrap_or(u32::MAX),
            bitloop_version: info.bitloop_version,
        },
        scenario,
        digest: String::new(),
        content_digest: String::new(),
    };
    saved.digest = saved.computed_digest();
    saved.content_digest = saved.computed_content_digest();
    saved
}
