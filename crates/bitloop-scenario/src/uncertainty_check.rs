//! The rules of an uncertainty that can be checked without its plant.

use bitloop_sim::Noise;
use bitloop_text::{Checked, Problem, number};

use crate::check::{
    check_above_zero, check_at_least_zero, check_count, check_distribution, check_map_name,
};
use crate::uncertainty::{Actuator, Sensor, Uncertainty};

/// The most disturbances of one signal.
const MOST_DISTURBANCES: usize = 100;

impl Uncertainty {
    /// Checks all of it, in episodes of which the longest lasts `longest_s`, if that is known.
    pub(crate) fn check(&self, longest_s: Option<f64>) -> Checked {
        check_count("uncertainty.sensors", self.sensors.len())?;
        for (name, sensor) in &self.sensors {
            check_map_name("uncertainty.sensors", name)?;
            sensor.check(longest_s).map_err(|problem| inside("sensors", name, problem))?;
        }
        check_count("uncertainty.actuators", self.actuators.len())?;
        for (name, actuator) in &self.actuators {
            check_map_name("uncertainty.actuators", name)?;
            actuator.check(longest_s).map_err(|problem| inside("actuators", name, problem))?;
        }
        check_count("uncertainty.disturbances", self.disturbances.len())?;
        for (name, disturbances) in &self.disturbances {
            check_map_name("uncertainty.disturbances", name)?;
            if disturbances.len() > MOST_DISTURBANCES {
                let n = disturbances.len();
                let message =
                    format!("{n} disturbances of one signal, more than {MOST_DISTURBANCES}");
                return Err(Problem::in_map(
                    "uncertainty.disturbances",
                    name,
                    message,
                    "write fewer",
                ));
            }
            for (index, disturbance) in disturbances.iter().enumerate() {
                disturbance.check(longest_s).map_err(|problem| {
                    inside("disturbances", name, problem.inside(&index.to_string()))
                })?;
            }
        }
        Ok(())
    }
}

impl Sensor {
    fn check(&self, longest_s: Option<f64>) -> Checked {
        check_distribution("bias", &self.bias)?;
        match self.noise {
            Noise::None => {}
            Noise::Normal(deviation) => {
                check_at_least_zero("noise", deviation, "the standard deviation")?;
            }
            Noise::Uniform(half_width) => {
                check_at_least_zero("noise", half_width, "the largest deviation")?;
            }
        }
        check_at_least_zero("quantum", self.quantum, "a quantum")?;
        check_delay(self.delay_s, longest_s)?;
        if !(0.0..=1.0).contains(&self.dropout) {
            let message =
                format!("a dropout is a probability, from 0 to 1, found {:?}", self.dropout);
            return Err(Problem::new("dropout", message, "for instance 0.05"));
        }
        Ok(())
    }
}

impl Actuator {
    fn check(&self, longest_s: Option<f64>) -> Checked {
        check_distribution("gain", &self.gain)?;
        check_distribution("dead_band", &self.dead_band)?;
        if let Some(rate) = self.rate {
            check_above_zero("rate", rate, "the rate", "units per second")?;
        }
        check_at_least_zero("quantum", self.quantum, "a quantum")?;
        check_delay(self.delay_s, longest_s)
    }
}

fn check_delay(delay_s: f64, longest_s: Option<f64>) -> Checked {
    check_at_least_zero("delay_s", delay_s, "a delay")?;
    match longest_s {
        Some(longest_s) if delay_s >= longest_s => {
            let message = format!(
                "a delay of {} s is no shorter than the longest episode, of {} s",
                number(delay_s),
                number(longest_s)
            );
            Err(Problem::new("delay_s", message, "shorten the delay"))
        }
        _ => Ok(()),
    }
}

/// The problem of a field of the sensor, actuator or disturbance `name`.
fn inside(kind: &str, name: &str, problem: Problem) -> Problem {
    problem.inside(name).inside(kind).inside("uncertainty")
}
