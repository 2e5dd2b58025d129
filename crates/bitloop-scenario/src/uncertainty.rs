//! Sensors and actuators that are not perfect, and disturbances.

use std::collections::BTreeMap;

use bitloop_sim::{Distribution, Noise};
use bitloop_text::{RawField, ron_options};
use ron::ser::PrettyConfig;
use serde::{Deserialize, Serialize};

use crate::distribution::{is_zero, one, optional, raw_field, unity, zero};
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
    /// How set points change within an episode, by name; each in order. A set point is a parameter that the plant lets be observed
    /// under the same name, so that a controller can follow it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub references: BTreeMap<String, Vec<Disturbance>>,
}

impl Uncertainty {
    /// As a scenario holds it.
    ///
    /// # Panics
    /// Never: every field has a form.
    #[must_use]
    pub fn written(&self) -> String {
        let pretty = PrettyConfig::new().new_line("\n").struct_names(false).depth_limit(2);
        let text = ron_options().to_string_pretty(self, pretty).expect("every field has a form");
        // `ron` marks the choice `None`, which is no option.
        text.replace(": r#None", ": None")
    }

    /// The fields whose values have several shapes.
    pub(crate) fn raw_fields() -> Vec<RawField> {
        let mut fields: Vec<RawField> =
            Sensor::DRAWN.map(|field| raw_field(&format!("sensors.*.{field}"))).into();
        fields.extend(Actuator::DRAWN.map(|field| raw_field(&format!("actuators.*.{field}"))));
        for kind in ["disturbances", "references"] {
            let of_course = |field| raw_field(&format!("{kind}.*.*.{field}"));
            fields.extend(Disturbance::DRAWN.map(of_course));
        }
        fields
    }

    /// All that is drawn for each episode, by its path.
    pub(crate) fn distributions(&self) -> impl Iterator<Item = (String, &Distribution)> {
        let sensors = self.sensors.iter().flat_map(|(name, it)| {
            let of = move |(field, value)| (format!("sensors.{name}.{field}"), value);
            it.distributions().map(of)
        });
        let actuators = self.actuators.iter().flat_map(|(name, it)| {
            let of = move |(field, value)| (format!("actuators.{name}.{field}"), value);
            it.distributions().map(of)
        });
        let courses = self.courses().flat_map(|(path, course)| {
            let of = move |(field, value)| (format!("{path}.{field}"), value);
            course.distributions().map(of)
        });
        sensors.chain(actuators).chain(courses)
    }

    /// What changes signals within an episode, by its path: disturbances, then references.
    pub(crate) fn courses(&self) -> impl Iterator<Item = (String, &Disturbance)> {
        let kinds = [("disturbances", &self.disturbances), ("references", &self.references)];
        kinds.into_iter().flat_map(|(kind, named)| {
            named.iter().flat_map(move |(name, all)| {
                let of = move |(index, it)| (format!("{kind}.{name}.{index}"), it);
                all.iter().enumerate().map(of)
            })
        })
    }

    /// The paths of what changes signals, in order.
    pub(crate) fn course_paths(&self) -> Vec<String> {
        self.courses().map(|(path, _)| path).collect()
    }

    /// What changes signals, to be changed, in the same order.
    pub fn courses_mut(&mut self) -> impl Iterator<Item = &mut Disturbance> {
        self.disturbances.values_mut().chain(self.references.values_mut()).flatten()
    }

