//! [`Settings`]: the file `x.fmu.ron` beside an FMU.

use std::fmt;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use bitloop_text::{FileError, Source, decode};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// The largest file of settings, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// What makes a plant of a model.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename = "Fmu", deny_unknown_fields)]
pub struct Settings {
    /// The plant's name. Default: that of the file.
    pub name: Option<String>,
    /// The interface that it is run by. Default: Model Exchange where the model can be run by it, and Co-Simulation otherwise.
    pub interface: Option<InterfaceType>,
    /// The inputs, or parameters, that a controller commands, by name, in the order of the control vector.
    pub controls: Entries<Channel>,
    /// What a controller may see, by name, in the order of the observation vector.
    pub observations: Entries<Observation>,
    /// Parameters, or inputs, that a scenario may change or draw.
    #[serde(default)]
    pub parameters: Entries<ParameterSettings>,
    /// Start values of variables, in place of the model's.
    #[serde(default)]
    pub starts: Entries<f64>,
    /// The stage cost, 0 or more.
    pub cost: String,
    /// The cost of the state at the end of an episode. Default: none.
    pub terminal_cost: Option<String>,
    /// Where an episode fails. Default: nowhere.
    pub failure: Option<String>,
    /// The stage cost that is charged from a failure to the end of the horizon. Default: 0, and so the cost at the failure.
    pub failure_cost: Option<f64>,
    /// The integration step in seconds, unless a scenario says otherwise. Default: the model's, or 0.01.
    pub step_s: Option<f64>,
    /// The control period in seconds, unless a scenario says otherwise. Default: ten integration steps.
    pub sample_time_s: Option<f64>,
}

/// An interface of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum InterfaceType {
    /// The model gives derivatives, and bitloop takes the steps.
    ModelExchange,
    /// The model takes its own steps.
    CoSimulation,
}

/// A control.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Channel {
    /// The model's variable. Default: that of the same name.
    pub variable: Option<String>,
    /// The unit, which must be the model's.
    pub unit: Option<String>,
    /// The least value. Default: the model's.
    pub min: Option<f64>,
    /// The greatest value. Default: the model's.
    pub max: Option<f64>,
    /// The value that a controller's output 0 stands for. Default: the middle of the range.
    pub center: Option<f64>,
    /// How far from that its output 1 is. Default: half the range.
    pub scale: Option<f64>,
}

/// An observation.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Observation {
    /// An expression over variables. Default: the variable of the same name.
    pub value: Option<String>,
    /// The unit, which must be the model's.
    pub unit: Option<String>,
    /// The value that a controller sees as 0. Default: 0.
    pub center: Option<f64>,
    /// The distance from it that a controller sees as 1. Default: the model's nominal value, or 1.
    pub scale: Option<f64>,
}

/// A parameter.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ParameterSettings {
    /// The model's variable. Default: that of the same name.
    pub variable: Option<String>,
    /// The unit, which must be the model's.
    pub unit: Option<String>,
    /// Its value unless a scenario says otherwise. Default: the model's start value.
    pub value: Option<f64>,
    /// The least value. Default: the model's.
    pub min: Option<f64>,
    /// The greatest value. Default: the model's.
    pub max: Option<f64>,
}

/// The file beside an FMU that makes a plant of it.
#[must_use]
pub fn settings_path(fmu: &Path) -> PathBuf {
    let mut path = fmu.as_os_str().to_owned();
    path.push(".ron");
    PathBuf::from(path)
}

impl Settings {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// [`FileError`] shows the place of the first mistake.
    pub fn decode(source: &Source) -> Result<Self, FileError> {
        decode(source, &[])
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    /// As [`Settings::decode`], or if it cannot be read.
    pub fn read(path: &Path) -> Result<(Self, Source), FileError> {
        let source = Source::read(path, MAX_BYTES, "file beside an FMU")?;
        Ok((Self::decode(&source)?, source))
    }
}

/// A map in the order in which it is written, which is that of vectors.
#[derive(Clone, Debug)]
pub struct Entries<T>(pub Vec<(String, T)>);

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for InOrder<T> {
            type Value = Entries<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map by names in quotes")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut all = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    all.push(entry);
                }
                Ok(Entries(all))
            }
        }
        deserializer.deserialize_map(InOrder(PhantomData))
    }
}
