//! [`Export`]: the files of an export, and how they are written.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use crate::error::ExportError;

/// A file of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportFile {
    /// Its name, without folders.
    pub name: String,
    /// What is in it.
    pub contents: Vec<u8>,
}

/// The files of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// The files.
    pub files: Vec<ExportFile>,
    /// The command that tests it, to be run in its folder.
    pub self_test: String,
    /// What a user should know: names that were changed, signals that saturate, bytes that it takes.
    pub notes: Vec<String>,
}

impl Export {
    /// Writes the files into `folder`, which is empty or not there yet. If one of them cannot be written, none is left.
    ///
    /// # Errors
    /// A folder with files in it, or one that cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), ExportError> {
        let was_there = is_empty_folder(folder)?;
        fs::create_dir_all(folder).map_err(failed(folder))?;
        let mut written = Vec::new();
        let done = self.files.iter().try_for_each(|file| {
            let path = folder.join(&file.name);
            let mut to = File::create_new(&path).map_err(failed(&path))?;
            written.push(path.clone());
            to.write_all(&file.contents).map_err(failed(&path))
        });
        if done.is_err() {
            // Nothing but what was written here; the first error is the one to report.
            for path in written {
                let _ = fs::remove_file(path);
            }
            if !was_there {
                let _ = fs::remove_dir(folder);
            }
        }
        done
    }
}

/// Whether a folder is there, which must be empty then.
fn is_empty_folder(folder: &Path) -> Result<bool, ExportError> {
    match fs::read_dir(folder).map(Iterator::count) {
        Ok(n_files) if n_files > 0 => Err(ExportError::NotEmpty(folder.to_owned())),
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(failed(folder)(error)),
    }
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> ExportError {
    let path = path.to_owned();
    move |error| ExportError::Write { path, error }
}

impl ExportFile {
    pub(crate) fn text(name: impl Into<String>, text: String) -> Self {
        Self { name: name.into(), contents: text.into_bytes() }
    }
}
