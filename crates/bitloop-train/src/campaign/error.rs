//! [`CampaignError`]: why a campaign cannot begin or continue.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::error::TrainError;
use bitloop_run::FolderError;

/// Why a campaign cannot begin or continue.
#[derive(Debug)]
pub enum CampaignError {
    /// A run was refused, or its plant broke.
    Train(TrainError),
    /// Two variants are the same scenario.
    SameVariant {
        /// The first of them.
        first: String,
        /// The second.
        second: String,
    },
    /// A file that is not a run of this campaign has the name of one.
    NotOurs {
        /// The file.
        path: PathBuf,
        /// Why it does not belong to this campaign.
        message: String,
    },
    /// A file could not be written.
    Folder(FolderError),
    /// A file could not be read.
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
}

impl fmt::Display for CampaignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Train(error) => error.fmt(f),
            Self::Folder(error) => error.fmt(f),
            Self::SameVariant { first, second } => {
                write!(f, "the runs of `{second}` are those of `{first}`")
            }
            Self::NotOurs { path, message } => write!(f, "{}: {message}", path.display()),
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for CampaignError {}

impl From<TrainError> for CampaignError {
    fn from(error: TrainError) -> Self {
        Self::Train(error)
    }
}
