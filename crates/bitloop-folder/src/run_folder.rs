//! [`RunFolder`]: the files of one run.
//!
//! | file | what it is |
//! |---|---|
//! | `scenario.ron` | the scenario as it was given |
//! | `resolved.ron` | the scenario as it is run, with all defaults |
//! | `log.jsonl` | what the search did, a line each |
//! | `checkpoint`, `checkpoint.previous` | where it stands, and where it stood |
//! | `result.json` | how it ended; once this is there, the run is finished |
//! | `begin` | a run that is just beginning, see `begin.rs` |
//! | `lock` | which process works here |

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::begin;
use crate::beginning::{Beginning, Texts};
use crate::bounded::read_text_bounded;
use crate::checkpoint::{self, Fault, Head, Provenance, Sealed};
use crate::durable::{remove_file, replace_keeping};
use crate::error::FolderError;
use crate::file_system::{Disk, FileSystem};
use crate::locked_folder::LockedFolder;
use crate::log_file::LogFile;
use crate::name;
use crate::regular::check_replaceable;

/// The number of the result's format, in its field `format`.
pub const RESULT_FORMAT: u64 = 1;

/// The largest result that is read, in bytes.
const RESULT_LIMIT_BYTES: u64 = 1 << 20;

/// The folder of a run, that this process alone works in.
#[derive(Debug)]
pub struct RunFolder {
    folder: LockedFolder,
}

/// A checkpoint that was read.
#[derive(Debug)]
pub struct Loaded<S> {
    /// Where the training comes from.
    pub provenance: Provenance,
    /// Where the search stood.
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
        Sealed::open(bytes).and_then(Sealed::load).map_err(|fault| fault.to_string())
    }
}

impl RunFolder {
    /// Locks a folder; nothing if there is none. A run that another process could not begin wholly is begun wholly.
    ///
    /// # Errors
    /// Another process is at work in it, or it cannot be written to.
    pub fn open(path: &Path) -> Result<Option<Self>, FolderError> {
        Self::open_on(path, Arc::new(Disk))
    }

    /// Locks a folder that holds a run.
    ///
    /// # Errors
    /// As [`RunFolder::open`]; also if there is no such folder, or nothing of a run in it, which then stays as it is.
    pub fn open_run(path: &Path) -> Result<Self, FolderError> {
        let metadata = fs::metadata(path).map_err(|error| FolderError::read(path, error))?;
        let no_run = || FolderError::NoRun { folder: path.to_owned() };
        let holds = |name: &str| fs::symlink_metadata(path.join(name)).is_ok();
        if !metadata.is_dir() || !name::OF_A_RUN.into_iter().any(holds) {
            return Err(no_run());
        }
        Self::open(path)?.ok_or_else(no_run)
    }

    /// Makes a folder with a run that begins: its scenario and its first state. Killed at any moment, there is either no such
    /// folder, or one whose run can be resumed.
    ///
    /// # Errors
    /// If a file cannot be written, or somebody else has made the folder meanwhile.
    pub fn create<S: Serialize>(
        path: &Path,
        texts: Texts<'_>,
        provenance: &Provenance,
        state: &S,
    ) -> Result<Self, FolderError> {
        Self::create_on(path, texts, (provenance, state), Arc::new(Disk))
    }

    pub(crate) fn open_on(
        path: &Path,
        files: Arc<dyn FileSystem>,
    ) -> Result<Option<Self>, FolderError> {
        let Some(folder) = LockedFolder::open_on(path, files)? else { return Ok(None) };
        begin::complete(&folder)?;
        Ok(Some(Self { folder }))
    }

    pub(crate) fn create_on<S: Serialize>(
        path: &Path,
        texts: Texts<'_>,
        (provenance, state): (&Provenance, &S),
        files: Arc<dyn FileSystem>,
    ) -> Result<Self, FolderError> {
        let begin = beginning(path, Beginning::new(texts, None), provenance, state)?;
        let folder = LockedFolder::create_on(path, (name::BEGIN, &begin), files)?;
        begin::complete(&folder)?;
        Ok(Self { folder })
    }

    /// The folder, as it was named.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Where it is, by its absolute path, which the working directory of the process does not change.
    #[must_use]
    pub fn place(&self) -> &Path {
        self.folder.place()
    }

    /// Where the resolved scenario is.
    #[must_use]
    pub fn resolved_path(&self) -> PathBuf {
        self.named(name::RESOLVED)
    }

