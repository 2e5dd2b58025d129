//! [`Source`]: something that a machine has and its model has not, in levels.

use bitloop_scenario::{Actuator, Noise, Scenario, Sensor};
use bitloop_sim::Distribution;
use serde::{Deserialize, Serialize};

use crate::tested::Tested;

/// Something that a machine has and its model has not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// The gain of an actuator, times a factor above 1.
    GainUp(String),
    /// The gain of an actuator, times a factor below 1.
    GainDown(String),
    /// A delay of an actuator, in seconds, beside the one that it has.
    Delay(String),
    /// Normal noise on all that the controller reads, in scales of each channel.
    Noise,
    /// Probability that a reading is the one before, for each that the controller has.
    Dropout,
    /// A parameter, times a factor above 1.
    ParameterUp(String),
    /// A parameter, times a factor below 1.
    ParameterDown(String),
    /// All gains and parameters up to a share off, at random, with a tenth of it as noise.
    All,
}

/// From one factor to the next.
const FACTOR: f64 = 1.1;

/// The most levels of a source.
const MOST_LEVELS: u32 = 32;

impl Source {
    /// The sources of a test.
    #[must_use]
    pub fn of(tested: &Tested) -> Vec<Self> {
        let plant = tested.plant();
        let mut sources = Vec::new();
        for control in &plant.controls {
            let name = || control.name.clone();
            sources.extend([Self::GainUp(name()), Self::GainDown(name()), Self::Delay(name())]);
        }
        sources.extend([Self::Noise, Self::Dropout]);
        for parameter in plant.parameters.iter().filter(|parameter| parameter.default != 0.0) {
            let name = || parameter.name.clone();
            sources.extend([Self::ParameterUp(name()), Self::ParameterDown(name())]);
        }
        sources.push(Self::All);
        sources
    }

    /// What it is, in words.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::GainUp(name) => format!("gain of {name}, larger"),
            Self::GainDown(name) => format!("gain of {name}, smaller"),
            Self::Delay(name) => format!("delay of {name}"),
            Self::Noise => "noise".to_owned(),
            Self::Dropout => "dropout".to_owned(),
            Self::ParameterUp(name) => format!("{name}, larger"),
            Self::ParameterDown(name) => format!("{name}, smaller"),
            Self::All => "all at once".to_owned(),
        }
    }

    /// The unit of its levels.
    #[must_use]
    pub const fn unit(&self) -> &'static str {
        match self {
            Self::GainUp(_) | Self::GainDown(_) | Self::ParameterUp(_) | Self::ParameterDown(_) => {
                "times"
            }
            Self::Delay(_) => "s",
            Self::Noise => "scales",
            Self::Dropout => "of the queries",
            Self::All => "off",
        }
    }

    /// Its levels, from almost none on.
    #[must_use]
    pub fn levels(&self, tested: &Tested) -> Vec<f64> {
        let timing = tested.closed_loop().timing();
        let powers = |first: f64, factor: f64| -> Vec<f64> {
            let next = |level: &f64| Some(level * factor);
            std::iter::successors(Some(first), next).take(MOST_LEVELS as usize).collect()
        };
        match self {
            Self::GainUp(_) | Self::ParameterUp(_) => powers(FACTOR, FACTOR),
            Self::GainDown(_) | Self::ParameterDown(_) => powers(1.0 / FACTOR, 1.0 / FACTOR),
            Self::Delay(_) => {
                let steps = u64::from(timing.steps_per_period()).div_ceil(10);
                (1..=MOST_LEVELS).map(|k| timing.seconds(u64::from(k) * steps)).collect()
            }
            Self::Noise => powers(1e-3, std::f64::consts::SQRT_2),
            Self::Dropout => (1..20).map(|k| f64::from(k) / 20.0).collect(),
            Self::All => powers(0.01, 1.25),
        }
    }

    /// The scenario with so much of it; nothing where the plant cannot have that.
    #[must_use]
    pub fn applied(&self, level: f64, tested: &Tested) -> Option<Scenario> {
        let mut scenario = tested.replay().scenario().value.clone();
        match self {
            Self::GainUp(name) | Self::GainDown(name) => {
                let actuator = actuator(&mut scenario, name);
                actuator.gain = actuator.gain.scaled(level);
            }
            Self::Delay(name) => {
                let actuator = actuator(&mut scenario, name);
                actuator.delay_s = shifted(actuator.delay_s, level);
            }
            Self::Noise => add_noise(&mut scenario, tested, level),
            Self::Dropout => {
                for (name, _) in read(tested) {
                    let sensor = sensor(&mut scenario, name);
                    sensor.dropout = sensor.dropout.max(level);
                }
            }
            Self::ParameterUp(name) | Self::ParameterDown(name) => {
                scale_parameter(&mut scenario, tested, name, |value| value.scaled(level))?;
            }
            Self::All => {
                for control in &tested.plant().controls {
                    let actuator = actuator(&mut scenario, &control.name);
                    actuator.gain = spread(actuator.gain, level);
                }
                for parameter in &tested.plant().parameters {
                    let name = &parameter.name;
                    scale_parameter(&mut scenario, tested, name, |value| spread(value, level))?;
                }
                add_noise(&mut scenario, tested, 0.1 * level);
            }
        }
        Some(scenario)
    }
}

