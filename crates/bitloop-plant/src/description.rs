//! The description of a plant: names, units, bounds, scales, parameters, integrators and default times.

use std::fmt;

use crate::codes::MAX_VARIABLES;
use crate::integrator::Integrator;

/// The longest name, unit or version, in bytes.
pub const MAX_NAME_BYTES: usize = 64;

/// The longest summary or meaning, in bytes.
pub const MAX_TEXT_BYTES: usize = 1024;

/// A state, a control input, or an observation.
///
/// `center` and `scale` belong to the interface between plant and controller: a controller sees
/// `(value - center) / scale`, and commands `center + scale * output`. A reactor at 350 K would otherwise saturate every
/// hidden unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Unique among the variables of its kind.
    pub name: String,
    /// As printed, such as `rad/s`; empty where there is none.
    pub unit: String,
    /// The least legal value. A control is saturated here.
    pub min: f64,
    /// The greatest legal value. A control is saturated here.
    pub max: f64,
    /// The value that a controller sees as 0.
    pub center: f64,
    /// The distance from `center` that a controller sees as 1; positive.
    pub scale: f64,
    /// The value of a state at the start of an episode, unless a scenario says otherwise.
    /// It is read of states alone; controls and observations have any number here, such as 0.
    pub default: f64,
}

impl Variable {
    /// A variable without bounds, centered at 0 with scale 1, which starts at 0.
    pub fn new(name: &str, unit: &str) -> Self {
        Self {
            name: name.to_owned(),
            unit: unit.to_owned(),
            min: f64::NEG_INFINITY,
            max: f64::INFINITY,
            center: 0.0,
            scale: 1.0,
            default: 0.0,
        }
    }

    /// The same variable, held to `[min, max]`.
    #[must_use]
    pub fn bounded(self, min: f64, max: f64) -> Self {
        Self { min, max, ..self }
    }

    /// The same variable, seen by controllers as `(value - center) / scale`.
    #[must_use]
    pub fn scaled(self, center: f64, scale: f64) -> Self {
        Self { center, scale, ..self }
    }

    /// The same variable, starting at `default`.
    #[must_use]
    pub fn starting_at(self, default: f64) -> Self {
        Self { default, ..self }
    }
}

/// A number that the equations use, which an episode may draw anew.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Unique among the parameters.
    pub name: String,
    /// As printed, such as `kg`; empty where there is none.
    pub unit: String,
    /// What the parameter is.
    pub meaning: String,
    /// Its value unless a scenario says otherwise.
    pub default: f64,
    /// The least legal value.
    pub min: f64,
    /// The greatest legal value.
    pub max: f64,
}

impl Parameter {
    /// A parameter without bounds.
    pub fn new(name: &str, unit: &str, default: f64, meaning: &str) -> Self {
        Self {
            name: name.to_owned(),
            unit: unit.to_owned(),
            meaning: meaning.to_owned(),
            default,
            min: f64::NEG_INFINITY,
            max: f64::INFINITY,
        }
    }

    /// The same parameter, held to `[min, max]`.
    #[must_use]
    pub fn bounded(self, min: f64, max: f64) -> Self {
        Self { min, max, ..self }
    }
}

/// A whole number that decides the sizes of a plant, such as the number of links of a chain. It is fixed for a whole
/// batch, where an ordinary [`Parameter`] may differ from episode to episode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructuralParameter {
    /// Unique among the structural parameters.
    pub name: String,
    /// What the number counts.
    pub meaning: String,
    /// Its value unless a scenario says otherwise.
    pub default: u64,
    /// The least legal value.
    pub min: u64,
    /// The greatest legal value.
    pub max: u64,
}

