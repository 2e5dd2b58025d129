//! Why a folder cannot be used.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a folder of a run cannot be used, written or taken up.
#[derive(Debug)]
pub enum FolderError {
    /// Somebody else is at work in it.
    Busy {
        /// The folder.
        folder: PathBuf,
        /// Their process, if it left its number.
        process: Option<u32>,
    },
    /// There is no checkpoint to go on from.
    NoCheckpoint {
        /// The folder.
        folder: PathBuf,
    },
    /// No checkpoint is sound.
    Damaged {
        /// The newest one.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// The checkpoint was made by another version of bitloop, whose states and bits may differ.
    OtherVersion {
        /// The checkpoint.
        path: PathBuf,
        /// The version that made it.
        found: String,
        /// This version.
        expected: String,
    },
    /// The checkpoint is one of another scenario.
    OtherScenario {
        /// The checkpoint.
        path: PathBuf,
        /// The file that it should belong to.
        scenario: PathBuf,
    },
    /// A file or folder could not be read or written.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl FolderError {
    /// An error of the system at `path`.
    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        Self::Io { path: path.to_owned(), error }
    }
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy { folder, process } => {
                write!(f, "{} is in use by ", folder.display())?;
                match process {
                    Some(process) => write!(f, "process {process}"),
                    None => f.write_str("another process"),
                }
            }
            Self::NoCheckpoint { folder } => {
                write!(f, "{} holds no checkpoint to go on from", folder.display())
            }
            Self::Damaged { path, message } => write!(f, "{}: {message}", path.display()),
            Self::OtherVersion { path, found, expected } => write!(
                f,
                "{} was made by bitloop {found}, and this is bitloop {expected}",
                path.display()
            ),
            Self::OtherScenario { path, scenario } => write!(
                f,
                "{} is no checkpoint of the scenario in {}",
                path.display(),
                scenario.display()
            ),
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for FolderError {}
