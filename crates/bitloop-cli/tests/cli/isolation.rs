//! `--isolate`: the same bits, and a program that survives whatever the plant does.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::plant_check::workshop::{c_library, rust_library};
use crate::support::{Bench, Outcome};

/// A plant in C that after a while minds what the environment says.
const MOODY: &str = r#"(void)t_s;
    static volatile long n_naps = 0;
    if (getenv("NAPS") != NULL && ++n_naps % 10 == 0) {
        struct timespec nap = {0, 10000000};
        nanosleep(&nap, NULL);
    }
    static volatile long n_calls = 0;
    if (++n_calls > 300000 && getenv("MOOD") != NULL) {
        switch (getenv("MOOD")[0]) {
        case 's': *(volatile int *)0 = 1; break;
        case 'a': abort();
        case 'e': exit(0);
        case 'l':
            if (getenv("HUNG") != NULL) fclose(fopen(getenv("HUNG"), "w"));
            for (;;) {}
        }
    }
    dx[THETA]"#;

/// What it needs.
const HEADERS: &str =
    "#define _POSIX_C_SOURCE 199309L\n#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n";

/// The same for whoever opens it.
const RUDE: &str = r#"
__attribute__((constructor)) static void be_rude(void) {
    if (getenv("MOOD") != NULL && getenv("MOOD")[0] == 'r') _Exit(3);
}
"#;

/// Makes the plant in a folder of its own.
fn moody_plant() -> Bench {
    let bench = Bench::new();
    let made = bench.run(&["plant", "new", "moody", "--lang", "c", "--out", "plant"]);
    assert_eq!(made.code, Some(0), "{made:?}");
    let sane = bench.read("plant/equations.h");
    let moody = sane.replace("(void)t_s;\n    dx[THETA]", MOODY);
    assert_ne!(moody, sane);
    bench.write("plant/equations.h", &moody);
    // From further away, so that the search goes on for longer than the plant's patience.
    let scenario = bench.read("plant/scenario.ron");
    let farther =
        scenario.replace("TelescopicBlm()", "TelescopicBlm(initialization: Bounded(0.5))");
    assert_ne!(farther, scenario);
    bench.write("plant/scenario.ron", &farther);
    let rest = bench.read("plant/plant.c");
    bench.write("plant/plant.c", &format!("{HEADERS}{rest}{RUDE}"));
    let made = Outcome::of(Command::new("make").arg("-sC").arg(bench.path("plant")));
    assert_eq!(made.code, Some(0), "{made:?}");
    bench
}

/// A log without its times, and without a mark where it was gone on with.
fn log(bench: &Bench, run: &str) -> Vec<String> {
    let text = bench.read(&format!("{run}/log.jsonl"));
    let lines = text.lines().filter(|line| !line.contains("\"resumed\""));
    lines.map(|line| line.split(",\"wall_s\"").next().unwrap().to_owned()).collect()
}

#[test]
fn an_isolated_training_and_replay_give_the_same_bits() {
    let (bench, plain) = Bench::with_controller();
    for threads in ["1", "2"] {
        let args = ["train", "quick.ron", "--out", threads, "--threads", threads, "--isolate"];
        let isolated = bench.run(&[&args[..], &["--json"]].concat()).json();
        let keys = ["controller_digest", "training_error", "validation_error", "test_error"];
        for key in keys {
            assert_eq!(isolated[key], plain[key], "{key}, {threads} threads");
        }
        assert!(log(&bench, threads) == log(&bench, "run"), "{threads} threads");
    }
    let replay = |csv: &str, more: &[&str]| {
        let args = ["replay", "run/controller.ron", "--csv", csv, "--json"];
        bench.run(&[&args[..], more].concat()).json()["trajectory_digest"].clone()
    };
    assert_eq!(replay("a.csv", &["--isolate"]), replay("b.csv", &[]));
    assert_eq!(bench.read("a.csv"), bench.read("b.csv"));
    // What fails in the worker is reported as ever.
    bench.run(&["replay", "none.ron", "--isolate"]).assert_refused(3, &["none.ron"]);
    bench.run(&["train", "quick.ron", "--isolate=0"]).assert_refused(2, &["--isolate"]);
}

