//! The rules of an uncertainty that can be checked without its plant.

use bitloop_sim::{Distribution, Noise};
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
        for (kind, named) in
            [("disturbances", &self.disturbances), ("references", &self.references)]
        {
            let path = format!("uncertainty.{kind}");
            check_count(&path, named.len())?;
            for (name, courses) in named {
                check_map_name(&path, name)?;
                if courses.len() > MOST_DISTURBANCES {
                    let n = courses.len();
                    let message =
                        format!("{n} {kind} of one signal, more than {MOST_DISTURBANCES}");
                    return Err(Problem::in_map(&path, name, message, "write fewer"));
                }
                for (index, course) in courses.iter().enumerate() {
                    course.check(longest_s).map_err(|problem| {
                        inside(kind, name, problem.inside(&index.to_string()))
                    })?;
                }
            }
        }
        match self.references.keys().find(|name| self.disturbances.contains_key(*name)) {
            Some(name) => {
                let message = format!("`{name}` is a set point here, and disturbed as well");
                let hint = "write all that changes it under `references`";
                Err(Problem::in_map("uncertainty.references", name, message, hint))
            }
            None => Ok(()),
        }
    }
}

impl Sensor {
    fn check(&self, longest_s: Option<f64>) -> Checked {
        check_at_least_zero("jitter_s", self.jitter_s, "a jitter")?;
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
        let time_constant_s = self.noise_time_constant_s;
        check_at_least_zero("noise_time_constant_s", time_constant_s, "a time constant")?;
        if time_constant_s > 0.0 && !matches!(self.noise, Noise::Normal(_)) {
            let message = "the filter is one of normal noise, and this sensor has none";
            let hint = "for instance noise: Normal(0.01)";
            return Err(Problem::new("noise_time_constant_s", message, hint));
        }
        check_from_zero("quantum", &self.quantum, "a quantum")?;
        check_delay(&self.delay_s, longest_s)?;
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
        check_from_zero("backlash", &self.backlash, "the backlash")?;
        check_from_zero("quantum", &self.quantum, "a quantum")?;
        if let Some(at_s) = &self.stuck_at_s {
            check_from_zero("stuck_at_s", at_s, "the time of a failure")?;
        }
        check_delay(&self.delay_s, longest_s)
    }
}

/// Checks what may be drawn, and is not negative.
fn check_from_zero(path: &str, distribution: &Distribution, what: &str) -> Checked {
    check_distribution(path, distribution)?;
    check_at_least_zero(path, distribution.least(), what)
}

fn check_delay(delay: &Distribution, longest_s: Option<f64>) -> Checked {
    check_from_zero("delay_s", delay, "a delay")?;
    if matches!(delay, Distribution::Normal { .. }) {
        let message = format!("{delay} has no largest delay, and memory is taken for that");
        return Err(Problem::new("delay_s", message, "for instance Uniform(0, 0.2)"));
    }
    let delay_s = delay.largest();
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
