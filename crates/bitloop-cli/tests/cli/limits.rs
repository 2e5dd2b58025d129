//! Files that nobody meant: large, deep, endless, absurd. Each is read or refused in time, before memory is taken for it.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{Bench, Outcome, QUICK};

/// Runs the binary with 10 s of processor time, beyond which the system ends it. We promise 1 s for a file of 1 MiB, and a
/// tenth is taken; a step that is quadratic in the file takes minutes.
fn run_in_time(bench: &Bench, args: &[&str]) -> Outcome {
    let command = bench.command(args);
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -t 10 && exec \"$0\" \"$@\""]);
    limited.arg(command.get_program()).args(args);
    limited.current_dir(command.get_current_dir().unwrap()).stdin(Stdio::null());
    limited.env_remove("BITLOOP_ISA");
    let outcome = Outcome::of(&mut limited);
    assert_ne!(outcome.code, None, "{args:?} was ended: {}", outcome.stderr);
    outcome
}

/// A mebibyte of a pattern between two texts.
fn mebibyte(before: &str, pattern: &str, after: &str) -> String {
    let n = ((1 << 20) - before.len() - after.len()) / pattern.len();
    format!("{before}{}{after}", pattern.repeat(n))
}

#[test]
fn a_mebibyte_in_the_place_of_any_file_of_a_run_is_refused_in_time() {
    let bench = Bench::with_scenario();
    bench.run(&["train", "quick.ron", "--out", "run", "--json"]).json();
    let result = bench.read("run/result.json");
    for text in [
        mebibyte("", "[", ""),
        mebibyte("", "{\"a\":", ""),
        mebibyte("[", "1,", "1]"),
        mebibyte("{\"a\":", "9", "}"),
        mebibyte("\"", "a", "\""),
        "\0".repeat(1 << 20),
        "x".repeat((1 << 20) + 1),
    ] {
        bench.write("run/result.json", &text);
        run_in_time(&bench, &["train", "--resume", "run"]).assert_refused(1, &["result.json"]);
    }
    bench.write("run/result.json", &result);
    fs::remove_file(bench.path("run/result.json")).unwrap();
    let _ = fs::remove_file(bench.path("run/checkpoint.previous"));
    for body in [
        mebibyte("", "(", ""),
        mebibyte("", "(\n", ""),
        mebibyte("\n", "Some(", ""),
        mebibyte("(run:", "9", ")"),
        mebibyte("(provenance:(bitloop_version:\"", "a", "\"))\n()"),
        mebibyte("\n(search:Some((codes:[", "1,", "])))"),
        mebibyte("\n(search:Some((codes:[", "[", "])))"),
        mebibyte("\n", "/*", ""),
    ] {
        let digest = blake3::hash(body.as_bytes()).to_hex();
        bench.write("run/checkpoint", &format!("bitloop checkpoint 2\n{digest}\n{body}"));
        run_in_time(&bench, &["train", "--resume", "run"]).assert_refused(1, &["run/checkpoint: "]);
    }
}

/// Spoils the checkpoint of a training that was cut off after 300 evaluations, one field at a time.
fn assert_states_are_refused(scenario: &str, faults: &[(&str, &str, &str)]) {
    let bench = Bench::new();
    bench.write("s.ron", scenario);
    bench.run(&["train", "s.ron", "--out", "run", "--evaluations", "300", "--json"]).json();
    let checkpoint = bench.read("run/checkpoint");
    let (_, body) =
        checkpoint.split_once('\n').and_then(|(_, rest)| rest.split_once('\n')).unwrap();
    let change = |from: &str, to: &str| {
        let at = body.find(from).unwrap_or_else(|| panic!("`{from}` is not in {body}"));
        let end = at + from.len() + body[at + from.len()..].find([',', ')', ']']).unwrap();
        let body = format!("{}{from}{to}{}", &body[..at], &body[end..]);
        let digest = blake3::hash(body.as_bytes()).to_hex();
        bench.write("run/checkpoint", &format!("bitloop checkpoint 2\n{digest}\n{body}"));
        bench.run(&["train", "--resume", "run", "--evaluations", "400"])
    };
    for (field, value, fragment) in faults {
        let outcome = change(field, value);
        outcome.assert_refused(1, &[fragment, "the checkpoint in run", "hint"]);
    }
}

