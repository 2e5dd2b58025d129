//! Files inside a folder of runs are opened here: regular ones only, under their own name.
//!
//! Otherwise another user who can write to the folder could have files elsewhere overwritten, through a symbolic link or a
//! second name; and opening a pipe may never end.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use thiserror::Error;

/// What is found in the place of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum NotAFile {
    /// It leads to another place.
    #[error("this is a symbolic link, and links are not followed here")]
    SymbolicLink,
    /// A folder, a pipe, a device.
    #[error("this is no regular file")]
    Special,
    /// The same file has another name, perhaps in another folder.
    #[error("this file has a second name, under which it would be changed too")]
    HardLink,
}

impl From<NotAFile> for io::Error {
    fn from(what: NotAFile) -> Self {
        Self::new(io::ErrorKind::InvalidData, what)
    }
}

/// Opens a file for reading.
pub(crate) fn open_to_read(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().read(true))
}

/// Opens a file for reading and writing, where it is changed in its place; makes it if need be.
pub(crate) fn open_to_change(path: &Path) -> io::Result<File> {
    let file = open(path, OpenOptions::new().read(true).write(true).create(true))?;
    if file.metadata()?.nlink() > 1 {
        return Err(NotAFile::HardLink.into());
    }
    Ok(file)
}

/// Makes a file that nothing has the name of.
pub(crate) fn create_new(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Refuses a name that something else than a regular file has.
pub(crate) fn check_replaceable(path: &Path) -> io::Result<()> {
    // What else may be wrong shows when the file is written.
    fs::symlink_metadata(path).map_or(Ok(()), |metadata| check(&metadata))
}

fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    check_replaceable(path)?;
    // Of what may have taken its place since: links are refused by the system, and pipes do not wait.
    let file = options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

fn check(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_symlink() {
        return Err(NotAFile::SymbolicLink.into());
    }
    if !metadata.is_file() {
        return Err(NotAFile::Special.into());
    }
    Ok(())
}
