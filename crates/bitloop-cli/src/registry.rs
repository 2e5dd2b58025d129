//! The plants that a command can open by name.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bitloop_host::Registry;

use crate::describe;
use crate::linked;
use crate::sandbox;

/// The plants that are built in, and those of the libraries in `BITLOOP_PLANT_PATH`. None of these is opened unless it is
/// asked for; one that does not hold its name in its file is asked for it in another process.
pub fn registry() -> Registry {
    let paths = std::env::var_os("BITLOOP_PLANT_PATH").unwrap_or_default();
    let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
    let places: Vec<_> = std::env::split_paths(&paths)
        .filter(|path| !path.as_os_str().is_empty())
        .map(absolute)
        .collect();
    let ask = |path: &Path| {
        let is_sandboxed = sandbox::by_default(false);
        describe::name_of(path, is_sandboxed).map_err(|fault| fault.message)
    };
    linked::plants().with_libraries_in(places, Arc::new(ask))
}
