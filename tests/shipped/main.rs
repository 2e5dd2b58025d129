//! What ships: every controller in `controllers/` holds what it says, every scenario in `scenarios/` can be set up, and
//! links in the guides lead to files.
//!
//! Runs of the binary are tested in `crates/bitloop-cli/tests`, where Cargo hands the built binary to the tests.

mod controllers;
mod fuzz;
mod guides;
mod lqr;
mod modules;
#[path = "../../fuzz/readers/mod.rs"]
mod readers;
mod scenarios;

use std::fs;
use std::path::{Path, PathBuf};

/// The RON files of a folder at the top of the workspace, by name.
fn ron_files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ron"))
        .collect();
    files.sort();
    files
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8")
}