/// The description of a plant.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// How scenarios name the plant: lower-case words joined by hyphens.
    pub name: String,
    /// Of the plant's equations; a change that moves bits changes it.
    pub version: String,
    /// One sentence.
    pub summary: String,
    /// In the order of the state vector.
    pub states: Vec<Variable>,
    /// In the order of the control vector.
    pub controls: Vec<Variable>,
    /// In the order of the observation vector.
    pub observations: Vec<Variable>,
    /// In the order of the parameter vector.
    pub parameters: Vec<Parameter>,
    /// In the order of the structure vector.
    pub structure: Vec<StructuralParameter>,
    /// The integrators that the plant can be run with; the first is the default.
    pub integrators: Vec<Integrator>,
    /// The integration step unless a scenario says otherwise, in seconds.
    pub step_s: f64,
    /// The control period unless a scenario says otherwise, in seconds.
    pub sample_time_s: f64,
}

/// How many numbers of each kind a plant has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sizes {
    /// Length of the state vector x.
    pub n_states: usize,
    /// Length of the control vector u.
    pub n_controls: usize,
    /// Length of the observation vector y.
    pub n_observations: usize,
    /// Length of the parameter vector p.
    pub n_parameters: usize,
}

impl Sizes {
    /// Whether no kind has more than `limit` numbers.
    #[inline(always)]
    #[must_use]
    pub const fn all_at_most(self, limit: usize) -> bool {
        self.n_states <= limit
            && self.n_controls <= limit
            && self.n_observations <= limit
            && self.n_parameters <= limit
    }
}

/// A fault of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescriptionError(pub(crate) String);

impl fmt::Display for DescriptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DescriptionError {}

impl Description {
    /// The lengths of the vectors.
    #[must_use]
    pub fn sizes(&self) -> Sizes {
        Sizes {
            n_states: self.states.len(),
            n_controls: self.controls.len(),
            n_observations: self.observations.len(),
            n_parameters: self.parameters.len(),
        }
    }

    /// The structure asked for, or the usual one.
    ///
    /// # Errors
    /// [`DescriptionError`] if there are too many or too few numbers, or one is out of its range.
    pub fn structure_of(&self, asked: Option<&[u64]>) -> Result<Vec<u64>, DescriptionError> {
        let declared = &self.structure;
        let Some(values) = asked else {
            return Ok(declared.iter().map(|parameter| parameter.default).collect());
        };
        if values.len() != declared.len() {
            return Err(DescriptionError(format!(
                "{} structural parameters given, but the plant has {}",
                values.len(),
                declared.len()
            )));
        }
        for (parameter, &value) in declared.iter().zip(values) {
            if !(parameter.min..=parameter.max).contains(&value) {
                return Err(DescriptionError(format!(
                    "structural parameter `{}` is {value}: it must be in [{}, {}]",
                    parameter.name, parameter.min, parameter.max
                )));
            }
        }
        Ok(values.to_vec())
    }

    /// Checks that names are present, unique and short, that numbers make sense, and that there is something to control.
    ///
    /// # Errors
    /// [`DescriptionError`] names the first fault.
    pub fn check(&self) -> Result<(), DescriptionError> {
        check_name("plant", &self.name)?;
        check_text("the plant's version", &self.version, MAX_NAME_BYTES)?;
        check_text("the plant's summary", &self.summary, MAX_TEXT_BYTES)?;
        if !self.sizes().all_at_most(MAX_VARIABLES) || self.structure.len() > MAX_VARIABLES {
            return Err(DescriptionError(format!(
                "{:?}, and {} structural parameters: at most {MAX_VARIABLES} of each are allowed",
                self.sizes(),
                self.structure.len()
            )));
        }
        for (kind, variables) in [
            ("state", &self.states),
            ("control", &self.controls),
            ("observation", &self.observations),
        ] {
            if variables.is_empty() {
                return Err(DescriptionError(format!("the plant has no {kind}: it needs one")));
            }
            check_unique(kind, variables.iter().map(|variable| variable.name.as_str()))?;
            variables.iter().try_for_each(|variable| check_variable(kind, variable))?;
        }
        check_unique("parameter", self.parameters.iter().map(|p| p.name.as_str()))?;
        self.parameters.iter().try_for_each(check_parameter)?;
        check_unique("structural parameter", self.structure.iter().map(|s| s.name.as_str()))?;
        for parameter in &self.structure {
            let what = format!("the meaning of structural parameter `{}`", parameter.name);
            check_text(&what, &parameter.meaning, MAX_TEXT_BYTES)?;
            if !(parameter.min..=parameter.max).contains(&parameter.default) {
                return Err(DescriptionError(format!(
                    "structural parameter `{}`: its default {} is outside [{}, {}]",
                    parameter.name, parameter.default, parameter.min, parameter.max
                )));
            }
        }
        if self.integrators.is_empty() {
            return Err(DescriptionError("the plant names no integrator: it needs one".to_owned()));
        }
        for (index, integrator) in self.integrators.iter().enumerate() {
            if self.integrators[..index].contains(integrator) {
                let name = integrator.name();
                return Err(DescriptionError(format!("the integrator {name} is listed twice")));
            }
        }
        for (what, value) in [("step_s", self.step_s), ("sample_time_s", self.sample_time_s)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(DescriptionError(format!("`{what}` is {value}: it must be positive")));
            }
        }
        Ok(())
    }
}

