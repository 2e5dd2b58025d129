//! What a loop begins with and what crosses it, for `bitloop scenario check`: starts, parameters, and signals with their scales.

use bitloop_scenario::{Distribution, Uncertainty};
use bitloop_sim::{Channel, Penalties};
use bitloop_train::ClosedLoopSetup;

use crate::output::number::plain;
use crate::output::table::Facts;

/// Adds where episodes start, and the parameters that are not the plant's own.
pub fn add_drawn(facts: &mut Facts, setup: &ClosedLoopSetup) {
    let plant = setup.closed_loop.plant().description();
    let states = plant.states.iter().map(|state| (&*state.name, &*state.unit, state.default));
    let parameters = plant.parameters.iter().map(|p| (&*p.name, &*p.unit, p.default));
    let starts = changed(states, setup.initial());
    if starts.is_empty() {
        facts.add("starts", "the plant's default state");
    }
    add_rows(facts, "starts", starts);
    add_rows(facts, "parameters", changed(parameters, setup.parameters()));
}

/// Those that are not fixed at their default, in words.
fn changed<'a>(
    variables: impl Iterator<Item = (&'a str, &'a str, f64)>,
    drawn: &[Distribution],
) -> Vec<String> {
    variables
        .zip(drawn)
        .filter(|((_, _, default), drawn)| **drawn != Distribution::Fixed(*default))
        .map(|((name, unit, _), drawn)| format!("{name} {drawn} {unit}").trim_end().to_owned())
        .collect()
}

/// Adds rows under one name.
fn add_rows(facts: &mut Facts, name: &'static str, rows: Vec<String>) {
    for (index, row) in rows.into_iter().enumerate() {
        facts.add(if index == 0 { name } else { "" }, row);
    }
}

/// Adds the observations of a parameter, as a set point, that are the same in all episodes.
pub fn add_constant(facts: &mut Facts, setup: &ClosedLoopSetup, uncertainty: &Uncertainty) {
    let observations = &setup.closed_loop.plant().description().observations;
    let inputs = setup.closed_loop.interface().inputs.iter();
    let constant = inputs.filter_map(|channel| {
        let name = &observations[channel.index].name;
        match setup.shown_parameter(name)? {
            Distribution::Fixed(value) if !uncertainty.references.contains_key(name) => {
                Some(format!("{name} = {}", plain(*value)))
            }
            _ => None,
        }
    });
    let constant: Vec<String> = constant.collect();
    if !constant.is_empty() {
        let named = constant.join(", ");
        facts.add(
            "never varied",
            format!("{named}: the controller learns no other value; `parameters` can draw it"),
        );
    }
}

/// An observation as the controller sees it: `x`, `x / 0.5`, `(x - 325) / 10`.
pub fn seen(name: &str, channel: &Channel) -> String {
    let moved = match channel.center {
        0.0 => name.to_owned(),
        center if center < 0.0 => format!("({name} + {})", plain(-center)),
        center => format!("({name} - {})", plain(center)),
    };
    if channel.scale == 1.0 { moved } else { format!("{moved} / {}", plain(channel.scale)) }
}

/// A control as an output commands it: `force = 40 * output`, `voltage = 3 + 2 * output`.
pub fn commanded(name: &str, channel: &Channel) -> String {
    let center = match channel.center {
        0.0 => String::new(),
        center => format!("{} + ", plain(center)),
    };
    let scale = match channel.scale {
        1.0 => String::new(),
        scale => format!("{} * ", plain(scale)),
    };
    format!("{name} = {center}{scale}output")
}

/// Adds the costs on controls that are in force.
pub fn add_penalties(facts: &mut Facts, penalties: &Penalties) {
    let named = penalties.named().into_iter().filter(|(_, cost)| *cost != 0.0);
    let named: Vec<String> = named.map(|(name, cost)| format!("{name} {}", plain(cost))).collect();
    if !named.is_empty() {
        facts.add("penalties", named.join(", "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_shown_where_they_do_something() {
        let channel = |center, scale| Channel { index: 0, center, scale, bounds: (-1.0, 1.0) };
        assert_eq!(seen("x", &channel(0.0, 1.0)), "x");
        assert_eq!(seen("x", &channel(0.0, 0.5)), "x / 0.5");
        assert_eq!(seen("x", &channel(-3.0, 2.0)), "(x + 3) / 2");
        assert_eq!(commanded("u", &channel(0.0, 1.0)), "u = output");
        assert_eq!(commanded("u", &channel(300.0, 10.0)), "u = 300 + 10 * output");
    }
}
