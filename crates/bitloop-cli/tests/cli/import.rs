//! `bitloop controller import`.

use bitloop_scenario::ControllerFile;

use crate::support::{Bench, QUICK};

/// A scenario for linear feedback, with 16 bits up to 128.
fn linear() -> String {
    QUICK
        .replace("hidden: [3]", "hidden: []")
        .replace("bits: 12", "bits: 16")
        .replace("max_weight: 10", "max_weight: 128")
}

/// A file of numpy.save.
fn npy(values: &[f64]) -> Vec<u8> {
    let header =
        format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({},), }}\n", values.len());
    let length = u16::try_from(header.len()).unwrap().to_le_bytes();
    let data = values.iter().flat_map(|value| value.to_le_bytes());
    b"\x93NUMPY\x01\x00".iter().copied().chain(length).chain(header.bytes()).chain(data).collect()
}

#[test]
fn the_gains_of_lqr_become_a_controller_that_replays_with_its_error() {
    let bench = Bench::new();
    bench.write("linear.ron", &linear());
    // The best weight has gains beyond 128.
    let lqr = bench.run(&["lqr", "linear.ron", "--control-weight", "1e-4", "--json"]).json();
    let gains = lqr["gains"][0].as_array().unwrap();
    let states: Vec<&str> =
        lqr["states"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    // In the order of the scenario's observations.
    let gain = ["x", "theta", "x_dot", "theta_dot"]
        .map(|name| gains[states.iter().position(|state| *state == name).unwrap()].to_string());
    let arguments =
        ["controller", "import", "linear.ron", "--gain", &gain.join(","), "--out", "k.ron"];
    let outcome = bench.run(&arguments);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stdout.contains("4 inputs -> 1 Linear, 5 weights of 16 bits"), "{outcome:?}");
    for fact in ["largest rounding", "test error", "without rounding"] {
        assert!(outcome.stdout.contains(fact), "{outcome:?}");
    }
    let replayed = bench.run(&["replay", "k.ron", "--json"]).json();
    let error = replayed["mean_error"].as_f64().unwrap();
    let saved = ControllerFile::read(bench.path("k.ron")).unwrap().value;
    assert_eq!(saved.errors.test, Some(error));
    // Weights are rounded to a thousandth.
    let exact = lqr["test_error"].as_f64().unwrap();
    assert!((error / exact - 1.0).abs() < 1e-3, "{error}, not {exact}");
    assert!(saved.errors.unrounded_training.is_some());
    assert_ne!(saved.errors.unrounded_training, saved.errors.training);
    // It can be exported, and is not written over.
    let export = ["controller", "export", "k.ron", "--to", "c", "--out", "c"];
    assert_eq!(bench.run(&export).code, Some(0));
    bench.run(&arguments).assert_refused(2, &["k.ron is there already"]);
}

#[test]
fn a_controller_made_by_hand_is_improved_by_training() {
    let bench = Bench::new();
    bench.write("linear.ron", &linear());
    // It keeps the pole up, but poorly.
    let gain = ["--gain", "-1,60,-2,12", "--out", "k.ron", "--json"];
    let outcome = bench.run(&[&["controller", "import", "linear.ron"], &gain[..]].concat());
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let imported = outcome.json();
    assert_eq!(imported["weights"], 5);
    assert_eq!(imported["bits"], 16);
    assert_eq!(imported["test_failed_episodes"], 0);
    // These gains are numbers of the grid nearly, and rounding them moves the error a little.
    assert!(imported["largest_rounding"].as_f64().unwrap() < 128.0 / 32768.0);
    let before = ControllerFile::read(bench.path("k.ron")).unwrap().value;
    assert_eq!(before.errors.test, imported["test_error"].as_f64());
    let from = linear().replace("    seed: 1,", "    start: FromController(\"k.ron\"), seed: 1,");
    assert_ne!(from, linear());
    bench.write("from.ron", &from);
    let outcome = bench.run(&["train", "from.ron", "--out", "run"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let after = ControllerFile::read(bench.path("run/controller.ron")).unwrap().value;
    let [before, after] = [before, after].map(|saved| saved.errors.training.unwrap());
    assert!(after < before, "{after} after, {before} before");
}

#[test]
fn weights_of_a_trained_controller_come_back_as_the_same_controller() {
    let (bench, _) = Bench::with_controller();
    let trained = ControllerFile::read(bench.path("run/controller.ron")).unwrap().value;
    let weights = bitloop_export::controller(&trained).unwrap().weights.values();
    std::fs::write(bench.path("w.npy"), npy(&weights)).unwrap();
    let arguments =
        ["controller", "import", "quick.ron", "--weights", "w.npy", "--out", "imported.ron"];
    let outcome = bench.run(&arguments);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let imported = ControllerFile::read(bench.path("imported.ron")).unwrap().value;
    assert_eq!(imported.digest, trained.digest);
    assert_eq!(imported.errors.test, trained.errors.test);
    assert!(imported.made_by.command.contains("--weights w.npy"), "{:?}", imported.made_by);
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    let bench = Bench::with_scenario();
    bench.write("linear.ron", &linear());
    bench.write("text.npy", "1, 2, 3");
    std::fs::write(bench.path("short.npy"), npy(&[1.0, 2.0])).unwrap();
    std::fs::write(bench.path("nan.npy"), npy(&[f64::NAN; 4])).unwrap();
    for (scenario, option, value, code, message) in [
        (
            "linear.ron",
            "--gain",
            "1,2",
            3,
            "a gain of shape [1, 2] for 1 controls and 4 observations",
        ),
        ("linear.ron", "--gain", "1,2,x,4", 2, "`x` is no number"),
        ("linear.ron", "--gain", "1,2,3,400", 3, "a weight of 4e2 is beyond the largest"),
        ("linear.ron", "--gain", "nan.npy", 3, "is NaN"),
        ("linear.ron", "--gain", "missing.npy", 3, "--> missing.npy"),
        ("linear.ron", "--weights", "text.npy", 3, "as numpy.save writes it"),
        ("linear.ron", "--weights", "short.npy", 3, "an array of shape [2] for 5 weights"),
        (
            "quick.ron",
            "--gain",
            "1,2,3,4",
            3,
            "a linear gain needs a network without hidden layers",
        ),
        ("missing.ron", "--gain", "1,2,3,4", 3, "no such file"),
    ] {
        let arguments = ["controller", "import", scenario, option, value, "--out", "out.ron"];
        bench.run(&arguments).assert_refused(code, &[message]);
        assert!(!bench.path("out.ron").exists());
    }
}
