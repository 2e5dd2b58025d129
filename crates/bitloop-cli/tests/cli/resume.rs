//! Going on with what was begun, and what is refused.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::support::{Bench, Outcome, QUICK};

/// A training in `run` that would take minutes, once it has shown its first improvement.
fn long_training(bench: &Bench, stop: &str) -> Child {
    bench.write("long.ron", &QUICK.replace("evaluations: 600", stop));
    let mut child = bench
        .command(&["train", "long.ron", "--out", "run", "--json", "--checkpoint-every", "0.01"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stderr = BufReader::new(child.stderr.take().unwrap());
    let mut lines = stderr.lines();
    assert!(lines.any(|line| line.unwrap().contains("run 1  bits")), "it must start");
    // Whatever it still has to say is read, so that it is not stopped by a full pipe.
    std::thread::spawn(move || lines.for_each(drop));
    child
}

fn signal(child: &Child, signal: &str) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
}

#[test]
fn an_interrupted_training_goes_on_to_the_same_end() {
    let bench = Bench::new();
    let child = long_training(&bench, "evaluations: 20000");
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    // On a fast machine it may be over before.
    if output.status.code() == Some(130) {
        let log = bench.read("run/log.jsonl");
        assert!(log.lines().any(|line| line.contains("\"pausing\"")), "{log}");
    }
    let resumed = bench.run(&["train", "--resume", "run", "--json", "--threads", "1"]);
    let whole = bench.run(&["train", "long.ron", "--out", "whole", "--json"]);
    for key in ["controller_digest", "evaluations", "moves", "test_error", "stop_reason"] {
        assert_eq!(resumed.number(key), whole.number(key), "{key}");
    }
    assert_eq!(bench.read("run/controller.ron"), bench.read("whole/controller.ron"));
    let log = bench.read("run/log.jsonl");
    let position = |event: &str| log.lines().position(|line| line.contains(event));
    assert_eq!(position("\"pausing\"").map(|at| at + 1), position("\"resumed\""), "{log}");
    // Finished: its result is printed again, and nothing is done.
    let again = bench.run(&["train", "--resume", "run", "--json"]);
    assert_eq!(again.json()["controller_digest"], resumed.json()["controller_digest"]);
    assert_eq!(again.number("wall_s"), resumed.number("wall_s"));
    let text = bench.run(&["train", "--resume", "run"]);
    assert!(text.stdout.starts_with("run is finished"), "{text:?}");
}

#[test]
fn seconds_are_counted_over_all_resumptions() {
    let bench = Bench::new();
    bench.write("s.ron", &QUICK.replace("evaluations: 600", "evaluations: 30000"));
    let first = bench.train_for_seconds(&["train", "s.ron", "--json"], 0.02);
    assert_eq!(first.json()["stop_reason"], "seconds");
    assert!(first.stderr.contains("--resume run --seconds N"), "{}", first.stderr);
    // The same budget is used up, and so is a smaller one.
    for more in [&["--seconds", "0.01"][..], &[]] {
        let again = bench.run(&[&["train", "--resume", "run", "--json"], more].concat());
        assert_eq!(again.json()["evaluations"], first.json()["evaluations"]);
    }
    // More seconds get further; a machine that does other work may need more of them.
    let before = first.json()["wall_s"].as_f64().unwrap();
    assert!(before >= 0.02, "{before}");
    let mut seconds = 2.0 * before;
    let second = loop {
        let args = ["train", "--resume", "run", "--json", "--seconds", &seconds.to_string()];
        let trained = bench.run(&args).json();
        assert_eq!(trained["stop_reason"], "seconds");
        if trained["evaluations"].as_u64() > first.json()["evaluations"].as_u64() {
            break trained;
        }
        seconds *= 2.0;
    };
    let after = second["wall_s"].as_f64().unwrap();
    assert!(after >= seconds, "{after} {seconds}");
    let last = bench.run(&["train", "--resume", "run", "--json", "--seconds", "600"]).json();
    let whole = bench.run(&["train", "s.ron", "--out", "whole", "--json"]).json();
    for key in ["controller_digest", "evaluations", "test_error", "stop_reason"] {
        assert_eq!(last[key], whole[key], "{key}");
    }
}

#[test]
fn a_training_that_has_used_up_its_evaluations_is_given_more() {
    let bench = Bench::with_scenario();
    let whole = ["train", "quick.ron", "--out", "whole", "--json", "--evaluations", "900"];
    let whole = bench.run(&whole);
    let first = bench.run(&["train", "quick.ron", "--out", "run"]);
    assert!(first.stdout.contains("train --resume run --evaluations N"), "{first:?}");
    // The same number leaves nothing to do.
    let again = bench.run(&["train", "--resume", "run", "--evaluations", "600", "--json"]);
    assert_eq!(again.json()["evaluations"], 600);
    assert!(again.stderr.contains("stopped by its evaluations"), "{again:?}");
    let more = bench.run(&["train", "--resume", "run", "--evaluations", "900", "--json"]);
    for key in ["controller_digest", "evaluations", "moves", "runs", "test_error", "stop_reason"] {
        assert_eq!(more.number(key), whole.number(key), "{key}");
    }
    assert_eq!(more.json()["evaluations"], 900);
}

#[test]
fn a_folder_in_use_is_refused_by_the_name_of_the_process() {
    let bench = Bench::new();
    let mut child = long_training(&bench, "seconds: 600");
    let process = format!("process {}", child.id());
    for args in [&["train", "long.ron", "--out", "run"][..], &["train", "--resume", "run"]] {
        bench.run(args).assert_refused(1, &["run is in use by", &process, "hint"]);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // The dead hold nothing, and what they began is not written over.
    bench
        .run(&["train", "long.ron", "--out", "run"])
        .assert_refused(1, &["not finished", "train --resume run"]);
    resume(&bench);
}

/// A training that was killed after its first checkpoint.
fn killed() -> Bench {
    let bench = Bench::new();
    let mut child = long_training(&bench, "seconds: 600");
    while !bench.path("run/checkpoint.previous").exists() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // Between the two renames of a write there is no newest one.
    if !bench.path("run/checkpoint").exists() {
        fs::copy(bench.path("run/checkpoint.previous"), bench.path("run/checkpoint")).unwrap();
    }
    bench
}

/// Resumes a training for so little time that a busy machine may find nothing in it, if it is not refused.
fn try_to_resume(bench: &Bench) -> Outcome {
    bench.run(&["train", "--resume", "run", "--seconds", "0.01", "--json"])
}

fn resume(bench: &Bench) -> Outcome {
    let outcome = try_to_resume(bench);
    assert!(matches!(outcome.code, Some(0 | 130)), "{outcome:?}");
    assert!(outcome.stderr.contains("resumed after"), "{outcome:?}");
    outcome
}

#[test]
fn a_damaged_checkpoint_gives_way_to_the_one_before() {
    let killed = killed();
    let newest = fs::read(killed.path("run/checkpoint")).unwrap();
    for length in [0, 1, 20, 60, newest.len() / 2, newest.len() - 1] {
        let bench = Bench::new();
        fs::create_dir(bench.path("run")).unwrap();
        for file in fs::read_dir(killed.path("run")).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), bench.path("run").join(file.file_name())).unwrap();
        }
        fs::write(bench.path("run/checkpoint"), &newest[..length]).unwrap();
        let outcome = resume(&bench);
        let word = "run/checkpoint: ";
        assert!(outcome.stderr.contains(word), "{length}: {}", outcome.stderr);
        assert!(outcome.stderr.contains("the checkpoint before it is used"), "{}", outcome.stderr);
        assert!(bench.path("run/checkpoint.damaged").exists());
    }
}

