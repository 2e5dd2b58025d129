//! A merged folder gets its place, or is compared with what was merged there before.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use bitloop_folder::{Assembly, FolderError};

use crate::failure::Failure;

/// Files that tell of times, machines and folders, and may differ between two merges of the same.
const OF_THE_MACHINE: [&str; 4] = ["costs.jsonl", "local.json", "lock", "result.json"];

/// Whether a folder is not there, or is empty.
fn is_replaceable(folder: &Path) -> Result<bool, Failure> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(FolderError::read(folder, error).into()),
        Ok(mut entries) => Ok(entries.next().is_none()),
    }
}

/// Gives a folder that is complete its place. If that has something already, it must be the same, and stays as it is. Returns
/// whether the folder is new.
pub fn place_or_compare(assembly: Assembly, target: &Path) -> Result<bool, Failure> {
    if is_replaceable(target)? {
        assembly.finish()?;
        return Ok(true);
    }
    let difference = difference(assembly.folder(), target)
        .map_err(|error| Failure::from(FolderError::read(target, error)))?;
    match difference {
        None => Ok(false),
        Some(path) => Err(Failure::Output {
            target: target.to_owned(),
            message: format!("it holds something else: {} differs", path.display()),
            hint: Some("name another folder with --out".to_owned()),
        }),
    }
}

/// The first file of a folder that another one does not have, or has with other contents.
fn difference(folder: &Path, other: &Path) -> io::Result<Option<PathBuf>> {
    let mut names: Vec<_> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>()?;
    names.sort();
    for name in names {
        let (path, of_other) = (folder.join(&name), other.join(&name));
        if OF_THE_MACHINE.iter().any(|own| name == *own) {
            continue;
        }
        if fs::symlink_metadata(&of_other).is_err() {
            return Ok(Some(of_other));
        }
        if path.is_dir() {
            if let Some(found) = difference(&path, &of_other)? {
                return Ok(Some(found));
            }
        } else if fs::read(&path)? != fs::read(&of_other)? {
            return Ok(Some(of_other));
        }
    }
    Ok(None)
}
