//! A network trained on examples as a file that needs nothing else to be applied.

use bitloop_scenario::{
    Codes, DataSource, Format, MadeBy, ModelWeights, SavedModel, SavedRows, ScenarioKind as _,
    Supervised,
};

use crate::save::SaveInfo;
use crate::supervised::convert::saved_columns;
use crate::supervised::fitting::{Fitting, FittingOutcome};

/// The file of a training's best network.
#[must_use]
pub fn save_model(
    fitting: &Fitting,
    outcome: &FittingOutcome,
    info: SaveInfo<Supervised>,
) -> SavedModel {
    let best = &outcome.best;
    let scenario = info.scenario.without_folders();
    let rows = match &scenario.data {
        DataSource::File(file) => SavedRows { format: file.format, header: file.header },
        // What generated points are written down in.
        DataSource::Spirals(_) => SavedRows { format: Format::Csv, header: true },
    };
    let weights = match fitting.grid() {
        Some(grid) => ModelWeights::Codes(Codes {
            bits: grid.bits_per_weight(),
            max_weight: grid.weight_range(),
            codes: best.codes.clone(),
        }),
        None => ModelWeights::Real(best.weights.clone()),
    };
    let mut saved = SavedModel {
        format: SavedModel::FORMAT_NUMBER,
        rows,
        inputs: saved_columns(&fitting.data.encoding.inputs),
        targets: saved_columns(&fitting.data.encoding.targets),
        network: fitting.shape.clone(),
        weights,
        fits: outcome.fits.clone(),
        made_by: MadeBy {
            command: info.command,
            scenario: info.scenario_name,
            scenario_digest: scenario.digest(),
            seed: scenario.seed,
            descent: u32::try_from(best.descent).unwrap_or(u32::MAX),
            bitloop_version: info.bitloop_version,
        },
        scenario,
        digest: String::new(),
    };
    saved.digest = saved.computed_digest();
    saved
}
