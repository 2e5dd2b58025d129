//! The calls to the system that may fail or be the last, in one place, so that tests can make each of them fail.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use crate::regular::create_new;

/// What durable files are written with.
pub(crate) trait FileSystem: fmt::Debug + Send + Sync {
    /// Makes an empty file under a name that is free.
    fn create(&self, path: &Path) -> io::Result<File>;
    /// Makes a folder under a name that is free.
    fn create_folder(&self, path: &Path) -> io::Result<()>;
    /// Writes some of the bytes, and returns how many.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize>;
    /// Returns once a file or folder is on the disk.
    fn sync(&self, file: &File) -> io::Result<()>;
    /// Gives a file or folder another name, in place of the file that had it.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// The system's own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disk;

impl FileSystem for Disk {
    fn create(&self, path: &Path) -> io::Result<File> {
        create_new(path)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}
