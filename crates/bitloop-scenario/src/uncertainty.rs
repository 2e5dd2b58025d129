//! Sensors and actuators that are not perfect, and disturbances.

use std::collections::BTreeMap;

use bitloop_sim::{Distribution, Noise};
use bitloop_text::{RawField, ron_options};
use serde::{Deserialize, Serialize};

use crate::distribution::{one, raw_field, zero};
use crate::disturbance::Disturbance;

/// What lies between the model and the machine. Without it, observations are exact, and commands act at once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uncertainty {
    /// By name of the observation.
    #[serde(default)]
    pub sensors: BTreeMap<String, Sensor>,
    /// By name of the control.
    #[serde(default)]
    pub actuators: BTreeMap<String, Actuator>,
    /// What acts on the plant beside the controller, by name of the control, parameter or state; each in order.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub disturbances: BTreeMap<String, Vec<Disturbance>>,
}

impl Uncertainty {
    /// The fields whose values have several shapes.
    pub(crate) fn raw_fields() -> Vec<RawField> {
        let mut fields: Vec<RawField> =
            ["sensors.*.bias", "actuators.*.gain", "actuators.*.dead_band"].map(raw_field).into();
        let of_disturbance = |field| raw_field(&format!("disturbances.*.*.{field}"));
        fields.extend(Disturbance::DRAWN.map(of_disturbance));
        fields
    }

    /// All that is drawn for each episode, by its path.
    pub(crate) fn distributions(&self) -> impl Iterator<Item = (String, &Distribution)> {
        let sensors =
            self.sensors.iter().map(|(name, it)| (format!("sensors.{name}.bias"), &it.bias));
        let actuators = self.actuators.iter().flat_map(|(name, it)| {
            [("gain", &it.gain), ("dead_band", &it.dead_band)]
                .map(|(field, value)| (format!("actuators.{name}.{field}"), value))
        });
        let disturbances = self.disturbances.iter().flat_map(|(name, all)| {
            all.iter().enumerate().flat_map(move |(index, it)| {
                let of =
                    move |(field, value)| (format!("disturbances.{name}.{index}.{field}"), value);
                it.distributions().map(of)
            })
        });
        sensors.chain(actuators).chain(disturbances)
    }

    /// Each sensor, actuator and disturbance as a file has it, by its name in a scenario.
    pub fn by_name(&self) -> BTreeMap<String, String> {
        let sensors = self.sensors.iter().map(|(name, it)| (format!("sensors.{name}"), text(it)));
        let actuators = self.actuators.iter();
        let actuators = actuators.map(|(name, it)| (format!("actuators.{name}"), text(it)));
        let disturbances = self.disturbances.iter();
        let disturbances =
            disturbances.map(|(name, it)| (format!("disturbances.{name}"), text(it)));
        sensors.chain(actuators).chain(disturbances).collect()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.sensors.is_empty() && self.actuators.is_empty() && self.disturbances.is_empty()
    }
}

/// How an observation is measured, at each query: bias and noise, then the quantum, then the delay, then dropouts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sensor {
    /// A constant of each episode that is added. Default: 0.
    #[serde(default = "zero", with = "one")]
    pub bias: Distribution,
    /// What is added at each query. Default: `None`.
    #[serde(default)]
    pub noise: Noise,
    /// Readings are multiples of this; 0 for none, the default.
    #[serde(default)]
    pub quantum: f64,
    /// Age of a reading, a whole multiple of the control period. Default: 0.
    #[serde(default)]
    pub delay_s: f64,
    /// Probability that a query repeats the reading of the one before. Default: 0.
    #[serde(default)]
    pub dropout: f64,
}

/// How a command becomes a control: gain, then the dead band, then the limit of the rate, then the quantum, then the delay.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Actuator {
    /// A constant factor of each episode. Default: 1.
    #[serde(default = "unity", with = "one")]
    pub gain: Distribution,
    /// Commands that are closer to rest than this do nothing; a constant of each episode. Default: 0.
    #[serde(default = "zero", with = "one")]
    pub dead_band: Distribution,
    /// The fastest change per second, above 0. Default: no limit.
    #[serde(default)]
    pub rate: Option<f64>,
    /// Positions are multiples of this away from rest; 0 for none, the default.
    #[serde(default)]
    pub quantum: f64,
    /// How long a command takes to arrive, a whole multiple of the integration step. Default: 0.
    #[serde(default)]
    pub delay_s: f64,
}

impl Default for Sensor {
    /// A perfect one.
    fn default() -> Self {
        Self { bias: zero(), noise: Noise::None, quantum: 0.0, delay_s: 0.0, dropout: 0.0 }
    }
}

impl Default for Actuator {
    /// A perfect one.
    fn default() -> Self {
        Self { gain: unity(), dead_band: zero(), rate: None, quantum: 0.0, delay_s: 0.0 }
    }
}

/// As a file has it.
fn text(value: &impl Serialize) -> String {
    ron_options().to_string(value).unwrap_or_default()
}

fn unity() -> Distribution {
    Distribution::Fixed(1.0)
}
