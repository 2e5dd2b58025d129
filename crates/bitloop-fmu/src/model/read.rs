//! Reads `modelDescription.xml` of both versions.

use super::xml::{Element, elements};
use super::{Causality, Interface, Model, ModelVariable, Version};
use crate::error::FmuFault;

/// The most variables that are read.
const MAX_VARIABLES: usize = 1_000_000;

/// Types of variables in FMI 3.0.
const TYPES: [&str; 15] = [
    "Float64",
    "Float32",
    "Int8",
    "UInt8",
    "Int16",
    "UInt16",
    "Int32",
    "UInt32",
    "Int64",
    "UInt64",
    "Boolean",
    "String",
    "Binary",
    "Enumeration",
    "Clock",
];

/// A type that variables share.
struct DeclaredType {
    name: String,
    unit: String,
    min: Option<f64>,
    max: Option<f64>,
    nominal: Option<f64>,
}

/// What is gathered while the elements go by.
#[derive(Default)]
struct Gathered {
    root: Option<Element>,
    model_exchange: Option<Interface>,
    co_simulation: Option<Interface>,
    types: Vec<DeclaredType>,
    variables: Vec<ModelVariable>,
    /// Of each variable, the state whose derivative it is: an index from 1 (FMI 2.0), or a reference (FMI 3.0).
    derivatives: Vec<Option<u32>>,
    /// Positions from 1 (FMI 2.0) or references (FMI 3.0) of the derivatives, in the order of the state vector.
    state_derivatives: Vec<u32>,
    n_event_indicators: usize,
    step_s: Option<f64>,
}

impl Model {
    /// Reads the text of a description.
    ///
    /// # Errors
    /// [`FmuFault`] if it is no description, or one of another version, or contradicts itself.
    pub fn read(text: &str) -> Result<Self, FmuFault> {
        let mut all = Gathered::default();
        let mut version = None;
        elements(text, |element| {
            let Some(version) = version else {
                version = Some(version_of(&element)?);
                all.root = Some(element);
                return Ok(());
            };
            all.add(version, &element)
        })?;
        let (Some(version), Some(root)) = (version, all.root.take()) else {
            return Err(FmuFault::Description("it is empty".to_owned()));
        };
        let indicators = root.whole("numberOfEventIndicators").unwrap_or_default() as usize;
        let states = all.states(version)?;
        let token = if version == Version::Fmi2 {
            root.text("guid")
        } else {
            root.text("instantiationToken")
        };
        let token = token.unwrap_or_default().to_owned();
        Ok(Self {
            version,
            name: root.text_or_empty("modelName"),
            token,
            description: root.text_or_empty("description"),
            tool: root.text_or_empty("generationTool"),
            model_exchange: all.model_exchange,
            co_simulation: all.co_simulation,
            variables: all.variables,
            states,
            n_event_indicators: indicators.max(all.n_event_indicators),
            step_s: all.step_s.filter(|step_s| *step_s > 0.0),
        })
    }
}

fn version_of(root: &Element) -> Result<Version, FmuFault> {
    if root.name != "fmiModelDescription" {
        return Err(FmuFault::Description(format!(
            "its outermost element is `{}`, and not `fmiModelDescription`",
            root.name
        )));
    }
    let found = root.text("fmiVersion").unwrap_or_default();
    match found.split('.').next() {
        Some("2") => Ok(Version::Fmi2),
        // 3.0 and what came before it differ; later ones of major version 3 do not.
        Some("3") if !found.contains('-') => Ok(Version::Fmi3),
        _ => Err(FmuFault::Version(found.to_owned())),
    }
}

impl Gathered {
    fn add(&mut self, version: Version, element: &Element) -> Result<(), FmuFault> {
        let parent = element.parent();
        let depth = element.around.len();
        match (element.name.as_str(), parent) {
            ("ModelExchange", _) if depth == 1 => self.model_exchange = Some(interface(element)),
            ("CoSimulation", _) if depth == 1 => self.co_simulation = Some(interface(element)),
            ("DefaultExperiment", _) if depth == 1 => self.step_s = element.number("stepSize"),
            ("SimpleType", "TypeDefinitions") | ("Float64Type", _) if depth == 2 => {
                self.types.push(declared_type(element));
            }
            ("Real", "SimpleType") => {
                if let Some(last) = self.types.last_mut() {
                    *last = DeclaredType { name: last.name.clone(), ..declared_type(element) };
                }
            }
            ("ScalarVariable", "ModelVariables") if version == Version::Fmi2 => {
                // Its type is the element inside.
                self.push(self.variable(element, Some("of no type"))?, None)?;
            }
            (kind, "ScalarVariable") => self.set_type(kind, element),
            (kind, "ModelVariables") if version == Version::Fmi3 && TYPES.contains(&kind) => {
                let unusable = (kind != "Float64").then(|| format!("of type {kind}"));
                let mut variable = self.variable(element, unusable.as_deref())?;
                variable.has_start &= element.text("start").is_some();
                self.push(variable, element.whole("derivative"))?;
            }
            ("Dimension", kind) if TYPES.contains(&kind) => {
                if let Some(variable) = self.variables.last_mut() {
                    variable.unusable = Some("an array".to_owned());
                    variable.start = None;
                }
            }
            ("Alias", kind) if TYPES.contains(&kind) => {
                if let Some(variable) = self.variables.last() {
                    let mut alias = variable.clone();
                    alias.name = element.text_or_empty("name");
                    self.push(alias, None)?;
                }
            }
            ("Unknown", "Derivatives") => {
                self.state_derivatives.extend(element.whole("index"));
            }
            ("ContinuousStateDerivative", "ModelStructure") => {
                self.state_derivatives.extend(element.whole("valueReference"));
            }
            ("EventIndicator", "ModelStructure") => self.n_event_indicators += 1,
            _ => {}
        }
        Ok(())
    }

