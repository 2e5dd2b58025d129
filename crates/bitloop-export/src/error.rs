//! Why something cannot be exported.

use std::io;
use std::path::PathBuf;

use bitloop_scenario::FileError;

/// Why something cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The saved controller or model is wrong.
    #[error(transparent)]
    File(#[from] FileError),
    /// It cannot be had in the form that was asked for.
    #[error("{message}")]
    Refused {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: String,
    },
    /// The output folder holds files already.
    #[error("{} is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// A file could not be written.
    #[error("{} cannot be written: {error}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong.
        error: io::Error,
    },
}

impl ExportError {
    pub(crate) fn refused(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Refused { message: message.into(), hint: hint.into() }
    }

    /// What to do about it, where there is something.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::File(_) | Self::Write { .. } => None,
            Self::Refused { hint, .. } => Some(hint),
            Self::NotEmpty(_) => Some("name a folder that is empty, or that is not there yet"),
        }
    }
}
