//! The rules of an uncertainty that can be checked without its plant.

use bitloop_sim::Noise;
use bitloop_text::{Checked, Problem};

use crate::check::{
    check_above_zero, check_at_least_zero, check_count, check_distribution, check_map_name,
};
use crate::uncertainty::{Actuator, Sensor, Uncertainty};

impl Uncertainty {
    pub(crate) fn check(&self) -> Checked {
        check_count("uncertainty.sensors", self.sensors.len())?;
        for (name, sensor) in &self.sensors {
            check_map_name("uncertainty.sensors", name)?;
            sensor.check().map_err(|problem| inside("sensors", name, problem))?;
        }
        check_count("uncertainty.actuators", self.actuators.len())?;
        for (name, actuator) in &self.actuators {
            check_map_name("uncertainty.actuators", name)?;
            actuator.check().map_err(|problem| inside("actuators", name, problem))?;
        }
        Ok(())
    }
}

impl Sensor {
    fn check(&self) -> Checked {
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
        check_at_least_zero("delay_s", self.delay_s, "a delay")?;
        if !(0.0..=1.0).contains(&self.dropout) {
            let message =
                format!("a dropout is a probability, from 0 to 1, found {:?}", self.dropout);
            return Err(Problem::new("dropout", message, "for instance 0.05"));
        }
        Ok(())
    }
}

impl Actuator {
    fn check(&self) -> Checked {
        check_distribution("gain", &self.gain)?;
        check_distribution("dead_band", &self.dead_band)?;
        if let Some(rate) = self.rate {
            check_above_zero("rate", rate, "the rate", "units per second")?;
        }
        check_at_least_zero("quantum", self.quantum, "a quantum")?;
        check_at_least_zero("delay_s", self.delay_s, "a delay")
    }
}

/// The problem of a field of the sensor or actuator `name`.
fn inside(kind: &str, name: &str, problem: Problem) -> Problem {
    problem.inside(name).inside(kind).inside("uncertainty")
}
