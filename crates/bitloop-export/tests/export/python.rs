//! What is run from Python, to 1e-12 of the outputs' scale and value.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use bitloop_export::{Portable, Target, export};
use proptest::prelude::*;

use crate::episodes::shipped;
use crate::networks::{controller, model, sample};
use crate::tools::{run, run_line, skipped};

/// The Python of `BITLOOP_EXPORT_PYTHON`, or else `python3`, if it has these modules.
fn python(modules: &str, what_is_skipped: &str) -> Option<String> {
    let python = env::var("BITLOOP_EXPORT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let imported = Command::new(&python).args(["-c", &format!("import {modules}")]).output();
    if imported.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    skipped(what_is_skipped, &format!("`{python}` cannot import {modules}"));
    None
}

/// Shipped controllers, and random networks whose linear feedback does not grow without bound.
fn portables(n: usize) -> Vec<Portable> {
    let strategy = prop_oneof![2 => controller().boxed(), 1 => model(true).boxed()];
    let strategy = strategy.prop_filter("bounded", |portable| {
        let layers = portable.network.layers();
        let linear =
            |layer: &bitloop_net::Layer| layer.activation == bitloop_net::Activation::Linear;
        !layers[..layers.len() - 1].iter().any(linear)
    });
    let shipped = shipped(1).into_iter().map(|shipped| shipped.portable);
    shipped.chain(sample(&strategy, n)).collect()
}

#[test]
fn numpy_is_within_the_tolerance() {
    let Some(python) = python("numpy", "NumPy") else { return };
    let folder = tempfile::tempdir().unwrap();
    let portables = portables(30);
    let mut program = String::new();
    for (at, portable) in portables.iter().enumerate() {
        let exported = export(portable, Target::NumPy, &format!("net_{at}")).unwrap();
        fs::write(folder.path().join(&exported.files[0].name), &exported.files[0].contents)
            .unwrap();
        let _ = writeln!(
            program,
            "import net_{at}\nassert net_{at}.self_test() <= 1.0, ({at}, net_{at}.self_test())"
        );
    }
    fs::write(folder.path().join("all.py"), program).unwrap();
    run(Command::new(python).arg("all.py").current_dir(folder.path()));
}

#[test]
fn the_self_test_of_numpy_runs_as_printed() {
    let Some(python) = python("numpy", "the self-test of NumPy") else { return };
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("numpy");
    let exported = export(&portables(0)[0], Target::NumPy, "net").unwrap();
    exported.write(&home).unwrap();
    let line = exported.self_test.replacen("python3", &python, 1);
    let printed = run_line(&line, &home);
    assert!(printed.starts_with("48 steps"), "{printed}");
    let text = fs::read_to_string(home.join("net.py")).unwrap();
    fs::write(
        home.join("net.py"),
        text.replacen("WEIGHTS = STEP *", "WEIGHTS = 1.001 * STEP *", 1),
    )
    .unwrap();
    let spoiled = Command::new("sh").args(["-c", &line]).current_dir(&home).output().unwrap();
    assert!(!spoiled.status.success(), "{spoiled:?}");
}
