//! What a plant says of itself, beyond what its host insists on.

#![expect(clippy::unnecessary_wraps, reason = "the signature is that of all checks")]

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use bitloop_plant::{Description, Variable};

use crate::episodes::{Episodes, Manner};
use crate::finding::{Checked, Finding};
use crate::numbers::Numbers;
use crate::subject::Subject;

/// Times of a step that a simulation can have: multiples of smaller ones lose bits, since they are no normal numbers.
const TIMES_S: RangeInclusive<f64> = 1e-15..=1e15;

/// The columns of a file of trajectories that are not variables of the plant.
const COLUMNS: [&str; 2] = ["episode", "time_s"];

/// That the plant could be opened is all that is asked.
pub(super) fn opens(subject: &Subject, _: &mut Numbers) -> Checked {
    let Description { name, version, .. } = subject.plant.description();
    Ok(Finding::pass(format!("{name}, version {version}")))
}

/// A name as scenarios write it, texts that are there, a control period of whole steps.
pub(super) fn description(subject: &Subject, _: &mut Numbers) -> Checked {
    let description = subject.plant.description();
    let Description { name, version, summary, step_s, sample_time_s, .. } = description;
    let is_word = |word: &str| {
        let is_fit = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        !word.is_empty() && word.chars().all(is_fit)
    };
    if !name.split('-').all(is_word) {
        return Ok(Finding::fail(format!("the name `{name}` is not lower-case words and hyphens")));
    }
    for (what, text) in [("version", version), ("summary", summary)] {
        if text.trim().is_empty() {
            return Ok(Finding::fail(format!("the {what} is empty")));
        }
    }
    let blank = description.parameters.iter().find(|parameter| parameter.meaning.trim().is_empty());
    if let Some(parameter) = blank {
        return Ok(Finding::fail(format!("parameter `{}` has no meaning", parameter.name)));
    }
    for (what, time_s) in [("step", step_s), ("sample time", sample_time_s)] {
        if !TIMES_S.contains(time_s) {
            let (min, max) = (TIMES_S.start(), TIMES_S.end());
            let reason = format!("the {what} of {time_s:e} s is not from {min:e} to {max:e} s");
            return Ok(Finding::fail(reason));
        }
    }
    let n_steps = sample_time_s / step_s;
    if n_steps.round() < 1.0 || (n_steps - n_steps.round()).abs() > 1e-9 * n_steps {
        let reason =
            format!("the sample time {sample_time_s} s is no multiple of the step {step_s} s");
        return Ok(Finding::fail(reason));
    }
    Ok(Finding::pass(""))
}

/// Names that stay apart in a file's header: no two alike but for case, no control that is called like a state.
pub(super) fn names_unique(subject: &Subject, _: &mut Numbers) -> Checked {
    let Description { states, controls, observations, parameters, structure, .. } =
        subject.plant.description();
    let of = |variables: &[Variable]| variables.iter().map(|v| v.name.clone()).collect::<Vec<_>>();
    let groups = [
        ("state or control", [of(states), of(controls)].concat()),
        ("observation or control", [of(observations), of(controls)].concat()),
        (
            "parameter",
            parameters
                .iter()
                .map(|p| p.name.clone())
                .chain(structure.iter().map(|s| s.name.clone()))
                .collect(),
        ),
    ];
    let variables = states.iter().chain(controls).chain(observations);
    for name in variables.map(|variable| &variable.name) {
        if let Some(column) = COLUMNS.iter().find(|column| name.eq_ignore_ascii_case(column)) {
            let reason = format!("`{name}` is called like the column `{column}` of trajectories");
            return Ok(Finding::fail(reason));
        }
    }
    for (kind, names) in groups {
        let mut seen = BTreeMap::new();
        for name in &names {
            if let Some(other) = seen.insert(name.to_lowercase(), name) {
                let reason = format!("`{other}` and `{name}`: each {kind} needs a name of its own");
                return Ok(Finding::fail(reason));
            }
        }
    }
    Ok(Finding::pass(""))
}

/// Units where something has one, the same for a state and the observation of it.
pub(super) fn units(subject: &Subject, _: &mut Numbers) -> Checked {
    let Description { states, controls, observations, parameters, .. } =
        subject.plant.description();
    let units: Vec<(&str, &str)> = [states, controls, observations]
        .into_iter()
        .flatten()
        .map(|v| (v.name.as_str(), v.unit.as_str()))
        .chain(parameters.iter().map(|p| (p.name.as_str(), p.unit.as_str())))
        .collect();
    if let Some((name, unit)) = units.iter().find(|(_, unit)| unit.trim() != *unit) {
        return Ok(Finding::fail(format!(
            "the unit {unit:?} of `{name}` begins or ends with a blank"
        )));
    }
    for observation in observations {
        let state = states.iter().find(|state| state.name == observation.name);
        if let Some(state) = state.filter(|state| state.unit != observation.unit) {
            let (name, [a, b]) = (&state.name, [&state.unit, &observation.unit]);
            let reason = format!("`{name}` is in `{a}` as a state and in `{b}` as an observation");
            return Ok(Finding::fail(reason));
        }
    }
    if units.iter().all(|(_, unit)| unit.is_empty()) {
        return Ok(Finding::skip("nothing has a unit; right if the plant has no dimensions"));
    }
    let n_without = units.iter().filter(|(_, unit)| unit.is_empty()).count();
    Ok(Finding::pass(format!("{n_without} of {} without dimension", units.len())))
}

/// Defaults within bounds, which the host insists on for states and parameters; centers of controls, too; and a start that
/// is no failure.
pub(super) fn defaults(subject: &Subject, _: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let description = plant.description();
    for control in &description.controls {
        if !(control.min..=control.max).contains(&control.center) {
            let reason = format!("the center of control `{}` is outside its bounds", control.name);
            return Ok(Finding::fail(reason));
        }
    }
    let start = Episodes {
        initial: vec![description.states.iter().map(|v| v.default).collect()],
        parameters: vec![description.parameters.iter().map(|p| p.default).collect()],
        controls: vec![vec![description.controls.iter().map(|v| v.center).collect()]],
    };
    let manner = Manner::first(plant);
    let mut lanes = plant.lanes(1);
    start.load(&mut lanes, &[0]);
    start.hold(&mut lanes, &[0], 0);
    plant.advance(manner.isa, &mut lanes, 4, manner.stretch(0, 1))?;
    if lanes.take_end_step(0) > 0 {
        let cost = lanes.end_cost.row(0)[0];
        return Ok(Finding::fail(format!(
            "an episode from the default state ends at its first step, with stage cost {cost}"
        )));
    }
    Ok(Finding::pass(""))
}
