//! [`RunFolder`]: the files of one run.
//!
//! | file | what it is |
//! |---|---|
//! | `scenario.ron` | the scenario as it was given |
//! | `resolved.ron` | the scenario as it is run, with all defaults |
//! | `log.jsonl` | what the search did, a line each |
//! | `checkpoint`, `checkpoint.previous` | where it stands, and where it stood |
//! | `result.json` | what it came to; once this is there, the run is finished |
//! | `lock` | whose it is at the moment |

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::folder::bounded::{check_writable, read_text_bounded};
use crate::folder::checkpoint::{self, Fault, Head, Origin, Sealed};
use crate::folder::durable::{
    remove_file, sync_folder, unless_missing, write_file, write_file_keeping,
};
use crate::folder::error::FolderError;
use crate::folder::file_system::{Disk, FileSystem};
use crate::folder::lock::Lock;

const SCENARIO: &str = "scenario.ron";
const RESOLVED: &str = "resolved.ron";
const LOG: &str = "log.jsonl";
const CHECKPOINT: &str = "checkpoint";
const PREVIOUS: &str = "checkpoint.previous";
const DAMAGED: &str = "checkpoint.damaged";
const RESULT: &str = "result.json";
const CONTROLLER: &str = "controller.ron";
const MODEL: &str = "model.ron";

/// The largest result that is read, in bytes.
const RESULT_LIMIT_BYTES: u64 = 1 << 20;

/// A folder that this process alone works in.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    files: Arc<dyn FileSystem>,
    _lock: Lock,
}

/// A checkpoint taken up.
#[derive(Debug)]
pub struct Loaded<S> {
    /// What the search was begun with.
    pub origin: Origin,
    /// Where it stood.
    pub state: S,
    /// How many bytes of the log belong to the time before.
    pub log_bytes: u64,
    /// What the user should know of it: that the newest checkpoint was damaged.
    pub note: Option<String>,
}

impl<S: DeserializeOwned> Loaded<S> {
    /// A checkpoint as it is in its file.
    ///
    /// # Errors
    /// Why the bytes are none, in words.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, String> {
        Sealed::open(bytes)?.load()
    }
}

impl RunFolder {
    /// Makes the folder and its parents if need be, and locks it.
    ///
    /// # Errors
    /// Somebody else is at work in it, or it cannot be made or written to.
    pub fn open(path: PathBuf) -> Result<Self, FolderError> {
        if !path.exists() {
            fs::create_dir_all(&path)
                .and_then(|()| sync_folder(&Disk, &path))
                .map_err(|error| FolderError::io(&path, error))?;
        }
        Self::open_on(path, Arc::new(Disk))
    }

    /// Locks a folder that is there already.
    ///
    /// # Errors
    /// As [`RunFolder::open`]; also if there is no such folder, or nothing of a run in it.
    pub fn open_existing(path: PathBuf) -> Result<Self, FolderError> {
        let metadata = fs::metadata(&path).map_err(|error| FolderError::io(&path, error))?;
        let holds = |name: &str| fs::symlink_metadata(path.join(name)).is_ok();
        if !metadata.is_dir() || ![CHECKPOINT, PREVIOUS, RESULT].into_iter().any(holds) {
            return Err(FolderError::NoCheckpoint { folder: path });
        }
        Self::open_on(path, Arc::new(Disk))
    }

    pub(crate) fn open_on(path: PathBuf, files: Arc<dyn FileSystem>) -> Result<Self, FolderError> {
        let lock = Lock::take(&path)?;
        Ok(Self { path, files, _lock: lock })
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the resolved scenario is.
    #[must_use]
    pub fn resolved_path(&self) -> PathBuf {
        self.path.join(RESOLVED)
    }

    /// Whether there is a file of that name.
    #[must_use]
    pub fn holds(&self, name: &str) -> bool {
        fs::symlink_metadata(self.path.join(name)).is_ok()
    }

    /// Whether a run has begun here, finished or not.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        [CHECKPOINT, PREVIOUS, RESULT].into_iter().any(|name| self.holds(name))
    }

