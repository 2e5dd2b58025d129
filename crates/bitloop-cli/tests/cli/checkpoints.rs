//! `replay --checkpoint` and `--resume`, and those of `test`.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use crate::support::{Bench, Outcome};

const LONG: [&str; 6] = ["replay", "run/controller.ron", "--episodes", "30", "--horizon", "100000"];

fn replay(bench: &Bench, more: &[&str]) -> Outcome {
    bench.run(&[&LONG[..], more].concat())
}

/// Runs a command, and kills it once it has saved some state to a file.
fn kill_once_saved(bench: &Bench, args: &[&str], file: &str) {
    let mut command = bench.command(args);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // The first state has nothing in it.
    let length = || fs::metadata(bench.path(file)).map_or(0, |found| found.len());
    while length() < 1000 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_replay_that_was_killed_is_resumed_with_the_same_bits() {
    let (bench, _) = Bench::with_controller();
    let whole = replay(&bench, &["--json", "--episodes-csv", "whole.csv"]).json();
    let begin = ["--checkpoint", "state", "--checkpoint-every", "0.05"];
    kill_once_saved(&bench, &[&LONG[..], &begin].concat(), "state");
    replay(&bench, &begin).assert_refused(3, &["state", "it is there already", "--resume"]);

    let more = ["--resume", "state", "--json", "--episodes-csv", "resumed.csv"];
    // The second time, nothing is left to be done.
    for _ in 0..2 {
        let resumed = replay(&bench, &more).json();
        for key in whole.keys().filter(|key| *key != "wall_s") {
            assert_eq!(resumed[key], whole[key], "{key}");
        }
        assert_eq!(bench.read("resumed.csv"), bench.read("whole.csv"));
    }

    for (other, fragment) in [
        (&["--resume", "state", "--seed", "9"][..], "it is the checkpoint of another replay"),
        (&["--resume", "state", "--no-digest"], "it is the checkpoint of another replay"),
        (&["--resume", "none"], "it cannot be read"),
        (&["--resume", "quick.ron"], "it is no checkpoint of a replay"),
        (&["--checkpoint", "no/such/folder"], "cannot be written"),
    ] {
        let outcome = replay(&bench, other);
        assert_ne!(outcome.code, Some(0), "{outcome:?}");
        assert!(outcome.stderr.contains(fragment), "{fragment}: {outcome:?}");
    }
    let mut bytes = fs::read(bench.path("state")).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(bench.path("state"), &bytes).unwrap();
    replay(&bench, &more).assert_refused(3, &["state", "it is damaged"]);
    replay(&bench, &["--checkpoint", "s", "--csv", "t.csv"]).assert_refused(2, &["--csv"]);
}

#[test]
fn a_suite_that_was_killed_is_resumed_with_the_same_bits() {
    let (bench, _) = Bench::with_controller();
    let suite = r#"Tests([
        (name: "short", pass: (worst: 1e3)),
        (name: "long", episodes: 30, horizon_s: 100000, pass: (settling_s: 1)),
        (name: "other", seed: 4),
    ])"#;
    bench.write("suite.ron", suite);
    let test = ["test", "run/controller.ron", "--suite", "suite.ron"];
    let run = |more: &[&str]| bench.run(&[&test[..], more].concat());
    let results = |outcome: Outcome| {
        assert_eq!(outcome.code, Some(4), "a criterion is missed: {outcome:?}");
        let mut object: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
        for result in object["results"].as_array_mut().unwrap() {
            result.as_object_mut().unwrap().remove("wall_s");
        }
        object
    };
    let whole = results(run(&["--json"]));

    let begin = ["--checkpoint", "state", "--checkpoint-every", "0.05"];
    let of_the_second = "state/test-00001-controller-0";
    kill_once_saved(&bench, &[&test[..], &begin].concat(), of_the_second);
    assert!(bench.path("state/test-00000-controller-0").exists());
    run(&begin).assert_refused(3, &["state", "it is there already", "--resume"]);
    // The second time, nothing is left to be done.
    for _ in 0..2 {
        assert_eq!(results(run(&["--json", "--resume", "state"])), whole);
    }

    run(&["--resume", "none"]).assert_refused(3, &["there is no such folder", "--checkpoint"]);
    bench.write("suite.ron", &suite.replace("seed: 4", "seed: 5"));
    let other = "it is the checkpoint of another replay";
    run(&["--resume", "state"]).assert_refused(3, &["test-00002-controller-0", other]);
    let others = suite.replace("worst: 1e3", "worst: 1e-9, settling_s: 1e-9");
    bench.write("suite.ron", &others.replace("pass: (settling_s: 1)", "pass: (failed: 1000)"));
    let missed = run(&["--resume", "state"]);
    assert!(missed.stdout.contains("1 passed, 1 missed, 1 without criteria"), "{missed:?}");
    let mut bytes = fs::read(bench.path(of_the_second)).unwrap();
    bytes.truncate(200);
    fs::write(bench.path(of_the_second), &bytes).unwrap();
    run(&["--resume", "state"]).assert_refused(3, &[of_the_second, "it is damaged"]);
}
