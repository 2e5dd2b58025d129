//! What is written, and what is not overwritten.

use std::fs;

use crate::support::{Bench, QUICK};

fn names(bench: &Bench, folder: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(bench.path(folder))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn another_controller_in_the_folder_is_kept() {
    let bench = Bench::with_scenario();
    let train =
        |seed: &str| bench.run(&["train", "quick.ron", "--out", "a/b", "--seed", seed, "--json"]);
    let first = train("1").json()["controller_digest"].as_str().unwrap().to_owned();
    let files = names(&bench, "a/b");
    assert!(FILES.iter().all(|name| files.iter().any(|file| file == name)), "{files:?}");
    train("1").json();
    assert_eq!(names(&bench, "a/b"), files, "the same one is written over");

    // Another training in the same folder: all of the one before is kept.
    let before = bench.read("a/b/controller.ron");
    let outcome = train("2");
    outcome.json();
    assert!(outcome.stderr.contains("is now in a/b/earlier-1"), "{}", outcome.stderr);
    assert_eq!(bench.read("a/b/earlier-1/controller.ron"), before);
    assert!(bench.read("a/b/earlier-1/result.json").contains(&first));
    assert!(bench.read("a/b/earlier-1/resolved.ron").contains("seed: 1"));

    // A controller alone, from elsewhere, is kept under a name with its digest.
    fs::create_dir(bench.path("c")).unwrap();
    bench.write("c/controller.ron", &before);
    let outcome = bench.run(&["train", "quick.ron", "--out", "c", "--seed", "2", "--json"]);
    outcome.json();
    let kept = format!("controller-{first:.8}.ron");
    assert_eq!(bench.read(&format!("c/{kept}")), before);
    assert!(outcome.stderr.contains(&kept), "{}", outcome.stderr);
}

#[test]
fn trainings_and_campaigns_do_not_share_a_folder() {
    let bench = Bench::with_scenario();
    let train = ["train", "quick.ron", "--out", "t", "--json"];
    let campaign = ["campaign", "quick.ron", "--runs", "1", "--out", "c", "--json"];
    bench.run(&train).json();
    bench.run(&campaign).json();
    let train = ["train", "quick.ron", "--out", "c"];
    bench.run(&train).assert_refused(1, &["c cannot be written: it holds a campaign", "hint"]);
    let campaign = ["campaign", "quick.ron", "--runs", "1", "--out", "t"];
    bench.run(&campaign).assert_refused(1, &["t cannot be written: it holds a training", "hint"]);
}

/// What a finished training leaves.
const FILES: [&str; 7] = [
    "checkpoint",
    "controller.ron",
    "lock",
    "log.jsonl",
    "resolved.ron",
    "result.json",
    "scenario.ron",
];

#[test]
fn a_folder_that_cannot_be_is_reported_before_the_training() {
    let bench = Bench::with_scenario();
    bench.write("file", "");
    for (out, fragment) in [
        ("file", "file cannot be written: this is a file, not a folder"),
        ("file/run", "cannot be written"),
    ] {
        bench.run(&["train", "quick.ron", "--out", out]).assert_refused(1, &[fragment]);
    }
    fs::create_dir(bench.path("run")).unwrap();
    bench.write("run/controller.ron", "my notes");
    let outcome = bench.run(&["train", "quick.ron", "--out", "run"]);
    outcome.assert_refused(1, &["is no sound controller", "hint"]);
    assert_eq!(bench.read("run/controller.ron"), "my notes");
    assert_eq!(names(&bench, "run"), ["controller.ron"]);
}

#[test]
fn trajectories_have_a_row_for_each_query_and_each_end() {
    let (bench, _) = Bench::with_controller();
    let args =
        ["replay", "run/controller.ron", "--episodes", "3", "--horizon", "2", "--csv", "t.csv"];
    let outcome = bench.run(&args);
    assert!(outcome.stdout.contains("failed episodes  0 of 3"), "{outcome:?}");
    let text = bench.read("t.csv");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("episode,time_s,x,theta,x_dot,theta_dot,force"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    // 20 queries of 0.1 s, and the end.
    assert_eq!(rows.len(), 3 * 21);
    for episode in ["0", "1", "2"] {
        let of_episode: Vec<_> = rows.iter().filter(|row| row[0] == episode).collect();
        assert_eq!(of_episode.len(), 21);
        assert_eq!(of_episode[1][1], "0.1");
        assert_eq!(of_episode[20][1], "2.0");
        assert_eq!(of_episode[20][6], "", "no control at the end");
        let numbers = of_episode[..20].iter().flat_map(|row| row.iter());
        assert!(numbers.map(|cell| cell.parse::<f64>().unwrap()).all(f64::is_finite));
    }
    assert!(rows.is_sorted_by_key(|row| row[0]), "episode by episode");
    let starts = rows.iter().filter(|row| row[1] == "0.0");
    let starts: Vec<f64> = starts.map(|row| row[3].parse().unwrap()).collect();
    assert_eq!(starts.len(), 3);
    assert!(starts.iter().all(|theta| theta.abs() <= 0.4), "{starts:?}");
    // The file changes nothing of the result.
    let with = bench.run(&[&args[..], &["--json"]].concat());
    let without = bench.run(&[&args[..6], &["--json"]].concat());
    assert_eq!(with.number("trajectory_digest"), without.number("trajectory_digest"));
    let undigested = bench.run(&[&args[..6], &["--json", "--no-digest"]].concat());
    assert_eq!(undigested.json()["trajectory_digest"], serde_json::Value::Null);
    assert_eq!(with.number("mean_error"), undigested.number("mean_error"));
}

#[test]
fn times_of_tiny_steps_are_told_apart() {
    let (bench, _) = Bench::with_controller();
    let tiny = QUICK
        .replace("step_s: 0.01, sample_time_s: 0.1", "step_s: 2.5e-10, sample_time_s: 2.5e-10");
    let tiny = tiny.replace("horizon_s: 20", "horizon_s: 2e-8, transient_s: 0");
    let tiny = tiny.replace("horizon_s: 5, transient_s: 1", "horizon_s: 1e-8");
    bench.write("tiny.ron", &tiny);
    let args = ["replay", "run/controller.ron", "--scenario", "tiny.ron", "--episodes", "1"];
    let outcome = bench.run(&[&args[..], &["--csv", "t.csv"]].concat());
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let text = bench.read("t.csv");
    let times: Vec<&str> =
        text.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(times.len(), 81);
    assert_eq!(times[..5], ["0.0", "2.5e-10", "5e-10", "7.5e-10", "1e-9"]);
}

#[test]
fn a_file_of_trajectories_does_not_depend_on_the_number_of_threads() {
    let (bench, _) = Bench::with_controller();
    let replay = |threads: &str, file: &str| {
        let args = ["replay", "run/controller.ron", "--episodes", "100", "--horizon", "3"];
        let outcome =
            bench.run(&[&args[..], &["--threads", threads, "--csv", file, "--json"]].concat());
        let mut result = outcome.json();
        result.remove("wall_s");
        (result, bench.read(file))
    };
    let (result, text) = replay("1", "one.csv");
    assert_eq!(text.lines().count(), 1 + 100 * 31);
    assert_eq!(replay("2", "two.csv"), (result.clone(), text.clone()));
    assert_eq!(replay("7", "seven.csv"), (result, text));
}