#[test]
fn searches_that_draw_whole_candidates_are_isolated_too() {
    let bench = Bench::with_scenario();
    let quick = bench.read("quick.ron");
    let (before, rest) = quick.split_once("    training: TelescopicBlm(").unwrap();
    let (_, after) = rest.split_once("    ),\n    stop: (evaluations: 600)").unwrap();
    for (name, search) in [("cma", "CmaEs"), ("random", "RandomSearch")] {
        let file = format!("{name}.ron");
        let search = format!(
            "    training: {search}(bits: 8, max_weight: 10),\n    stop: (evaluations: 200)"
        );
        bench.write(&file, &format!("{before}{search}{after}"));
        let train = |out: &str, more: &[&str]| {
            let args = ["train", &file, "--out", out, "--json", "--threads", "2"];
            bench.run(&[&args[..], more].concat()).json()["controller_digest"].clone()
        };
        assert_eq!(train("a", &["--isolate"]), train("b", &[]), "{name}");
    }
}

#[test]
fn a_plant_that_ends_its_process_ends_the_training_alone_which_can_be_resumed() {
    let bench = moody_plant();
    let run = |mood: &str, args: &[&str]| {
        let library = bench.path("plant/moody.so").display().to_string();
        let is_new = args[0] == "train" && args[1] != "--resume";
        let mut command = bench.command(args);
        if is_new {
            command.args(["--plant", &library]);
        }
        if !mood.is_empty() {
            command.env("MOOD", mood);
        }
        Outcome::of(&mut command)
    };
    let whole = run("", &["train", "plant/scenario.ron", "--out", "whole", "--json"]);
    let digest = whole.json()["controller_digest"].clone();
    // A machine that does other work may take long for an answer.
    for (mood, isolate, words) in [
        ("segfault", "--isolate=60", "segmentation fault"),
        ("abort", "--isolate=60", "abort"),
        ("exit", "--isolate=60", "called exit(0)"),
        ("loop", "--isolate=2", "no answer for 2 s"),
    ] {
        let train = ["train", "plant/scenario.ron", "--out", mood, isolate, "--threads", "2"];
        let lost = run(mood, &train);
        lost_with(&lost, words);
        // Two threads decide which episodes they are.
        for fragment in [" episodes", ", with seed 1 and codes [", "train --resume"] {
            assert!(lost.stderr.contains(fragment), "{fragment}: {lost:?}");
        }
        let n_before = log(&bench, mood).len();
        assert!(n_before > 10, "{n_before}");
        let resumed = run("", &["train", "--resume", mood, "--isolate", "--json"]);
        assert_eq!(resumed.json()["controller_digest"], digest, "{mood}");
        assert!(log(&bench, mood) == log(&bench, "whole"), "{mood}");
    }

    // An interrupt does not wait for the plant, however long it may take.
    let library = bench.path("plant/moody.so").display().to_string();
    // One thread, which always needs the answer that it waits for.
    let train =
        ["train", "plant/scenario.ron", "--out", "stopped", "--isolate=600", "--threads", "1"];
    let mut command = bench.command(&[&train[..], &["--plant", &library]].concat());
    let hung = bench.path("hung");
    command.env("MOOD", "loop").env("HUNG", &hung);
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    while !hung.exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("was canceled") && said.contains("train --resume"), "{said}");
    let resumed = run("", &["train", "--resume", "stopped", "--json"]);
    assert_eq!(resumed.json()["controller_digest"], digest);

    // A host that is killed takes the plant with it, even one that hangs.
    std::fs::remove_file(&hung).unwrap();
    let train = ["train", "plant/scenario.ron", "--out", "killed", "--isolate=600"];
    let mut command = bench.command(&[&train[..], &["--plant", &library]].concat());
    command.env("MOOD", "loop").env("HUNG", &hung).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    while !hung.exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let of_host = format!("/proc/{0}/task/{0}/children", child.id());
    let workers = std::fs::read_to_string(of_host).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let is_running = |id: &str| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        // One that nobody has waited for yet has ended too.
        stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
    };
    assert!(workers.split_whitespace().next().is_some());
    while workers.split_whitespace().any(is_running) {
        std::thread::sleep(Duration::from_millis(10));
    }

    let replay = ["replay", "whole/controller.ron", "--isolate", "--json"];
    lost_with(&run("rude", &replay), "called exit(3)");
    // The trajectories of before stay, and nothing is left of those that were begun.
    bench.write("old.csv", "old");
    let csv = [&replay[..], &["--csv", "old.csv"]].concat();
    lost_with(&run("rude", &csv), "called exit(3)");
    assert_eq!(bench.read("old.csv"), "old");
    let names = std::fs::read_dir(bench.path("")).unwrap();
    let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    assert!(!names.iter().any(|name| name.to_string_lossy().contains(".tmp")), "{names:?}");
    let lost = run("rude", &["train", "plant/scenario.ron", "--out", "none", "--isolate"]);
    lost_with(&lost, "called exit(3)");
    assert!(lost.stderr.contains("while it was opened"), "{lost:?}");
    assert!(!bench.path("none").exists());
}

