//! Wrong scenarios: each is reported with file, line, column and a hint, and with exit code 3.

use std::fs;

use crate::support::{Bench, QUICK, workspace};

/// One thing to spoil in `QUICK`, and what is said of it.
struct Spoiled {
    from: &'static str,
    to: &'static str,
    /// Where the caret must stand: the first place of this in the spoiled text.
    at: &'static str,
    message: &'static str,
    hint: &'static str,
}

const fn spoiled(
    [from, to]: [&'static str; 2],
    at: &'static str,
    [message, hint]: [&'static str; 2],
) -> Spoiled {
    Spoiled { from, to, at, message, hint }
}

#[rustfmt::skip]
const SPOILED: &[Spoiled] = &[
    spoiled(["validate_every", "validate_evry"], "validate_evry",
        ["unknown field `validate_evry`", "did you mean `validate_every`?"]),
    spoiled(["bits: 12", "bits: 1"], "1,\n        max",
        ["bits must be from 2 to 24, found 1", "16"]),
    spoiled(["bits: 12", "bits: 25"], "25,",
        ["bits must be from 2 to 24, found 25", "16"]),
    spoiled(["Bounded(0.1)", "Bounded(0.001)"], "Bounded(0.001)",
        ["initial weights within 0.001 are below", "`initialization: Full`"]),
    spoiled(["max_weight: 10", "max_weight: NaN"], "NaN",
        ["`NaN` is not a finite number", "an ordinary number"]),
    spoiled(["Uniform(-0.4, 0.4)", "Uniform(-0.4, inf)"], "inf)",
        ["`inf` is not a finite number", "an ordinary number"]),
    spoiled(["horizon_s: 20", "horizon_s: 1e999"], "1e999",
        ["`1e999` is not a finite number", "1.8e308"]),
    spoiled(["horizon_s: 5", "horizon_s: -5"], "-5",
        ["the horizon must be above 0, found -5 s", "above 0"]),
    spoiled(["horizon_s: 5", "horizon_s: 5.005"], "5.005",
        ["no multiple of the", "change this value"]),
    spoiled(["\"x_dot\"", "\"x_dott\""], "\"x_dott\"",
        ["plant `inverted-pendulum` has no observation `x_dott`", "did you mean `x_dot`?"]),
    spoiled(["{\"theta\"", "{\"thta\""], "\"thta\"",
        ["plant `inverted-pendulum` has no state `thta`", "did you mean `theta`?"]),
    spoiled(["inverted-pendulum", "inverted-pendulun"], "\"inverted-pendulun\"",
        ["there is no plant `inverted-pendulun`", "did you mean `inverted-pendulum`?"]),
    spoiled(["evaluations: 600", "evaluations: 0"], "0),\n    seed",
        ["a budget must be at least 1, found 0", "leave it out"]),
    spoiled(["evaluations: 600", "evaluations: 600, refine: 9"], "9),\n    seed",
        ["how long the training goes on once the target is reached, and there is none", "add target: ERROR"]),
    spoiled(["evaluations: 600", "evaluations: 600, target: 1, refine: 0"], "0),\n    seed",
        ["`refine` must be at least 1, found 0", "the target then ends the training"]),
];

#[test]
fn each_mistake_is_reported_where_it_stands() {
    let bench = Bench::new();
    for Spoiled { from, to, at, message, hint } in SPOILED {
        assert_eq!(QUICK.matches(from).count(), 1, "`{from}` must stand once");
        let text = QUICK.replace(from, to);
        bench.write("spoiled.ron", &text);
        let before = text.split_once(at).expect(at).0;
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().expect("a line").len() + 1;
        let place = format!("--> spoiled.ron:{line}:{column}\n");
        for command in
            [&["train", "spoiled.ron", "--json"][..], &["scenario", "check", "spoiled.ron"]]
        {
            bench.run(command).assert_refused(3, &[message, &place, "= hint: ", hint]);
        }
    }
    assert!(!bench.path("runs").exists(), "a refused scenario leaves nothing behind");
}

#[test]
fn files_that_are_no_files_are_reported() {
    let bench = Bench::new();
    bench.write("empty.ron", "");
    bench.write("cut.ron", &QUICK[..300]);
    fs::create_dir(bench.path("folder.ron")).unwrap();
    fs::write(bench.path("binary.ron"), b"Scenario(\xff\xfe)").unwrap();
    for (file, fragments) in [
        ("missing.ron", ["no such file", "--> missing.ron"]),
        ("folder.ron", ["this is a folder, not a file", "--> folder.ron"]),
        ("empty.ron", ["this file is empty", "--> empty.ron"]),
        ("cut.ron", ["the file ends too early", "--> cut.ron:"]),
        ("binary.ron", ["this file is not UTF-8 text", "--> binary.ron:1:10"]),
    ] {
        bench.run(&["train", file]).assert_refused(3, &fragments);
        bench.run(&["scenario", "check", file]).assert_refused(3, &fragments);
    }
}

#[test]
fn a_test_alone_cannot_be_trained() {
    let bench = Bench::new();
    bench.write(
        "t.ron",
        r#"Scenario(plant: "inverted-pendulum", episodes: (test: (horizon_s: 5)))"#,
    );
    bench.run(&["train", "t.ron"]).assert_refused(3, &["says no controller", "--> t.ron:1:1"]);
    let outcome = bench.run(&["scenario", "check", "t.ron"]);
    assert!(outcome.stdout.contains("t.ron is fine, and is a test alone"), "{outcome:?}");
}

#[test]
fn spaces_and_letters_of_any_language_work_in_paths() {
    let bench = Bench::new();
    bench.write("mein größeres 倒立振子.ron", QUICK);
    let result = bench.run(&["train", "mein größeres 倒立振子.ron", "--json"]).json();
    let controller = result["controller"].as_str().unwrap();
    assert_eq!(controller, "runs/mein größeres 倒立振子-seed1/controller.ron");
    let shown = bench.run(&["controller", "show", controller]).stdout;
    assert!(shown.contains("bitloop train 'mein größeres 倒立振子.ron' --seed 1"), "{shown}");
    bench.run(&["replay", controller, "--json"]).json();
    let outcome = bench.run(&["replay", controller]);
    assert!(outcome.stdout.contains("to the last bit"), "{outcome:?}");
}

#[test]
fn fields_are_explained_by_their_path() {
    let bench = Bench::new();
    let outcome = bench.run(&["scenario", "fields", "training.CmaEs.sigma"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("sigma: number; default: 0.5"), "{}", outcome.stdout);
    let all = bench.run(&["scenario", "fields"]);
    assert!(all.stdout.contains("learning_rate") && all.stdout.contains("sample_time_s"));
    let fragments = ["no scenario has a field `stop.secnds`", "did you mean `seconds`?"];
    bench.run(&["scenario", "fields", "stop.secnds"]).assert_refused(2, &fragments);
}

#[test]
fn what_is_probably_not_meant_is_a_warning() {
    let bench = Bench::new();
    let shelf = workspace().join("scenarios/shelf/double-pendulum.ron");
    let shelf = fs::read_to_string(shelf).unwrap();
    for (right, from, to, expected) in [
        (QUICK, "Uniform(-0.4, 0.4)", "Uniform(20, 25)", "angles in radians?"),
        (
            &shelf,
            "center: 0, scale: 40",
            "center: 60, scale: 40",
            "`force`, 60, is outside -40 to 40",
        ),
    ] {
        let text = right.replace(from, to);
        assert_ne!(text, right);
        bench.write("odd.ron", &text);
        let outcome = bench.run(&["scenario", "check", "odd.ron"]);
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        assert!(outcome.stdout.contains("odd.ron can be run, with doubts"), "{}", outcome.stdout);
        assert!(outcome.stdout.contains(expected), "{}", outcome.stdout);
        bench.write("right.ron", right);
        let outcome = bench.run(&["scenario", "check", "right.ron"]);
        assert!(outcome.stdout.contains("right.ron is fine"), "{}", outcome.stdout);
    }
}
