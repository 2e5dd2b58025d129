//! A supervised scenario together with its text.

use std::path::{Path, PathBuf};

use crate::{
    decode::{RawField, decode},
    error::FileError,
    problem::Problem,
    read::{SCENARIO_LIMIT_BYTES, read_source, text_source},
    scenario_file::activations,
    source::Source,
    supervised::{DataSource, Supervised},
};

const RAW_FIELDS: &[RawField] = &[activations("network.hidden_activation")];

/// The same fields of the scenario inside a saved model.
pub(crate) const MODEL_RAW_FIELDS: &[RawField] =
    &[activations("scenario.network.hidden_activation")];

/// A checked supervised scenario and the text it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct SupervisedFile {
    /// The scenario, defaults filled in.
    pub scenario: Supervised,
    /// Its text, for errors.
    pub source: Source,
}

impl SupervisedFile {
    /// Reads a scenario from a regular file of at most [`SCENARIO_LIMIT_BYTES`].
    ///
    /// # Errors
    /// If the file cannot be read, is no supervised scenario, or breaks a rule that needs no data.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::from_source(read_source(path.as_ref(), SCENARIO_LIMIT_BYTES, "scenario")?)
    }

    /// Reads a scenario from `text`, which goes by the name `file` in errors.
    ///
    /// # Errors
    /// As [`SupervisedFile::read`].
    pub fn parse(text: &str, file: &str) -> Result<Self, FileError> {
        Self::from_source(text_source(text, file, SCENARIO_LIMIT_BYTES)?)
    }

    pub(crate) fn from_source(source: Source) -> Result<Self, FileError> {
        let scenario: Supervised = decode(&source, RAW_FIELDS)?;
        scenario.check().map_err(|problem: Problem| problem.place_in(&source))?;
        Ok(Self { scenario, source })
    }

    /// Where the data file is, seen from the current folder; nothing for data from a formula.
    pub fn data_path(&self) -> Option<PathBuf> {
        match &self.scenario.data {
            DataSource::File(file) => Some(self.source.folder().join(&file.path)),
            DataSource::Spirals(_) => None,
        }
    }

    /// An error at the value of `path`; see [`Source::error_at`].
    #[must_use]
    pub fn error_at(
        &self,
        path: &str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> FileError {
        self.source.error_at(path, message, hint)
    }
}
