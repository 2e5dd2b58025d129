//! The sensors, actuators and disturbances of a scenario, as the closed loop takes them.

use std::collections::BTreeMap;

use super::disturbance::disturbed;
use bitloop_plant::{Real, Variable};
use bitloop_scenario::{self as file, FileError, ScenarioFile, suggestion};
use bitloop_sim::{
    Actuator, Channel, ClosedLoop, Distribution, Sensor, SimError, Timing, Uncertainty,
};

/// The loop with the scenario's sensors, actuators and disturbances.
///
/// # Errors
/// Names that the plant does not have, and times that are no whole multiples, at their place in the file.
pub(super) fn with_uncertainty(
    file: &ScenarioFile,
    closed_loop: ClosedLoop,
) -> Result<ClosedLoop, FileError> {
    let given = &file.value.uncertainty;
    if given.is_none() {
        return Ok(closed_loop);
    }
    let uncertainty = Given { file, path: "uncertainty", closed_loop: &closed_loop }.all(given)?;
    closed_loop.with_uncertainty(uncertainty).map_err(|error| {
        let hint = match error {
            SimError::TooLarge { .. } => "shorten the delays, or lengthen the control period",
            _ => "leave out what the plant cannot have",
        };
        file.error_at("uncertainty", error.to_string(), hint)
    })
}

/// Where an uncertainty is given, and the loop that it is of.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub file: &'a ScenarioFile,
    /// Its path in the file.
    pub path: &'a str,
    pub closed_loop: &'a ClosedLoop,
}

impl Given<'_> {
    /// All of it, as the loop takes it.
    pub fn all(&self, given: &file::Uncertainty) -> Result<Uncertainty, FileError> {
        let file::Uncertainty { sensors, actuators, disturbances, references } = given;
        let plant = self.closed_loop.plant().description();
        let sensors = self.by_index(("sensors", "observation"), &plant.observations, sensors)?;
        let sensors = sensors.map(|(index, name, sensor)| self.measured(index, name, sensor));
        let sensors = sensors.collect::<Result<_, _>>()?;
        let actuators = self.by_index(("actuators", "control"), &plant.controls, actuators)?;
        let channel = |index: usize| &self.closed_loop.interface().outputs[index];
        let actuators =
            actuators.map(|(index, name, actuator)| self.acted(channel(index), name, actuator));
        let actuators = actuators.collect::<Result<_, _>>()?;
        let mut disturbances = disturbed(self, "disturbances", disturbances)?;
        for name in references.keys() {
            self.check_reference(name)?;
        }
        disturbances.extend(disturbed(self, "references", references)?);
        Ok(Uncertainty { sensors, actuators, disturbances })
    }

    /// Refuses what is no set point of the plant.
    fn check_reference(&self, name: &str) -> Result<(), FileError> {
        let plant = self.closed_loop.plant().description();
        let is_observed = |name: &str| plant.observations.iter().any(|known| known.name == name);
        let set_points = plant.parameters.iter().map(|known| known.name.as_str());
        let set_points: Vec<&str> = set_points.filter(|name| is_observed(name)).collect();
        if set_points.contains(&name) {
            return Ok(());
        }
        let message = format!(
            "plant `{}` has no set point `{name}`, a parameter that can be observed under the same name",
            plant.name
        );
        let hint = if set_points.is_empty() {
            "a parameter that no controller sees may change under `disturbances`".to_owned()
        } else {
            suggestion(name, &set_points, "it has")
        };
        Err(self.file.error_at_key(&format!("{}.references.{name}", self.path), message, hint))
    }

    fn timing(&self) -> Timing {
        self.closed_loop.timing()
    }

    /// The given ones with the index of their variable, in the plant's order.
    fn by_index<'g, T>(
        &self,
        (field, kind): (&str, &str),
        variables: &'g [Variable],
        given: &'g BTreeMap<String, T>,
    ) -> Result<impl Iterator<Item = (usize, &'g str, &'g T)> + use<'g, T>, FileError> {
        let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
        if let Some(unknown) = given.keys().find(|name| !names.contains(&name.as_str())) {
            let plant = self.closed_loop.plant().description();
            return Err(self.file.error_at_key(
                &format!("{}.{field}.{unknown}", self.path),
                format!("plant `{}` has no {kind} `{unknown}`", plant.name),
                suggestion(unknown, &names, "it has"),
            ));
        }
        let of_variable = |(index, name): (usize, &'g str)| Some((index, name, given.get(name)?));
        Ok(names.into_iter().enumerate().filter_map(of_variable))
    }

    fn measured(
        &self,
        observation: usize,
        name: &str,
        sensor: &file::Sensor,
    ) -> Result<Sensor, FileError> {
        let period_s = self.timing().sample_time_s();
        let jitter = sensor.jitter_s / period_s;
        if jitter > 1.0 {
            let field = format!("{}.sensors.{name}.jitter_s", self.path);
            let message = format!("a jitter is at most the control period of {period_s} s");
            return Err(self.file.error_at(&field, message, "change this value"));
        }
        let (delay, lag) = match sensor.delay_s {
            Distribution::Fixed(delay_s) => {
                let delay = self.timing().queries("delay", delay_s);
                let delay = delay.map_err(|error| self.delay_error("sensors", name, &error))?;
                (delay, Distribution::Fixed(0.0))
            }
            drawn => (0, drawn.scaled(1.0 / period_s)),
        };
        Ok(Sensor {
            observation,
            jitter,
            bias: sensor.bias,
            noise: sensor.noise,
            noise_kept: kept(period_s, sensor.noise_time_constant_s),
            quantum: sensor.quantum,
            delay,
            lag,
            dropout: sensor.dropout,
        })
    }

    fn acted(
        &self,
        channel: &Channel,
        name: &str,
        actuator: &file::Actuator,
    ) -> Result<Actuator, FileError> {
        let (low, high) = channel.bounds;
        let (delay, lag) = match actuator.delay_s {
            Distribution::Fixed(delay_s) => {
                let delay = self.timing().ticks("delay", delay_s);
                let delay = delay.map_err(|error| self.delay_error("actuators", name, &error))?;
                (delay, Distribution::Fixed(0.0))
            }
            drawn => (0, drawn.scaled(1.0 / self.timing().step_s())),
        };
        Ok(Actuator {
            control: channel.index,
            // The control of an output of 0.
            rest: channel.center.max(low).min(high),
            bounds: channel.bounds,
            gain: actuator.gain,
            dead_band: actuator.dead_band,
            rate: actuator.rate.unwrap_or(f64::INFINITY),
            backlash: actuator.backlash,
            quantum: actuator.quantum,
            stuck_at_s: actuator.stuck_at_s.unwrap_or(Actuator::NEVER),
            delay,
            lag,
        })
    }

    fn delay_error(&self, kind: &str, name: &str, error: &SimError) -> FileError {
        let field = format!("{}.{kind}.{name}.delay_s", self.path);
        self.file.error_at(&field, error.to_string(), "change this value")
    }
}

/// What a low-pass filter of first order keeps over a control period; 0 without one.
pub(super) fn kept(period_s: f64, time_constant_s: f64) -> f64 {
    if time_constant_s > 0.0 { Real::exp(-(period_s / time_constant_s)) } else { 0.0 }
}
