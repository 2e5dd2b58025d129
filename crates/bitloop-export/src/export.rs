//! [`Export`]: the files of an export, and how they are written.

use std::fs;
use std::path::Path;

use crate::c;
use crate::error::ExportError;
use crate::portable::Portable;
use crate::python;
use crate::rust;

/// What to export to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// C99 in double precision, bit for bit what bitloop computes.
    C,
    /// C99 in fixed point, for processors without double precision in hardware.
    CFixed,
    /// Rust in double precision, bit for bit what bitloop computes.
    Rust,
    /// Rust in fixed point.
    RustFixed,
    /// One Python file for `NumPy`.
    NumPy,
}

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

/// Exports a controller or a model under a name, which becomes that of files and functions.
///
/// # Errors
/// [`ExportError::Refused`] if it cannot be had in this form.
pub fn export(portable: &Portable, target: Target, name: &str) -> Result<Export, ExportError> {
    portable.check()?;
    let identifier = crate::identifier(name, "controller").to_ascii_lowercase();
    let mut export = match target {
        Target::C => c::exact(portable, &identifier)?,
        Target::CFixed => c::fixed(portable, &identifier)?,
        Target::Rust => rust::exact(portable, &identifier)?,
        Target::RustFixed => rust::fixed(portable, &identifier)?,
        Target::NumPy => python::numpy(portable, &identifier)?,
    };
    if identifier != name {
        export.notes.insert(0, format!("`{name}` is called {identifier} in the code"));
    }
    Ok(export)
}

impl Export {
    /// Writes the files into `folder`, which is empty or not there yet. They appear together, or not at all.
    ///
    /// # Errors
    /// A folder with files in it, or one that cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), ExportError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| ExportError::Write { path, error }
        };
        match fs::read_dir(folder) {
            Ok(mut entries) => {
                if entries.next().is_some() {
                    return Err(ExportError::NotEmpty(folder.to_owned()));
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(folder)(error)),
        }
        let folder = std::path::absolute(folder).map_err(failed(folder))?;
        let parent = folder.parent().unwrap_or(&folder);
        fs::create_dir_all(parent).map_err(failed(parent))?;
        let mut beside = folder.clone().into_os_string();
        beside.push(".partial");
        let beside = Path::new(&beside);
        fs::create_dir(beside).map_err(failed(beside))?;
        let written = self.files.iter().try_for_each(|file| {
            let path = beside.join(&file.name);
            fs::write(&path, &file.contents).map_err(failed(&path))
        });
        let done = written.and_then(|()| fs::rename(beside, &folder).map_err(failed(&folder)));
        if done.is_err() {
            // Nothing but what was written here a moment ago.
            let _ = fs::remove_dir_all(beside);
        }
        done
    }
}

impl ExportFile {
    pub(crate) fn text(name: impl Into<String>, text: String) -> Self {
        Self { name: name.into(), contents: text.into_bytes() }
    }
}
