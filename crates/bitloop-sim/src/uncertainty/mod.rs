//! [`Uncertainty`]: what lies between the model and the machine, as stages of the closed loop.
//!
//! Once per control period, each [`Sensor`] turns an observation into what the controller reads:
//! ```text
//! bias and noise -> quantum -> delay -> dropout
//! ```
//! and each [`Actuator`] turns a command of the controller into the control that the plant is held under:
//! ```text
//! gain -> dead band -> limit of the rate -> quantum -> bounds -> delay
//! ```
//! What differs from episode to episode is drawn with the episode; noise is a function of the episode's key, the query and the
//! channel, so that it needs no state, and no bit depends on threads, lanes, early abort or a resumption.

mod actuator;
mod lanes;
mod noise;
mod sensor;

use bitloop_plant::Description;

use crate::distribution::Distribution;
use crate::error::SimError;
use crate::timing::Timing;

pub use actuator::Actuator;
pub use sensor::{Noise, Sensor};

pub(crate) use lanes::UncertainLanes;

/// The most numbers that the delays of a loop keep for each episode.
const MAX_MEMORY: usize = 1 << 12;

/// Sensors and actuators that are not perfect.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Uncertainty {
    /// At most one for each observation.
    pub sensors: Vec<Sensor>,
    /// At most one for each control.
    pub actuators: Vec<Actuator>,
}

impl Uncertainty {
    /// Whether there is none.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.sensors.is_empty() && self.actuators.is_empty()
    }

    /// Whether an observation is read by a sensor that is not perfect.
    #[must_use]
    pub fn has_sensor(&self, observation: usize) -> bool {
        self.sensors.iter().any(|sensor| sensor.observation == observation)
    }

    /// Checks that each sensor and actuator is one of the plant's, and its numbers are valid.
    ///
    /// # Errors
    /// [`SimError::BadUncertainty`] with the variable.
    pub(crate) fn check(&self, plant: &Description, timing: Timing) -> Result<(), SimError> {
        for (position, sensor) in self.sensors.iter().enumerate() {
            let twice =
                self.sensors[..position].iter().any(|s| s.observation == sensor.observation);
            let Some(variable) = plant.observations.get(sensor.observation).filter(|_| !twice)
            else {
                return Err(bad("sensors", "there is no such observation, or it is given twice"));
            };
            sensor.check().map_err(|why| bad(&variable.name, why))?;
        }
        for (position, actuator) in self.actuators.iter().enumerate() {
            let twice = self.actuators[..position].iter().any(|a| a.control == actuator.control);
            let Some(variable) = plant.controls.get(actuator.control).filter(|_| !twice) else {
                return Err(bad("actuators", "there is no such control, or it is given twice"));
            };
            actuator.check().map_err(|why| bad(&variable.name, why))?;
        }
        let n_memory = self.n_memory(timing);
        if n_memory > MAX_MEMORY {
            return Err(SimError::TooLarge {
                what: "numbers kept for the delays of an episode",
                value: n_memory as f64,
                limit: MAX_MEMORY as f64,
            });
        }
        Ok(())
    }

    /// What is drawn for each episode, in this order: the bias of each sensor, gain and dead band of each actuator.
    pub(crate) fn drawn(&self) -> impl Iterator<Item = &Distribution> {
        let actuators =
            self.actuators.iter().flat_map(|actuator| [&actuator.gain, &actuator.dead_band]);
        self.sensors.iter().map(|sensor| &sensor.bias).chain(actuators)
    }

    /// Numbers drawn for each episode.
    pub(crate) fn n_drawn(&self) -> usize {
        self.sensors.len() + 2 * self.actuators.len()
    }

    /// Numbers that are kept of each episode from one query to the next.
    pub(crate) fn n_memory(&self, timing: Timing) -> usize {
        let sensors = self.sensors.iter().map(Sensor::n_memory);
        let actuators = self.actuators.iter().map(|actuator| actuator.n_memory(timing));
        sensors.chain(actuators).fold(0, usize::saturating_add)
    }

    /// The integration steps within a control period at which a delayed command reaches its actuator, ascending.
    pub(crate) fn switches(&self, timing: Timing) -> Vec<u64> {
        let within = self.actuators.iter().map(|actuator| actuator.within_period(timing));
        let mut switches: Vec<u64> = within.filter(|&step| step > 0).collect();
        switches.sort_unstable();
        switches.dedup();
        switches
    }
}

fn bad(name: &str, why: impl Into<String>) -> SimError {
    SimError::BadUncertainty { name: name.to_owned(), why: why.into() }
}
