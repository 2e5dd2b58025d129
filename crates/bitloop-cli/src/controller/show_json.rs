//! `bitloop controller show --json`.

use bitloop_scenario::{
    AnySaved, Codes, Errors, Fits, InputSignal, MadeBy, ModelWeights, OutputSignal, PlantIdentity,
    SavedColumn, SavedController, SavedModel, SavedOutputFit, Weights,
};
use serde::Serialize;

use crate::failure::Failure;
use crate::model;
use crate::network_text::{layers_in_short, packed_bytes};
use crate::output::json;

/// What controllers and models have.
#[derive(Serialize)]
struct Common<'a> {
    kind: &'static str,
    network: String,
    trainer: Option<&'static str>,
    weights: WeightsJson,
    made_by: &'a MadeBy,
    digest: &'a str,
}

/// Numbers that only codes have are null for real weights.
#[derive(Serialize)]
struct WeightsJson {
    count: usize,
    zeros: usize,
    bits: Option<u32>,
    max_weight: Option<f64>,
    /// Bytes of all codes without gaps between their bits.
    packed_bytes: Option<u64>,
}

#[derive(Serialize)]
struct ControllerJson<'a> {
    #[serde(flatten)]
    common: Common<'a>,
    plant: &'a PlantIdentity,
    integrator: &'static str,
    step_s: f64,
    sample_time_s: f64,
    errors: &'a Errors,
    inputs: &'a [InputSignal],
    outputs: &'a [OutputSignal],
}

#[derive(Serialize)]
struct ModelJson<'a> {
    #[serde(flatten)]
    common: Common<'a>,
    fits: &'a Fits,
    #[serde(skip_serializing_if = "<[i32]>::is_empty")]
    layer_scales: &'a [i32],
    #[serde(skip_serializing_if = "<[SavedOutputFit]>::is_empty")]
    output_fits: &'a [SavedOutputFit],
    #[serde(skip_serializing_if = "<[f64]>::is_empty")]
    class_weights: &'a [f64],
    #[serde(skip_serializing_if = "Option::is_none")]
    threshold: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    regularization: Option<f64>,
    inputs: &'a [SavedColumn],
    targets: &'a [SavedColumn],
}

/// Prints a saved file as one object.
pub fn print(saved: &AnySaved) -> Result<(), Failure> {
    match saved {
        AnySaved::Controller(file) => json::print_object(&of_controller(&file.value)),
        AnySaved::Model(file) => json::print_object(&of_model(&file.value)),
    }
}

fn of_codes(codes: &Codes) -> WeightsJson {
    let Codes { bits, max_weight, codes } = codes;
    WeightsJson {
        count: codes.len(),
        zeros: codes.iter().filter(|&&code| code == 0).count(),
        bits: Some(*bits),
        max_weight: Some(*max_weight),
        packed_bytes: Some(packed_bytes(codes.len(), *bits)),
    }
}

fn of_controller(saved: &SavedController) -> ControllerJson<'_> {
    let Weights::Codes(codes) = &saved.weights;
    ControllerJson {
        common: Common {
            kind: "controller",
            network: layers_in_short(saved.inputs.len(), &saved.network),
            trainer: saved.scenario.training.as_ref().map(bitloop_scenario::Training::name),
            weights: of_codes(codes),
            made_by: &saved.made_by,
            digest: &saved.digest,
        },
        plant: &saved.plant,
        integrator: saved.simulation.integrator.name(),
        step_s: saved.simulation.step_s,
        sample_time_s: saved.simulation.sample_time_s,
        errors: &saved.errors,
        inputs: &saved.inputs,
        outputs: &saved.outputs,
    }
}

fn of_model(saved: &SavedModel) -> ModelJson<'_> {
    let weights = match &saved.weights {
        ModelWeights::Codes(codes) => of_codes(codes),
        ModelWeights::Real(weights) => WeightsJson {
            count: weights.len(),
            zeros: weights.iter().filter(|&&weight| weight == 0.0).count(),
            bits: None,
            max_weight: None,
            packed_bytes: None,
        },
    };
    ModelJson {
        common: Common {
            kind: "model",
            network: model::in_short(saved),
            trainer: Some(saved.scenario.training.name()),
            weights,
            made_by: &saved.made_by,
            digest: &saved.digest,
        },
        fits: &saved.fits,
        layer_scales: &saved.layer_scales,
        output_fits: &saved.output_fits,
        class_weights: &saved.class_weights,
        threshold: saved.threshold,
        regularization: saved.regularization,
        inputs: &saved.inputs,
        targets: &saved.targets,
    }
}
