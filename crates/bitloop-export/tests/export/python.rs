//! What is run from Python, to 1e-12 of the outputs' scale and value.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use bitloop_export::{Portable, Target, export};
use proptest::prelude::*;

use crate::episodes::shipped;
use crate::networks::{controller, direct_controller, model, sample};
use crate::tools::{can_compile, run, run_line, skipped};

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
    let strategy = prop_oneof![
        2 => controller().boxed(),
        1 => direct_controller().boxed(),
        1 => model(true).boxed(),
    ];
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

/// Runs over numbered folders with an ONNX export each: the full check of its format, and its test vectors.
const ONNX: &str = r#"
import os, runpy, sys
import onnx, onnxruntime
for at in range(int(sys.argv[1])):
    os.chdir(f"net_{at}")
    onnx.checker.check_model(onnx.load("net.onnx"), full_check=True)
    test = runpy.run_path("self_test.py")
    worst = test["self_test"](onnxruntime.InferenceSession("net.onnx", providers=["CPUExecutionProvider"]))
    assert worst <= 1.0, (at, worst)
    os.chdir("..")
"#;

#[test]
fn onnx_is_valid_and_within_the_tolerance() {
    let Some(python) = python("numpy, onnx, onnxruntime", "ONNX") else { return };
    let folder = tempfile::tempdir().unwrap();
    let portables = portables(30);
    for (at, portable) in portables.iter().enumerate() {
        let exported = export(portable, Target::Onnx, "net").unwrap();
        exported.write(&folder.path().join(format!("net_{at}"))).unwrap();
    }
    let mut command = Command::new(&python);
    command.args(["-c", ONNX]).arg(portables.len().to_string()).current_dir(folder.path());
    run(&mut command);
    let exported = export(&portables[0], Target::Onnx, "net").unwrap();
    let line = exported.self_test.replacen("python3", &python, 1);
    let printed = run_line(&line, &folder.path().join("net_0"));
    assert!(printed.starts_with("48 steps"), "{printed}");
}

#[test]
fn fmus_are_valid_and_give_the_same_bits() {
    let Some(python) = python("numpy, fmpy", "FMU") else { return };
    if !can_compile("cc", &["-std=c99", "-shared", "-fPIC"], "FMU") {
        return;
    }
    let controllers = shipped(1).into_iter().map(|shipped| shipped.portable);
    let random = sample(&controller(), 3);
    for portable in controllers.take(2).chain(random) {
        let folder = tempfile::tempdir().unwrap();
        let exported = export(&portable, Target::Fmu, "net").unwrap();
        exported.write(&folder.path().join("fmu")).unwrap();
        let line = exported.self_test.replacen("python3", &python, 1);
        let printed = run_line(&line, &folder.path().join("fmu"));
        for version in [2, 3] {
            let expected = format!(
                "net_fmi{version}.fmu: 32 steps, 0 differ from bitloop; validation: no problems"
            );
            assert!(printed.contains(&expected), "{printed}\n{portable:?}");
        }
    }
    let model = sample(&model(false), 1).remove(0);
    let refused = export(&model, Target::Fmu, "net").unwrap_err();
    assert!(refused.to_string().contains("no sample time"), "{refused}");
}
