//! Training against the episodes that `bitloop worst` finds.

use std::process::Command;

use crate::support::{Bench, Outcome, QUICK, workspace};

/// A search that takes an instant.
const SHORT: [&str; 6] = ["--random", "64", "--starts", "1", "--generations", "3"];

const UNCERTAIN: &str = r#"parameters: {"length": Uniform(0.9, 1.1)},
    uncertainty: (
        sensors: {"theta": (noise: Normal(0.001), bias: Uniform(-0.01, 0.01))},
        disturbances: {"force": [Impulse(at_s: Uniform(0.5, 4), area: Normal(mean: 0, sd: 0.2))]},
    ),
    controller:"#;

fn attacked() -> Bench {
    let bench = Bench::new();
    bench.write("q.ron", &QUICK.replacen("controller:", UNCERTAIN, 1));
    bench.run(&["train", "q.ron", "--out", "run"]);
    let worst = ["worst", "run/controller.ron", "-o", "worst.ron"];
    assert_eq!(bench.run(&[&worst[..], &SHORT].concat()).code, Some(0));
    bench
}

#[test]
fn an_episode_that_was_found_is_trained_against_by_any_way_of_running_it() {
    let bench = attacked();
    let run = |out: &str, more: &[&str]| {
        let args = ["train", "q.ron", "--against", "worst.ron", "--json", "--out", out];
        bench.run(&[&args[..], more].concat()).json()
    };
    let whole = run("whole", &["--threads", "1"]);
    let before = bench.run(&["train", "q.ron", "--json", "--out", "before"]).json();
    assert_ne!(whole["controller_digest"], before["controller_digest"]);
    for (out, more) in [("three", &["--threads", "3"][..]), ("isolated", &["--isolate"])] {
        let again = run(out, more);
        for figure in ["controller_digest", "training_error", "test_error"] {
            assert_eq!(again[figure], whole[figure], "{more:?}");
        }
    }
    // What is kept needs the file no more.
    run("cut", &["--evaluations", "100"]);
    let file = bench.read("worst.ron");
    std::fs::remove_file(bench.path("worst.ron")).unwrap();
    let resumed = bench.run(&["train", "--resume", "cut", "--evaluations", "600", "--json"]).json();
    assert_eq!(resumed["controller_digest"], whole["controller_digest"]);
    let saved = bench.read("whole/controller.ron");
    assert!(saved.contains("--against worst.ron") && saved.contains("against:"), "{saved}");
    // What the controller was trained against is not in the scenario of the next episode that is found.
    bench.write("worst.ron", &file);
    let worst = ["worst", "whole/controller.ron", "-o", "next.ron"];
    assert_eq!(bench.run(&[&worst[..], &SHORT].concat()).code, Some(0));
    assert!(!bench.read("next.ron").contains("against"));
    let both =
        ["train", "q.ron", "--against", "worst.ron", "--against", "next.ron", "--out", "two"];
    assert_eq!(bench.run(&both).code, Some(0));
    let check = bench.run(&["scenario", "check", "two/resolved.ron"]).stdout;
    assert!(check.contains("2 hard episodes, added to the training set"), "{check}");
}

#[test]
fn episodes_that_the_training_cannot_have_are_refused() {
    let bench = attacked();
    let found = bench.read("worst.ron");
    let spoiled = |from: &str, to: &str| {
        // The last of equals: the sets are written in order, the test last.
        let (before, after) = found.rsplit_once(from).expect(from);
        bench.write("w.ron", &format!("{before}{to}{after}"));
        bench.run(&["train", "q.ron", "--against", "w.ron", "--out", "run2"])
    };
    spoiled("count: 1", "count: 2").assert_refused(3, &["2 episodes", "w.ron:"]);
    spoiled("horizon_s: 5.0", "horizon_s: 6.0")
        .assert_refused(3, &["6 s", "those of the training 5 s", "--horizon 5"]);
    spoiled("inverted-pendulum", "acrobot").assert_refused(3, &["its plant is `acrobot`"]);
    spoiled("Normal(0.001)", "Normal(0.002)")
        .assert_refused(3, &["are others than those of the scenario"]);
    spoiled("\"theta\": (bias", "\"thetta\": (bias")
        .assert_refused(3, &["no observation `thetta`"]);
    let drawn = ["train", "q.ron", "--against", "q.ron", "--out", "run2"];
    bench.run(&drawn).assert_refused(3, &["its test has 9 episodes", "q.ron:"]);
    bench.write(
        "w.ron",
        &QUICK.replace("test: (count: 9, horizon_s: 20)", "test: (count: 1, horizon_s: 5)"),
    );
    let drawn = ["train", "q.ron", "--against", "w.ron", "--out", "run2"];
    bench.run(&drawn).assert_refused(3, &["Uniform(-0.4, 0.4) is drawn", "w.ron:"]);
    assert!(!bench.path("run2").exists());
    let both = ["train", "--resume", "run", "--against", "worst.ron"];
    bench.run(&both).assert_refused(2, &["--against"]);
}

#[test]
fn a_limit_is_met_or_missed() {
    let bench = attacked();
    let run = |limit: &str| {
        let args = ["worst", "run/controller.ron", "-o", "w.ron", "--limit", limit];
        bench.run(&[&args[..], &SHORT].concat())
    };
    let missed = run("1e-9");
    assert_eq!(missed.code, Some(4), "{missed:?}");
    assert!(missed.stdout.contains("MISSED"), "{missed:?}");
    let found = bench
        .run(&[&["worst", "run/controller.ron", "-o", "w.ron", "--json"], &SHORT[..]].concat())
        .json();
    assert!(found["failed_s"].is_null(), "{found:?}");
    assert_eq!(run("1e9").code, Some(0));
}

/// The loop of the manual, as it ships.
#[test]
fn training_and_attack_take_turns_until_the_rounds_are_over_and_continue() {
    let bench = Bench::with_scenario();
    let attack = |limit: &str, rounds: &str| {
        let mut command = Command::new(workspace().join("scenarios/attack.sh"));
        command.args(["quick.ron", limit, "--threads", "1"]).current_dir(bench.path("."));
        command.env("BITLOOP", env!("CARGO_BIN_EXE_bitloop"));
        command.env("ROUNDS", rounds).env("WORST", SHORT.join(" "));
        Outcome::of(&mut command)
    };
    let once = attack("1e-9", "1");
    assert_eq!(once.code, Some(4), "{once:?}");
    let twice = attack("1e-9", "2");
    assert_eq!(twice.code, Some(4), "{twice:?}");
    assert!(twice.stdout.contains("is finished"), "the first round is kept: {twice:?}");
    let saved = bench.read("runs/attack/2/controller.ron");
    assert!(saved.contains("--against runs/attack/worst-1.ron"), "{saved}");
    assert!(!bench.path("runs/attack/3").exists());
}
