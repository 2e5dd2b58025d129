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
//! A [`Disturbance`] acts on the plant itself: on its parameters and states before the observation, on its controls after the
//! actuators.
//!
//! What differs from episode to episode is drawn with the episode; noise is a function of the episode's key, the query and the
//! channel, so that it needs no state, and no bit depends on threads, lanes, early abort or a resumption.

mod actuator;
mod disturb;
mod disturbance;
mod lanes;
mod noise;
mod sensor;

use bitloop_plant::Description;

use crate::distribution::Distribution;
use crate::error::SimError;
use crate::timing::Timing;

pub use actuator::Actuator;
use disturbance::TIME;
pub use disturbance::{Course, Disturbance, Target};
pub use sensor::{Noise, Sensor};

pub(crate) use lanes::UncertainLanes;

/// The most numbers that the delays and disturbances of a loop keep for each episode.
const MAX_MEMORY: usize = 1 << 12;

/// Sensors and actuators that are not perfect, and disturbances.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Uncertainty {
    /// At most one for each observation.
    pub sensors: Vec<Sensor>,
    /// At most one for each control.
    pub actuators: Vec<Actuator>,
    /// At most one for each control, parameter and state.
    pub disturbances: Vec<Disturbance>,
}

impl Uncertainty {
    /// Whether there is none.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.sensors.is_empty() && self.actuators.is_empty() && self.disturbances.is_empty()
    }

    /// Whether anything depends on the key of an episode's noise.
    #[must_use]
    pub fn has_noise(&self) -> bool {
        let mut courses = self.disturbances.iter().flat_map(|disturbance| &disturbance.courses);
        self.sensors.iter().any(|sensor| sensor.noise != Noise::None || sensor.dropout > 0.0)
            || courses.any(|course| matches!(course, Course::Noise { .. }))
    }

    /// Whether an observation is read by a sensor that is not perfect.
    #[must_use]
    pub fn has_sensor(&self, observation: usize) -> bool {
        self.sensors.iter().any(|sensor| sensor.observation == observation)
    }

    /// Checks that each sensor, actuator and target is one of the plant's, and its numbers are valid.
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
        for (position, disturbance) in self.disturbances.iter().enumerate() {
            let target = disturbance.target;
            let twice = self.disturbances[..position].iter().any(|d| d.target == target);
            let Some(name) = target.name(plant).filter(|_| !twice) else {
                return Err(bad("disturbances", "there is no such target, or it is given twice"));
            };
            disturbance.check().map_err(|why| bad(name, why))?;
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

    /// What is drawn for each episode before the key of its noise, in this order: the bias of each sensor, gain and dead band
    /// of each actuator.
    pub(crate) fn drawn(&self) -> impl Iterator<Item = &Distribution> {
        let actuators =
            self.actuators.iter().flat_map(|actuator| [&actuator.gain, &actuator.dead_band]);
        self.sensors.iter().map(|sensor| &sensor.bias).chain(actuators)
    }

    /// What is drawn for each episode after the key of its noise: what varies in each disturbance, in order.
    pub(crate) fn drawn_of_disturbances(&self) -> impl Iterator<Item = &Distribution> {
        let courses = self.disturbances.iter().flat_map(|disturbance| &disturbance.courses);
        courses.flat_map(|course| course.drawn().map(|(_, distribution)| distribution))
    }

    /// All that is drawn for each episode, in order.
    pub fn distributions(&self) -> impl Iterator<Item = &Distribution> {
        self.drawn().chain(self.drawn_of_disturbances())
    }

    /// The same with all that is drawn at 0: equal for two of which one has other distributions, and nothing else.
    #[must_use]
    pub fn without_draws(&self) -> Self {
        let mut same = self.clone();
        let sensors = same.sensors.iter_mut().map(|sensor| &mut sensor.bias);
        let actuators = same.actuators.iter_mut().flat_map(|it| [&mut it.gain, &mut it.dead_band]);
        let courses = same.disturbances.iter_mut().flat_map(|it| &mut it.courses);
        let courses = courses.flat_map(Course::drawn_mut);
        sensors.chain(actuators).chain(courses).for_each(|it| *it = Distribution::Fixed(0.0));
        same
    }

    /// Of each of the [`distributions`](Self::distributions), whether it is the time at which a disturbance begins.
    pub fn times(&self) -> impl Iterator<Item = bool> {
        let courses = self.disturbances.iter().flat_map(|disturbance| &disturbance.courses);
        let of_courses = courses.flat_map(|course| course.drawn().map(|(name, _)| name == TIME));
        self.drawn().map(|_| false).chain(of_courses)
    }

    /// The first row of what is drawn for disturbances.
    fn first_of_disturbances(&self) -> usize {
        self.sensors.len() + 2 * self.actuators.len()
    }

    /// Numbers drawn for each episode.
    pub(crate) fn n_drawn(&self) -> usize {
        self.first_of_disturbances() + self.drawn_of_disturbances().count()
    }

    /// Numbers that are kept of each episode from one query to the next.
    pub(crate) fn n_memory(&self, timing: Timing) -> usize {
        let sensors = self.sensors.iter().map(Sensor::n_memory);
        let actuators = self.actuators.iter().map(|actuator| actuator.n_memory(timing));
        let disturbances = self.disturbances.iter().map(Disturbance::n_memory);
        sensors.chain(actuators).chain(disturbances).fold(0, usize::saturating_add)
    }

    /// Whether commands of a control reach its actuator `step` integration steps after a query.
    pub(crate) fn arrives(&self, control: usize, step: u64, timing: Timing) -> bool {
        let mut actuators = self.actuators.iter();
        actuators.any(|it| it.control == control && it.within_period(timing) == step)
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
