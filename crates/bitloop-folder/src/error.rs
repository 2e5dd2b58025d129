//! Why a folder cannot be used.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::regular::NotAFile;

/// Why a folder of a run cannot be used, written or resumed.
#[derive(Debug, Error)]
pub enum FolderError {
    /// Another process is at work in it.
    #[error("{} is in use by {}", .folder.display(), owner(*.process))]
    Busy {
        /// The folder.
        folder: PathBuf,
        /// The process, if it left its number.
        process: Option<u32>,
    },
    /// There is nothing to resume.
    #[error("{} holds no training to resume", .folder.display())]
    NoRun {
        /// The folder.
        folder: PathBuf,
    },
    /// No checkpoint is sound.
    #[error("{}: {message}", .path.display())]
    Damaged {
        /// The newest one.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// The result is damaged.
    #[error("{}: {message}", .path.display())]
    DamagedResult {
        /// Its file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// A file is of a format that this version does not read.
    #[error("{} is of {}, and this is bitloop with format {expected}", .path.display(), format(*.found))]
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// Its number, if it has one.
        found: Option<u64>,
        /// The number that is read.
        expected: u64,
    },
    /// The checkpoint was made by another version of bitloop, whose states and bits may differ.
    #[error("{} was made by bitloop {found}, and this is bitloop {expected}", .path.display())]
    OtherVersion {
        /// The checkpoint.
        path: PathBuf,
        /// The version that made it.
        found: String,
        /// This version.
        expected: String,
    },
    /// The checkpoint is one of another scenario.
    #[error("{} is no checkpoint of the scenario in {}", .path.display(), .scenario.display())]
    OtherScenario {
        /// The checkpoint.
        path: PathBuf,
        /// The file that it should belong to.
        scenario: PathBuf,
    },
    /// A file or folder could not be read.
    #[error("{} cannot be read: {error}", .path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file or folder could not be made, written, moved or removed.
    #[error("{} cannot be written: {error}", .path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl FolderError {
    /// An error of the system while `path` was read.
    pub fn read(path: &Path, error: io::Error) -> Self {
        Self::Read { path: path.to_owned(), error }
    }

    /// An error of the system while `path` was written.
    pub fn write(path: &Path, error: io::Error) -> Self {
        Self::Write { path: path.to_owned(), error }
    }

    /// What to do about it, if that is known.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::Busy { .. } => "wait for it to end, or name another folder with --out",
            Self::NoRun { .. } => "name the folder of a training, such as runs/NAME-seed1",
            Self::Damaged { .. } => {
                "train again in another folder; scenario.ron is the scenario as it was given"
            }
            Self::DamagedResult { .. } => "remove it to resume from the checkpoint",
            Self::OtherFormat { .. } | Self::OtherVersion { .. } => {
                "resume with the version of bitloop that made it"
            }
            Self::OtherScenario { .. } => {
                "was resolved.ron edited? Only the budgets of `stop` can be changed on the way"
            }
            Self::Read { error, .. } | Self::Write { error, .. } => return hint_of_io(error),
        })
    }
}

fn hint_of_io(error: &io::Error) -> Option<&'static str> {
    if let Some(what) = error.get_ref().and_then(|inner| inner.downcast_ref::<NotAFile>()) {
        return Some(match what {
            NotAFile::SymbolicLink | NotAFile::Special => {
                "move it away; all files of a run are in its folder itself"
            }
            NotAFile::HardLink => "replace it by a copy, or move it away",
        });
    }
    match error.kind() {
        io::ErrorKind::FileTooLarge => Some("the limit of the shell is shown by `ulimit -f`"),
        _ => None,
    }
}

fn owner(process: Option<u32>) -> String {
    process.map_or("another process".to_owned(), |process| format!("process {process}"))
}

fn format(number: Option<u64>) -> String {
    number.map_or("no known format".to_owned(), |number| format!("format {number}"))
}
