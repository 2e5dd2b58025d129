//! [`Resolver`]: names of the settings, found in the model.

use bitloop_plant::{MAX_NAME_BYTES, MAX_TEXT_BYTES, Parameter, Variable};
use bitloop_text::{ErrorKind, FileError, Source as Text, suggestion};

use crate::binding::{Slot, Source};
use crate::expression::{ExpressionError, Kind, Program, compile};
use crate::model::{Causality, Model, ModelVariable};
use crate::settings::{Channel, Observation, ParameterSettings};

/// Names of the model and of the settings.
pub(crate) struct Resolver<'a> {
    model: &'a Model,
    text: &'a Text,
    /// Whether the model takes its own steps, so that nothing but inputs can be set meanwhile.
    is_stepped: bool,
    /// The variables that are states, in order.
    pub states: Vec<usize>,
    /// Names that the settings give to variables: a control or parameter.
    own: Vec<(String, u32, Source)>,
    pub slots: Vec<(String, Slot)>,
    pub outputs: Vec<u32>,
    pub inputs: Vec<(Source, u32)>,
    pub before_start: Vec<(Source, u32)>,
    /// A legal value of each control: the model's start value, or the center.
    pub rest: Vec<f64>,
}

impl<'a> Resolver<'a> {
    pub fn new(model: &'a Model, text: &'a Text, is_stepped: bool) -> Self {
        Self {
            model,
            text,
            is_stepped,
            states: model.states.clone(),
            own: Vec::new(),
            slots: Vec::new(),
            outputs: Vec::new(),
            inputs: Vec::new(),
            before_start: Vec::new(),
            rest: Vec::new(),
        }
    }

    /// An error at the value of a path, or at its name.
    fn error(&self, path: &[&str], at_key: bool, message: String, hint: String) -> FileError {
        let located = self.text.locate_in(path);
        let span = located.map(|located| match located.key {
            Some(key) if at_key => key,
            _ => located.value,
        });
        self.text.error(ErrorKind::Value, span, message, Some(hint))
    }

    fn unknown(&self, name: &str) -> (String, String) {
        let names: Vec<&str> = self.model.variables.iter().map(|v| v.name.as_str()).collect();
        let all = "`bitloop plant new --fmu` lists the variables of the model";
        (format!("the model has no variable `{name}`"), suggestion(name, &names, all))
    }

