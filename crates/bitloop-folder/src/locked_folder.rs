//! [`LockedFolder`]: one process at a time in a folder.
//!
//! The lock is the system's (`flock`), which lets go of it when its owner dies, however it dies. The file stays; what
//! it says is for people and for messages.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;

use crate::durable::{folder_of, replace, sync_folder};
use crate::error::FolderError;
use crate::file_system::{Disk, FileSystem};
use crate::name;
use crate::regular::open_to_change;

const LOCK: &str = "lock";

/// A folder that this process alone works in, until it is dropped.
#[derive(Debug)]
pub struct LockedFolder {
    path: PathBuf,
    place: PathBuf,
    files: Arc<dyn FileSystem>,
    _lock: File,
}

impl LockedFolder {
    /// Locks a folder; nothing if there is none.
    ///
    /// # Errors
    /// Another process is at work in it, it is no folder, or it cannot be written to.
    pub fn open(path: &Path) -> Result<Option<Self>, FolderError> {
        Self::open_on(path, Arc::new(Disk))
    }

    /// Makes a folder with a first file in it, its parents if need be, and locks it. Killed at any moment, there is either no
    /// such folder, or one with that file.
    ///
    /// # Errors
    /// If it cannot be made, or somebody else has made one with files in it.
    pub fn create(path: &Path, name: &str, bytes: &[u8]) -> Result<Self, FolderError> {
        Self::create_on(path, (name, bytes), Arc::new(Disk))
    }

    pub(crate) fn open_on(
        path: &Path,
        files: Arc<dyn FileSystem>,
    ) -> Result<Option<Self>, FolderError> {
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(FolderError::write(path, error)),
            Ok(metadata) if !metadata.is_dir() => {
                let error = io::Error::new(io::ErrorKind::NotADirectory, "this is no folder");
                Err(FolderError::write(path, error))
            }
            Ok(_) => {
                let place = absolute(path).map_err(|error| FolderError::write(path, error))?;
                let lock = take_lock(&place, path)?;
                Ok(Some(Self { path: path.to_owned(), place, files, _lock: lock }))
            }
        }
    }

    pub(crate) fn create_on(
        path: &Path,
        (name, bytes): (&str, &[u8]),
        files: Arc<dyn FileSystem>,
    ) -> Result<Self, FolderError> {
        let failed = |error| FolderError::write(path, error);
        fs::create_dir_all(folder_of(path)).map_err(failed)?;
        let aside = aside(path, name).map_err(failed)?;
        match files.create_folder(&aside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                // Left by a process that died here. A link would lead elsewhere.
                if !fs::symlink_metadata(&aside).map_err(failed)?.is_dir() {
                    return Err(FolderError::write(&aside, error));
                }
            }
            made => made.map_err(failed)?,
        }
        let lock = take_lock(&aside, path)?;
        replace(&*files, &aside.join(name), bytes)?;
        files.rename(&aside, path).map_err(failed)?;
        sync_folder(&*files, path).map_err(failed)?;
        let place = absolute(path).map_err(failed)?;
        Ok(Self { path: path.to_owned(), place, files, _lock: lock })
    }

    /// The folder, as it was named.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where it is, by its absolute path: a plant may change the working directory of the process.
    #[must_use]
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Whether something has that name in it.
    #[must_use]
    pub fn holds(&self, name: &str) -> bool {
        fs::symlink_metadata(self.place.join(name)).is_ok()
    }

    /// Whether a training has begun in it, finished or not.
    #[must_use]
    pub fn holds_run(&self) -> bool {
        name::OF_A_RUN.into_iter().any(|name| self.holds(name))
    }

    /// Writes a file of the folder, which is then either whole or as it was.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        replace(&*self.files, &self.place.join(name), bytes)
    }

    pub(crate) fn files(&self) -> &Arc<dyn FileSystem> {
        &self.files
    }
}

/// Takes the lock in a folder; messages name it as `shown`.
fn take_lock(folder: &Path, shown: &Path) -> Result<File, FolderError> {
    let path = folder.join(LOCK);
    let failed = |error| FolderError::write(&shown.join(LOCK), error);
    let mut file = open_to_change(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut text = String::new();
            // What cannot be read or understood only makes the message shorter.
            let _ = file.take(32).read_to_string(&mut text);
            let process = text.trim().parse().ok();
            return Err(FolderError::Busy { folder: shown.to_owned(), process });
        }
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    // On a full disk the number stays away; the lock holds all the same.
    let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
    Ok(file)
}

/// Where a folder is filled with its first file before it gets its name.
fn aside(path: &Path, first: &str) -> io::Result<PathBuf> {
    let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "this is no name for a folder");
    let mut aside = OsString::from(".");
    aside.push(path.file_name().ok_or_else(no_name)?);
    aside.push(format!(".{first}"));
    Ok(folder_of(path).join(aside))
}
