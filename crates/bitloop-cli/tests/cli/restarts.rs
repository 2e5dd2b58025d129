//! The runs of one training done apart, and merged: the winner of one machine.

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::support::{Bench, Outcome, QUICK, QUICK_FIT};

/// A folder with a scenario whose stopping rules are these.
fn bench(stop: &str) -> Bench {
    let bench = Bench::new();
    bench.write("s.ron", &QUICK.replace("stop: (evaluations: 600)", &format!("stop: ({stop})")));
    bench
}

fn shard(bench: &Bench, shard: &str, more: &[&str]) -> Outcome {
    let args = ["train", "s.ron", "--threads", "1", "--out", "c", "--shard", shard];
    let outcome = bench.run(&[&args[..], more].concat());
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    outcome
}

/// The merged training must be that of one machine. Returns how many runs counted.
fn assert_merged(bench: &Bench, product: &str) -> u64 {
    let whole = bench.run(&["train", "s.ron", "--out", "whole", "--json"]).json();
    let merged = bench.run(&["merge", "c", "--out", "merged", "--json"]).json();
    assert_eq!(bench.read(&format!("merged/{product}")), bench.read(&format!("whole/{product}")));
    for name in ["scenario.ron", "resolved.ron"] {
        assert_eq!(bench.read(&format!("merged/{name}")), bench.read(&format!("whole/{name}")));
    }
    for (key, value) in &whole {
        if !["wall_s", "plant_steps", "controller", "model"].contains(&&**key) {
            assert_eq!(merged[key], *value, "{key}");
        }
    }
    whole["runs"].as_u64().unwrap()
}

#[test]
fn the_winner_is_that_of_one_machine() {
    let limits = "runs: 5, run_evaluations: 150";
    // All runs count; the first is a success; one in the middle is; that one goes on.
    let mut counted = Vec::new();
    for target in ["", "target: 10.0, ", "target: 0.01, ", "target: 0.01, refine: 60, "] {
        let bench = bench(&format!("{target}{limits}"));
        for part in ["0/3", "1/3", "2/3"] {
            shard(&bench, part, &[]);
        }
        counted.push(assert_merged(&bench, "controller.ron"));
        let again = bench.run(&["merge", "c", "--out", "merged"]);
        assert!(again.stderr.contains("nothing to do"), "{again:?}");
        // It is finished, and there is nothing to resume.
        let resumed = bench.run(&["train", "--resume", "merged"]);
        assert!(resumed.stdout.contains("is finished"), "{resumed:?}");
    }
    assert_eq!(counted[..2], [5, 1]);
}

#[test]
fn networks_on_examples_are_merged_too() {
    let bench = Bench::new();
    let stop = "stop: (evaluations: 3000, run_evaluations: 1300)";
    bench.write("s.ron", &QUICK_FIT.replace(stop, "stop: (runs: 3, run_evaluations: 400)"));
    shard(&bench, "0/2", &[]);
    shard(&bench, "1/2", &[]);
    assert_eq!(assert_merged(&bench, "model.ron"), 3);
}

#[test]
fn a_success_elsewhere_makes_later_runs_needless_and_earlier_ones_count() {
    let bench = bench("target: 10.0, runs: 6, run_evaluations: 150");
    // Run 4 met the target, as another shard says: runs 1 and 3 are still to be done, and run 5 is not.
    bench.write("met", "4\n");
    let odd = shard(&bench, "1/2", &["--stop-file", "met", "--json"]).json();
    assert_eq!(odd["complete"], true);
    assert_eq!(odd["runs"].as_array().unwrap().len(), 1, "its first run meets the target");
    assert_eq!(bench.read("met"), "1\n");
    // Run 1 is a success, but run 0 is missing, and would be one, too.
    let merge = bench.run(&["merge", "c", "--out", "merged"]);
    merge.assert_refused(1, &["1 runs are missing, the first is run 0", "--array=0"]);
    shard(&bench, "0/2", &["--stop-file", "met"]);
    assert_eq!(bench.read("met"), "0\n");
    assert_eq!(assert_merged(&bench, "controller.ron"), 1);
    // A file that names no run ends a shard before it has begun.
    bench.write("met", "");
    let stopped = shard(&bench, "2/3", &["--stop-file", "met", "--json"]).json();
    assert_eq!(stopped["complete"], false);
}

