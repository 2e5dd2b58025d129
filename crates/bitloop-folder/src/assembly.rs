//! [`Assembly`]: a folder that is filled beside its place, and gets its name when it is complete.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::durable::{folder_of, sync_folder};
use crate::error::FolderError;
use crate::file_system::Disk;

/// A folder that is filled beside its place. Dropped before [`finish`](Assembly::finish), it is removed.
///
/// Its files are not synced one by one: a folder of ten thousand files would take minutes. All of them are synced at once, before
/// the folder gets its name. A process that is killed leaves a folder of the name `.NAME.assembly-PROCESS` behind.
#[derive(Debug)]
pub struct Assembly {
    aside: PathBuf,
    target: PathBuf,
}

impl Assembly {
    /// Makes an empty folder beside `target`, and the parents of both if need be.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn begin(target: &Path) -> Result<Self, FolderError> {
        let failed = |error| FolderError::write(target, error);
        let name = target.file_name().ok_or_else(|| {
            failed(io::Error::new(io::ErrorKind::InvalidInput, "this is no name for a folder"))
        })?;
        fs::create_dir_all(folder_of(target)).map_err(failed)?;
        let mut aside = std::ffi::OsString::from(".");
        aside.push(name);
        aside.push(format!(".assembly-{}", std::process::id()));
        let aside = folder_of(target).join(aside);
        // Left by an earlier process of the same number.
        if fs::symlink_metadata(&aside).is_ok_and(|found| found.is_dir()) {
            fs::remove_dir_all(&aside).map_err(|error| FolderError::write(&aside, error))?;
        }
        fs::create_dir(&aside).map_err(|error| FolderError::write(&aside, error))?;
        Ok(Self { aside, target: target.to_owned() })
    }

    /// The folder that is filled.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.aside
    }

    /// Puts all files on the disk, and gives the folder its name, which nothing or an empty folder has.
    ///
    /// # Errors
    /// If the disk does not take all of it, or something has its name.
    pub fn finish(self) -> Result<(), FolderError> {
        let written = File::open(&self.aside)
            .and_then(|folder| Ok(rustix::fs::syncfs(folder)?))
            .and_then(|()| fs::rename(&self.aside, &self.target))
            .and_then(|()| sync_folder(&Disk, &self.target));
        written.map_err(|error| FolderError::write(&self.target, error))
    }
}

impl Drop for Assembly {
    fn drop(&mut self) {
        // After a rename there is nothing left. What cannot be removed is only in the way of people.
        let _ = fs::remove_dir_all(&self.aside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_folder_is_there_when_it_is_complete_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("deep/out");
        let assembly = Assembly::begin(&target).unwrap();
        fs::write(assembly.folder().join("file"), "all").unwrap();
        assert!(!target.exists());
        assembly.finish().unwrap();
        assert_eq!(fs::read_to_string(target.join("file")).unwrap(), "all");
        assert_eq!(names(target.parent().unwrap()), ["out"]);
    }

    #[test]
    fn what_is_given_up_leaves_nothing_and_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        drop(Assembly::begin(&target).unwrap());
        assert_eq!(names(folder.path()), [""; 0]);
        fs::create_dir(&target).unwrap();
        fs::write(target.join("mine"), "mine").unwrap();
        let assembly = Assembly::begin(&target).unwrap();
        let error = assembly.finish().unwrap_err().to_string();
        assert!(error.contains("out cannot be written"), "{error}");
        assert_eq!(names(folder.path()), ["out"]);
        assert_eq!(names(&target), ["mine"]);
    }
}
