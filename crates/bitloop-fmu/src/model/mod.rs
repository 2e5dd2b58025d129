//! [`Model`]: what `modelDescription.xml` says, as far as a plant needs it.

mod read;
mod xml;

/// The version of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// FMI 2.0.
    Fmi2,
    /// FMI 3.0.
    Fmi3,
}

impl Version {
    /// As it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fmi2 => "2.0",
            Self::Fmi3 => "3.0",
        }
    }

    /// The folder below `binaries` that has libraries for this machine, `None` where the version names none.
    #[must_use]
    pub const fn platform(self) -> Option<&'static str> {
        let is_linux = cfg!(target_os = "linux");
        match self {
            Self::Fmi2 if is_linux && cfg!(target_arch = "x86_64") => Some("linux64"),
            Self::Fmi3 if is_linux && cfg!(target_arch = "x86_64") => Some("x86_64-linux"),
            Self::Fmi3 if is_linux && cfg!(target_arch = "aarch64") => Some("aarch64-linux"),
            _ => None,
        }
    }
}

/// What a model offers of one interface type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// The name of the library, without its ending.
    pub identifier: String,
    /// Whether it runs only beside the tool that made it.
    pub needs_tool: bool,
    /// Whether a process can hold one instance at most.
    pub is_once_per_process: bool,
}

/// What a variable is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causality {
    /// A number that is set before the simulation begins.
    Parameter,
    /// A number that the environment sets.
    Input,
    /// A number for the environment.
    Output,
    /// The time.
    Independent,
    /// Anything else.
    Local,
}

/// A variable of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelVariable {
    /// Its name, or one of its names.
    pub name: String,
    /// The number that functions know it by; aliases share it.
    pub reference: u32,
    /// What it is for.
    pub causality: Causality,
    /// Why its value is no `f64`, for one that is none: its type, or that it is an array.
    pub unusable: Option<String>,
    /// Whether it never changes.
    pub is_constant: bool,
    /// Whether its start value can be set.
    pub has_start: bool,
    /// Its value at the start.
    pub start: Option<f64>,
    /// The least value.
    pub min: Option<f64>,
    /// The greatest value.
    pub max: Option<f64>,
    /// Its order of magnitude.
    pub nominal: Option<f64>,
    /// Its unit; empty where there is none.
    pub unit: String,
    /// What it means; may be empty.
    pub description: String,
}

/// The description of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The version of the interface.
    pub version: Version,
    /// The name of the model.
    pub name: String,
    /// The text that a library and its description share.
    pub token: String,
    /// What the model is; may be empty.
    pub description: String,
    /// The tool that made it; may be empty.
    pub tool: String,
    /// Model Exchange, if it offers that.
    pub model_exchange: Option<Interface>,
    /// Co-Simulation, if it offers that.
    pub co_simulation: Option<Interface>,
    /// In the order of the file, aliases included.
    pub variables: Vec<ModelVariable>,
    /// The variables that are continuous states, in the order of the state vector.
    pub states: Vec<usize>,
    /// How many event indicators there are.
    pub n_event_indicators: usize,
    /// A step that suits the model, in seconds.
    pub step_s: Option<f64>,
}

impl Model {
    /// The variable of this name.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&ModelVariable> {
        self.variables.iter().find(|variable| variable.name == name)
    }
}
