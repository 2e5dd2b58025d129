//! Builds libraries of plants, and checks them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::{Map, Value};
use tempfile::TempDir;

use crate::support::{Bench, Outcome, workspace};

/// Libraries written in C, built once in a run of the tests, and the folder that they are in.
static C_LIBRARIES: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let cart = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/plant_check/faulty.c");
    let twin = workspace().join("plants/inverted-pendulum-c");
    let beside_twin = format!("-I{}", twin.display());
    compile(&cart, &folder.path().join("cart.so"), &[]);
    compile(&cart, &folder.path().join("other.so"), &["-DCART_SYMBOL=some_other_name"]);
    compile(&twin.join("pendulum.c"), &folder.path().join("twin.so"), &[&beside_twin]);
    folder
});

fn compile(source: &Path, library: &Path, arguments: &[&str]) {
    let output = Command::new("cc")
        .args(["-std=gnu99", "-O1", "-ffp-contract=off", "-fPIC", "-shared", "-Wall", "-Wextra"])
        .arg("-I")
        .arg(workspace().join("crates/bitloop-plant/include"))
        .arg("-o")
        .args([library, source])
        .args(arguments)
        .output()
        .expect("a C compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The library `cart`, which has the fault that `CART_FAULT` names, `other`, which exports no plant, or `twin`, the
/// pendulum.
pub fn c_library(name: &str) -> PathBuf {
    C_LIBRARIES.path().join(name).with_extension("so")
}

/// The library `cart` with a fault that is written into it, so that it needs no environment, and with a path for the faults
/// that have to do with one.
pub fn faulty_cart(bench: &Bench, fault: &str, target: &str) -> PathBuf {
    let mut bytes = fs::read(c_library("cart")).unwrap();
    for (mark, text) in [("CART_FAULT:", fault), ("CART_TARGET:", target)] {
        let starts = |window: &[u8]| window.starts_with(mark.as_bytes());
        // The mark alone is there as well, where the library measures its length.
        let length = mark.len() + text.len() + 1;
        let is_room = |at: &usize| bytes[at + mark.len()] != 0;
        let mut places = (0..bytes.len() - mark.len()).filter(|&at| starts(&bytes[at..]));
        let at = places.find(is_room).expect("the room for the text");
        let written = [mark.as_bytes(), text.as_bytes(), b"\0"].concat();
        bytes[at..at + length].copy_from_slice(&written);
    }
    let path = bench.path("cart.so");
    fs::write(&path, bytes).unwrap();
    path
}

/// Libraries written in Rust, built once in a run of the tests.
static RUST_LIBRARIES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let packages = ["bitloop-inverted-pendulum-plugin", "bitloop-panicking-plant"];
    let output = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--message-format=json"])
        .args(packages.map(|package| format!("--package={package}")))
        .current_dir(workspace())
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("JSON");
    lines
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["crate_types"][0] == "cdylib")
        .filter_map(|message| Some(message["filenames"][0].as_str()?.to_owned()))
        .collect()
});

/// The library whose path holds `name`.
pub fn rust_library(name: &str) -> &'static str {
    RUST_LIBRARIES.iter().find(|path| path.contains(name)).expect("a library among the artifacts")
}

/// The report of a check.
#[derive(Debug)]
pub struct Report {
    pub code: Option<i32>,
    pub object: Map<String, Value>,
    pub stderr: String,
}

impl Report {
    /// Checks a plant.
    pub fn of(plant: impl AsRef<Path>, args: &[&str]) -> Self {
        let bench = Bench::new();
        let outcome = Outcome::of(
            bench.command(&["plant", "check", "--json"]).arg(plant.as_ref()).args(args),
        );
        let object = serde_json::from_str(&outcome.stdout)
            .unwrap_or_else(|error| panic!("{error}: {outcome:?}"));
        Self { code: outcome.code, object, stderr: outcome.stderr }
    }

    /// Checks the cart with a fault.
    pub fn of_cart(fault: &str, args: &[&str]) -> Self {
        Self::of_cart_near(&Bench::new(), fault, "/nowhere", args)
    }

    /// Checks the cart with a fault that has to do with a path.
    pub fn of_cart_near(bench: &Bench, fault: &str, target: &str, args: &[&str]) -> Self {
        Self::of(faulty_cart(bench, fault, target), args)
    }

    /// How many checks have an outcome, as the object counts them.
    pub fn count(&self, outcome: &str) -> u64 {
        let key = match outcome {
            "pass" => "passed",
            "fail" => "failed",
            _ => "skipped",
        };
        let counted = self.with(outcome).len() as u64;
        assert_eq!(self.object[key], counted, "{self:?}");
        counted
    }

    /// Names and reasons of the checks with an outcome.
    pub fn with(&self, outcome: &str) -> Vec<(&str, &str)> {
        let checks = self.object["checks"].as_array().unwrap();
        checks
            .iter()
            .filter(|check| check["outcome"] == outcome)
            .map(|check| (check["name"].as_str().unwrap(), check["reason"].as_str().unwrap()))
            .collect()
    }

    /// Checks that one check failed, with a fragment of its reason.
    #[track_caller]
    pub fn assert_fails(&self, check: &str, fragment: &str) {
        assert_eq!(self.code, Some(1), "{self:?}");
        let failed = self.with("fail");
        let reason = failed.iter().find(|(name, _)| *name == check);
        assert!(
            reason.is_some_and(|(_, reason)| reason.contains(fragment)),
            "`{check}` should say `{fragment}`, but failed are {failed:?}"
        );
    }
}
