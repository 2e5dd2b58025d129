//! [`RestartsError`]: why the runs of a training cannot be done apart, or put together.

use std::collections::BTreeSet;
use std::io;

use bitloop_folder::FolderError;
use bitloop_train::TrainError;

use crate::records::RecordError;

/// Why the runs of a training cannot be done apart, or put together.
#[derive(Debug, thiserror::Error)]
pub enum RestartsError {
    /// The training was refused, or its plant broke.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// A file of the scenario cannot be read.
    #[error("a file of the scenario cannot be read: {0}")]
    Inputs(io::Error),
    /// Runs that count are not there.
    #[error("{} runs are missing, the first is run {first}", .missing.len())]
    Missing {
        /// The first of them.
        first: u32,
        /// All, or the first ten thousand.
        missing: Vec<u32>,
    },
    /// Records that are none of this training, or contradict each other.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file could not be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl RestartsError {
    /// The numbers of the runs that are missing.
    #[must_use]
    pub fn numbers(&self) -> BTreeSet<u64> {
        match self {
            Self::Missing { missing, .. } => missing.iter().map(|&run| run.into()).collect(),
            _ => BTreeSet::new(),
        }
    }
}