#[test]
fn a_run_that_has_become_needless_is_given_up() {
    let bench = bench("target: 1e-12, runs: 2, run_evaluations: 2000000000");
    // No local minimum ends the run.
    let kicks = "kicks: (count: 1000000, flips: 3), growth:";
    bench.write("s.ron", &bench.read("s.ron").replace("growth:", kicks));
    let args = ["train", "s.ron", "--threads", "1", "--out", "c", "--shard", "1/2"];
    let mut command = bench.command(&args);
    command.args(["--stop-file", "met"]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    while !bench.path("c/shard-1-of-2/attempt-1/training.json").exists() {
        thread::sleep(Duration::from_millis(10));
    }
    bench.write("new", "0\n");
    fs::rename(bench.path("new"), bench.path("met")).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(!bench.path("c/shard-1-of-2/attempt-1/run-0001.ron").exists());
}

#[test]
fn a_shard_that_is_killed_goes_on_from_what_it_has_finished() {
    let bench = bench("runs: 6, run_evaluations: 150");
    shard(&bench, "0/1", &[]);
    fs::remove_file(bench.path("c/shard-0-of-1/attempt-1/run-0003.ron")).unwrap();
    let cut = "c/shard-0-of-1/attempt-1/run-0004.ron";
    let text = bench.read(cut);
    bench.write(cut, &text[..text.len() / 2]);
    let merge = bench.run(&["merge", "c", "--out", "merged"]);
    merge.assert_refused(1, &["2 runs are missing, the first is run 3"]);
    let again = shard(&bench, "0/1", &[]);
    assert!(again.stderr.contains("4 runs were finished before"), "{again:?}");
    assert_eq!(assert_merged(&bench, "controller.ron"), 6);
}

#[test]
fn runs_that_depend_on_each_other_are_refused() {
    let apart = |bench: &Bench| bench.run(&["train", "s.ron", "--shard", "0/2", "--out", "c"]);
    apart(&bench("evaluations: 600")).assert_refused(3, &["s.ron:", "run_evaluations"]);
    apart(&bench("seconds: 5")).assert_refused(3, &["s.ron:", "depend on the clock"]);
    let cma_es = bench("runs: 2");
    let text = cma_es.read("s.ron");
    let (before, rest) = text.split_once("training: TelescopicBlm(").unwrap();
    let (_, after) = rest.split_once("    ),\n    stop").unwrap();
    cma_es.write("s.ron", &format!("{before}training: CmaEs(\n    ),\n    stop{after}"));
    apart(&cma_es).assert_refused(3, &["the runs of CMA-ES depend on those before"]);
    let bench = bench("runs: 2");
    let refused = |args: &[&str]| bench.run(&[&["train", "s.ron"], args].concat());
    refused(&["--shard", "2/2"]).assert_refused(2, &["--shard", "counted from 0"]);
    refused(&["--stop-file", "f"]).assert_refused(2, &["--shard"]);
    refused(&["--shard", "0/2", "--evaluations", "9"]).assert_refused(2, &["--evaluations"]);
}

#[test]
fn runs_of_other_trainings_are_refused() {
    let bench = bench("runs: 2, run_evaluations: 150");
    shard(&bench, "0/2", &[]);
    let other = ["train", "s.ron", "--out", "d", "--shard", "1/2", "--seed", "2"];
    assert_eq!(bench.run(&other).code, Some(0));
    let merge = bench.run(&["merge", "c", "d", "--out", "merged"]);
    merge.assert_refused(1, &["are not parts of the same training"]);
    let campaign = ["campaign", "s.ron", "--runs", "1", "--out", "e"];
    assert_eq!(bench.run(&campaign).code, Some(0));
    let merge = bench.run(&["merge", "c", "e", "--out", "merged"]);
    merge.assert_refused(1, &["c/shard-0-of-2/attempt-1 is of a training", "e is of a campaign"]);
    shard(&bench, "1/2", &[]);
    let record = "c/shard-1-of-2/attempt-1/run-0001.ron";
    let text = bench.read(record);
    bench.write(record, &text.replacen("bitloop_version: \"", "bitloop_version: \"9.", 1));
    let merge = bench.run(&["merge", "c", "--out", "merged"]);
    merge.assert_refused(1, &[record, "made by bitloop 9."]);
    assert!(!bench.path("merged").exists());
}
