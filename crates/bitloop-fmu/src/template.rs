//! [`template`]: the first file beside an FMU, which works at once and lists all variables.

use std::fmt::Write as _;

use crate::expression::quoted_name;
use crate::model::{Causality, Model, ModelVariable};
use crate::plan::{USUAL_STEP_S, USUAL_STEPS, summary};
use crate::resolver::{nominal, without_control};

/// The most controls, and the most observations, in the first file.
const MOST: usize = 16;

/// The text of a file that makes a plant of a model: inputs are controls, outputs, or else states, are observations, and the
/// cost is the sum of their squares. All other variables are in comments.
#[must_use]
pub fn template(model: &Model, file: &str) -> String {
    let usable = || model.variables.iter().filter(|variable| variable.unusable.is_none());
    let of = |causality| usable().filter(move |variable| variable.causality == causality);
    let inputs: Vec<_> = of(Causality::Input).collect();
    let parameters: Vec<_> = of(Causality::Parameter).filter(|p| !p.is_constant).collect();
    let controls = if inputs.is_empty() { &parameters } else { &inputs };
    let n_controls = if inputs.is_empty() { controls.len().min(1) } else { MOST };
    let states: Vec<_> = model.states.iter().map(|&at| &model.variables[at]).collect();
    let outputs: Vec<_> = of(Causality::Output).collect();
    let observed = if outputs.is_empty() { &states } else { &outputs };

    let mut text = format!(
        "// What makes a plant of {}: {}.\n\
         // `bitloop plant info {file}` shows the plant, `bitloop scenario new {file} -o FILE.ron` writes a first scenario.\n\
         // Numbers are in the units of the model. Names in expressions with signs other than letters, digits, _ and . are\n\
         // put between '...'.\n\
         Fmu(\n",
        without_control(file),
        without_control(summary(model)),
    );
    text += "    // What a controller commands: inputs, or parameters. center and scale are what its outputs 0 and 1 stand for.\n    controls: {\n";
    if inputs.is_empty() && !parameters.is_empty() {
        text += "        // The model has no input, so that a parameter is the control here.\n";
    }
    for (index, variable) in controls.iter().enumerate() {
        entry(&mut text, variable, index >= n_controls, &range(variable, (-1.0, 1.0)));
    }
    text += "    },\n    // What a controller sees. `\"name\": (value: \"sin(x)\")` observes an expression.\n    observations: {\n";
    for (index, variable) in observed.iter().enumerate() {
        let scale = format!("scale: {:?}", nominal(variable));
        entry(&mut text, variable, index >= MOST, &scale);
    }
    let is_observed = |of: &ModelVariable| observed.iter().any(|o| o.reference == of.reference);
    for variable in usable().filter(|v| v.causality != Causality::Input && !is_observed(v)) {
        if !matches!(variable.causality, Causality::Parameter | Causality::Independent) {
            entry(&mut text, variable, true, "scale: 1.0");
        }
    }
    text += "    },\n    // What a scenario may change or draw.\n    parameters: {\n";
    for variable in &parameters {
        entry(&mut text, variable, true, "");
    }
    text += "    },\n    // Start values in place of the model's.\n    starts: {\n";
    let has_start = |of: &&ModelVariable| of.has_start && !of.is_constant;
    let shown: Vec<_> = outputs.iter().copied().filter(has_start).collect();
    // A model without continuous states shows its state by a variable whose start value it takes.
    let starts = if states.is_empty() { &shown } else { &states };
    for (index, variable) in starts.iter().enumerate() {
        let mark = if states.is_empty() && index == 0 { "" } else { "// " };
        let start = variable.start.map_or("1.0".to_owned(), |start| format!("{start:?}"));
        let _ = writeln!(text, "        {mark}{:?}: {start},{}", variable.name, unit(variable));
    }
    let squares: Vec<String> =
        observed.iter().take(MOST).map(|o| format!("{}^2", quoted_name(&o.name))).collect();
    let step_s = model.step_s.unwrap_or(USUAL_STEP_S);
    let cost = if squares.is_empty() { "1".to_owned() } else { squares.join(" + ") };
    let _ = write!(
        text,
        "    }},\n\
         \x20   // The cost of a step, at least 0, which training makes small: + - * / ^, abs, min, max, sqrt, sin, cos, tan, exp, ln,\n\
         \x20   // tanh, atan2, if(condition, a, b), < <= > >= == !=, and, or, not, pi, time. It may use controls.\n\
         \x20   cost: {cost:?},\n\
         \x20   // Where an episode fails, and what is charged then for each step that is left:\n\
         \x20   // failure: {:?},\n\
         \x20   // failure_cost: 100.0,\n\
         \x20   // The integration step and the control period in seconds:\n\
         \x20   step_s: {:?},\n\
         \x20   sample_time_s: {:?},\n\
         )\n",
        squares
            .first()
            .map_or("time > 10".to_owned(), |s| format!("abs({}) > 10", &s[..s.len() - 2])),
        step_s,
        USUAL_STEPS * step_s,
    );
    text
}

/// A line for a variable.
fn entry(text: &mut String, variable: &ModelVariable, is_comment: bool, settings: &str) {
    let mark = if is_comment { "// " } else { "" };
    let _ = writeln!(text, "        {mark}{:?}: ({settings}),{}", variable.name, unit(variable));
}

fn range(variable: &ModelVariable, usual: (f64, f64)) -> String {
    let (min, max) = (variable.min.unwrap_or(usual.0), variable.max.unwrap_or(usual.1));
    format!("min: {min:?}, max: {max:?}")
}

/// Unit and meaning of a variable as a comment.
fn unit(variable: &ModelVariable) -> String {
    let mut words = Vec::new();
    if !variable.unit.is_empty() {
        words.push(format!("[{}]", without_control(&variable.unit)));
    }
    if !variable.description.is_empty() {
        words.push(without_control(&variable.description));
    }
    if words.is_empty() { String::new() } else { format!("  // {}", words.join(" ")) }
}
