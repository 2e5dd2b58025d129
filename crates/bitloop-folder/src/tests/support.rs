//! A file system that fails or dies at each of its calls, and what it is used on.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::file_system::{Disk, FileSystem};
use crate::{FolderError, Loaded, Provenance, RunFolder, Texts};

pub const ENOSPC: i32 = 28;
pub const EIO: i32 = 5;

/// What goes wrong at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The call fails, and those after it work.
    Error(i32),
    /// From this call on, every call fails.
    ErrorForGood(i32),
    /// A write takes half of the bytes, and the next one fails.
    HalfThenError(i32),
    /// Every write takes at most seven bytes; nothing fails.
    ShortWrites,
    /// The machine dies before the call: what was written and not synced is lost.
    Death,
}

/// The disk, with a fault at one of its calls.
#[derive(Debug)]
pub struct Faulty {
    fault: Fault,
    /// The call at which it happens, from 0.
    at: u64,
    n_calls: AtomicU64,
    /// The file that was written and not synced.
    unsynced: Mutex<Option<PathBuf>>,
}

impl Faulty {
    pub fn new(fault: Fault, at: u64) -> Arc<Self> {
        Arc::new(Self { fault, at, n_calls: AtomicU64::new(0), unsynced: Mutex::new(None) })
    }

    pub fn n_calls(&self) -> u64 {
        self.n_calls.load(Ordering::Relaxed)
    }

    /// Counts a call; fails if it is the one.
    fn call(&self) -> io::Result<()> {
        let number = self.n_calls.fetch_add(1, Ordering::Relaxed);
        match self.fault {
            Fault::Error(code) if number == self.at => Err(io::Error::from_raw_os_error(code)),
            Fault::ErrorForGood(code) if number >= self.at => {
                Err(io::Error::from_raw_os_error(code))
            }
            Fault::HalfThenError(code) if number == self.at + 1 => {
                Err(io::Error::from_raw_os_error(code))
            }
            Fault::Death if number >= self.at => {
                if let Some(path) = self.unsynced.lock().unwrap().take() {
                    let length = fs::metadata(&path).map_or(0, |metadata| metadata.len());
                    File::options().write(true).open(&path).unwrap().set_len(length / 2).unwrap();
                }
                Err(io::Error::other("dead"))
            }
            _ => Ok(()),
        }
    }
}

impl FileSystem for Faulty {
    fn create(&self, path: &Path) -> io::Result<File> {
        self.call()?;
        *self.unsynced.lock().unwrap() = Some(path.to_owned());
        Disk.create(path)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.call()?;
        Disk.create_folder(path)
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        let is_now = self.n_calls() == self.at;
        self.call()?;
        let length = match self.fault {
            Fault::HalfThenError(_) if is_now => bytes.len() / 2,
            Fault::ShortWrites => bytes.len().min(7),
            _ => bytes.len(),
        };
        Disk.write(file, &bytes[..length])
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.call()?;
        if file.metadata()?.is_file() {
            *self.unsynced.lock().unwrap() = None;
        }
        Disk.sync(file)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call()?;
        Disk.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call()?;
        Disk.remove(path)
    }
}

pub fn provenance() -> Provenance {
    Provenance {
        bitloop_version: "0.1.0".to_owned(),
        scenario_digest: "ab".to_owned(),
        plant_digest: None,
        data: std::collections::BTreeMap::new(),
        scenario_name: "s.ron".to_owned(),
        command: "bitloop train \"s.ron\"\n".to_owned(),
    }
}

/// A state of some size that is known by its number.
pub type State = (u64, Vec<f64>);

pub fn state(number: u64) -> State {
    (number, vec![1.0 / 3.0; 100])
}

pub fn load(folder: &Path) -> Result<Loaded<State>, FolderError> {
    RunFolder::open_run(folder)?.load("0.1.0", "ab")
}

/// The texts of a scenario with a name.
pub fn texts(name: &str) -> Texts<'_> {
    Texts { given: name, resolved: name }
}

/// A folder in which a run has begun, with state 0.
pub fn begun(folder: &Path) -> RunFolder {
    RunFolder::create(&folder.join("run"), texts("first"), &provenance(), &state(0)).unwrap()
}
