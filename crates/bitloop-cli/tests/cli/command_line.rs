//! Wrong options and surroundings: exit code 2.

use std::fs;
use std::process::Stdio;

use crate::support::{Bench, Outcome};

#[test]
fn wrong_options_are_reported_by_name() {
    let bench = Bench::with_scenario();
    for (args, fragment) in [
        (&["train"][..], "<SCENARIO|PLANT>"),
        (&["train", "quick.ron", "--threads", "0"], "from 1 to 256"),
        (&["train", "quick.ron", "--threads", "257"], "from 1 to 256"),
        (&["train", "quick.ron", "--seed", "1.5"], "--seed"),
        (&["train", "quick.ron", "--sed", "1"], "--seed"),
        (&["train", "quick.ron", "--seed", "-1"], "a whole number of at least 0"),
        (&["train", "quick.ron", "--evaluations", "0"], "a whole number of at least 1"),
        (&["train", "quick.ron", "--evaluations", "1.5"], "a whole number of at least 1"),
        (&["train", "quick.ron", "--threads", "-2"], "from 1 to 256"),
        (&["campaign", "quick.ron", "--runs", "-3"], "a whole number from 1 to 10000"),
        (&["replay", "c.ron", "--episodes", "0"], "a whole number from 1 to 1000000"),
        (&["replay", "c.ron", "--episodes", "1000000000000"], "a whole number from 1 to 1000000"),
        (&["replay", "c.ron", "--horizon", "-5"], "a positive number of seconds"),
        (&["replay", "c.ron", "--horizon", "nan"], "a positive number of seconds"),
        (&["replay", "c.ron", "--horizon", "1e999"], "a positive number of seconds"),
        (&["plant", "info", "quadrotor"], "inverted-pendulum"),
        (&["plant", "info", "inverted-pendulun"], "did you mean `inverted-pendulum`?"),
        (&["trian"], "train"),
    ] {
        bench.run(args).assert_refused(2, &[fragment]);
    }
}

#[test]
fn counts_may_be_written_with_exponents() {
    let bench = Bench::with_scenario();
    let evaluations = |count| {
        let args = ["train", "quick.ron", "--evaluations", count, "--out", count, "--json"];
        bench.run(&args).json()["evaluations"].clone()
    };
    assert_eq!((evaluations("2e2"), evaluations("200")), (200.into(), 200.into()));
}

#[test]
fn a_horizon_that_does_not_fit_is_the_fault_of_the_option() {
    let (bench, _) = Bench::with_controller();
    for (horizon, fragment, helps) in [
        ("0.015", "no multiple of the integration step", false),
        ("33.333", "the nearest are 33.33 s and 33.34 s", false),
        ("1", "the transient of 1 s leaves nothing", false),
        ("1e8", "more than 1e9 integration steps", true),
        ("1e300", "more than 1e9 integration steps", false),
    ] {
        let outcome = bench.run(&["replay", "run/controller.ron", "--horizon", horizon]);
        outcome.assert_refused(2, &[fragment, "change --horizon"]);
        assert_eq!(outcome.stderr.contains("--yes"), helps, "{horizon}: {}", outcome.stderr);
    }
}

#[test]
fn the_instruction_set_is_checked() {
    let bench = Bench::with_scenario();
    let with_isa = |isa: &str| {
        let mut command = bench.command(&["train", "quick.ron", "--json"]);
        Outcome::of(command.env("BITLOOP_ISA", isa))
    };
    with_isa("sse").assert_refused(2, &["BITLOOP_ISA: unknown instruction set `sse`", "portable"]);
    with_isa("").json();
    assert!(with_isa("portable").stderr.contains("portable"));
}

#[test]
fn help_tells_the_exit_codes() {
    let outcome = Bench::new().run(&["--help"]);
    assert_eq!(outcome.code, Some(0));
    for fragment in ["Exit codes", "130", "BITLOOP_ISA", "train", "replay", "plant", "scenario"] {
        assert!(outcome.stdout.contains(fragment), "{fragment}: {}", outcome.stdout);
    }
    let manual = crate::support::workspace().join("crates/bitloop-cli/MANUAL.md");
    let manual = fs::read_to_string(manual).unwrap();
    for code in ["| 0 |", "| 1 |", "| 2 |", "| 3 |", "| 4 |", "| 130 |"] {
        assert!(manual.contains(code), "MANUAL.md lacks the exit code {code}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let bench = Bench::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = bench
        .command(&["plant", "info", "inverted-pendulum"])
        .stdout(Stdio::from(writer))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let (bench, _) = Bench::with_controller();
    bench
        .run(&["replay", "run/controller.ron", "--csv", "/dev/full"])
        .assert_refused(1, &["/dev/full cannot be written", "No space left"]);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = bench.command(&["plant", "list"]).stdout(Stdio::from(full)).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("standard output cannot be written"), "{stderr}");
}
