//! Plants that change the process that they are called in: the work continues, and its results are where they belong.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::plant_check::workshop::{faulty_cart, rust_library};
use crate::support::{Bench, Outcome};

const SCENARIO: &str = r#"Scenario(
    plant: Library("cart.so"),
    controller: FeedForward(hidden: [2]),
    episodes: (training: (count: 5, horizon_s: 1)),
    training: TelescopicBlm(bits: 8, initialization: Full),
    stop: (STOP),
)
"#;

fn study(fault: &str, stop: &str) -> Bench {
    let bench = Bench::new();
    faulty_cart(&bench, fault, "");
    bench.write("any.ron", &SCENARIO.replace("STOP", stop));
    bench
}

#[test]
fn results_are_where_they_belong_whatever_the_constructor_does() {
    let sound = study("NONE", "evaluations: 30");
    let args = ["train", "any.ron", "--out", "run", "--json"];
    let digest = sound.run(&args).json()["controller_digest"].clone();
    for (fault, part) in [
        ("CHDIR", "the working directory"),
        ("UMASK", "the umask"),
        ("SIGNALS", "the handling of signals"),
        ("SETENV", "the environment"),
        ("CLOSE", "open files"),
        ("X87", "the floating-point mode"),
        ("PRINT", ""),
    ] {
        let bench = study(&format!("{fault}_AT_LOAD"), "evaluations: 30");
        let outcome = bench.run(&args);
        assert_eq!(outcome.json()["controller_digest"], digest, "{fault}");
        if part.is_empty() {
            assert!(outcome.stderr.contains("hello"), "{outcome:?}");
        } else {
            let warning = format!("cart.so changes {part}, which was put back");
            assert!(outcome.stderr.contains(&warning), "{fault}: {outcome:?}");
        }
        let replay = ["replay", "run/controller.ron", "--csv", "a.csv", "--json"];
        bench.run(&replay).json();
        assert!(bench.read("a.csv").lines().count() > 10);
    }
}

#[test]
fn what_calls_print_or_close_does_not_reach_the_result() {
    for fault in ["PRINT", "CLOSE"] {
        let bench = study(fault, "evaluations: 30");
        let outcome = bench.run(&["train", "any.ron", "--out", "run", "--json"]);
        assert!(outcome.json()["training_error"].is_number(), "{fault}: {outcome:?}");
    }
}

#[test]
fn a_call_that_changes_the_working_directory_does_not_move_what_is_written() {
    let bench = study("CHDIR", "evaluations: 30");
    // The default folder, one that is named, a campaign, and trajectories.
    for (args, file) in [
        (&["train", "any.ron"][..], "runs/any-seed1/controller.ron"),
        (&["train", "any.ron", "--out", "run"], "run/result.json"),
        (&["replay", "run/controller.ron", "--csv", "a.csv"], "a.csv"),
        (&["campaign", "any.ron", "--runs", "2", "--out", "many"], "many/training-0001.ron"),
    ] {
        let outcome = bench.run(args);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert!(bench.path(file).exists(), "{file}: {outcome:?}");
    }
    assert!(bench.path("run/checkpoint").exists());
    // Messages name it as the user has.
    let named = bench.run(&["train", "any.ron", "--out", "named"]);
    assert!(named.stdout.contains(" named/controller.ron\n"), "{named:?}");
}

#[test]
fn standard_output_can_be_named_as_a_file() {
    let bench = study("PRINT", "evaluations: 30");
    bench.run(&["train", "any.ron", "--out", "run", "--json"]).json();
    for more in [&[][..], &["--isolate"]] {
        let args = ["replay", "run/controller.ron", "--csv", "/dev/stdout"];
        let outcome = bench.run(&[&args[..], more].concat());
        assert!(outcome.stdout.starts_with("episode,time_s,x,v,force\n0,0.0,"), "{outcome:?}");
        assert!(outcome.stdout.contains("mean error"), "{outcome:?}");
        assert!(!outcome.stdout.contains("hello"), "{outcome:?}");
    }
}