/// What the controller reads, with the scale of each.
fn read(tested: &Tested) -> impl Iterator<Item = (&str, f64)> {
    let (plant, inputs) = (tested.plant(), &tested.closed_loop().interface().inputs);
    inputs.iter().map(|input| (plant.observations[input.index].name.as_str(), input.scale))
}

fn sensor<'a>(scenario: &'a mut Scenario, name: &str) -> &'a mut Sensor {
    scenario.uncertainty.sensors.entry(name.to_owned()).or_default()
}

fn actuator<'a>(scenario: &'a mut Scenario, name: &str) -> &'a mut Actuator {
    scenario.uncertainty.actuators.entry(name.to_owned()).or_default()
}

/// Adds independent noise: variances add up.
fn add_noise(scenario: &mut Scenario, tested: &Tested, level: f64) {
    for (name, scale) in read(tested) {
        let sensor = sensor(scenario, name);
        let before = match sensor.noise {
            Noise::None => 0.0,
            Noise::Normal(deviation) => deviation,
            Noise::Uniform(most) => most / 3.0_f64.sqrt(),
        };
        let added = level * scale;
        sensor.noise = Noise::Normal((before * before + added * added).sqrt());
    }
}

/// Replaces the distribution of a parameter; nothing if it leaves the bounds of the plant.
fn scale_parameter(
    scenario: &mut Scenario,
    tested: &Tested,
    name: &str,
    change: impl Fn(Distribution) -> Distribution,
) -> Option<()> {
    let parameter = tested.plant().parameters.iter().find(|parameter| parameter.name == name)?;
    let before =
        scenario.parameters.get(name).copied().unwrap_or(Distribution::Fixed(parameter.default));
    let after = change(before);
    let is_within = parameter.min <= after.least() && after.largest() <= parameter.max;
    is_within.then(|| scenario.parameters.insert(name.to_owned(), after)).map(drop)
}

/// A delay that is longer.
fn shifted(delay: Distribution, by: f64) -> Distribution {
    match delay {
        Distribution::Fixed(value) => Distribution::Fixed(value + by),
        Distribution::Uniform { low, high } => {
            Distribution::Uniform { low: low + by, high: high + by }
        }
        Distribution::Normal { mean, standard_deviation } => {
            Distribution::Normal { mean: mean + by, standard_deviation }
        }
    }
}

/// Up to a share off on each side.
fn spread(distribution: Distribution, share: f64) -> Distribution {
    let (low, high) = (distribution.least(), distribution.largest());
    let (low, high) = (low - share * low.abs(), high + share * high.abs());
    if low < high { Distribution::Uniform { low, high } } else { distribution }
}