#[test]
fn what_cannot_be_gone_on_with_is_refused_with_the_reason() {
    let bench = killed();
    let checkpoint = bench.read("run/checkpoint");
    let previous = bench.read("run/checkpoint.previous");
    let resolved = bench.read("run/resolved.ron");
    let refused = |fragments: &[&str]| try_to_resume(&bench).assert_refused(1, fragments);

    bench.write("run/resolved.ron", &resolved.replace("seed: 1", "seed: 2"));
    refused(&["no checkpoint of the scenario in run/resolved.ron", "hint"]);
    bench.write("run/resolved.ron", &resolved);

    // A bit in either of them, and a digest that no longer matches.
    bench.write("run/checkpoint", &checkpoint.replace("run:", "rnu:"));
    bench.write("run/checkpoint.previous", &previous.replace("run:", "rnu:"));
    refused(&["run/checkpoint: it is damaged", "hint"]);

    let other = |text: &str| {
        let (_, body) = text.split_once('\n').and_then(|(_, rest)| rest.split_once('\n')).unwrap();
        let body = body.replace("bitloop_version:\"", "bitloop_version:\"9.");
        format!("bitloop checkpoint 2\n{}\n{body}", blake3::hash(body.as_bytes()).to_hex())
    };
    bench.write("run/checkpoint", &other(&checkpoint));
    refused(&["was made by bitloop 9.", "hint"]);

    fs::remove_file(bench.path("run/checkpoint")).unwrap();
    fs::remove_file(bench.path("run/checkpoint.previous")).unwrap();
    refused(&["run holds no training to resume"]);
    bench.run(&["train", "--resume", "none"]).assert_refused(1, &["none", "No such file"]);
    bench.run(&["train", "--resume", "run", "--seed", "3"]).assert_refused(2, &["--seed"]);
    bench.run(&["train"]).assert_refused(2, &["SCENARIO"]);
}

#[test]
fn a_campaign_goes_on_as_it_was_asked_for() {
    let bench = Bench::with_scenario();
    let args = ["campaign", "quick.ron", "--runs", "3", "--vary", "controller.hidden=[2],[3]"];
    let whole = bench.run(&[&args[..], &["--out", "c", "--success", "1.2", "--json"]].concat());
    fs::remove_file(bench.path("c/controller.hidden=3/training-0001.ron")).unwrap();
    let again = bench.run(&["campaign", "--resume", "c", "--json"]);
    assert!(again.stderr.contains("5 of 6 were finished before"), "{}", again.stderr);
    for key in ["success", "seed", "scenario"] {
        assert_eq!(again.json()[key], whole.json()[key], "{key}");
    }
    for key in ["name", "successes", "median_error", "trainings"] {
        let of = |json: &serde_json::Map<String, Value>| json["variants"][1][key].clone();
        assert_eq!(of(&again.json()), of(&whole.json()), "{key}");
    }
    bench.run(&["campaign", "--resume", "c", "--runs", "4"]).assert_refused(2, &["--runs"]);
    bench.run(&["campaign", "--resume", "d"]).assert_refused(1, &["d/campaign.json"]);
    let plan: Value = serde_json::from_str(&bench.read("c/campaign.json")).unwrap();
    assert_eq!(plan["vary"][0], "controller.hidden=[2],[3]");
    assert_eq!(bench.read("c/scenario.ron"), QUICK);
}
