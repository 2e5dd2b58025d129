//! The saved model that a training starts from.

use bitloop_data::Encoding;
use bitloop_scenario::{self as file, ModelFile, Start, SupervisedFile};

use super::convert::{model_weights, saved_columns};
use crate::error::TrainError;

/// The weights that the first run starts from, if the scenario names a model.
pub(super) fn start(
    file: &SupervisedFile,
    encoding: &Encoding,
    shape: &file::Network,
) -> Result<Option<Vec<f64>>, TrainError> {
    let Start::FromModel(path) = &file.value.start else { return Ok(None) };
    let refuse = |message: &str, hint: &str| {
        Err(file.error_at("start", format!("{path} cannot be the start: {message}"), hint).into())
    };
    if matches!(file.value.training, file::SupervisedTraining::ExtremeLearning(_)) {
        return refuse("extreme learning solves for its weights", "use another trainer");
    }
    let saved = ModelFile::read(file.source.folder().join(path))?.value;
    if saved.network != *shape {
        let hint = "give `network` the shape that `bitloop controller show` prints";
        return refuse("its network has another shape", hint);
    }
    if saved.inputs != saved_columns(&encoding.inputs)
        || saved.targets != saved_columns(&encoding.targets)
    {
        let hint =
            "its columns, their words and their ranges in the training rows must be the same";
        return refuse("its data are encoded in another way", hint);
    }
    Ok(Some(model_weights(&saved.weights)?))
}