    /// Whether a run has begun here, and has not finished.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.has_begun() && !self.holds(RESULT)
    }

    /// The result, if the run is finished.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn result(&self) -> Result<Option<String>, FolderError> {
        let path = self.path.join(RESULT);
        match read_text_bounded(&path, RESULT_LIMIT_BYTES) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(FolderError::io(&path, error)),
        }
    }

    /// What the run in the folder was begun with, if it has a sound checkpoint.
    #[must_use]
    pub fn origin(&self) -> Option<Origin> {
        [CHECKPOINT, PREVIOUS].iter().find_map(|name| {
            let sealed = checkpoint::read(&self.path.join(name)).ok()?.ok()?;
            Some(sealed.head.origin)
        })
    }

    /// Begins a run: writes down its scenario and its first state. What is left of an earlier run is written over.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn begin<S: Serialize>(
        &self,
        (given, resolved): (&str, &str),
        origin: &Origin,
        state: &S,
    ) -> Result<(), FolderError> {
        // In this order: until the first checkpoint is there, nothing can be taken up; once it is, everything can.
        for name in [CHECKPOINT, PREVIOUS, RESULT, LOG] {
            remove_file(&*self.files, &self.path.join(name))?;
        }
        self.write(SCENARIO, given.as_bytes())?;
        self.write(RESOLVED, resolved.as_bytes())?;
        write_checkpoint(&*self.files, &self.path, origin, 0, state)
    }

    /// Moves the files of a finished run into a folder of their own inside this one, and tells which.
    ///
    /// # Errors
    /// If a file cannot be moved.
    pub fn retire(&self) -> Result<PathBuf, FolderError> {
        let mut number = 1;
        let earlier = loop {
            let path = self.path.join(format!("earlier-{number}"));
            match fs::create_dir(&path) {
                Ok(()) => break path,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(FolderError::io(&path, error)),
            }
        };
        // The result is the last to go: until then, the run is finished.
        for name in [SCENARIO, RESOLVED, LOG, CHECKPOINT, PREVIOUS, CONTROLLER, MODEL, RESULT] {
            let (from, to) = (self.path.join(name), earlier.join(name));
            unless_missing(self.files.rename(&from, &to))
                .map_err(|error| FolderError::io(&from, error))?;
        }
        // Both folders have changed: the names are gone from this one, and are new in the other.
        for inside in [earlier.join(RESULT), earlier.clone()] {
            sync_folder(&*self.files, &inside).map_err(|error| FolderError::io(&inside, error))?;
        }
        Ok(earlier)
    }

    /// Takes up the newest checkpoint, or the one before it if that one is damaged.
    ///
    /// # Errors
    /// There is no sound checkpoint, or it is of another version or scenario.
    pub fn load<S: DeserializeOwned>(
        &self,
        bitloop_version: &str,
        scenario_digest: &str,
    ) -> Result<Loaded<S>, FolderError> {
        let newest = self.path.join(CHECKPOINT);
        let previous = self.path.join(PREVIOUS);
        let expected = (bitloop_version, scenario_digest);
        match self.load_one(&newest, expected)? {
            Some(Ok(loaded)) => Ok(loaded),
            // Between the two renames of a write, only the previous one is there.
            None => match self.load_one(&previous, expected)? {
                Some(Ok(loaded)) => Ok(loaded),
                Some(Err(message)) => Err(FolderError::Damaged { path: previous, message }),
                None => Err(FolderError::NoCheckpoint { folder: self.path.clone() }),
            },
            Some(Err(message)) => match self.load_one(&previous, expected)? {
                Some(Ok(loaded)) => {
                    let note = self.set_aside(&newest, &message)?;
                    Ok(Loaded { note: Some(note), ..loaded })
                }
                Some(Err(_)) | None => Err(FolderError::Damaged { path: newest, message }),
            },
        }
    }

    /// Gets ready to go on from a checkpoint, with a scenario that may have another budget in seconds.
    ///
    /// # Errors
    /// If a file cannot be written or removed.
    pub fn go_on(&self, resolved: &str) -> Result<(), FolderError> {
        self.write(RESOLVED, resolved.as_bytes())?;
        remove_file(&*self.files, &self.path.join(RESULT))
    }

    /// Writes the result, which makes the run a finished one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(&self, result: &str) -> Result<(), FolderError> {
        self.write(RESULT, result.as_bytes())
    }

    /// Opens the log at the end of what belongs to the time before a checkpoint, and cuts off the rest.
    pub(crate) fn open_log(&self, log_bytes: u64) -> Result<(PathBuf, File, u64), FolderError> {
        let path = self.path.join(LOG);
        let opened = (|| {
            check_writable(&path)?;
            let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path)?;
            let length = file.metadata()?.len().min(log_bytes);
            file.set_len(length)?;
            Ok((file, length))
        })();
        let (file, length) = opened.map_err(|error| FolderError::io(&path, error))?;
        Ok((path, file, length))
    }

    pub(crate) fn files(&self) -> Arc<dyn FileSystem> {
        Arc::clone(&self.files)
    }

    /// A checkpoint; nothing if there is none, words if it is damaged.
    fn load_one<S: DeserializeOwned>(
        &self,
        path: &Path,
        (bitloop_version, scenario_digest): (&str, &str),
    ) -> Result<Option<Result<Loaded<S>, Fault>>, FolderError> {
        let sealed: Sealed = match checkpoint::read(path) {
            Ok(Ok(sealed)) => sealed,
            Ok(Err(fault)) => return Ok(Some(Err(fault))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            // A disk that cannot read its newest file may still have the one before.
            Err(error) => return Ok(Some(Err(error.to_string()))),
        };
        let origin = &sealed.head.origin;
        if origin.bitloop_version != bitloop_version {
            return Err(FolderError::OtherVersion {
                path: path.to_owned(),
                found: origin.bitloop_version.clone(),
                expected: bitloop_version.to_owned(),
            });
        }
        if origin.scenario_digest != scenario_digest {
            let (path, scenario) = (path.to_owned(), self.resolved_path());
            return Err(FolderError::OtherScenario { path, scenario });
        }
        Ok(Some(sealed.load()))
    }

    /// Moves a damaged checkpoint out of the way, so that the next one does not push out the sound one before it.
    fn set_aside(&self, newest: &Path, message: &str) -> Result<String, FolderError> {
        let damaged = self.path.join(DAMAGED);
        self.files.rename(newest, &damaged).map_err(|error| FolderError::io(newest, error))?;
        Ok(format!(
            "{}: {message}; it is now {DAMAGED}, and the checkpoint before it is used",
            newest.display()
        ))
    }

    /// Writes a file of the folder, which is then either whole or as it was.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        write_file(&*self.files, &self.path.join(name), bytes)
    }
}

impl Sealed {
    fn load<S: DeserializeOwned>(self) -> Result<Loaded<S>, Fault> {
        let state = self.state()?;
        let Head { origin, log_bytes } = self.head;
        Ok(Loaded { origin, state, log_bytes, note: None })
    }
}

/// Writes a checkpoint, and keeps the one before it.
pub(crate) fn write_checkpoint<S: Serialize>(
    files: &dyn FileSystem,
    folder: &Path,
    origin: &Origin,
    log_bytes: u64,
    state: &S,
) -> Result<(), FolderError> {
    let path = folder.join(CHECKPOINT);
    let head = Head { origin: origin.clone(), log_bytes };
    let bytes = checkpoint::to_bytes(&head, state)
        .map_err(|error| FolderError::io(&path, io::Error::other(error)))?;
    write_file_keeping(files, &path, &bytes, &folder.join(PREVIOUS))
}
