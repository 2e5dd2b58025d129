//! One process at a time in a folder.
//!
//! The lock is the system's (`flock`), which lets go of it when its owner dies, however it dies. The file stays; what
//! it says is for people and for messages.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::Path;

use crate::folder::bounded::check_writable;
use crate::folder::error::FolderError;

const NAME: &str = "lock";

/// Held until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of a folder that exists.
    pub fn take(folder: &Path) -> Result<Self, FolderError> {
        let path = folder.join(NAME);
        let io = |error| FolderError::io(&path, error);
        check_writable(&path).map_err(io)?;
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                // Whatever cannot be read or understood only makes the message shorter.
                let _ = file.take(32).read_to_string(&mut text);
                let process = text.trim().parse().ok();
                return Err(FolderError::Busy { folder: folder.to_owned(), process });
            }
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
        // On a full disk the number stays away; the lock holds all the same.
        let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
        Ok(Self { _file: file })
    }
}
