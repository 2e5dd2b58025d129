//! Which plant: one that is known by its name, or a library named by its path.
//!
//! Owns how that is written: `"name"`, `Library("path")`, or `Fmu(path: "path")`. As for distributions, the value is taken as raw text first,
//! and read as what its first character says.

use std::fmt;

use bitloop_text::{RawField, ron_options};
use ron::{error::SpannedError, value::RawValue};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// The plant of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlantChoice {
    /// A plant that is built in or found on the search path, written as a bare string.
    Named(String),
    /// A library, written `Library("path")`. A relative path starts at the folder of the file that it stands in.
    Library(String),
    /// An FMU with a file beside it, written `Fmu(path: "path")`. A relative path starts at the folder of the file that it
    /// stands in.
    Fmu(String),
}

/// The choices that have a name.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Plant", deny_unknown_fields)]
enum Written {
    Library(String),
    Fmu { path: String },
}

impl PlantChoice {
    /// The name, or the path of the library or FMU.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Named(text) | Self::Library(text) | Self::Fmu(text) => text,
        }
    }

    /// The path of the library or FMU; `None` for a name.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::Named(_) => None,
            Self::Library(path) | Self::Fmu(path) => Some(path),
        }
    }

    /// The same, to be changed.
    pub fn path_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Named(_) => None,
            Self::Library(path) | Self::Fmu(path) => Some(path),
        }
    }

    /// As it is written in a scenario.
    #[must_use]
    pub fn written(&self) -> String {
        match self {
            Self::Named(name) => format!("{name:?}"),
            Self::Library(path) => format!("Library({path:?})"),
            Self::Fmu(path) => format!("Fmu(path: {path:?})"),
        }
    }

    fn parse(text: &str) -> Result<Self, SpannedError> {
        if text.starts_with(['"', 'r']) {
            return ron_options().from_str(text).map(Self::Named);
        }
        ron_options().from_str(text).map(|written| match written {
            Written::Library(path) => Self::Library(path),
            Written::Fmu { path } => Self::Fmu(path),
        })
    }

    pub(crate) fn raw_field(path: &str) -> RawField {
        let expected = "the name of a plant in quotes, Library(\"path\"), or Fmu(path: \"path\")";
        RawField::new(path, expected, |text| Self::parse(text).map(drop))
    }
}

impl fmt::Display for PlantChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl From<&str> for PlantChoice {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

impl<'de> Deserialize<'de> for PlantChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        Self::parse(raw.get_ron().trim()).map_err(|error| D::Error::custom(error.code))
    }
}

impl Serialize for PlantChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Named(name) => name.serialize(serializer),
            Self::Library(path) => Written::Library(path.clone()).serialize(serializer),
            Self::Fmu(path) => Written::Fmu { path: path.clone() }.serialize(serializer),
        }
    }
}
