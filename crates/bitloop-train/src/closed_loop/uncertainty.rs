//! The sensors, actuators and disturbances of a scenario, as the closed loop takes them.

use std::collections::BTreeMap;

use super::disturbance::disturbed;
use bitloop_plant::{Description, Variable};
use bitloop_scenario::{self as file, FileError, ScenarioFile, suggestion};
use bitloop_sim::{Actuator, Channel, ClosedLoop, Sensor, SimError, Timing, Uncertainty};

/// The loop with the scenario's sensors, actuators and disturbances.
///
/// # Errors
/// Names that the plant does not have, and times that are no whole multiples, at their place in the file.
pub(super) fn with_uncertainty(
    file: &ScenarioFile,
    closed_loop: ClosedLoop,
) -> Result<ClosedLoop, FileError> {
    let file::Uncertainty { sensors, actuators, disturbances } = &file.value.uncertainty;
    if file.value.uncertainty.is_none() {
        return Ok(closed_loop);
    }
    let (plant, timing) = (closed_loop.plant().description(), closed_loop.timing());
    let sensors = by_index(file, plant, ("sensors", "observation"), &plant.observations, sensors)?;
    let sensors = sensors.map(|(index, name, sensor)| measured(file, timing, index, name, sensor));
    let sensors = sensors.collect::<Result<_, _>>()?;
    let actuators = by_index(file, plant, ("actuators", "control"), &plant.controls, actuators)?;
    let channel = |index: usize| &closed_loop.interface().outputs[index];
    let actuators = actuators
        .map(|(index, name, actuator)| acted(file, timing, channel(index), name, actuator));
    let actuators = actuators.collect::<Result<_, _>>()?;
    let disturbances = disturbed(file, plant, timing, disturbances)?;
    let uncertainty = Uncertainty { sensors, actuators, disturbances };
    closed_loop.with_uncertainty(uncertainty).map_err(|error| {
        file.error_at(
            "uncertainty",
            error.to_string(),
            "shorten the delays, or lengthen the control period",
        )
    })
}

/// The given ones with the index of their variable, in the plant's order.
fn by_index<'a, T>(
    file: &ScenarioFile,
    plant: &Description,
    (field, kind): (&str, &str),
    variables: &'a [Variable],
    given: &'a BTreeMap<String, T>,
) -> Result<impl Iterator<Item = (usize, &'a str, &'a T)>, FileError> {
    let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
    if let Some(unknown) = given.keys().find(|name| !names.contains(&name.as_str())) {
        return Err(file.error_at_key(
            &format!("uncertainty.{field}.{unknown}"),
            format!("plant `{}` has no {kind} `{unknown}`", plant.name),
            suggestion(unknown, &names, "it has"),
        ));
    }
    let of_variable = |(index, name): (usize, &'a str)| Some((index, name, given.get(name)?));
    Ok(names.into_iter().enumerate().filter_map(of_variable))
}

fn measured(
    file: &ScenarioFile,
    timing: Timing,
    observation: usize,
    name: &str,
    sensor: &file::Sensor,
) -> Result<Sensor, FileError> {
    let delay = timing.queries("delay", sensor.delay_s);
    let delay = delay.map_err(|error| delay_error(file, "sensors", name, &error))?;
    Ok(Sensor {
        observation,
        bias: sensor.bias,
        noise: sensor.noise,
        quantum: sensor.quantum,
        delay,
        dropout: sensor.dropout,
    })
}

fn acted(
    file: &ScenarioFile,
    timing: Timing,
    channel: &Channel,
    name: &str,
    actuator: &file::Actuator,
) -> Result<Actuator, FileError> {
    let (low, high) = channel.bounds;
    let delay = timing.ticks("delay", actuator.delay_s);
    let delay = delay.map_err(|error| delay_error(file, "actuators", name, &error))?;
    Ok(Actuator {
        control: channel.index,
        // The control of an output of 0.
        rest: channel.center.max(low).min(high),
        bounds: channel.bounds,
        gain: actuator.gain,
        dead_band: actuator.dead_band,
        rate: actuator.rate.unwrap_or(f64::INFINITY),
        quantum: actuator.quantum,
        delay,
    })
}

fn delay_error(file: &ScenarioFile, kind: &str, name: &str, error: &SimError) -> FileError {
    let field = format!("uncertainty.{kind}.{name}.delay_s");
    file.error_at(&field, error.to_string(), "change this value")
}
