//! [`Plan`]: what a command was asked for, kept in the folder of each of its parts.
//!
//! A plan is the same on all machines: it has no folders and no times. Parts go together if their plans are the same, and the
//! files that are kept beside them.

use std::path::{Path, PathBuf};

use bitloop_folder::{FolderError, read_text_bounded, write_file};
use bitloop_run::VERSION;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::local::scenario_text;
use crate::failure::Failure;
use crate::output::json;

/// The largest plan that is read, in bytes.
const LIMIT_BYTES: u64 = 1 << 20;

/// The field with the digest of all that bears on a result.
const DIGEST: &str = "digest";

/// What a command that is done in parts is asked for, as far as it bears on the result, without folders.
pub trait Asked: Serialize + DeserializeOwned {
    /// The name of the plan's file.
    const FILE: &'static str;
    /// The format that is written and read, in the field `format`.
    const FORMAT: u64;
    /// What the parts are of, after `a`: `map`, `test of robustness`.
    const NOUN: &'static str;
    /// Whether each part has the scenario beside its plan, which must be the same.
    const HAS_SCENARIO: bool;

    /// Takes over what may differ between parts, in both.
    fn join(&mut self, _other: &mut Self) {}
}

/// What a command was asked for.
#[derive(Debug, Serialize)]
pub struct Plan<A> {
    format: u64,
    bitloop_version: String,
    /// What of the machine decides on the bits of the result.
    machine: String,
    #[serde(flatten)]
    pub asked: A,
}

impl<A: Asked> Plan<A> {
    /// That of this version.
    pub fn new(asked: A, machine: String) -> Self {
        Self { format: A::FORMAT, bitloop_version: VERSION.to_owned(), machine, asked }
    }

    /// Refuses a folder with a plan of another format, before anything is written into it.
    pub fn check_place(folder: &Path) -> Result<(), Failure> {
        Ok(check_format::<A>(&folder.join(A::FILE))?)
    }

    /// Writes it into a folder.
    pub fn write(&self, folder: &Path) -> Result<(), Failure> {
        Ok(write_file(&folder.join(A::FILE), json::object_text(self)?.as_bytes())?)
    }

    /// That of a folder.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(A::FILE);
        let refused = |message: String| refused::<A>(&path, &message);
        let text =
            read_text_bounded(&path, LIMIT_BYTES).map_err(|error| refused(error.to_string()))?;
        check_format::<A>(&path)?;
        let mut fields: Map<String, Value> =
            serde_json::from_str(&text).map_err(|error| refused(error.to_string()))?;
        let mut text_of = |name: &str| match fields.remove(name) {
            Some(Value::String(text)) => Ok(text),
            _ => Err(refused(format!("its `{name}` is missing, or no text"))),
        };
        // Another version may have other fields.
        let bitloop_version = text_of("bitloop_version")?;
        if bitloop_version != VERSION {
            return Err(refused(format!(
                "made by bitloop {bitloop_version}, and this is bitloop {VERSION}"
            )));
        }
        let machine = text_of("machine")?;
        fields.remove("format");
        let asked = serde_json::from_value(fields.into());
        let asked = asked.map_err(|error| refused(error.to_string()))?;
        Ok(Self { format: A::FORMAT, bitloop_version, machine, asked })
    }

    /// That of all parts of one command.
    pub fn of_all(folders: &[PathBuf]) -> Result<Self, Failure> {
        let first = &folders[0];
        let mut plan = Self::read(first)?;
        let scenario = A::HAS_SCENARIO.then(|| scenario_text(first)).transpose()?;
        for folder in &folders[1..] {
            let mut other = Self::read(folder)?;
            plan.asked.join(&mut other.asked);
            let difference = plan.difference(&other)?.or_else(|| match &scenario {
                Some(scenario) => match scenario_text(folder) {
                    Ok(text) if text == *scenario => None,
                    Ok(_) => Some("scenario.ron is another one".to_owned()),
                    Err(error) => Some(error.to_string()),
                },
                None => None,
            });
            if let Some(difference) = difference {
                return Err(Failure::Folder {
                    message: format!(
                        "{} and {} are not parts of the same {}: {difference}",
                        first.display(),
                        folder.display(),
                        A::NOUN
                    ),
                    hint: Some(format!("name the folders of one {} alone", A::NOUN)),
                });
            }
        }
        Ok(plan)
    }

    /// How another plan differs, in words.
    fn difference(&self, other: &Self) -> Result<Option<String>, Failure> {
        let fields = |plan: &Self| -> Result<Map<String, Value>, Failure> {
            let fields = serde_json::to_value(plan).map_err(|error| Failure::Folder {
                message: format!("{}: {error}", A::FILE),
                hint: None,
            })?;
            Ok(fields.as_object().cloned().unwrap_or_default())
        };
        let (own, others) = (fields(self)?, fields(other)?);
        let differ = own.iter().filter(|(name, value)| others.get(*name) != Some(*value));
        // A digest says least, and differs wherever something else does.
        let (digests, fields): (Vec<_>, Vec<_>) = differ.partition(|it| it.0 == DIGEST);
        Ok(fields.into_iter().chain(digests).next().map(|(name, value)| {
            if name == DIGEST {
                return "the controllers or the tests that they run differ".to_owned();
            }
            let other = others.get(name).unwrap_or(&Value::Null);
            format!("{name} is {} in the one, {} in the other", shown(value), shown(other))
        }))
    }
}

/// A value as people read it.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "not given".to_owned(),
        value => value.to_string(),
    }
}

/// Why the plan of a folder is refused.
pub fn refused<A: Asked>(path: &Path, message: &str) -> Failure {
    Failure::Folder {
        message: format!("{}: {message}", path.display()),
        hint: Some(format!("name the folder of a {} by this version of bitloop", A::NOUN)),
    }
}

/// Refuses a plan of another format. What is no plan at all is not refused here.
fn check_format<A: Asked>(path: &Path) -> Result<(), FolderError> {
    let text = read_text_bounded(path, LIMIT_BYTES).unwrap_or_default();
    let Ok(Value::Object(plan)) = serde_json::from_str(&text) else { return Ok(()) };
    let expected = A::FORMAT;
    match plan.get("format").and_then(Value::as_u64) {
        Some(found) if found == expected => Ok(()),
        found => Err(FolderError::OtherFormat { path: path.to_owned(), found, expected }),
    }
}
