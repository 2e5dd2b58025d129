//! The saved controller that a training starts from.

use bitloop_blm::WeightGrid;
use bitloop_scenario::{self as file, ControllerFile, Problem, ScenarioFile, Start};
use bitloop_sim::Channel;

use super::setup::ClosedLoopSetup;
use crate::error::TrainError;

/// The weights that the first run starts from, if the scenario names a controller.
pub(super) fn start(
    file: &ScenarioFile,
    setup: &ClosedLoopSetup,
    shape: &file::Network,
) -> Result<Option<Vec<f64>>, TrainError> {
    let Start::FromController(path) = &file.value.start else { return Ok(None) };
    let saved = ControllerFile::read(file.source.folder().join(path))?.value;
    check_fit(&saved, setup, shape).map_err(|problem| {
        let message = format!("{path} cannot be the start: {}", problem.message);
        file.error_at("start", message, problem.hint)
    })?;
    let file::Weights::Codes(file::Codes { bits, max_weight, codes }) = saved.weights;
    let grid = WeightGrid::new(bits, max_weight)?;
    Ok(Some(codes.iter().map(|&code| grid.weight(code)).collect()))
}

/// Whether the weights mean the same here: the same shape, and the same signals under the same scales.
fn check_fit(
    saved: &file::SavedController,
    setup: &ClosedLoopSetup,
    shape: &file::Network,
) -> Result<(), Problem> {
    if saved.network != *shape {
        let hint = "give `controller` the shape that `bitloop controller show` prints";
        return Err(Problem::new("start", "its network has another shape", hint));
    }
    let interface = setup.closed_loop.interface();
    let description = setup.closed_loop.plant().description();
    let here = |channels: &[Channel], variables: &[bitloop_plant::Variable]| -> Vec<_> {
        let of = |channel: &Channel| {
            (variables[channel.index].name.clone(), channel.center, channel.scale)
        };
        channels.iter().map(of).collect()
    };
    let inputs: Vec<_> =
        saved.inputs.iter().map(|input| (input.name.clone(), input.center, input.scale)).collect();
    let outputs: Vec<_> = saved
        .outputs
        .iter()
        .map(|output| (output.name.clone(), output.center, output.scale))
        .collect();
    for (what, saved, here) in [
        ("observations", inputs, here(&interface.inputs, &description.observations)),
        ("controls", outputs, here(&interface.outputs, &description.controls)),
    ] {
        let names = |signals: &[(String, f64, f64)]| {
            signals.iter().map(|(name, ..)| name.as_str()).collect::<Vec<_>>().join(", ")
        };
        if names(&saved) != names(&here) {
            let message = format!("its {what} are {}, and here {}", names(&saved), names(&here));
            return Err(Problem::new("start", message, "name the same ones in the same order"));
        }
        if let Some(((name, center, scale), _)) =
            saved.iter().zip(&here).find(|(saved, here)| saved != here)
        {
            let message = format!("it scales `{name}` by (center: {center}, scale: {scale})");
            return Err(Problem::new("start", message, "give `scaling` the same numbers"));
        }
    }
    Ok(())
}