    /// Checks that the resolved scenario is a file of this folder, before it is read.
    ///
    /// # Errors
    /// If it is a link or no file.
    pub fn check_resolved(&self) -> Result<(), FolderError> {
        let path = self.resolved_path();
        check_replaceable(&path).map_err(|error| FolderError::read(&path, error))
    }

    /// Whether there is a file of that name.
    #[must_use]
    pub fn holds(&self, name: &str) -> bool {
        self.folder.holds(name)
    }

    /// Whether a run has begun here, finished or not.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.folder.holds_run()
    }

    /// Whether a run has begun here, and has not finished.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.has_begun() && !self.holds(name::RESULT)
    }

    /// The result, if the run is finished.
    ///
    /// # Errors
    /// If it cannot be read, or is of another format.
    pub fn result(&self) -> Result<Option<Map<String, Value>>, FolderError> {
        let path = self.named(name::RESULT);
        let text = match read_text_bounded(&self.file(name::RESULT), RESULT_LIMIT_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(FolderError::read(&path, error)),
        };
        let result: Map<String, Value> = serde_json::from_str(&text).map_err(|error| {
            let (path, message) = (path.clone(), format!("this is no result: {error}"));
            FolderError::DamagedResult { path, message }
        })?;
        match result.get("format").and_then(Value::as_u64) {
            Some(RESULT_FORMAT) => Ok(Some(result)),
            found => Err(FolderError::OtherFormat { path, found, expected: RESULT_FORMAT }),
        }
    }

    /// Where the run in the folder comes from, if it has a sound checkpoint.
    #[must_use]
    pub fn provenance(&self) -> Option<Provenance> {
        [name::CHECKPOINT, name::PREVIOUS].iter().find_map(|name| {
            let sealed = checkpoint::read(&self.file(name)).ok()?.ok()?;
            Some(sealed.head.provenance)
        })
    }

    /// Begins a run in a folder that holds none that is unfinished. The files of a finished one are moved to a folder of
    /// their own inside this one, which is returned, or else are written over. Killed at any moment, either the run that was
    /// there is still there, or the new one can be resumed.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn begin<S: Serialize>(
        &self,
        texts: Texts<'_>,
        provenance: &Provenance,
        state: &S,
        keeps_earlier: bool,
    ) -> Result<Option<PathBuf>, FolderError> {
        // Refused before anything is touched.
        for name in name::OF_A_FINISHED_RUN {
            let path = self.file(name);
            check_replaceable(&path).map_err(|error| FolderError::write(&path, error))?;
        }
        let keeps_earlier = keeps_earlier && self.holds(name::RESULT);
        let earlier = keeps_earlier.then(|| self.free_name());
        let begin =
            beginning(self.path(), Beginning::new(texts, earlier.clone()), provenance, state)?;
        self.folder.write(name::BEGIN, &begin)?;
        begin::complete(&self.folder)?;
        Ok(earlier.map(|name| self.named(&name)))
    }

    /// A name for the files of a finished run.
    fn free_name(&self) -> String {
        let names = (1_u64..).map(|number| format!("earlier-{number}"));
        names.into_iter().find(|name| !self.holds(name)).unwrap_or_default()
    }

    /// Reads the newest checkpoint, or the one before it if that one is damaged.
    ///
    /// # Errors
    /// There is no sound checkpoint, or it is of another format, version or scenario.
    pub fn load<S: DeserializeOwned>(
        &self,
        bitloop_version: &str,
        scenario_digest: &str,
    ) -> Result<Loaded<S>, FolderError> {
        let expected = (bitloop_version, scenario_digest);
        match self.load_one(name::CHECKPOINT, expected)? {
            Some(Ok(loaded)) => Ok(loaded),
            // Between the two renames of a write, only the previous one is there.
            None => match self.load_one(name::PREVIOUS, expected)? {
                Some(Ok(loaded)) => Ok(loaded),
                Some(Err(fault)) => Err(unreadable(self.named(name::PREVIOUS), fault)),
                None => Err(FolderError::NoRun { folder: self.path().to_owned() }),
            },
            Some(Err(fault)) => match self.load_one(name::PREVIOUS, expected)? {
                Some(Ok(loaded)) => {
                    let note = self.set_aside(&fault)?;
                    Ok(Loaded { note: Some(note), ..loaded })
                }
                Some(Err(_)) | None => Err(unreadable(self.named(name::CHECKPOINT), fault)),
            },
        }
    }

    /// Gets ready to resume, with a scenario that may have other budgets.
    ///
    /// # Errors
    /// If a file cannot be written or removed.
    pub fn resume(&self, resolved: &str) -> Result<(), FolderError> {
        self.write(name::RESOLVED, resolved.as_bytes())?;
        remove_file(&**self.folder.files(), &self.file(name::RESULT))
    }

    /// Writes the result, which makes the run a finished one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(&self, result: &str) -> Result<(), FolderError> {
        self.write(name::RESULT, result.as_bytes())
    }

    /// Writes a file of the folder, which is then either whole or as it was.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        self.folder.write(name, bytes)
    }

    /// Opens the log at the end of what belongs to the time before a checkpoint, and cuts off the rest.
    pub(crate) fn open_log(&self, log_bytes: u64) -> Result<LogFile, FolderError> {
        LogFile::open(self.file(name::LOG), log_bytes)
    }

    pub(crate) fn files(&self) -> Arc<dyn FileSystem> {
        Arc::clone(self.folder.files())
    }

    /// Where a file is.
    fn file(&self, name: &str) -> PathBuf {
        self.place().join(name)
    }

    /// The same file as messages name it.
    fn named(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// A checkpoint; nothing if there is none, the fault if it cannot be used.
    fn load_one<S: DeserializeOwned>(
        &self,
        name: &str,
        (bitloop_version, scenario_digest): (&str, &str),
    ) -> Result<Option<Result<Loaded<S>, Fault>>, FolderError> {
        let path = self.named(name);
        let sealed: Sealed = match checkpoint::read(&self.file(name)) {
            Ok(Ok(sealed)) => sealed,
            Ok(Err(fault)) => return Ok(Some(Err(fault))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            // A disk that cannot read its newest file may still have the one before.
            Err(error) => return Ok(Some(Err(Fault::Damaged(error.to_string())))),
        };
        let provenance = &sealed.head.provenance;
        if provenance.bitloop_version != bitloop_version {
            return Err(FolderError::OtherVersion {
                path,
                found: provenance.bitloop_version.clone(),
                expected: bitloop_version.to_owned(),
            });
        }
        if provenance.scenario_digest != scenario_digest {
            return Err(FolderError::OtherScenario { path, scenario: self.resolved_path() });
        }
        Ok(Some(sealed.load()))
    }

    /// Moves a damaged checkpoint out of the way, so that the next one does not push out the sound one before it.
    fn set_aside(&self, fault: &Fault) -> Result<String, FolderError> {
        let newest = self.named(name::CHECKPOINT);
        self.folder
            .files()
            .rename(&self.file(name::CHECKPOINT), &self.file(name::DAMAGED))
            .map_err(|error| FolderError::write(&newest, error))?;
        Ok(format!(
            "{}: {fault}; it is now {}, and the checkpoint before it is used",
            newest.display(),
            name::DAMAGED
        ))
    }
}

impl Sealed {
    fn load<S: DeserializeOwned>(self) -> Result<Loaded<S>, Fault> {
        let state = self.state()?;
        let Head { provenance, log_bytes, .. } = self.head;
        Ok(Loaded { provenance, state, log_bytes, note: None })
    }
}

fn unreadable(path: PathBuf, fault: Fault) -> FolderError {
    match fault {
        Fault::OtherFormat(found) => {
            FolderError::OtherFormat { path, found: Some(found), expected: checkpoint::FORMAT }
        }
        Fault::Damaged(message) => FolderError::Damaged { path, message },
    }
}

fn beginning<S: Serialize>(
    folder: &Path,
    beginning: Beginning,
    provenance: &Provenance,
    state: &S,
) -> Result<Vec<u8>, FolderError> {
    let failed = |error| FolderError::write(&folder.join(name::BEGIN), io::Error::other(error));
    begin::to_bytes(beginning, provenance, state).map_err(failed)
}

/// Writes a checkpoint, and keeps the one before it.
pub(crate) fn write_checkpoint<S: Serialize>(
    files: &dyn FileSystem,
    folder: &Path,
    provenance: &Provenance,
    log_bytes: u64,
    state: &S,
) -> Result<(), FolderError> {
    let path = folder.join(name::CHECKPOINT);
    let head = Head { provenance: provenance.clone(), log_bytes, beginning: None };
    let bytes = checkpoint::to_bytes(&head, state)
        .map_err(|error| FolderError::write(&path, io::Error::other(error)))?;
    replace_keeping(files, &path, &bytes, &folder.join(name::PREVIOUS))
}
