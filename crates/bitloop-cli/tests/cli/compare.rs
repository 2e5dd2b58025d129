//! `bitloop compare`: several scenarios with several settings, in one table.

use crate::support::{Bench, QUICK};

/// Two scenarios with a target: one that every training reaches, and one that none does.
fn bench() -> Bench {
    let bench = Bench::new();
    let easy = QUICK.replace("stop: (evaluations: 600)", "stop: (target: 10, evaluations: 600)");
    assert_ne!(easy, QUICK);
    bench.write("easy.ron", &easy);
    // Nothing reaches this.
    bench.write("hard.ron", &easy.replace("target: 10", "target: 1e-30"));
    bench
}

const VARY: &str = "training=TelescopicBlm(bits: 8),RandomSearch(bits: 8)";

#[test]
fn the_table_has_each_variant_of_each_scenario_and_the_mean_of_the_ratios() {
    let bench = bench();
    let args = ["compare", "easy.ron", "hard.ron", "--runs", "2", "--vary", VARY, "--out", "c"];
    let outcome = bench.run(&args);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let successes: Vec<&str> = outcome.stdout.matches("  2 of 2  ").collect();
    assert_eq!(successes.len(), 2, "{}", outcome.stdout);
    assert_eq!(outcome.stdout.matches("  0 of 2  ").count(), 2, "{}", outcome.stdout);
    let mean = "TelescopicBlm(bits: 8) over RandomSearch(bits: 8): ";
    assert!(outcome.stdout.contains(mean), "{}", outcome.stdout);
    let left_out = "the geometric mean of 1 of 2 scenarios\n  without those where one of the two has no success: hard\n";
    assert!(outcome.stdout.contains(left_out), "{}", outcome.stdout);
    let widest = outcome.stdout.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(130), "{}", outcome.stdout);
    // Without a success, a row says how far it was.
    let rows = outcome.stdout.lines().filter(|line| line.contains("0 of 2  "));
    let errors = rows.filter_map(|row| row.split_once("  error ")?.1.split(' ').next());
    let errors: Vec<f64> = errors.map(|error| error.parse().unwrap()).collect();
    assert!(errors.len() == 2 && errors.iter().all(|error| *error > 0.0), "{}", outcome.stdout);
    let table = outcome.stdout.lines().take_while(|line| !line.starts_with("A success"));
    assert!(table.map(|line| line.chars().count()).max() <= Some(100), "{}", outcome.stdout);
    // Some of these trainings end with a controller that lets the pendulum fall.
    let failing = "Successes that fail in episodes of the test set, easy: TelescopicBlm(bits: 8) ";
    assert!(outcome.stdout.contains(failing), "{}", outcome.stdout);

    // Nothing is trained again, and the campaigns are as any other.
    let again = bench.run(&[&args[..], &["--json"]].concat());
    assert!(!again.stderr.contains("training finished"), "{}", again.stderr);
    let object = again.json();
    assert_eq!(object["complete"], true);
    let scenarios = object["scenarios"].as_array().unwrap();
    assert_eq!(scenarios.len(), 2);
    let easy = &scenarios[0];
    assert_eq!(easy["scenario"], "easy");
    assert_eq!(easy["campaign"]["success"], "target");
    let steps = |index: usize| {
        let variant = &easy["campaign"]["variants"][index];
        variant["expected_plant_steps_to_success"].as_f64().unwrap()
    };
    assert_eq!(easy["ratios"][0], steps(0) / steps(1));
    assert_eq!(easy["ratios"][1], 1.0);
    assert!(scenarios[1]["ratios"][0].is_null());
    assert_eq!(object["means"].as_array().unwrap().len(), 1);
    assert_eq!(object["means"][0]["scenarios"], 1);
    let resumed = bench.run(&["campaign", "--resume", "c/easy", "--json"]).json();
    assert_eq!(resumed["variants"], easy["campaign"]["variants"]);
}

#[test]
fn what_cannot_be_compared_is_refused_before_the_first_training() {
    let bench = bench();
    bench.write("aimless.ron", QUICK);
    let refused = |args: &[&str], code: i32, words: &[&str]| {
        bench.run(&[&["compare"], args].concat()).assert_refused(code, words);
        assert!(!bench.path("runs").exists(), "{args:?}");
    };
    refused(&["easy.ron", "aimless.ron"], 2, &["a target, and aimless.ron", "stop: (target: ...)"]);
    refused(&["easy.ron", "none.ron"], 3, &["none.ron", "no such file"]);
    refused(&["easy.ron", "./easy.ron"], 2, &["two scenarios have the name `easy`"]);
    refused(&["easy.ron", "--vary", "training.bits=99"], 3, &["99"]);
    refused(&["easy.ron", "--success", "-1"], 2, &["--success", "`target`"]);
    let same = ["--vary", "training=TelescopicBlm(),TelescopicBlm(bits: 16)"];
    let outcome = bench.run(&[&["compare", "easy.ron"], &same[..]].concat());
    outcome.assert_refused(2, &["leave one of them out"]);
    assert!(!outcome.stderr.contains("--search"), "{outcome:?}");
    let outcome = bench.run(&[&["campaign", "easy.ron"], &same[..]].concat());
    outcome.assert_refused(2, &["leave one of them out", "count only with --search"]);
    let single = ["campaign", "easy.ron", "--success", "target"];
    bench.run(&single).assert_refused(2, &["--search"]);
}
