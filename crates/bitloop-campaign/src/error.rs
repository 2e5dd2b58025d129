//! [`CampaignError`]: why a campaign cannot begin or continue.

use bitloop_folder::FolderError;
use bitloop_train::TrainError;

use crate::records::RecordError;

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
    /// Records that are none of this campaign, or contradict each other.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file could not be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
}