/// What no search can have.
const ANY_FAULT: [(&str, &str, &str); 5] = [
    ("run:", "18446744073709551615", "absurd"),
    ("wall_s:", "NaN", "absurd"),
    ("wall_s:", "-1.0", "absurd"),
    ("evaluations_before:", "18446744073709551615", "absurd"),
    ("validation_error:", "NaN", "not a number"),
];

/// What telescopic BLM cannot have.
const BLM_FAULTS: [(&str, &str, &str); 7] = [
    ("n_evaluations:", "18446744073709551615", "absurd"),
    ("run:", "7777777", "other random numbers"),
    ("stage:", "3", "stage 4 of 1"),
    ("unlocked_bits:", "77", "bits"),
    ("codes:[", "99999999", "does not fit"),
    ("position:", "99999999", "of a neighborhood of"),
    ("mean_failures:", "9221120237041090560", "mean of failed probes"),
];

#[test]
fn a_state_that_a_training_cannot_have_is_refused() {
    let scenario = QUICK.replace("evaluations: 600", "evaluations: 600000");
    assert_states_are_refused(&scenario, &[&ANY_FAULT[..], &BLM_FAULTS].concat());
}

#[test]
fn a_state_that_a_training_on_examples_cannot_have_is_refused() {
    let scenario = |training: &str, of_run: &str| {
        format!(
            r"Supervised(
    data: Spirals(Halves193),
    network: (hidden: [4]),
    training: {training},
    stop: (evaluations: 100000000{of_run}),
)"
        )
    };
    let blm = scenario(
        "TelescopicBlm(bits: 8, max_weight: 10, initialization: Bounded(0.1), validate_every: 1)",
        "",
    );
    assert_states_are_refused(&blm, &[&ANY_FAULT[..], &BLM_FAULTS].concat());
    // Descents are short, so that one has ended and left weights to spoil.
    let training = "OneStepSecant(initial_range: 0.5, validate_every: 1)";
    let runs = scenario(training, ", run_evaluations: 20");
    let faults = [("stage:", "3", "stage 4 of 1"), ("weights:[", "inf", "is not finite")];
    assert_states_are_refused(&runs, &[&ANY_FAULT[..], &faults].concat());
}

#[test]
fn an_episode_of_more_steps_than_a_file_may_have_is_refused_wherever_its_length_comes_from() {
    let (bench, _) = Bench::with_controller();
    // The step is the plant's, or the option's scenario's.
    let by_default =
        QUICK.replace("step_s: 0.01, ", "").replace("horizon_s: 5,", "horizon_s: 1.1e7,");
    bench.write("long.ron", &by_default);
    run_in_time(&bench, &["train", "long.ron"])
        .assert_refused(3, &["more than 1e9 integration steps", "long.ron:8"]);
    let long = ["replay", "run/controller.ron", "--horizon", "1.1e7", "--episodes", "1"];
    run_in_time(&bench, &long)
        .assert_refused(2, &["more than 1e9 integration steps", "--yes allows"]);
    let suite = "Tests([(name: \"long\", horizon_s: 1.1e7, episodes: 1)])";
    bench.write("suite.ron", suite);
    let outcome = run_in_time(&bench, &["test", "run/controller.ron", "--suite", "suite.ron"]);
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    assert!(outcome.stdout.contains("more than 1e9 integration steps"), "{outcome:?}");
    // What fails at once has as many steps as it likes.
    let falling = QUICK.replace("-0.4, 0.4)", "1.09, 1.099)");
    bench.write("falling.ron", &falling);
    let allowed = [&long[..], &["--scenario", "falling.ron", "--yes", "--json"]].concat();
    let result = run_in_time(&bench, &allowed).json();
    assert_eq!((&result["failed_episodes"], &result["horizon_s"]), (&1.into(), &1.1e7.into()));
}

