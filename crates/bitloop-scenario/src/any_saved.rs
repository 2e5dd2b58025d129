//! A saved controller or model, recognized by the first name in its file.

use std::path::Path;

use bitloop_text::{FileError, Problem, Source};

use crate::{
    file::{File, FileKind},
    model::{ModelFile, SavedModel},
    saved::{ControllerFile, SavedController},
};

/// What a training has saved, with its text.
#[derive(Clone, Debug, PartialEq)]
pub enum AnySaved {
    /// `Controller(...)`.
    Controller(Box<ControllerFile>),
    /// `Model(...)`.
    Model(Box<ModelFile>),
}

impl AnySaved {
    /// Reads either.
    ///
    /// # Errors
    /// As [`File::read`].
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let source = read_source(path.as_ref())?;
        if source.first_name() == Some(SavedModel::NAME) {
            File::from_source(source).map(|file| Self::Model(Box::new(file)))
        } else {
            File::from_source(source).map(|file| Self::Controller(Box::new(file)))
        }
    }

    /// The text of a file of an older format, in the format that is written now; nothing if it has that already.
    ///
    /// # Errors
    /// As [`File::read`], or if the file cannot be written.
    pub fn upgraded(path: impl AsRef<Path>) -> Result<Option<String>, FileError> {
        let source = read_source(path.as_ref())?;
        if source.first_name() == Some(SavedModel::NAME) {
            upgraded_text(source, SavedModel::to_text)
        } else {
            upgraded_text(source, SavedController::to_text)
        }
    }

    /// Its digest.
    pub fn digest(&self) -> &str {
        match self {
            Self::Controller(file) => &file.value.digest,
            Self::Model(file) => &file.value.digest,
        }
    }
}

fn read_source(path: &Path) -> Result<Source, FileError> {
    Source::read(path, SavedController::LIMIT_BYTES, SavedController::WHAT)
}

fn upgraded_text<T: FileKind>(
    source: Source,
    to_text: fn(&T) -> Result<String, Problem>,
) -> Result<Option<String>, FileError> {
    let file = File::<T>::of_any_format(source)?;
    if file.value.format() == T::FORMAT {
        file.value.check_content_digest(&file.source)?;
        return Ok(None);
    }
    let text = to_text(&file.value).map_err(|problem| problem.place_in(&file.source))?;
    Ok(Some(text))
}
