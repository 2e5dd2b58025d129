//! Why a command failed, how that is reported, and which exit code it has.
//!
//! The one place that knows exit codes; the help text and MANUAL.md list them.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bitloop_campaign::RecordError;
use bitloop_check::CheckError;
use bitloop_data::DataError;
use bitloop_folder::FolderError;
use bitloop_host::HostError;
use bitloop_plant::{IsaError, PlantCallError};
use bitloop_robust::RobustError;
use bitloop_run::RunError;
use bitloop_scenario::{FileError, printable};
use bitloop_sim::SimError;
use bitloop_train::{BrokenPlant, IsolationError, TrainError};

/// What to do about a folder with records of other work.
pub const NOT_OURS: &str = "name another folder, or move this file away";

/// How a command ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// With all that was asked for.
    Fully,
    /// With a result that misses a criterion.
    Missed,
    /// With results, though not all that was asked for could be run.
    InPart {
        /// The exit code of what could not.
        code: u8,
    },
    /// Early, by a signal; what there was is saved.
    Interrupted {
        /// The signal's number.
        signal: u8,
    },
}

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The command line asks for something that cannot be.
    Usage {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// A file that was to be read is wrong.
    File(FileError),
    /// What a file says makes no sense, though no place in it can be named.
    Contents {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        error: TrainError,
    },
    /// A file is as it should be, but cannot be used for this.
    Refused {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// Rows that were to be read are wrong.
    Data(DataError),
    /// The plant broke.
    Plant {
        /// What happened.
        error: PlantCallError,
        /// What the plant was doing, if that is known.
        during: Option<String>,
        /// The command that resumes the training.
        resume: Option<String>,
    },
    /// The plant took down the process that it was isolated in.
    Isolation {
        /// What happened.
        error: IsolationError,
        /// The command that resumes the training.
        resume: Option<String>,
    },
    /// What a worker failed at, as it says itself.
    OfWorker {
        /// The exit code.
        code: u8,
        /// The whole message.
        message: String,
    },
    /// The folder of a run is in use, or cannot be gone on with.
    Folder {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// A plant's library or its description is wrong.
    Library {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// A sandbox was asked for that the system does not have.
    Sandbox {
        /// What is missing.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// A plant failed checks, or none could be made.
    Check {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// No training has found anything with a finite error.
    NothingFound {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// Something could not be written.
    Output {
        /// The file or stream.
        target: PathBuf,
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// The reader of standard output has closed it; no message is printed.
    OutputClosed,
}

impl Failure {
    /// A file or folder that could not be written.
    pub fn output(target: &Path, error: &io::Error) -> Self {
        Self::Output { target: target.to_owned(), message: error.to_string(), hint: None }
    }

    /// Standard output that could not be written.
    pub fn stdout(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::OutputClosed,
            _ => Self::output(Path::new("standard output"), error),
        }
    }

    /// Why a robustness test of the controller in `file` has no result.
    pub fn of_robust(file: &Path, error: RobustError) -> Self {
        match error {
            RobustError::Train(error) => Self::of_training(file, error),
            RobustError::Axis(error) => {
                Self::Usage { message: format!("--axes: {error}"), hint: Some(error.hint) }
            }
            RobustError::Kept(message) => {
                Self::Refused { file: file.to_owned(), message: message.to_owned(), hint: None }
            }
        }
    }

    /// Why records of work that is done apart cannot be put together.
    pub fn of_records(error: &RecordError) -> Self {
        let hint = match error {
            RecordError::NotOurs { .. } => Some(NOT_OURS),
            RecordError::Contradiction { .. } => Some(
                "equal machines give equal results: was a file edited, or was one of them made by another build?",
            ),
            RecordError::Io { .. } => None,
        };
        Self::Folder { message: error.to_string(), hint: hint.map(str::to_owned) }
    }

    /// What a training or replay of `file` was refused for, or broke at.
    pub fn of_training(file: &Path, error: TrainError) -> Self {
        match error {
            TrainError::File(error) => Self::File(error),
            TrainError::Data(error) => Self::Data(error),
            TrainError::Sim(SimError::Plant(error)) => {
                Self::Plant { error, during: None, resume: None }
            }
            TrainError::Plant(error) => Self::plant(*error, None),
            TrainError::Isolation(error) => Self::Isolation { error, resume: None },
            error => Self::Contents { file: file.to_owned(), error },
        }
    }

    /// A plant that broke in a training, which the command resumes.
    pub fn plant(broken: BrokenPlant, resume: Option<String>) -> Self {
        let BrokenPlant { error, during } = broken;
        Self::Plant { error, during: Some(during), resume }
    }

    /// The exit code.
    pub const fn code(&self) -> u8 {
        match self {
            Self::OutputClosed => 0,
            Self::OfWorker { code, .. } => *code,
            Self::Plant { .. }
            | Self::Isolation { .. }
            | Self::Output { .. }
            | Self::Folder { .. }
            | Self::Sandbox { .. }
            | Self::Check { .. }
            | Self::NothingFound { .. } => 1,
            Self::Usage { .. } => 2,
            Self::File(_)
            | Self::Data(_)
            | Self::Contents { .. }
            | Self::Refused { .. }
            | Self::Library { .. } => 3,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hint = match self {
            Self::File(error) => return error.fmt(f),
            Self::Contents { file, error } => {
                write!(f, "{error}\n--> {}", file.display())?;
                let TrainError::Lqr(error) = error else { return Ok(()) };
                return error.hint().map_or(Ok(()), |hint| write!(f, "\n = hint: {hint}"));
            }
            Self::Data(error) => return error.fmt(f),
            Self::Plant { error, during, resume } => {
                error.fmt(f)?;
                let n_broken = bitloop_plant::n_broken_calls();
                if n_broken > 1 {
                    write!(f, " (the first of {n_broken} calls that broke)")?;
                }
                if let Some(during) = during {
                    write!(f, "\n  {during}")?;
                }
                // Only the plant's own process would be lost with it, so that nothing was kept from one probe to the next.
                return cause_and_resume(f, "all up to the last checkpoint", resume.as_deref());
            }
            Self::OfWorker { message, .. } => return f.write_str(message),
            Self::Isolation { error, resume } => {
                error.fmt(f)?;
                return cause_and_resume(f, "all before this", resume.as_deref());
            }
            Self::OutputClosed => return f.write_str("nobody reads standard output"),
            Self::Usage { message, hint }
            | Self::Folder { message, hint }
            | Self::Library { message, hint }
            | Self::Sandbox { message, hint }
            | Self::Check { message, hint }
            | Self::NothingFound { message, hint } => {
                f.write_str(message)?;
                hint
            }
            Self::Refused { file, message, hint } => {
                write!(f, "{message}\n--> {}", file.display())?;
                hint
            }
            Self::Output { target, message, hint } => {
                write!(f, "{} cannot be written: {message}", target.display())?;
                hint
            }
        };
        hint.as_ref().map_or(Ok(()), |hint| write!(f, "\n = hint: {hint}"))
    }
}

/// What to do about a plant that broke, or took down its process: where its fault is found, and how to resume what is saved.
fn cause_and_resume(f: &mut fmt::Formatter<'_>, saved: &str, command: Option<&str>) -> fmt::Result {
    f.write_str("\n = hint: `bitloop plant check` looks for the cause")?;
    command.map_or(Ok(()), |command| write!(f, "\n = hint: {saved} is saved; to resume: {command}"))
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl From<DataError> for Failure {
    fn from(error: DataError) -> Self {
        Self::Data(error)
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        let (message, hint) = (error.to_string(), error.hint().map(str::to_owned));
        Self::Folder { message, hint }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        let hint = error.hint().map(str::to_owned);
        match error {
            RunError::Folder(error) => error.into(),
            RunError::Training { file, error } => Self::of_training(&file, error),
            RunError::PlantBroke { error, .. } => Self::plant(*error, None),
            RunError::PlantLost { error, .. } => Self::Isolation { error, resume: None },
            RunError::InTheWay { .. }
            | RunError::OtherPlant { .. }
            | RunError::OtherData { .. }
            | RunError::State { .. }
            | RunError::NothingFinite { .. } => Self::Folder { message: error.to_string(), hint },
        }
    }
}

impl From<HostError> for Failure {
    fn from(error: HostError) -> Self {
        if let Some(error) = error.in_settings() {
            return Self::File(error.clone());
        }
        let (message, hint) = (error.to_string(), Some(error.hint()));
        match error {
            HostError::Unknown { .. } | HostError::Clash { .. } => Self::Usage { message, hint },
            HostError::Description { .. }
            | HostError::OtherName { .. }
            | HostError::Library(_)
            | HostError::Fmu(_) => Self::Library { message, hint },
        }
    }
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Self {
        let (message, hint) = (error.to_string(), error.hint());
        match error {
            CheckError::UnknownCheck(_) => Self::Usage { message, hint },
            CheckError::NoWorker(_) => Self::Check { message, hint },
        }
    }
}

impl From<IsaError> for Failure {
    fn from(error: IsaError) -> Self {
        Self::Usage { message: format!("BITLOOP_ISA: {error}"), hint: None }
    }
}

/// Reports a failure on standard error, and gives the exit code.
pub fn conclude(result: Result<Done, Failure>) -> ExitCode {
    match result {
        Ok(Done::Fully) => ExitCode::SUCCESS,
        Ok(Done::Missed) => ExitCode::from(4),
        Ok(Done::InPart { code }) => ExitCode::from(code),
        Ok(Done::Interrupted { signal }) => ExitCode::from(128 + signal),
        Err(failure) => {
            if !matches!(failure, Failure::OutputClosed) {
                // A standard error that is closed is no reason to fail in another way.
                let _ = writeln!(io::stderr(), "error: {}", printable(&failure.to_string()));
            }
            ExitCode::from(failure.code())
        }
    }
}