    fn push(&mut self, variable: ModelVariable, of: Option<u32>) -> Result<(), FmuFault> {
        if self.variables.len() >= MAX_VARIABLES {
            let message = format!("it has more than {MAX_VARIABLES} variables");
            return Err(FmuFault::Description(message));
        }
        self.variables.push(variable);
        self.derivatives.push(of);
        Ok(())
    }

    fn variable(
        &self,
        element: &Element,
        unusable: Option<&str>,
    ) -> Result<ModelVariable, FmuFault> {
        let name = element.text_or_empty("name");
        let reference = element.whole("valueReference").ok_or_else(|| {
            FmuFault::Description(format!("variable `{name}` has no value reference"))
        })?;
        let causality = match element.text("causality") {
            Some("parameter" | "structuralParameter") => Causality::Parameter,
            Some("input") => Causality::Input,
            Some("output") => Causality::Output,
            Some("independent") => Causality::Independent,
            _ => Causality::Local,
        };
        let is_exact = matches!(element.text("initial"), None | Some("exact" | "approx"));
        let mut variable = ModelVariable {
            name,
            reference,
            causality,
            unusable: unusable.map(str::to_owned),
            is_constant: element.text("variability") == Some("constant"),
            has_start: is_exact,
            start: None,
            min: None,
            max: None,
            nominal: None,
            unit: String::new(),
            description: element.text_or_empty("description"),
        };
        self.set_numbers(&mut variable, element);
        Ok(variable)
    }

    /// The type of the last variable, in FMI 2.0.
    fn set_type(&mut self, kind: &str, element: &Element) {
        let Some(mut variable) = self.variables.pop() else { return };
        match kind {
            "Real" => {
                variable.unusable = None;
                variable.has_start &= element.text("start").is_some();
                self.set_numbers(&mut variable, element);
                if let Some(last) = self.derivatives.last_mut() {
                    *last = element.whole("derivative");
                }
            }
            "Integer" | "Boolean" | "String" | "Enumeration" => {
                variable.unusable = Some(format!("of type {kind}"));
            }
            _ => {}
        }
        self.variables.push(variable);
    }

    fn set_numbers(&self, variable: &mut ModelVariable, element: &Element) {
        let declared = element.text("declaredType");
        let declared = declared.and_then(|name| self.types.iter().find(|t| t.name == name));
        let number = |name: &str, of: fn(&DeclaredType) -> Option<f64>| {
            element.number(name).or_else(|| declared.and_then(of))
        };
        variable.start = element.number("start");
        variable.min = number("min", |t| t.min);
        variable.max = number("max", |t| t.max);
        variable.nominal = number("nominal", |t| t.nominal);
        let unit = element.text("unit").map(str::to_owned);
        variable.unit = unit.or_else(|| declared.map(|t| t.unit.clone())).unwrap_or_default();
    }

    /// The states, from the derivatives that the structure of the model lists.
    fn states(&self, version: Version) -> Result<Vec<usize>, FmuFault> {
        let fault = |message: String| FmuFault::Description(message);
        // Before each is looked for among all variables.
        let (n, most) = (self.state_derivatives.len(), bitloop_plant::MAX_VARIABLES);
        if n > most {
            return Err(fault(format!("it has {n} states: at most {most} are allowed")));
        }
        let state = |&derivative: &u32| {
            let at = match version {
                Version::Fmi2 => (derivative as usize).checked_sub(1),
                Version::Fmi3 => self.with_derivative(derivative),
            };
            let at = at.filter(|at| *at < self.variables.len());
            let at = at.ok_or_else(|| fault(format!("there is no derivative {derivative}")))?;
            let name = &self.variables[at].name;
            let of = self.derivatives[at]
                .ok_or_else(|| fault(format!("`{name}` is no derivative of a variable")))?;
            let state = match version {
                Version::Fmi2 => (of as usize).checked_sub(1),
                Version::Fmi3 => self.variables.iter().position(|v| v.reference == of),
            };
            let state = state.filter(|state| *state < self.variables.len());
            let state =
                state.ok_or_else(|| fault(format!("`{name}` is the derivative of nothing")))?;
            match &self.variables[state].unusable {
                None => Ok(state),
                Some(why) => Err(FmuFault::State(self.variables[state].name.clone(), why.clone())),
            }
        };
        self.state_derivatives.iter().map(state).collect()
    }

    fn with_derivative(&self, reference: u32) -> Option<usize> {
        let all = self.variables.iter().zip(&self.derivatives);
        all.clone()
            .position(|(variable, of)| variable.reference == reference && of.is_some())
            .or_else(|| all.clone().position(|(variable, _)| variable.reference == reference))
    }
}

fn interface(element: &Element) -> Interface {
    Interface {
        identifier: element.text_or_empty("modelIdentifier"),
        needs_tool: element.is_true("needsExecutionTool"),
        is_once_per_process: element.is_true("canBeInstantiatedOnlyOncePerProcess"),
    }
}

fn declared_type(element: &Element) -> DeclaredType {
    DeclaredType {
        name: element.text_or_empty("name"),
        unit: element.text_or_empty("unit"),
        min: element.number("min"),
        max: element.number("max"),
        nominal: element.number("nominal"),
    }
}
