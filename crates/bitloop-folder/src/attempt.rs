//! Folders of attempts: each process that does the same piece of work has a folder of its own.
//!
//! An engine may start a piece of work again after it was lost, or twice at once, on machines that share a file system. Locks do
//! not hold on every such file system, but making a folder succeeds for one process alone. So no folder is written by
//! two processes, and what an earlier attempt has finished is only read.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::FolderError;
use crate::numbered::numbers_in;

/// What the names of attempts begin with; their number follows.
const PREFIX: &str = "attempt-";

/// The attempts that have begun inside a folder, in order of their number; none if there is no such folder.
///
/// # Errors
/// If the folder cannot be read.
pub fn attempts(folder: &Path) -> Result<Vec<PathBuf>, FolderError> {
    let numbers = numbers(folder).map_err(|error| FolderError::read(folder, error))?;
    Ok(numbers.into_iter().map(|number| of_number(folder, number)).collect())
}

/// Makes a folder for an attempt, with a number above all others, and the parents if need be.
///
/// # Errors
/// If it cannot be made.
pub fn begin_attempt(folder: &Path) -> Result<PathBuf, FolderError> {
    let failed = |error| FolderError::write(folder, error);
    fs::create_dir_all(folder).map_err(failed)?;
    let mut number = numbers(folder).map_err(failed)?.last().map_or(1, |last| last + 1);
    loop {
        let attempt = of_number(folder, number);
        match fs::create_dir(&attempt) {
            Ok(()) => return Ok(attempt),
            // Another process was faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(FolderError::write(&attempt, error)),
        }
    }
}

fn of_number(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{PREFIX}{number}"))
}

fn numbers(folder: &Path) -> io::Result<BTreeSet<u32>> {
    numbers_in(folder, |entry, name| {
        let number: u32 = name.strip_prefix(PREFIX)?.parse().ok()?;
        // The largest number would leave none for the next attempt.
        let is_attempt = number < u32::MAX / 2 && entry.file_type().ok()?.is_dir();
        is_attempt.then_some(number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_that_begin_at_once_get_folders_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let shard = folder.path().join("c/shard-0-of-2");
        assert!(attempts(&shard).unwrap().is_empty());
        let mut made: Vec<PathBuf> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..8).map(|_| scope.spawn(|| begin_attempt(&shard).unwrap())).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        made.sort();
        made.dedup();
        assert_eq!(made.len(), 8);
        assert_eq!(attempts(&shard).unwrap(), made);
        fs::create_dir(shard.join("attempt-x")).unwrap();
        fs::create_dir(shard.join("attempt-12")).unwrap();
        assert_eq!(begin_attempt(&shard).unwrap(), shard.join("attempt-13"));
        assert_eq!(attempts(&shard).unwrap().last(), Some(&shard.join("attempt-13")));
    }
}