#[test]
fn a_slow_plant_that_goes_on_is_not_silent() {
    let bench = moody_plant();
    let library = bench.path("plant/moody.so").display().to_string();
    let train = ["train", "plant/scenario.ron", "--out", "run", "--evaluations", "20", "--json"];
    bench.run(&[&train[..], &["--plant", &library]].concat()).json();
    // It sleeps for a millisecond in each of 8000 steps, on the mean.
    let replay = |more: &[&str], naps: bool| {
        let args = ["replay", "run/controller.ron", "--episodes", "1", "--horizon", "160"];
        let mut command = bench.command(&[&args[..], &["--json"], more].concat());
        if naps {
            command.env("NAPS", "yes");
        }
        Outcome::of(&mut command)
    };
    let slow = replay(&["--isolate=6"], true);
    let slow_json = slow.json();
    assert!(slow_json["wall_s"].as_f64().unwrap() > 6.0, "{slow:?}");
    assert_eq!(slow_json["trajectory_digest"], replay(&[], false).json()["trajectory_digest"]);
    assert!(slow.stderr.contains("of 1 episode ended"), "{slow:?}");
}

#[test]
fn an_output_that_fails_ends_the_run_at_once() {
    let (bench, _) = Bench::with_controller();
    // It would take hours, and then some: more than any limit on silence.
    let endless = ["replay", "run/controller.ron", "--horizon", "1e7", "--episodes", "100"];
    for more in [&[][..], &["--isolate=100000"]] {
        let full = bench.run(&[&endless[..], &["--csv", "/dev/full"], more].concat());
        full.assert_refused(1, &["/dev/full cannot be written", "No space left"]);
        let mut command = bench.command(&[&endless[..], &["--csv", "-"], more].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        drop(child.stdout.take());
        // A reader that goes away is no error.
        assert_eq!(child.wait().unwrap().code(), Some(0), "{more:?}");
    }
}

/// A scenario in which any plant trains.
const ANY_PLANT: &str = r#"Scenario(
    plant: "inverted-pendulum",
    controller: FeedForward(hidden: [2]),
    episodes: (training: (count: 5, horizon_s: 1)),
    training: TelescopicBlm(bits: 8, initialization: Full),
    stop: (evaluations: 30),
)
"#;