    /// The model's variable of this name, whose value is a number; or a message and a hint.
    fn usable(&self, name: &str) -> Result<&'a ModelVariable, (String, String)> {
        let variable = self.model.variable(name).ok_or_else(|| self.unknown(name))?;
        let Some(why) = &variable.unusable else { return Ok(variable) };
        let hint = "scalar variables of type Real or Float64 can be used".to_owned();
        Err((format!("`{name}` is {why}"), hint))
    }

    /// The model's variable of an entry, which may name it by another field.
    fn variable(
        &self,
        map: &str,
        key: &str,
        named: Option<&String>,
    ) -> Result<&'a ModelVariable, FileError> {
        let name = named.map_or(key, String::as_str);
        let path = [map, key, "variable"];
        let path = if named.is_some() { &path[..] } else { &path[..2] };
        let fail = |(message, hint)| self.error(path, named.is_none(), message, hint);
        self.usable(name).map_err(fail)
    }

    /// A variable that is set from outside.
    fn settable(
        &mut self,
        map: &str,
        key: &str,
        named: Option<&String>,
        source: Source,
    ) -> Result<&'a ModelVariable, FileError> {
        let variable = self.variable(map, key, named)?;
        let name = &variable.name;
        if let Some((other, ..)) = self.own.iter().find(|own| own.1 == variable.reference) {
            let message = format!("`{name}` is set by `{other}` already");
            return Err(self.error(&[map, key], true, message, "keep one of both".to_owned()));
        }
        let is_control = matches!(source, Source::Control(_));
        let list = match variable.causality {
            Causality::Input => &mut self.inputs,
            Causality::Parameter if is_control && self.is_stepped => {
                let message = format!("`{name}` is a parameter, which Co-Simulation takes once");
                let hint = "a control is an input of the model".to_owned();
                return Err(self.error(&[map, key], true, message, hint));
            }
            Causality::Parameter if !variable.is_constant => &mut self.before_start,
            _ => {
                let message = format!("`{name}` is no input and no parameter of the model");
                let hint = "only those can be set from outside".to_owned();
                return Err(self.error(&[map, key], true, message, hint));
            }
        };
        list.push((source, variable.reference));
        self.own.push((key.to_owned(), variable.reference, source));
        Ok(variable)
    }

    fn check_unit(
        &self,
        map: &str,
        key: &str,
        unit: Option<&String>,
        variable: &ModelVariable,
    ) -> Result<(), FileError> {
        let Some(unit) = unit.filter(|unit| **unit != variable.unit) else { return Ok(()) };
        let own = match variable.unit.as_str() {
            "" => "the model gives it none".to_owned(),
            own => format!("the model has it in {own:?}"),
        };
        let message = format!("the unit of `{}` is {unit:?} here, and {own}", variable.name);
        let hint = "values are not converted: write all numbers in the model's unit".to_owned();
        Err(self.error(&[map, key, "unit"], false, message, hint))
    }

    pub fn controls(&mut self, channels: &[(String, Channel)]) -> Result<Vec<Variable>, FileError> {
        let mut controls = Vec::new();
        for (index, (name, channel)) in channels.iter().enumerate() {
            let source = Source::Control(index);
            let of = self.settable("controls", name, channel.variable.as_ref(), source)?;
            self.check_unit("controls", name, channel.unit.as_ref(), of)?;
            let min = channel.min.or(of.min).unwrap_or(f64::NEG_INFINITY);
            let max = channel.max.or(of.max).unwrap_or(f64::INFINITY);
            let is_bounded = min.is_finite() && max.is_finite();
            let middle = if is_bounded { min + 0.5 * (max - min) } else { 0.0 };
            let half = if is_bounded { 0.5 * (max - min) } else { nominal(of) };
            let center = channel.center.unwrap_or(middle);
            let variable = Variable::new(name, &clipped(&of.unit, MAX_NAME_BYTES))
                .bounded(min, max)
                .scaled(center, channel.scale.unwrap_or(half));
            controls.push(variable.starting_at(center.min(max).max(min)));
            self.rest.push(of.start.unwrap_or(center));
        }
        Ok(controls)
    }

    pub fn parameters(
        &mut self,
        parameters: &[(String, ParameterSettings)],
    ) -> Result<Vec<Parameter>, FileError> {
        let mut all = Vec::new();
        for (index, (name, settings)) in parameters.iter().enumerate() {
            let source = Source::Parameter(index);
            let of = self.settable("parameters", name, settings.variable.as_ref(), source)?;
            self.check_unit("parameters", name, settings.unit.as_ref(), of)?;
            let Some(value) = settings.value.or(of.start) else {
                let message = format!("the model has no start value of `{}`", of.name);
                let hint = "write one: (value: 1.0)".to_owned();
                return Err(self.error(&["parameters", name], false, message, hint));
            };
            let unit = clipped(&of.unit, MAX_NAME_BYTES);
            let meaning = clipped(&of.description, MAX_TEXT_BYTES);
            let min = settings.min.or(of.min).unwrap_or(f64::NEG_INFINITY);
            let max = settings.max.or(of.max).unwrap_or(f64::INFINITY);
            all.push(Parameter::new(name, &unit, value, &meaning).bounded(min, max));
        }
        Ok(all)
    }

    pub fn starts(&self, starts: &[(String, f64)]) -> Result<Vec<(u32, f64)>, FileError> {
        let mut all: Vec<(u32, f64)> = Vec::new();
        for (name, value) in starts {
            let variable = self.variable("starts", name, None)?;
            let reference = variable.reference;
            let is_state = !self.is_stepped && self.state_index(reference).is_some();
            let fault = if self.own.iter().any(|own| own.1 == reference) {
                Some("is a control or a parameter, and has its value there")
            } else if all.iter().any(|(other, _)| *other == reference) {
                Some("is another name of a variable that is given already")
            } else if !is_state && !self.is_settable(reference) {
                Some("is calculated by the model, and has no start value")
            } else {
                None
            };
            if let Some(fault) = fault {
                let hint = "leave it out".to_owned();
                return Err(self.error(&["starts", name], true, format!("`{name}` {fault}"), hint));
            }
            all.push((reference, *value));
        }
        Ok(all)
    }

    /// The position of a variable among the states.
    fn state_index(&self, reference: u32) -> Option<usize> {
        self.states.iter().position(|&at| self.model.variables[at].reference == reference)
    }

    /// What is shown of the state of a model that owns it: continuous states, and what has a start value here, as far as the
    /// model takes start values.
    pub fn shown_states(&self, starts: &[(u32, f64)]) -> Result<Vec<usize>, FileError> {
        let variables = &self.model.variables;
        let mut all: Vec<usize> = Vec::new();
        let of_starts = starts.iter().map(|(reference, _)| *reference);
        let of_model = self.model.states.iter().map(|&at| variables[at].reference);
        for reference in of_starts.chain(of_model) {
            let at = variables.iter().position(|variable| variable.reference == reference);
            let is_new = |at: &usize| !all.contains(at) && self.is_settable(reference);
            all.extend(
                at.filter(is_new).filter(|&at| variables[at].causality != Causality::Parameter),
            );
        }
        if all.is_empty() {
            let message = "no variable of the model shows its state".to_owned();
            let hint = "name one in `starts`, whose start value the model takes".to_owned();
            return Err(self.error(&["starts"], false, message, hint));
        }
        Ok(all)
    }

    /// Whether the model takes a start value of a variable.
    pub fn is_settable(&self, reference: u32) -> bool {
        let mut all = self.model.variables.iter().filter(|v| v.reference == reference);
        all.any(|v| v.has_start && !v.is_constant)
    }

    pub fn observations(
        &mut self,
        observations: &[(String, Observation)],
    ) -> Result<(Vec<Variable>, Vec<Program>), FileError> {
        let (mut variables, mut programs) = (Vec::new(), Vec::new());
        for (name, settings) in observations {
            let (program, of) = if let Some(expression) = &settings.value {
                let path = ["observations", name, "value"];
                (self.expression(&path, expression, Kind::Number, false)?, None)
            } else {
                let of = self.variable("observations", name, None)?;
                self.check_unit("observations", name, settings.unit.as_ref(), of)?;
                let at = self.name(name, false).map_err(|(message, hint)| {
                    self.error(&["observations", name], true, message, hint)
                })?;
                (Program::of_name(at), Some(of))
            };
            let unit = settings.unit.clone().or_else(|| of.map(|of| of.unit.clone()));
            let unit = clipped(&unit.unwrap_or_default(), MAX_NAME_BYTES);
            let scale = settings.scale.unwrap_or_else(|| of.map_or(1.0, nominal));
            let center = settings.center.unwrap_or(0.0);
            variables.push(Variable::new(name, &unit).scaled(center, scale));
            programs.push(program);
        }
        Ok((variables, programs))
    }

    /// Compiles the expression at a path.
    pub fn expression(
        &mut self,
        path: &[&str],
        expression: &str,
        kind: Kind,
        may_use_controls: bool,
    ) -> Result<Program, FileError> {
        compile(expression, kind, &mut |name| self.name(name, may_use_controls))
            .map_err(|error| self.place(path, expression, error))
    }

    /// Shows an error inside an expression at its place in the file.
    fn place(&self, path: &[&str], expression: &str, error: ExpressionError) -> FileError {
        let ExpressionError { span, message, hint } = error;
        let located = self.text.locate_in(path).map(|located| located.value);
        let span = located.map(|value| {
            // In a text with escapes, positions differ: then the whole text is shown.
            let is_plain = self.text.text()[value.clone()] == *format!("\"{expression}\"");
            let first = value.start + 1;
            if is_plain { first + span.start..first + span.end } else { value }
        });
        self.text.error(ErrorKind::Value, span, message, Some(hint))
    }

    /// The position of a name's slot.
    fn name(&mut self, name: &str, may_use_controls: bool) -> Result<usize, (String, String)> {
        let known = self.slots.iter().position(|(known, _)| known == name);
        let at = if let Some(at) = known {
            at
        } else {
            let slot = self.slot(name)?;
            self.slots.push((name.to_owned(), slot));
            self.slots.len() - 1
        };
        if matches!(self.slots[at].1, Slot::Control(_)) && !may_use_controls {
            let message = format!("`{name}` is a control, of which only the cost may depend");
            return Err((message, "use variables that follow from the state".to_owned()));
        }
        Ok(at)
    }

    fn slot(&mut self, name: &str) -> Result<Slot, (String, String)> {
        let of_source = |source| match source {
            Source::Control(index) => Slot::Control(index),
            Source::Parameter(index) => Slot::Parameter(index),
        };
        if let Some((.., source)) = self.own.iter().find(|own| own.0 == name) {
            return Ok(of_source(*source));
        }
        if name == "time" && self.model.variable(name).is_none() {
            return Ok(Slot::Time);
        }
        let variable = self.usable(name)?;
        let reference = variable.reference;
        if let Some((.., source)) = self.own.iter().find(|own| own.1 == reference) {
            return Ok(of_source(*source));
        }
        if let Some(state) = self.state_index(reference) {
            return Ok(Slot::State(state));
        }
        if variable.causality == Causality::Independent {
            return Ok(Slot::Time);
        }
        let known = self.outputs.iter().position(|output| *output == reference);
        let at = known.unwrap_or_else(|| {
            self.outputs.push(reference);
            self.outputs.len() - 1
        });
        Ok(Slot::Output(at))
    }
}

/// A variable's order of magnitude.
pub(crate) fn nominal(variable: &ModelVariable) -> f64 {
    variable.nominal.map(f64::abs).filter(|nominal| *nominal > 0.0).unwrap_or(1.0)
}

/// A text with blanks in the place of control characters.
pub(crate) fn without_control(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The first bytes of a text, without control characters.
pub(crate) fn clipped(text: &str, limit: usize) -> String {
    let plain = without_control(text);
    plain[..plain.floor_char_boundary(limit)].to_owned()
}
