//! The Reference FMUs of the Modelica Association, built from their sources, from a first file to a replay.
//!
//! `BITLOOP_REFERENCE_FMUS` names a clone of `modelica/Reference-FMUs`. Without it the tests skip, and say so.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fmu::stored;
use crate::support::Bench;

/// The sources, if they are there.
fn sources() -> Option<PathBuf> {
    let found = std::env::var_os("BITLOOP_REFERENCE_FMUS").map(PathBuf::from);
    if found.is_none() {
        println!("SKIPPED: BITLOOP_REFERENCE_FMUS names no clone of modelica/Reference-FMUs");
    }
    found
}

/// A folder with a model of a version of FMI.
fn bench(sources: &Path, model: &str, version: u32) -> Bench {
    let bench = Bench::new();
    let library = bench.path("model.so");
    let output = Command::new("cc")
        .current_dir(sources)
        .args(["-std=gnu99", "-O2", "-w", "-fPIC", "-shared", "-DDISABLE_PREFIX", "-Iinclude"])
        .args([format!("-DFMI_VERSION={version}"), format!("-I{model}")])
        .args([&format!("src/fmi{version}Functions.c"), "src/cosimulation.c"])
        .args([&format!("{model}/model.c"), "-lm", "-o"])
        .arg(&library)
        .output()
        .expect("a C compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let folder = if version == 2 { "linux64" } else { "x86_64-linux" };
    let description = fs::read(sources.join(format!("{model}/FMI{version}.xml"))).unwrap();
    let files = [
        ("modelDescription.xml".to_owned(), description),
        (format!("binaries/{folder}/{model}.so"), fs::read(library).unwrap()),
    ];
    fs::write(bench.path("model.fmu"), stored(&files)).unwrap();
    bench
}

#[test]
fn van_der_pol_is_trained_and_replayed_in_both_versions() {
    let Some(sources) = sources() else { return };
    for version in [2, 3] {
        let bench = bench(&sources, "VanDerPol", version);
        let new = bench.run(&["plant", "new", "--fmu", "model.fmu"]);
        assert_eq!(new.code, Some(0), "{new:?}");
        // The model has no input: its damping is what is commanded.
        let beside = bench.read("model.fmu.ron");
        assert!(beside.contains("\"mu\": (min: -1.0, max: 1.0)"), "{beside}");
        let check = bench.run(&["plant", "check", "model.fmu", "--no-sandbox"]);
        assert_eq!(check.code, Some(0), "{check:?}");
        let scenario = bench.run(&["scenario", "new", "model.fmu", "-o", "s.ron"]);
        assert_eq!(scenario.code, Some(0), "{scenario:?}");
        let train = ["train", "s.ron", "--evaluations", "60", "--out", "run", "--json"];
        let trained = bench.run(&train).json();
        let replayed = bench.run(&["replay", "run/controller.ron", "--json"]).json();
        assert_eq!(replayed["mean_error"], trained["test_error"], "FMI {version}");
    }
}

#[test]
fn models_with_events_are_refused_in_words() {
    let Some(sources) = sources() else { return };
    for (model, version) in [("Stair", 2), ("Stair", 3), ("BouncingBall", 2), ("BouncingBall", 3)] {
        let bench = bench(&sources, model, version);
        let _ = bench.run(&["plant", "new", "--fmu", "model.fmu"]);
        let outcome = bench.run(&["plant", "info", "model.fmu"]);
        outcome.assert_refused(3, &["model.fmu"]);
    }
}
