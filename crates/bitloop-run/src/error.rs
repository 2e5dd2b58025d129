//! Why a training in a folder cannot begin, be resumed, or come to its end.

use std::path::{Path, PathBuf};

use bitloop_folder::FolderError;
use bitloop_train::{BrokenPlant, IsolationError, StateFault, TrainError};
use thiserror::Error;

/// Why a training in a folder cannot begin, be resumed, or come to its end.
#[derive(Debug, Error)]
pub enum RunError {
    /// The folder, or a file in it.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The scenario, its data or its plant.
    #[error("{error}")]
    Training {
        /// The scenario's file.
        file: PathBuf,
        /// What is wrong.
        error: TrainError,
    },
    /// Something is where the training would write.
    #[error("{} cannot be written: {message}", .path.display())]
    InTheWay {
        /// The place.
        path: PathBuf,
        /// What is there.
        message: String,
        /// What to do about it.
        hint: String,
    },
    /// The plant is not the one that the training was begun with, so that its bits may differ.
    #[error(
        "the training in {} was begun with {}, and now there is {}",
        .folder.display(), origin(.begun_with.as_deref()), origin(.found.as_deref())
    )]
    OtherPlant {
        /// The training.
        folder: PathBuf,
        /// Digest of the library then, if the plant came from one.
        begun_with: Option<String>,
        /// Digest of the library now.
        found: Option<String>,
    },
    /// The data are not those that the training was begun with.
    #[error(
        "the data of the training in {} have changed since it was begun: other {} rows",
        .folder.display(), .parts.join(", ")
    )]
    OtherData {
        /// The training.
        folder: PathBuf,
        /// The parts whose rows are others: training, validation, test.
        parts: Vec<String>,
    },
    /// The checkpoint holds a state that this training cannot have.
    #[error("the checkpoint in {}: {fault}", .folder.display())]
    State {
        /// The training.
        folder: PathBuf,
        /// The fault.
        fault: StateFault,
    },
    /// No candidate has a finite error, so that there is nothing to save.
    #[error(
        "no candidate has a finite error after {n_evaluations} evaluations; {n_faults} of them gave NaN, infinity or a cost below 0, or broke the plant{}",
        first_fault(fault.as_deref())
    )]
    NothingFinite {
        /// Evaluations of the training.
        n_evaluations: u64,
        /// Those of them that counted as worst.
        n_faults: u64,
        /// The first bad value of the best candidate, in words, if it was found.
        fault: Option<String>,
    },
    /// The plant answered a call with an error.
    #[error("{error}")]
    PlantBroke {
        /// What happened.
        error: Box<BrokenPlant>,
        /// What prevented that the state of the last checkpoint was saved, if something did.
        saved: Result<(), FolderError>,
    },
    /// An isolated plant took its process down.
    #[error("{error}")]
    PlantLost {
        /// What happened.
        error: IsolationError,
        /// What prevented that the state before was saved, if something did.
        saved: Result<(), FolderError>,
    },
}

impl RunError {
    pub(crate) fn training(file: &Path, error: TrainError) -> Self {
        Self::Training { file: file.to_owned(), error }
    }

    /// What to do about it, if that is known and the message does not say it.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::Folder(error) => error.hint(),
            Self::InTheWay { hint, .. } => Some(hint),
            Self::OtherPlant { .. } => {
                Some("put the plant back as it was, or train with the new one in another folder")
            }
            Self::OtherData { .. } => {
                Some("put the data back as they were, or train with the new ones in another folder")
            }
            Self::State { .. } => Some("train again in another folder"),
            Self::NothingFinite { .. } => Some(
                "`bitloop plant check` names the first bad value of a plant, with its state and time",
            ),
            Self::PlantBroke { .. } | Self::PlantLost { .. } => {
                Some("`bitloop plant check` looks for the cause")
            }
            Self::Training { .. } => None,
        }
    }
}

/// A line for the first bad value.
fn first_fault(fault: Option<&str>) -> String {
    fault.map_or_else(String::new, |fault| format!("\n  the first bad value: {fault}"))
}

/// Where a plant comes from, in words.
fn origin(digest: Option<&str>) -> String {
    digest.map_or("a plant that is built in".to_owned(), |digest| {
        format!("a library with the digest {digest:.8}...")
    })
}