fn check_name(kind: &str, name: &str) -> Result<(), DescriptionError> {
    if name.is_empty() {
        return Err(DescriptionError(format!("a {kind} has an empty name")));
    }
    if name.len() > MAX_NAME_BYTES {
        return Err(DescriptionError(format!(
            "a {kind} has a name of {} bytes: at most {MAX_NAME_BYTES} are allowed",
            name.len()
        )));
    }
    if name.chars().any(|c| c.is_control() || c == '"') {
        return Err(DescriptionError(format!("{kind} {name:?}: control characters in its name")));
    }
    Ok(())
}

fn check_unique<'a>(
    kind: &str,
    names: impl Iterator<Item = &'a str>,
) -> Result<(), DescriptionError> {
    let mut seen = std::collections::BTreeSet::new();
    for name in names {
        check_name(kind, name)?;
        if !seen.insert(name) {
            return Err(DescriptionError(format!("two {kind}s are named `{name}`")));
        }
    }
    Ok(())
}

fn check_variable(kind: &str, variable: &Variable) -> Result<(), DescriptionError> {
    let Variable { name, unit, min, max, center, scale, default } = variable;
    let fault = |what: String| Err(DescriptionError(format!("{kind} `{name}`: {what}")));
    check_unit(kind, name, unit)?;
    let in_order = min < max;
    if !in_order {
        return fault(format!("its bounds [{min}, {max}] are empty"));
    }
    if !(*scale > 0.0 && scale.is_finite() && center.is_finite()) {
        return fault(format!(
            "center {center} and scale {scale}: both must be finite, and scale > 0"
        ));
    }
    if !(default.is_finite() && min <= default && default <= max) {
        return fault(format!("its default {default} is outside [{min}, {max}]"));
    }
    Ok(())
}

fn check_text(what: &str, text: &str, limit: usize) -> Result<(), DescriptionError> {
    if text.len() > limit {
        return Err(DescriptionError(format!(
            "{what} has {} bytes: at most {limit} are allowed",
            text.len()
        )));
    }
    if text.chars().any(char::is_control) {
        return Err(DescriptionError(format!("{what} has control characters")));
    }
    Ok(())
}

fn check_unit(kind: &str, name: &str, unit: &str) -> Result<(), DescriptionError> {
    if unit.len() <= MAX_NAME_BYTES && !unit.chars().any(char::is_control) {
        return Ok(());
    }
    Err(DescriptionError(format!(
        "{kind} `{name}`: its unit is longer than {MAX_NAME_BYTES} bytes, or has control characters"
    )))
}

fn check_parameter(parameter: &Parameter) -> Result<(), DescriptionError> {
    let Parameter { name, unit, meaning, default, min, max } = parameter;
    check_unit("parameter", name, unit)?;
    check_text(&format!("the meaning of parameter `{name}`"), meaning, MAX_TEXT_BYTES)?;
    if default.is_finite() && min <= default && default <= max {
        return Ok(());
    }
    Err(DescriptionError(format!(
        "parameter `{name}`: its default {default} is outside [{min}, {max}]"
    )))
}
