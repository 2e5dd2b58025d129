//! The folder that the program was started in, where relative paths of the command line begin.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The folder that this program was started in: a plant may change the working directory.
static START: OnceLock<PathBuf> = OnceLock::new();

/// Notes the folder that the program was started in, where relative paths of the command line begin.
pub fn note() {
    if let Ok(folder) = std::env::current_dir() {
        let _ = START.set(folder);
    }
}

/// The absolute path of an output that the command line names.
pub fn absolute(path: &Path) -> PathBuf {
    START.get().map_or_else(|| path.to_owned(), |start| start.join(path))
}

/// A path as people read it: without the folder that the program was started in.
pub fn shown(path: &Path) -> &Path {
    let inside = START.get().and_then(|start| path.strip_prefix(start).ok());
    inside.filter(|inside| !inside.as_os_str().is_empty()).unwrap_or(path)
}