#[test]
fn a_campaign_that_nobody_can_have_asked_for_is_refused_in_time() {
    let bench = Bench::with_scenario();
    bench.run(&["campaign", "quick.ron", "--runs", "1", "--out", "c", "--json"]).json();
    let plan: Value = serde_json::from_str(&bench.read("c/campaign.json")).unwrap();
    let numbers =
        |from: u32, to: u32| (from..to).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let fields = |n: u32| (0..n).map(|i| Value::from(format!("a{i}=1"))).collect::<Vec<_>>();
    for (key, value, fragment) in [
        ("runs", Value::from(u32::MAX), "out of range"),
        ("runs", Value::from(0), "out of range"),
        ("runs", Value::from(1e300), "campaign.json"),
        ("success", Value::Null, "campaign.json"),
        ("success", Value::from(-1.0), "out of range"),
        ("vary", vec![format!("seed={}", numbers(0, 140_000))].into(), "140000 values, more than"),
        ("vary", fields(70_000).into(), "make 70000 scenarios, more than"),
        ("vary", vec![mebibyte("seed=", "[", "")[..1_000_000].to_owned()].into(), "not closed"),
        ("plant", Value::from("a".repeat(1_000_000)), "plant"),
    ] {
        let mut plan = plan.clone();
        plan[key] = value;
        bench.write("c/campaign.json", &plan.to_string());
        let outcome = run_in_time(&bench, &["campaign", "--resume", "c"]);
        assert!(matches!(outcome.code, Some(1..=3)), "{key}: {outcome:?}");
        assert!(outcome.stderr.contains(fragment), "{key}: {}", outcome.stderr);
    }
    bench.write("c/campaign.json", &mebibyte("", "[", ""));
    run_in_time(&bench, &["campaign", "--resume", "c"]).assert_refused(1, &["campaign.json"]);
}

#[test]
fn pipes_in_the_place_of_files_are_not_waited_for() {
    let bench = Bench::with_scenario();
    bench.run(&["train", "quick.ron", "--out", "run", "--json"]).json();
    bench.run(&["campaign", "quick.ron", "--runs", "1", "--out", "c", "--json"]).json();
    let pipe = |name: &str| {
        let _ = fs::remove_file(bench.path(name));
        assert!(Command::new("mkfifo").arg(bench.path(name)).status().unwrap().success());
    };
    for name in ["run/checkpoint", "run/result.json", "run/resolved.ron"] {
        pipe(name);
        assert_ne!(run_in_time(&bench, &["train", "--resume", "run"]).code, None, "{name}");
    }
    for name in ["c/training-0000.ron", "c/campaign.json"] {
        pipe(name);
        let outcome = run_in_time(&bench, &["campaign", "--resume", "c"]);
        assert!(matches!(outcome.code, Some(1..=3)), "{outcome:?}");
    }
}

#[test]
fn sizes_are_looked_at_before_memory_is_taken() {
    let bench = Bench::new();
    let search = &QUICK[QUICK.find("TelescopicBlm(").unwrap()..QUICK.find("    stop").unwrap()];
    let cma_es = |options: &str| QUICK.replace(search, &format!("CmaEs({options}),\n"));
    let hidden = |text: &str, hidden: &str| text.replace("hidden: [3]", hidden);
    let many = |text: &str| text.replace("count: 11", "count: 1000000");
    let curriculum = "curriculum: (initial_scale: 1e-300, advance_below: 0.1), seed: 1";
    for (text, fragment) in [
        (hidden(&cma_es(""), "hidden: [1000]"), "CMA-ES keeps a matrix of 6001 by 6001"),
        (hidden(&cma_es("population: 100000"), "hidden: [99]"), "a matrix of 100000 by 595"),
        (hidden(QUICK, "hidden: [65536, 64]"), "at most 4194304 weights"),
        (hidden(&many(QUICK), "hidden: [60000]"), "numbers for each of 1000000 episodes"),
        (many(QUICK).replace("seed: 1", curriculum), "hold too many episodes"),
        (QUICK.replace("count: 11", "count: 4294967295"), "count must be from 1 to 1000000"),
        (QUICK.replace("horizon_s: 5,", "horizon_s: 1e300,"), "integration steps"),
        (QUICK.replace("sample_time_s: 0.1", "sample_time_s: 1e9"), "integration steps"),
    ] {
        bench.write("s.ron", &text);
        let outcome = bench.run(&["train", "s.ron", "--out", "run"]);
        outcome.assert_refused(3, &[fragment, "hint"]);
    }
}
