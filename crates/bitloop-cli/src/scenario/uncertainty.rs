//! Sensors and actuators that are not perfect, and disturbances, in words.

use bitloop_scenario::{
    Actuator, Disturbance, FilteredNoise, Impulse, Noise, Ramp, Sensor, Sine, Step, Uncertainty,
};
use bitloop_sim::Distribution;

use crate::output::number::{counted, plain};
use crate::output::table::Facts;

/// Adds what is not perfect, and what disturbs.
pub fn add(facts: &mut Facts, uncertainty: &Uncertainty) {
    if !uncertainty.is_none() {
        facts.add("loop", order(uncertainty));
    }
    let sensors = uncertainty.sensors.iter().map(|(name, sensor)| (name, of_sensor(sensor)));
    let actuators = uncertainty.actuators.iter().map(|(name, it)| (name, of_actuator(it)));
    for (kind, (name, parts)) in
        sensors.map(|one| ("sensor", one)).chain(actuators.map(|one| ("actuator", one)))
    {
        let parts = if parts.is_empty() { "perfect".to_owned() } else { parts.join(", ") };
        facts.add(kind, format!("{name}: {parts}"));
    }
    for (name, disturbances) in &uncertainty.disturbances {
        let parts: Vec<_> = disturbances.iter().map(of_disturbance).collect();
        facts.add("disturbance", format!("{name}: {}", parts.join(", then ")));
    }
    for (name, courses) in &uncertainty.references {
        let parts: Vec<_> = courses.iter().map(of_disturbance).collect();
        facts.add("set point", format!("{name}: {}", parts.join(", then ")));
    }
}

/// The order of the stages that there are, from plant to plant.
fn order(uncertainty: &Uncertainty) -> String {
    let stages = [
        (!uncertainty.references.is_empty(), "set points"),
        (!uncertainty.disturbances.is_empty(), "disturbances of parameters and states"),
        (true, "observation"),
        (!uncertainty.sensors.is_empty(), "sensors"),
        (true, "controller"),
        (!uncertainty.actuators.is_empty(), "actuators"),
        (!uncertainty.disturbances.is_empty(), "disturbances of controls"),
        (true, "plant"),
    ];
    let there = stages.into_iter().filter(|(is_there, _)| *is_there);
    there.map(|(_, stage)| stage).collect::<Vec<_>>().join(" > ")
}

fn of_disturbance(disturbance: &Disturbance) -> String {
    match *disturbance {
        Disturbance::Impulse(Impulse { at_s, area, width_s }) => {
            let width =
                if width_s > 0.0 { format!(", {} s long", plain(width_s)) } else { String::new() };
            format!("impulse of area {area} at {at_s} s{width}")
        }
        Disturbance::Step(Step { at_s, to }) => format!("step to {to} at {at_s} s"),
        Disturbance::Ramp(Ramp { at_s, to, over_s }) => {
            format!("ramp to {to} from {at_s} s on, over {} s", plain(over_s))
        }
        Disturbance::Sine(Sine { amplitude, period_s, phase }) => {
            format!("sine of amplitude {amplitude}, period {period_s} s, phase {phase}")
        }
        Disturbance::Profile(ref profile) => {
            let values = match (&profile.file, &profile.column) {
                (Some(file), None) => format!("of {file}"),
                (Some(file), Some(column)) => format!("of {column} in {file}"),
                (None, _) => format!("of {}", counted(profile.points.len() as u64, "point")),
            };
            let gain = match profile.gain {
                Distribution::Fixed(1.0) => String::new(),
                gain => format!(", times {gain}"),
            };
            format!("profile {values}{gain}")
        }
        Disturbance::Noise(FilteredNoise { sd, time_constant_s }) => {
            format!(
                "noise of standard deviation {}, time constant {} s",
                plain(sd),
                plain(time_constant_s)
            )
        }
    }
}

fn of_sensor(sensor: &Sensor) -> Vec<String> {
    let &Sensor { jitter_s, bias, noise, noise_time_constant_s, quantum, delay_s, dropout } =
        sensor;
    let mut parts = Vec::new();
    push_numbers(&mut parts, [("jitter", jitter_s, " s")]);
    if bias != Distribution::Fixed(0.0) {
        parts.push(format!("bias {bias}"));
    }
    match noise {
        Noise::None => {}
        Noise::Normal(deviation) => parts.push(format!("noise Normal({})", plain(deviation))),
        Noise::Uniform(half_width) => parts.push(format!("noise Uniform({})", plain(half_width))),
    }
    push_numbers(&mut parts, [("of time constant", noise_time_constant_s, " s")]);
    push_drawn(&mut parts, [("quantum", quantum, ""), ("delay", delay_s, " s")]);
    if dropout > 0.0 {
        parts.push(format!("dropout of {} % of the queries", plain(100.0 * dropout)));
    }
    parts
}

fn of_actuator(actuator: &Actuator) -> Vec<String> {
    let &Actuator { gain, dead_band, rate, backlash, quantum, stuck_at_s, delay_s } = actuator;
    let mut parts = Vec::new();
    if gain != Distribution::Fixed(1.0) {
        parts.push(format!("gain {gain}"));
    }
    if dead_band != Distribution::Fixed(0.0) {
        parts.push(format!("dead band {dead_band}"));
    }
    if let Some(rate) = rate {
        parts.push(format!("rate {} per s", plain(rate)));
    }
    push_drawn(&mut parts, [("backlash", backlash, ""), ("quantum", quantum, "")]);
    if let Some(at_s) = stuck_at_s {
        parts.push(format!("stuck from {at_s} s on"));
    }
    push_drawn(&mut parts, [("delay", delay_s, " s")]);
    parts
}

/// Those that are not 0.
fn push_drawn<const N: usize>(parts: &mut Vec<String>, drawn: [(&str, Distribution, &str); N]) {
    let given = drawn.into_iter().filter(|(_, value, _)| *value != Distribution::Fixed(0.0));
    parts.extend(given.map(|(what, value, unit)| match value {
        Distribution::Fixed(value) => format!("{what} {}{unit}", plain(value)),
        drawn => format!("{what} {drawn}{unit}"),
    }));
}

fn push_numbers<const N: usize>(parts: &mut Vec<String>, numbers: [(&str, f64, &str); N]) {
    let given = numbers.into_iter().filter(|(_, value, _)| *value > 0.0);
    parts.extend(given.map(|(what, value, unit)| format!("{what} {}{unit}", plain(value))));
}