    /// Each sensor, actuator, disturbance and reference as a file has it, by its name in a scenario.
    pub fn by_name(&self) -> BTreeMap<String, String> {
        let sensors = self.sensors.iter().map(|(name, it)| (format!("sensors.{name}"), text(it)));
        let actuators = self.actuators.iter();
        let actuators = actuators.map(|(name, it)| (format!("actuators.{name}"), text(it)));
        let disturbances = self.disturbances.iter();
        let disturbances =
            disturbances.map(|(name, it)| (format!("disturbances.{name}"), text(it)));
        let references = self.references.iter();
        let references = references.map(|(name, it)| (format!("references.{name}"), text(it)));
        sensors.chain(actuators).chain(disturbances).chain(references).collect()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_none(&self) -> bool {
        let Self { sensors, actuators, disturbances, references } = self;
        sensors.is_empty()
            && actuators.is_empty()
            && disturbances.is_empty()
            && references.is_empty()
    }
}

/// How an observation is measured, at each query: jitter, then bias and noise, then the quantum, then the delay, then dropouts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sensor {
    /// The longest time before a query at which a reading may be taken, up to the control period. Default: 0.
    #[serde(default, skip_serializing_if = "is_none")]
    pub jitter_s: f64,
    /// A constant of each episode that is added. Default: 0.
    #[serde(default = "zero", with = "one")]
    pub bias: Distribution,
    /// What is added at each query. Default: `None`.
    #[serde(default)]
    pub noise: Noise,
    /// The time constant of a low-pass filter of normal noise; 0 for white noise, the default.
    #[serde(default, skip_serializing_if = "is_none")]
    pub noise_time_constant_s: f64,
    /// Readings are multiples of this; 0 for none, the default.
    #[serde(default = "zero", with = "one")]
    pub quantum: Distribution,
    /// Age of a reading, a whole multiple of the control period; rounded to one where it is drawn. Default: 0.
    #[serde(default = "zero", with = "one")]
    pub delay_s: Distribution,
    /// Probability that a query repeats the reading of the one before. Default: 0.
    #[serde(default)]
    pub dropout: f64,
}

/// How a command becomes a control: gain, then the dead band, then the limit of the rate, then the backlash, then the quantum, then
/// a failure, then the delay.
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
    /// The play: a position stays until a command is half of it away; a constant of each episode. Default: 0.
    #[serde(default = "zero", with = "one", skip_serializing_if = "is_zero")]
    pub backlash: Distribution,
    /// Positions are multiples of this away from rest; 0 for none, the default.
    #[serde(default = "zero", with = "one")]
    pub quantum: Distribution,
    /// From when on the position stays as it is, rounded to a control period. Default: never.
    #[serde(default, with = "optional", skip_serializing_if = "Option::is_none")]
    pub stuck_at_s: Option<Distribution>,
    /// How long a command takes to arrive, a whole multiple of the integration step; rounded to one where it is drawn. Default: 0.
    #[serde(default = "zero", with = "one")]
    pub delay_s: Distribution,
}

impl Sensor {
    const DRAWN: [&'static str; 3] = ["bias", "quantum", "delay_s"];

    /// What may be drawn for each episode, by the names of the fields.
    fn distributions(&self) -> impl Iterator<Item = (&'static str, &Distribution)> {
        Self::DRAWN.into_iter().zip([&self.bias, &self.quantum, &self.delay_s])
    }
}

impl Actuator {
    const DRAWN: [&'static str; 6] =
        ["gain", "dead_band", "backlash", "quantum", "stuck_at_s", "delay_s"];

    /// What may be drawn for each episode, by the names of the fields.
    fn distributions(&self) -> impl Iterator<Item = (&'static str, &Distribution)> {
        let Self { gain, dead_band, rate: _, backlash, quantum, stuck_at_s, delay_s } = self;
        let all = [Some(gain), Some(dead_band), Some(backlash), Some(quantum)];
        let all = all.into_iter().chain([stuck_at_s.as_ref(), Some(delay_s)]);
        Self::DRAWN.into_iter().zip(all).filter_map(|(name, value)| Some((name, value?)))
    }
}

impl Default for Sensor {
    /// A perfect one.
    fn default() -> Self {
        Self {
            jitter_s: 0.0,
            bias: zero(),
            noise: Noise::None,
            noise_time_constant_s: 0.0,
            quantum: zero(),
            delay_s: zero(),
            dropout: 0.0,
        }
    }
}

impl Default for Actuator {
    /// A perfect one.
    fn default() -> Self {
        Self {
            gain: unity(),
            dead_band: zero(),
            rate: None,
            backlash: zero(),
            quantum: zero(),
            stuck_at_s: None,
            delay_s: zero(),
        }
    }
}

/// As a file has it.
fn text(value: &impl Serialize) -> String {
    ron_options().to_string(value).unwrap_or_default()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_none(value: &f64) -> bool {
    *value == 0.0
}
