//! Builds the libraries, once in a run of the tests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;
use tempfile::TempDir;

static PLUGIN: LazyLock<PathBuf> =
    LazyLock::new(|| build(&["bitloop-inverted-pendulum-plugin"]).remove(0));
static TWIN: LazyLock<(TempDir, PathBuf)> = LazyLock::new(make_twin);

/// The pendulum written in Rust.
pub fn plugin() -> &'static Path {
    &PLUGIN
}

/// The pendulum written in C.
pub fn c_twin() -> &'static Path {
    &TWIN.1
}

pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Builds packages, and takes the paths of their libraries from Cargo's messages.
pub fn build(packages: &[&str]) -> Vec<PathBuf> {
    // As this program itself was built: tests with checks, benchmarks without.
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    let output = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--profile", profile, "--message-format=json"])
        .args(packages.iter().map(|package| format!("--package={package}")))
        .current_dir(workspace())
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let libraries: Vec<PathBuf> = String::from_utf8(output.stdout)
        .expect("JSON")
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| {
            message["target"]["crate_types"]
                .as_array()
                .is_some_and(|types| types.contains(&"cdylib".into()))
        })
        .filter_map(|message| Some(PathBuf::from(message["filenames"][0].as_str()?)))
        .collect();
    assert_eq!(libraries.len(), packages.len(), "{libraries:?}");
    libraries
}

fn make_twin() -> (TempDir, PathBuf) {
    let folder = make("inverted-pendulum-c", &["pendulum.c", "equations.h"]);
    let library = folder.path().join("inverted-pendulum.so");
    (folder, library)
}

/// Makes a plant in C with its Makefile, in a copy so that the sources stay clean.
pub fn make(plant: &str, sources: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let from = workspace().join("plants").join(plant);
    for name in sources.iter().chain(&["Makefile"]) {
        std::fs::copy(from.join(name), folder.path().join(name)).unwrap();
    }
    let include = workspace().join("crates/bitloop-plant/include").canonicalize().unwrap();
    let output = Command::new("make")
        .arg("-s")
        .arg("-C")
        .arg(folder.path())
        .arg(format!("INCLUDE={}", include.display()))
        .output()
        .expect("make");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}
