//! The saved model that a training starts from.

use bitloop_data::Encoding;
use bitloop_net::{DeltaScaling, LayerScaling, Network, OutputFit};
use bitloop_scenario::{self as file, ModelFile, Start, SupervisedFile};

use super::convert::{model_weights, output_fits, saved_columns};
use crate::error::TrainError;

/// The weights that the first run starts from, if the scenario names a model.
pub(super) fn start(
    file: &SupervisedFile,
    encoding: &Encoding,
    (shape, network): (&file::Network, &Network),
    scaling: &DeltaScaling,
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
    let fits = output_fits(&saved);
    let weights = model_weights(&saved)?;
    let weights = if scaling.fits_outputs { weights } else { fitted(network, &weights, &fits) };
    let inverse: Vec<i32> = scaling.layers.exponents().iter().map(|exponent| -exponent).collect();
    Ok(Some(LayerScaling::new(network, &inverse)?.weights(network, &weights)))
}

/// The weights of a network that answers what one with fitted outputs does.
fn fitted(network: &Network, weights: &[f64], fits: &[OutputFit]) -> Vec<f64> {
    let mut weights = weights.to_vec();
    let per_output =
        network.layers().iter().rev().nth(1).map_or(network.n_inputs(), |layer| layer.n_neurons)
            + 1;
    let first = weights.len() - per_output * fits.len();
    for (own, fit) in weights[first..].chunks_exact_mut(per_output).zip(fits) {
        for weight in own.iter_mut() {
            *weight *= fit.scale;
        }
        own[0] += fit.offset;
    }
    weights
}
