//! [`write_finished`]: the folder of a training that was done elsewhere, as one that is finished.

use std::fs;
use std::path::Path;

use bitloop_folder::{FolderError, RESOLVED, RESULT, SCENARIO};
use bitloop_scenario::AnyScenario;
use bitloop_train::{Outcome, SaveInfo, Training};

use crate::error::RunError;
use crate::product_file;
use crate::result::TrainingResult;
use crate::run_handle::Trained;

/// Writes scenario, controller or model, and result into an empty folder, which will have the place `place` when it is
/// complete. There is no log and no checkpoint: a training whose runs were done apart has none.
///
/// # Errors
/// A training that found nothing with a finite error, or a file that cannot be written.
pub fn write_finished(
    (folder, place): (&Path, &Path),
    scenario: &AnyScenario,
    training: Box<dyn Training>,
    outcome: Outcome,
    info: SaveInfo,
) -> Result<Trained, RunError> {
    if !outcome.best.merit().is_finite() {
        let (n_evaluations, n_faults) = (outcome.n_evaluations, outcome.n_faults);
        return Err(RunError::NothingFinite { n_evaluations, n_faults, fault: None });
    }
    let product = training.product(&outcome, info).map_err(|problem| RunError::InTheWay {
        path: place.to_owned(),
        message: problem.to_string(),
        hint: problem.hint.clone(),
    })?;
    let kind = product.kind.name();
    let path = product_file::path(place, kind);
    let result = TrainingResult::new(&*training, &outcome, &product, &path, scenario.seed());
    let result_text = result.to_text().map_err(|error| FolderError::write(place, error))?;
    let resolved = scenario.to_text();
    let name = product_file::path(folder, kind);
    for (path, text) in [
        (folder.join(SCENARIO), scenario.source().text()),
        (folder.join(RESOLVED), &resolved),
        (name, &product.text),
        (folder.join(RESULT), &result_text),
    ] {
        fs::write(&path, text).map_err(|error| FolderError::write(&path, error))?;
    }
    let (moved, finished, saved) = (None, Ok(()), Ok(()));
    Ok(Trained { training, outcome, product, path, moved, result, finished, saved })
}
