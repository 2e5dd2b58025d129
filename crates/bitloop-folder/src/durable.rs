//! Files that are either whole or not there.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::FolderError;
use crate::file_system::{Disk, FileSystem};
use crate::regular::check_replaceable;

/// Writes a file aside, syncs it, gives it its name, and syncs the folder. Killed at any moment, it leaves either the file
/// that was there before or the new one, and at worst a `.tmp` file that the next one replaces.
///
/// The caller holds the lock of the folder; two that write the same file at once would disturb each other.
///
/// # Errors
/// If it cannot be written, or something that is no regular file has its name.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), FolderError> {
    replace(&Disk, path, bytes)
}

/// The same, by another file system.
pub(crate) fn replace(
    files: &dyn FileSystem,
    path: &Path,
    bytes: &[u8],
) -> Result<(), FolderError> {
    replace_or_keep(files, path, bytes, None)
}

/// The same, but a file that was there before is kept as `previous`. Between two of its steps there may be no file at
/// `path`; then there is one at `previous`.
pub(crate) fn replace_keeping(
    files: &dyn FileSystem,
    path: &Path,
    bytes: &[u8],
    previous: &Path,
) -> Result<(), FolderError> {
    replace_or_keep(files, path, bytes, Some(previous))
}

fn replace_or_keep(
    files: &dyn FileSystem,
    path: &Path,
    bytes: &[u8],
    previous: Option<&Path>,
) -> Result<(), FolderError> {
    let aside = aside(path);
    for name in [Some(&*aside), Some(path), previous].into_iter().flatten() {
        check_replaceable(name).map_err(|error| FolderError::write(name, error))?;
    }
    let written = (|| {
        unless_missing(files.remove(&aside))?;
        let mut file = files.create(&aside)?;
        write_all(files, &mut file, bytes)?;
        files.sync(&file)?;
        if let Some(previous) = previous {
            unless_missing(files.rename(path, previous))?;
        }
        files.rename(&aside, path)?;
        sync_folder(files, path)
    })();
    written.map_err(|error| {
        // What is left of it is of no use; that it cannot be removed changes nothing.
        let _ = files.remove(&aside);
        FolderError::write(path, error)
    })
}

/// Writes all of the bytes, however few at a time the system takes.
pub(crate) fn write_all(
    files: &dyn FileSystem,
    file: &mut File,
    mut bytes: &[u8],
) -> io::Result<()> {
    while !bytes.is_empty() {
        match files.write(file, bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n) => bytes = &bytes[n..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Removes a file, if there is one.
pub(crate) fn remove_file(files: &dyn FileSystem, path: &Path) -> Result<(), FolderError> {
    unless_missing(files.remove(path)).map_err(|error| FolderError::write(path, error))
}

/// Puts the names in a file's folder on the disk.
pub(crate) fn sync_folder(files: &dyn FileSystem, path: &Path) -> io::Result<()> {
    files.sync(&File::open(folder_of(path))?)
}

/// The folder that a name is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => path,
    }
}

pub(crate) fn unless_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Where a file is written before it gets its name. The writer holds the folder's lock, so that one name is enough.
fn aside(path: &Path) -> PathBuf {
    let mut aside = path.as_os_str().to_owned();
    aside.push(".tmp");
    PathBuf::from(aside)
}