/// The plants that `plant check` must survive, with the exit code and a fragment of the message; one of them
/// ends well, since it writes where nothing is.
#[test]
fn twelve_hostile_plants_are_survived_by_trainings_and_replays() {
    let bench = Bench::new();
    bench.write("any.ron", ANY_PLANT);
    let run = |args: &[&str], fault: &str, library: &Path| {
        let mut command = bench.command(args);
        Outcome::of(command.arg("--plant").arg(library).env("CART_FAULT", fault))
    };
    let cart = c_library("cart");
    let sound = run(&["train", "any.ron", "--out", "sound"], "NONE", &cart);
    assert_eq!(sound.code, Some(0), "{sound:?}");
    let faults = [
        ("NAN_RATES", 1, "the first bad value: episode"),
        ("OVERRUN", 0, ""),
        ("ABORT", 1, "lost: abort"),
        ("SEGFAULT", 1, "lost: segmentation fault"),
        ("LOOP", 1, "lost: no answer for 1 s"),
        ("OVERFLOW", 1, "lost: stack overflow"),
        ("EXIT", 1, "lost: called exit(0)"),
        ("FAST_MATH", 1, "changes the floating-point mode"),
        ("STATUS", 1, "(status 2): oh"),
        ("VERSION", 3, "version 2 of the plant ABI"),
        ("SIZE", 3, "its descriptor is too short"),
    ];
    for (fault, code, fragment) in faults {
        // Only the one that hangs is not given time: a machine that does other work may take long for an answer.
        let isolate = if fault == "LOOP" { "--isolate=1" } else { "--isolate=60" };
        let trained = run(&["train", "any.ron", "--out", fault, isolate], fault, &cart);
        let replayed = run(&["replay", "sound/controller.ron", isolate], fault, &cart);
        // A replay of nothing but NaN has its result: that each episode failed.
        let is_replayed = fault == "NAN_RATES";
        for (outcome, code) in [(trained, code), (replayed, if is_replayed { 0 } else { code })] {
            assert_eq!(outcome.code, Some(code), "{fault}: {outcome:?}");
            let fragment = if code == 0 { "" } else { fragment };
            assert!(outcome.stderr.contains(fragment), "{fault}: {outcome:?}");
        }
    }
    for (library, code, fragment) in [
        (c_library("other"), 3, "no symbol `bitloop_plant_v1`"),
        (rust_library("panicking").into(), 1, "the belt came off"),
    ] {
        // Printing a panic may take its time.
        let outcome = run(&["train", "any.ron", "--out", "other", "--isolate"], "NONE", &library);
        assert_eq!(outcome.code, Some(code), "{outcome:?}");
        assert!(outcome.stderr.contains(fragment), "{outcome:?}");
    }
}

#[test]
fn a_library_that_changes_the_floating_point_mode_when_it_is_loaded_is_reported_once() {
    if cfg!(not(target_arch = "x86_64")) {
        eprintln!("skipped: the floating-point mode is looked at on x86-64 alone");
        return;
    }
    let bench = Bench::new();
    bench.write("any.ron", ANY_PLANT);
    for args in [
        &["train", "any.ron", "--out", "FAULT"][..],
        &["train", "any.ron", "--out", "FAULT-isolated", "--isolate"],
        &["replay", "FAULT/controller.ron"],
        &["campaign", "any.ron", "--runs", "2", "--out", "FAULT-campaign"],
    ] {
        for (fault, n_warnings) in [("FAST_MATH_AT_LOAD", 1), ("NONE", 0)] {
            let args: Vec<String> = args.iter().map(|arg| arg.replace("FAULT", fault)).collect();
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let mut command = bench.command(&args);
            let outcome =
                Outcome::of(command.arg("--plant").arg(c_library("cart")).env("CART_FAULT", fault));
            assert_eq!(outcome.code, Some(0), "{outcome:?}");
            let n_reported = outcome.stderr.matches("changes the floating-point mode").count();
            assert_eq!(n_reported, n_warnings, "{outcome:?}");
        }
    }
}

/// Checks that the program reported a lost plant.
#[track_caller]
fn lost_with(outcome: &Outcome, words: &str) {
    assert_eq!((outcome.code, &*outcome.stdout), (Some(1), ""), "{outcome:?}");
    assert!(outcome.stderr.contains(words), "{words}: {outcome:?}");
    assert!(!outcome.stderr.contains("panicked"), "{outcome:?}");
}
