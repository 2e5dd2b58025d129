//! The channels between controller and plant that a scenario or a saved controller names.

use bitloop_plant::{Description, Variable};
use bitloop_scenario::{ControllerFile, FileError, ScenarioFile, suggestion};
use bitloop_sim::{Channel, Interface};

/// The channels that a scenario names, scaled as it says.
pub(super) fn interface(
    file: &ScenarioFile,
    description: &Description,
) -> Result<Interface, FileError> {
    let (observations, controls) = (&description.observations, &description.controls);
    let scaling = &file.value.scaling;
    let names: Vec<&str> =
        observations.iter().chain(controls).map(|variable| variable.name.as_str()).collect();
    if let Some(unknown) = scaling.keys().find(|name| !names.contains(&name.as_str())) {
        let message =
            format!("plant `{}` has no observation or control `{unknown}`", description.name);
        let hint = suggestion(unknown, &names, "it has");
        return Err(file.error_at_key(&format!("scaling.{unknown}"), message, hint));
    }
    let channel = |index: usize, variable: &Variable| {
        let mut channel = Channel::of(index, variable);
        if let Some(scaling) = scaling.get(&variable.name) {
            (channel.center, channel.scale) = (scaling.center, scaling.scale);
        }
        channel
    };
    let inputs = match &file.value.observations {
        None => observations.iter().enumerate().map(|(i, o)| channel(i, o)).collect(),
        Some(chosen) => chosen
            .iter()
            .enumerate()
            .map(|(position, name)| {
                let index = find(observations, name).ok_or_else(|| {
                    let (message, hint) = no_observation(description, name);
                    file.error_at(&format!("observations.{position}"), message, hint)
                })?;
                Ok(channel(index, &observations[index]))
            })
            .collect::<Result<_, FileError>>()?,
    };
    let outputs = controls.iter().enumerate().map(|(i, control)| channel(i, control)).collect();
    Ok(Interface { inputs, outputs })
}

/// The channels of a saved controller.
pub(super) fn saved_interface(
    controller: &ControllerFile,
    description: &Description,
) -> Result<Interface, FileError> {
    let saved = &controller.value;
    let inputs = saved.inputs.iter().enumerate().map(|(position, input)| {
        let index = find(&description.observations, &input.name).ok_or_else(|| {
            let (message, hint) = no_observation(description, &input.name);
            controller.error_at(&format!("inputs.{position}.name"), message, hint)
        })?;
        let bounds = (f64::NEG_INFINITY, f64::INFINITY);
        Ok(Channel { index, center: input.center, scale: input.scale, bounds })
    });
    let commanded = saved.outputs.iter().map(|output| output.name.as_str());
    if !description.controls.iter().map(|control| control.name.as_str()).eq(commanded) {
        let names: Vec<_> = description.controls.iter().map(|c| c.name.as_str()).collect();
        let message = format!(
            "the controls of plant `{}` are {}, not these",
            description.name,
            names.join(", ")
        );
        let hint = "replay it on the plant that it was trained on";
        return Err(controller.error_at("outputs", message, hint));
    }
    let outputs = saved.outputs.iter().enumerate().map(|(index, output)| Channel {
        index,
        center: output.center,
        scale: output.scale,
        bounds: (output.min.unwrap_or(f64::NEG_INFINITY), output.max.unwrap_or(f64::INFINITY)),
    });
    Ok(Interface { inputs: inputs.collect::<Result<_, FileError>>()?, outputs: outputs.collect() })
}

fn find(variables: &[Variable], name: &str) -> Option<usize> {
    variables.iter().position(|variable| variable.name == name)
}

fn no_observation(description: &Description, name: &str) -> (String, String) {
    let names: Vec<&str> = description.observations.iter().map(|o| o.name.as_str()).collect();
    let message = format!("plant `{}` has no observation `{name}`", description.name);
    (message, suggestion(name, &names, "it has"))
}
