//! A saved controller or model, told by the first name in its file.

use std::path::Path;

use crate::{
    error::FileError,
    model::ModelFile,
    read::{CONTROLLER_LIMIT_BYTES, read_source},
    saved::ControllerFile,
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
    /// Reads either from a regular file of at most [`CONTROLLER_LIMIT_BYTES`].
    ///
    /// # Errors
    /// As [`ControllerFile::read`] and [`ModelFile::read`].
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let source = read_source(path.as_ref(), CONTROLLER_LIMIT_BYTES, "controller")?;
        if source.first_name() == Some("Model") {
            ModelFile::from_source(source).map(|file| Self::Model(Box::new(file)))
        } else {
            ControllerFile::from_source(source).map(|file| Self::Controller(Box::new(file)))
        }
    }

    /// Its digest.
    pub fn digest(&self) -> &str {
        match self {
            Self::Controller(file) => &file.controller.digest,
            Self::Model(file) => &file.model.digest,
        }
    }
}
