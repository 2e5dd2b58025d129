//! A saved controller or model, recognized by the first name in its file.

use std::path::Path;

use bitloop_text::{FileError, Source};

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
        let limit_bytes = SavedController::LIMIT_BYTES;
        let source = Source::read(path.as_ref(), limit_bytes, SavedController::WHAT)?;
        if source.first_name() == Some(SavedModel::NAME) {
            File::from_source(source).map(|file| Self::Model(Box::new(file)))
        } else {
            File::from_source(source).map(|file| Self::Controller(Box::new(file)))
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