#[test]
fn a_plant_that_calls_exit_does_not_end_the_training_as_if_it_was_done() {
    let bench = study("EXIT", "evaluations: 30");
    let outcome = bench.run(&["train", "any.ron", "--out", "run"]);
    assert_eq!((outcome.code, &*outcome.stdout), (Some(1), ""), "{outcome:?}");
    for fragment in
        ["cart.so has ended this program by calling `exit`", "train --resume run --isolate"]
    {
        assert!(outcome.stderr.contains(fragment), "{fragment}: {outcome:?}");
    }
    faulty_cart(&bench, "NONE", "");
    let trained = bench.run(&["train", "any.ron", "--out", "sound"]);
    assert_eq!(trained.code, Some(0), "{trained:?}");
    faulty_cart(&bench, "EXIT", "");
    bench.run(&["replay", "sound/controller.ron"]).assert_refused(1, &["by calling `exit`"]);
}

/// Starts a training, waits until it says that it runs, or until a file is there, sends SIGINT, and gives the exit code and
/// what was said.
fn interrupted(bench: &Bench, args: &[&str], file: Option<&str>) -> (Option<i32>, String) {
    let mut command = bench.command(args);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines();
    match file {
        Some(file) => {
            while !bench.path(file).exists() {
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        None => assert!(stderr.any(|line| line.unwrap().contains("run 1  bits")), "{args:?}"),
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
    let said: Vec<String> = stderr.map(|line| line.unwrap()).collect();
    let status = child.wait().unwrap();
    (status.code(), said.join("\n"))
}

#[test]
fn an_interrupt_works_whatever_the_plant_does_to_signals() {
    for fault in ["SIGNALS_AT_LOAD", "NONE"] {
        let bench = study(fault, "seconds: 600");
        let args = ["train", "any.ron", "--out", "run"];
        let (code, said) = interrupted(&bench, &args, None);
        assert_eq!(code, Some(130), "{fault}: {said}");
        assert!(bench.path("run/controller.ron").exists(), "{fault}");
    }
}

#[test]
fn a_plant_that_hangs_while_it_is_opened_does_not_hold_up_an_interrupt() {
    let bench = study("NONE", "seconds: 600");
    faulty_cart(&bench, "HANG_AT_LOAD", &bench.path("hung").display().to_string());
    // The limit for an answer is not what ends it.
    let args = ["train", "any.ron", "--out", "run", "--isolate=3600"];
    let (code, said) = interrupted(&bench, &args, Some("hung"));
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("the request was canceled"), "{said}");
}

#[test]
fn a_plant_that_raises_signals_while_it_is_opened_is_tried_a_few_times() {
    let bench = study("RAISE_AT_LOAD", "evaluations: 30");
    bench
        .run(&["train", "any.ron", "--out", "run", "--isolate"])
        .assert_refused(1, &["ended by SIGTERM", "while it was opened"]);
}

#[test]
fn a_copy_of_the_plants_process_does_not_answer_in_its_place() {
    let sound = study("NONE", "evaluations: 30");
    let args = ["train", "any.ron", "--out", "run", "--isolate", "--json"];
    let digest = sound.run(&args).json()["controller_digest"].clone();
    let forked = study("FORKED", "evaluations: 30");
    assert_eq!(forked.run(&args).json()["controller_digest"], digest);
}

#[test]
fn a_plant_that_panics_in_every_episode_is_reported_once() {
    let bench = study("NONE", "evaluations: 30");
    let args = ["train", "any.ron", "--out", "run", "--threads", "2", "--plant"];
    let outcome = Outcome::of(bench.command(&args).arg(rust_library("panicking")));
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert_eq!(outcome.stderr.matches("panicked at").count(), 1, "{outcome:?}");
    for fragment in [
        "the belt came off",
        "calls that broke)\n  on the validation episodes, with seed 1 and codes [",
        "plant check",
        "up to the last checkpoint is saved; to resume: ",
        "train --resume run",
    ] {
        assert!(outcome.stderr.contains(fragment), "{fragment}: {outcome:?}");
    }
}
