//! [`CampaignError`]: why a campaign cannot begin or continue.

use std::io;
use std::path::PathBuf;

use bitloop_folder::FolderError;
use bitloop_train::TrainError;

/// Why a campaign cannot begin or continue.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// A training was refused, or its plant broke.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// Two variants have the same trainings.
    #[error("the trainings of `{second}` are those of `{first}`")]
    SameVariant {
        /// The first of them.
        first: String,
        /// The second.
        second: String,
    },
    /// A file is in the way that is no training of this campaign.
    #[error("{}: {message}", .path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
        /// What it is.
        message: String,
    },
    /// A file could not be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file could not be read.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}
