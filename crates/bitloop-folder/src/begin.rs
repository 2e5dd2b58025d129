//! The beginning of a run: several files that must all be there, or none.
//!
//! One file, `begin`, holds all of them. Once it has its name, the run has begun; what is left of an earlier run is moved or
//! removed, the files are written, and `begin` becomes the first checkpoint. A process that dies in between leaves `begin`,
//! and the next one that opens the folder does the rest, or does it again.

use std::path::Path;

use serde::Serialize;

use crate::beginning::Beginning;
use crate::checkpoint::{self, Head, Provenance};
use crate::durable::{remove_file, replace, sync_folder, unless_missing};
use crate::error::FolderError;
use crate::file_system::FileSystem;
use crate::locked_folder::LockedFolder;
use crate::name;
use crate::regular::check_replaceable;

/// The bytes of `begin`.
pub(crate) fn to_bytes<S: Serialize>(
    beginning: Beginning,
    provenance: &Provenance,
    state: &S,
) -> Result<Vec<u8>, ron::Error> {
    let head = Head { provenance: provenance.clone(), log_bytes: 0, beginning: Some(beginning) };
    checkpoint::to_bytes(&head, state)
}

/// Does what a beginning still needs, if there is one. May be done again after any of its steps.
pub(crate) fn complete(folder: &LockedFolder) -> Result<(), FolderError> {
    let path = folder.place().join(name::BEGIN);
    if !folder.holds(name::BEGIN) {
        return Ok(());
    }
    let damaged = |message| FolderError::Damaged { path: path.clone(), message };
    let sealed = checkpoint::read(&path)
        .map_err(|error| FolderError::read(&path, error))?
        .map_err(|fault| damaged(fault.to_string()))?;
    let beginning = sealed
        .head
        .beginning
        .ok_or_else(|| damaged("this is a checkpoint, and no beginning".to_owned()))?;
    let files = &**folder.files();
    // The result is the last to go. Once it is gone, what is there belongs to the run that begins.
    if let Some(earlier) = &beginning.earlier
        && folder.holds(name::RESULT)
    {
        retire(files, folder.place(), earlier)?;
    }
    for name in [name::RESULT, name::PREVIOUS, name::LOG] {
        remove_file(files, &folder.place().join(name))?;
    }
    for (name, text) in [(name::SCENARIO, &beginning.given), (name::RESOLVED, &beginning.resolved)]
    {
        replace(files, &folder.place().join(name), text.as_bytes())?;
    }
    let checkpoint = folder.place().join(name::CHECKPOINT);
    check_replaceable(&checkpoint)
        .and_then(|()| files.rename(&path, &checkpoint))
        .and_then(|()| sync_folder(files, &checkpoint))
        .map_err(|error| FolderError::write(&checkpoint, error))
}

/// Moves the files of a finished run into a folder of their own.
fn retire(files: &dyn FileSystem, folder: &Path, earlier: &str) -> Result<(), FolderError> {
    let earlier = folder.join(earlier);
    match files.create_folder(&earlier) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        made => made.map_err(|error| FolderError::write(&earlier, error))?,
    }
    if !std::fs::symlink_metadata(&earlier).is_ok_and(|metadata| metadata.is_dir()) {
        let error = std::io::Error::other("this is no folder");
        return Err(FolderError::write(&earlier, error));
    }
    for name in name::OF_A_FINISHED_RUN {
        let (from, to) = (folder.join(name), earlier.join(name));
        unless_missing(files.rename(&from, &to))
            .map_err(|error| FolderError::write(&from, error))?;
    }
    // Both folders have changed: the names are gone from this one, and are new in the other.
    for inside in [&earlier.join(name::RESULT), &earlier] {
        sync_folder(files, inside).map_err(|error| FolderError::write(inside, error))?;
    }
    Ok(())
}
