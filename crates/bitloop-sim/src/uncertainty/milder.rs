//! Less of an uncertainty, for the first stages of a curriculum.

use bitloop_plant::LaneMatrix;

use super::{Actuator, Course, Noise, Sensor, Target, Uncertainty};
use crate::distribution::Distribution;

/// What a drawn value is with no uncertainty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Neutral {
    /// This number.
    Value(f64),
    /// The episode's value of this parameter.
    Parameter(usize),
    /// As it is drawn: times, and delays, whose memory is that of the largest.
    AsDrawn,
}

impl Uncertainty {
    /// The same with the share `scale` of noise, jitter and dropouts, from 0 to 1. What is drawn for each episode is scaled with
    /// the episodes; delays, limits of rates, times and profiles stay as they are.
    #[must_use]
    pub(crate) fn milder(&self, scale: f64) -> Self {
        let mut milder = self.clone();
        for sensor in &mut milder.sensors {
            sensor.noise = match sensor.noise {
                Noise::None => Noise::None,
                Noise::Normal(deviation) => Noise::Normal(deviation * scale),
                Noise::Uniform(most) => Noise::Uniform(most * scale),
            };
            // What is left of it keeps its row of memory.
            sensor.jitter *= scale;
            sensor.dropout *= scale;
            sensor.quantum = scaled(sensor.quantum, scale);
        }
        for actuator in &mut milder.actuators {
            actuator.quantum = scaled(actuator.quantum, scale);
        }
        for course in milder.disturbances.iter_mut().flat_map(|it| &mut it.courses) {
            if let Course::Noise { deviation, .. } = course {
                *deviation *= scale;
            }
        }
        milder
    }

    /// What each drawn value is with no uncertainty, in the order of the distributions.
    fn neutrals(&self) -> Vec<Neutral> {
        let sensors = self.sensors.iter().flat_map(|_| Sensor::neutrals());
        let actuators = self.actuators.iter().flat_map(|_| Actuator::neutrals());
        let courses = self.disturbances.iter().flat_map(|disturbance| {
            let to = match disturbance.target {
                Target::Parameter(index) => Neutral::Parameter(index),
                Target::Control(_) | Target::State(_) => Neutral::Value(0.0),
            };
            disturbance.courses.iter().flat_map(move |course| course.neutrals(to))
        });
        sensors.chain(actuators).chain(courses).collect()
    }

    /// Brings what was drawn for episodes with these parameters nearer to no uncertainty.
    pub(crate) fn ease(&self, scale: f64, drawn: &mut LaneMatrix, parameters: &LaneMatrix) {
        for (row, neutral) in self.neutrals().into_iter().enumerate() {
            for (lane, value) in drawn.row_mut(row).iter_mut().enumerate() {
                let center = match neutral {
                    Neutral::Value(center) => center,
                    Neutral::Parameter(index) => parameters.row(index)[lane],
                    Neutral::AsDrawn => continue,
                };
                *value = center + scale * (*value - center);
            }
        }
    }
}

/// A quantum of this share; one that is drawn is scaled with its episode.
fn scaled(quantum: Distribution, scale: f64) -> Distribution {
    match quantum {
        Distribution::Fixed(quantum) => Distribution::Fixed(quantum * scale),
        drawn => drawn,
    }
}
