//! Compiles small plants in C.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bitloop_host::{LibraryError, LibraryFault, PlantLibrary};
use tempfile::TempDir;

/// A cup of tea on a hotplate: a whole plant, of which tests spoil one thing.
pub const TEA: &str = include_str!("tea.c");

/// A folder that goes away, with a space in its name.
pub struct Bench(TempDir);

impl Bench {
    pub fn new() -> Self {
        Self(tempfile::Builder::new().prefix("two words").tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Compiles `text` to the library `name`.
    pub fn compile(&self, name: &str, text: &str) -> PathBuf {
        self.compile_with(name, text, &[])
    }

    /// Compiles with further arguments.
    pub fn compile_with(&self, name: &str, text: &str, arguments: &[&str]) -> PathBuf {
        let source = self.path("plant.c");
        fs::write(&source, text).unwrap();
        let library = self.path(name);
        let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bitloop-plant/include");
        let output = Command::new("cc")
            .args(["-std=c99", "-O1", "-ffp-contract=off", "-fPIC", "-shared", "-I"])
            .arg(include)
            .arg("-o")
            .args([&library, &source])
            .args(arguments)
            .output()
            .expect("a C compiler");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        library
    }

    /// Compiles the cup of tea with `from` replaced by `to`.
    pub fn spoiled(&self, from: &str, to: &str) -> PathBuf {
        assert!(TEA.contains(from), "{from}");
        self.compile("spoiled.so", &TEA.replace(from, to))
    }
}

/// The error of opening what must not open.
#[track_caller]
pub fn refused(path: &Path) -> LibraryError {
    match PlantLibrary::open(path) {
        Ok(library) => panic!("{library:?}"),
        Err(error) => error,
    }
}

/// What is wrong with what must not open.
#[track_caller]
pub fn fault(path: &Path) -> LibraryFault {
    refused(path).fault
}
