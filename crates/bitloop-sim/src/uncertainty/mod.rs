//! [`Uncertainty`]: what lies between the model and the machine, as stages of the closed loop.
//!
//! Once per control period, each [`Sensor`] turns an observation into what the controller reads:
//! ```text
//! jitter -> bias and noise -> quantum -> delay -> dropout
//! ```
//! and each [`Actuator`] turns a command of the controller into the control that the plant is held under:
//! ```text
//! gain -> dead band -> limit of the rate -> backlash -> quantum -> bounds -> stuck -> delay
//! ```
//! A [`Disturbance`] acts on the plant itself: on its parameters and states before the observation, on its controls after the
//! actuators.
//!
//! What differs from episode to episode is drawn with the episode; noise is a function of the episode's key, the query and the
//! channel, so that it needs no state, and no bit depends on threads, lanes, early abort or a resumption.

mod actuator;
mod disturb;
mod disturbance;
mod lag;
mod lanes;
mod milder;
mod noise;
mod profile;
mod sensor;

use bitloop_plant::Description;

use crate::distribution::Distribution;
use crate::error::SimError;
use crate::timing::Timing;

pub use actuator::Actuator;
use disturbance::TIME;
pub use disturbance::{Course, Disturbance, Target};
pub use profile::{MAX_POINTS, Profile};
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
        let mut sensors = self.sensors.iter();
        sensors.any(|it| it.noise != Noise::None || it.dropout > 0.0 || it.jitter > 0.0)
            || courses.any(|course| matches!(course, Course::Noise { .. }))
    }

    /// Whether an observation is read by a sensor that is not perfect.
    #[must_use]
    pub fn has_sensor(&self, observation: usize) -> bool {
        self.sensors.iter().any(|sensor| sensor.observation == observation)
    }

    /// Refuses disturbances of what a plant that owns its state does not let go of.
    ///
    /// # Errors
    /// [`SimError::BadUncertainty`] with the variable.
    pub(crate) fn check_owned_state(&self, plant: &Description) -> Result<(), SimError> {
        let mut targets = self.disturbances.iter().map(|disturbance| disturbance.target);
        match targets.find(|target| !matches!(target, Target::Control(_))) {
            Some(target) => Err(bad(
                target.name(plant).unwrap_or_default(),
                "the plant owns its state, so that nothing but its controls can be disturbed",
            )),
            None => Ok(()),
        }
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

    /// What is drawn for each episode before the key of its noise: that of each sensor, then that of each actuator.
    pub(crate) fn drawn(&self) -> impl Iterator<Item = &Distribution> {
        let actuators = self.actuators.iter().flat_map(Actuator::drawn);
        self.sensors.iter().flat_map(Sensor::drawn).chain(actuators)
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

    /// Whether this is `other` with numbers for what is drawn there, and with no longer delays, whose memory is that of `other`.
    #[must_use]
    pub fn is_one_of(&self, other: &Self) -> bool {
        let sensors =
            self.sensors.iter().map(|it| &it.lag).zip(other.sensors.iter().map(|it| &it.lag));
        let actuators =
            self.actuators.iter().map(|it| &it.lag).zip(other.actuators.iter().map(|it| &it.lag));
        if sensors.chain(actuators).any(|(own, other)| own.largest() > other.largest().round()) {
            return false;
        }
        let mut drawn = self.clone();
        for (own, theirs) in drawn.distributions_mut().zip(other.distributions()) {
            if !matches!(theirs, Distribution::Fixed(_)) {
                *own = *theirs;
            }
        }
        drawn == *other
    }

    /// The same, with the delays that are drawn in `other` given as numbers that are drawn.
    #[must_use]
    pub fn with_lags_as(mut self, other: &Self) -> Self {
        let drawn = |lag: &Distribution| !matches!(lag, Distribution::Fixed(_));
        for (own, theirs) in self.sensors.iter_mut().zip(&other.sensors) {
            if drawn(&theirs.lag) && own.delay > 0 {
                own.lag = Distribution::Fixed(f64::from(std::mem::take(&mut own.delay)));
            }
        }
        for (own, theirs) in self.actuators.iter_mut().zip(&other.actuators) {
            if drawn(&theirs.lag) && own.delay > 0 {
                own.lag = Distribution::Fixed(std::mem::take(&mut own.delay) as f64);
            }
        }
        self
    }

    /// All that is drawn for each episode, to be changed.
    fn distributions_mut(&mut self) -> impl Iterator<Item = &mut Distribution> {
        let same = self;
        let sensors = same.sensors.iter_mut().flat_map(Sensor::drawn_mut);
        let actuators = same.actuators.iter_mut().flat_map(Actuator::drawn_mut);
        let courses = same.disturbances.iter_mut().flat_map(|it| &mut it.courses);
        let courses = courses.flat_map(Course::drawn_mut);
        sensors.chain(actuators).chain(courses)
    }

    /// Of each of the [`distributions`](Self::distributions), whether it is the time at which a disturbance begins.
    pub fn times(&self) -> impl Iterator<Item = bool> {
        let courses = self.disturbances.iter().flat_map(|disturbance| &disturbance.courses);
        let of_courses = courses.flat_map(|course| course.drawn().map(|(name, _)| name == TIME));
        self.drawn().map(|_| false).chain(of_courses)
    }

    /// The first row of what is drawn for actuators.
    fn first_of_actuators(&self) -> usize {
        self.sensors.len() * sensor::N_DRAWN
    }

    /// The first row of what is drawn for disturbances.
    fn first_of_disturbances(&self) -> usize {
        self.first_of_actuators() + self.actuators.len() * actuator::N_DRAWN
    }

    /// Rows of the key of each episode's noise.
    pub(crate) fn n_noise_keys(&self) -> usize {
        if self.is_none() { 0 } else { 2 }
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
        actuators.any(|it| it.control == control && it.arrives_at(step, timing))
    }

    /// The integration steps within a control period at which a delayed command reaches its actuator, ascending.
    pub(crate) fn switches(&self, timing: Timing) -> Vec<u64> {
        let within = self.actuators.iter().flat_map(|actuator| actuator.switches(timing));
        let mut switches: Vec<u64> = within.filter(|&step| step > 0).collect();
        switches.sort_unstable();
        switches.dedup();
        switches
    }
}

fn bad(name: &str, why: impl Into<String>) -> SimError {
    SimError::BadUncertainty { name: name.to_owned(), why: why.into() }
}
