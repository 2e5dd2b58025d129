//! From what bitloop saves to [`Portable`]. Nothing else in this crate knows the files of bitloop.

use std::path::Path;

use bitloop_net::{Layer, LayerScaling, Network};
use bitloop_scenario::{self as file, AnySaved, SavedController, SavedModel, SavedValues};

use crate::error::ExportError;
use crate::portable::{Codes, Decoding, Encoding, Fit, Input, Origin, Output, Portable, Weights};

/// Most bits of a code.
const MOST_BITS: u32 = 24;

/// Reads a saved controller or model, whose digest is verified.
///
/// # Errors
/// A file that cannot be read or is damaged.
pub fn read(path: &Path) -> Result<Portable, ExportError> {
    match AnySaved::read(path)? {
        AnySaved::Controller(file) => controller(&file.value),
        AnySaved::Model(file) => model(&file.value),
    }
}

/// A saved controller in plain terms.
///
/// # Errors
/// A network or a grid that there is not.
pub fn controller(saved: &SavedController) -> Result<Portable, ExportError> {
    let inputs = saved.inputs.iter().map(|input| Input {
        name: input.name.clone(),
        unit: input.unit.clone(),
        encoding: Encoding::Scaled { center: input.center, scale: input.scale },
    });
    let outputs = saved.outputs.iter().map(|output| Output {
        name: output.name.clone(),
        unit: output.unit.clone(),
        fit: None,
        decoding: Decoding::Scaled {
            center: output.center,
            scale: output.scale,
            min: output.min.unwrap_or(f64::NEG_INFINITY),
            max: output.max.unwrap_or(f64::INFINITY),
        },
    });
    let file::Weights::Codes(saved_codes) = &saved.weights;
    let portable = Portable {
        origin: Origin {
            plant: Some(saved.plant.name.clone()),
            sample_time_s: Some(saved.simulation.sample_time_s),
            ..origin(&saved.made_by, &saved.digest)
        },
        inputs: inputs.collect(),
        outputs: outputs.collect(),
        network: network(&saved.network, saved.inputs.len())?,
        weights: Weights::Codes(codes(saved_codes)?),
    };
    portable.check()?;
    Ok(portable)
}

/// A saved model in plain terms.
///
/// # Errors
/// A network or a grid that there is not, or classes that are parted at another threshold than 0.5.
pub fn model(saved: &SavedModel) -> Result<Portable, ExportError> {
    if let Some(threshold) = saved.threshold.filter(|&threshold| threshold != 0.5) {
        let message = format!(
            "this model answers the second class from {threshold} on, and exports do so from 0.5 on"
        );
        let hint = "train it without `threshold`, or apply it by `bitloop predict`";
        return Err(ExportError::refused(message, hint));
    }
    let name = |column: &file::SavedColumn| {
        column.name.clone().unwrap_or_else(|| format!("column {}", column.number))
    };
    let inputs = saved.inputs.iter().map(|column| Input {
        name: name(column),
        unit: String::new(),
        encoding: match &column.values {
            SavedValues::Number => Encoding::Scaled { center: 0.0, scale: 1.0 },
            &SavedValues::Scaled { min, max, low, high } => Encoding::Range { min, max, low, high },
            SavedValues::Words(words) | SavedValues::Classes(words) => {
                Encoding::Words(words.clone())
            }
        },
    });
    let outputs = saved.targets.iter().enumerate().map(|(index, column)| Output {
        name: name(column),
        unit: String::new(),
        // One for each output of the network, of which a number has one.
        fit: saved.output_fits.get(index).map(|&fit| Fit { scale: fit.scale, offset: fit.offset }),
        decoding: match &column.values {
            SavedValues::Number => {
                let (min, max) = (f64::NEG_INFINITY, f64::INFINITY);
                Decoding::Scaled { center: 0.0, scale: 1.0, min, max }
            }
            &SavedValues::Scaled { min, max, low, high } => Decoding::Range { min, max, low, high },
            SavedValues::Words(words) | SavedValues::Classes(words) => {
                Decoding::Classes(words.clone())
            }
        },
    });
    let inputs: Vec<Input> = inputs.collect();
    let n_inputs = inputs.iter().map(|input| input.encoding.n_variables()).sum();
    let portable = Portable {
        origin: origin(&saved.made_by, &saved.digest),
        inputs,
        outputs: outputs.collect(),
        network: network(&saved.network, n_inputs)?,
        weights: match &saved.weights {
            file::ModelWeights::Codes(saved_codes) => scaled_codes(saved, codes(saved_codes)?),
            file::ModelWeights::Real(values) => {
                let pairs = values.iter().zip(saved.weight_factors());
                Weights::Real(pairs.map(|(weight, factor)| weight * factor).collect())
            }
        },
    };
    portable.check()?;
    Ok(portable)
}

/// Codes on one grid for all layers: those of a layer with a larger power of two get more bits, and stay whole numbers. Numbers,
/// where these bits would be too many.
fn scaled_codes(saved: &SavedModel, codes: Codes) -> Weights {
    let Some(&least) = saved.layer_scales.iter().min() else { return Weights::Codes(codes) };
    let most = saved.layer_scales.iter().max().copied().unwrap_or(least);
    let n_more = (most - least).unsigned_abs();
    let factors = saved.weight_factors();
    if codes.bits + n_more > MOST_BITS {
        let pairs = codes.codes.iter().zip(&factors);
        return Weights::Real(
            pairs.map(|(&code, factor)| f64::from(code) * codes.step * factor).collect(),
        );
    }
    let unit = LayerScaling::power_of_two(least);
    #[expect(clippy::cast_possible_truncation, reason = "a whole number of at most 24 bits")]
    let on_one_grid = |(&code, factor): (&i32, &f64)| (f64::from(code) * (factor / unit)) as i32;
    Weights::Codes(Codes {
        bits: codes.bits + n_more,
        step: codes.step * unit,
        codes: codes.codes.iter().zip(&factors).map(on_one_grid).collect(),
    })
}

fn origin(made_by: &file::MadeBy, digest: &str) -> Origin {
    Origin {
        plant: None,
        sample_time_s: None,
        scenario: made_by.scenario.clone(),
        scenario_digest: made_by.scenario_digest.clone(),
        digest: digest.to_owned(),
        bitloop_version: made_by.bitloop_version.clone(),
    }
}

fn codes(saved: &file::Codes) -> Result<Codes, ExportError> {
    Codes::new(saved.bits, saved.max_weight, saved.codes.clone())
}

fn network(shape: &file::Network, n_inputs: usize) -> Result<Network, ExportError> {
    let layers = shape.layers().iter().enumerate().map(|(index, layer)| Layer {
        n_neurons: layer.units as usize,
        activation: layer.activation,
        feedback: shape.feedback(index),
    });
    let network = Network::new(n_inputs, shape.window() as usize, layers.collect());
    let network =
        if shape.is_direct() { network.and_then(Network::with_direct_path) } else { network };
    network.map_err(|error| ExportError::refused(error.to_string(), "was the file edited by hand?"))
}
