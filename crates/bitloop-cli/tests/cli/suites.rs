//! Suites of tests: verdicts, tables, and what cannot be run.

use std::path::Path;

use serde_json::Value;

use crate::support::{Bench, Outcome};

const SUITE: &str = r#"Tests([
    (name: "as trained", pass: (mean_error: 1e3, worst: 1e3)),
    (
        name: "heavy cart",
        parameters: {"cart_mass": 1.5},
        episodes: 12,
        horizon_s: 10,
        seed: 7,
        pass: (failed: 1000, p90: 1e3),
    ),
    (name: "no verdict", simulation: (sample_time_s: 0.05), episodes: 3),
])
"#;

/// Two controllers of one scenario, with other seeds.
fn bench() -> Bench {
    let bench = Bench::with_scenario();
    for seed in ["1", "2"] {
        let args = ["train", "quick.ron", "--out", seed, "--seed", seed, "--json"];
        bench.run(&args).json();
    }
    bench
}

fn test(bench: &Bench, suite: &str, more: &[&str]) -> Outcome {
    bench.write("suite.ron", suite);
    let args = ["test", "1/controller.ron", "2/controller.ron", "--suite", "suite.ron"];
    bench.run(&[&args[..], more].concat())
}

fn result<'a>(
    object: &'a serde_json::Map<String, Value>,
    test: &str,
    controller: &str,
) -> &'a Value {
    let is_it = |one: &&Value| {
        one["test"] == test && one["controller"] == format!("{controller}/controller.ron")
    };
    object["results"].as_array().unwrap().iter().find(is_it).unwrap()
}

#[test]
fn all_tests_are_run_with_all_controllers() {
    let bench = bench();
    let object = test(&bench, SUITE, &["--json"]).json();
    assert_eq!((&object["passed"], &object["missed"]), (&4.into(), &0.into()));
    assert_eq!((&object["without_criteria"], &object["failed"]), (&2.into(), &0.into()));
    // A test that changes nothing is that of the training.
    for controller in ["1", "2"] {
        let file = format!("{controller}/controller.ron");
        let replay = bench.run(&["replay", &file, "--json"]).json();
        let found = result(&object, "as trained", controller);
        for figure in ["mean_error", "max_error", "worst_episode", "trajectory_digest"] {
            assert_eq!(found[figure], replay[figure], "{figure}");
        }
    }
    // Episodes of other seeds are not compared; those of one are.
    assert_eq!(result(&object, "as trained", "2")["mean_difference"], Value::Null);
    assert_eq!(result(&object, "heavy cart", "1")["mean_difference"], Value::Null);
    let error =
        |controller| result(&object, "heavy cart", controller)["mean_error"].as_f64().unwrap();
    let difference = result(&object, "heavy cart", "2")["mean_difference"].as_f64().unwrap();
    assert!((difference - (error("2") - error("1"))).abs() < 1e-12, "{difference}");
    assert_eq!(result(&object, "heavy cart", "2")["episodes"], 12);
    let threads = test(&bench, SUITE, &["--json", "--threads", "1"]).json();
    assert_eq!(
        result(&threads, "heavy cart", "1")["trajectory_digest"],
        result(&object, "heavy cart", "1")["trajectory_digest"]
    );

    let text = test(&bench, SUITE, &[]);
    assert_eq!(text.code, Some(0), "{text:?}");
    for fragment in [
        "3 tests of suite.ron, 2 controllers: 4 passed, 0 missed, 2 without criteria",
        "as trained",
        "heavy cart",
        "±",
        "  pass",
    ] {
        assert!(text.stdout.contains(fragment), "{fragment}: {}", text.stdout);
    }
}

#[test]
fn a_missed_criterion_has_an_exit_code_of_its_own() {
    let bench = bench();
    let strict = SUITE.replace("failed: 1000, p90: 1e3", "mean_error: 1e-9, failed: 1000");
    let outcome = test(&bench, &strict, &["--junit", "junit.xml"]);
    assert_eq!(outcome.code, Some(4), "{outcome:?}");
    assert!(
        outcome.stdout.contains("MISSED: heavy cart, 1/controller.ron: mean_error"),
        "{outcome:?}"
    );
    assert!(outcome.stdout.contains("at most 1e-9 passes"), "{outcome:?}");
    assert_eq!(outcome.stderr, "");
    let xml = bench.read("junit.xml");
    for fragment in [
        r#"<testsuites name="suite.ron" tests="6" skipped="0" failures="2" errors="0""#,
        r#"<testsuite name="1/controller.ron" tests="3""#,
        r#"<testcase name="heavy cart""#,
        "<failure message=\"mean_error",
    ] {
        assert!(xml.contains(fragment), "{fragment}: {xml}");
    }
    let output =
        bench.command(&["test", "1/controller.ron", "--suite", "suite.ron", "--json"]).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(4));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["results"][1]["verdict"], "missed");
    assert_eq!(object["results"][1]["missed"][0]["figure"], "mean_error");
    assert_eq!(object["results"][1]["missed"][0]["limit"], 1e-9);

    // The same for one replay.
    let replay = |pass: &str, more: &[&str]| {
        bench.run(&[&["replay", "1/controller.ron", "--pass", pass], more].concat())
    };
    let passed = replay("worst: 1e3, failed: 1000", &[]);
    assert_eq!(passed.code, Some(0), "{passed:?}");
    assert!(passed.stdout.contains("verdict          pass"), "{passed:?}");
    for more in [&[][..], &["--isolate"]] {
        let missed = replay("(mean_error: 0)", more);
        assert_eq!((missed.code, missed.stderr.as_str()), (Some(4), ""), "{missed:?}");
        assert!(missed.stdout.contains("MISSED: mean_error"), "{missed:?}");
    }
    for (pass, fragment) in [
        ("overshoot: 1", "overshoot"),
        ("()", "there is no criterion"),
        ("failed: -1", "--pass"),
        ("mean_error: -1", "must be 0 or more"),
        ("mean_error", "--pass"),
    ] {
        replay(pass, &[]).assert_refused(2, &[fragment]);
    }
}

#[test]
fn criteria_may_be_on_behavior_and_tests_may_have_uncertainty() {
    let bench = Bench::new();
    let controllers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../controllers");
    let controller = controllers.join("pendulum-full-16bit.ron");
    let controller = controller.to_str().unwrap();
    let replay = ["replay", controller, "--episodes", "5", "--horizon", "50", "--json"];
    let behavior = bench.run(&replay).json()["behavior"].clone();
    let worst = |figure: &str| behavior[figure]["worst"].as_f64().unwrap();
    let (settling_s, steady_error) = (worst("settling_s"), worst("steady_error"));
    assert!(settling_s > 0.5 && settling_s < 40.0, "{behavior}");
    let suite = |settling_s: f64, steady_error: f64| {
        format!(
            "Tests([
            (name: \"still\", episodes: 5, horizon_s: 50,
                pass: (settling_s: {settling_s}, steady_error: {steady_error})),
            (name: \"noisy\", episodes: 5, horizon_s: 50,
                uncertainty: (sensors: {{\"theta\": (noise: Normal(0.05))}}), pass: (settling_s: 1e-3)),
            ])"
        )
    };
    let test = |suite: String| {
        bench.write("suite.ron", &suite);
        bench.run(&["test", controller, "--suite", "suite.ron"])
    };
    let exact = test(suite(settling_s, steady_error));
    assert_eq!(exact.code, Some(4), "{exact:?}");
    assert!(exact.stdout.contains("1 passed, 1 missed"), "{exact:?}");
    // Noise of three degrees lets nothing settle.
    assert!(
        exact.stdout.contains("MISSED: noisy") && exact.stdout.contains("settling_s"),
        "{exact:?}"
    );
    let strict = test(suite(0.9 * settling_s, 0.9 * steady_error));
    assert!(strict.stdout.contains("0 passed, 2 missed"), "{strict:?}");
    assert!(strict.stdout.contains("MISSED: still"), "{strict:?}");
    assert!(strict.stdout.contains("; steady_error"), "{strict:?}");
    let pass = format!("settling_s: {}", 0.9 * settling_s);
    let missed = bench.run(&[&replay[..6], &["--pass", &pass]].concat());
    assert_eq!(missed.code, Some(4), "{missed:?}");
}

#[test]
fn what_cannot_be_run_is_reported_and_the_others_are_run() {
    let bench = bench();
    let suite = SUITE.replace("\"cart_mass\": 1.5", "\"cart_mas\": 1.5");
    let output = test(&bench, &suite, &["--junit", "junit.xml"]);
    assert_eq!(output.code, Some(3), "{output:?}");
    for fragment in [
        "2 passed, 0 missed, 2 without criteria, 2 could not be run",
        "could not be run: heavy cart, 2/controller.ron",
        "no parameter `cart_mas`",
    ] {
        assert!(output.stdout.contains(fragment), "{fragment}: {}", output.stdout);
    }
    assert!(bench.read("junit.xml").contains("errors=\"2\""));
    // A horizon below the transient of the training.
    let suite = SUITE.replace("horizon_s: 10", "horizon_s: 0.5");
    let output = test(&bench, &suite, &[]);
    assert_eq!(output.code, Some(3), "{output:?}");
    assert!(output.stdout.contains("leaves nothing of 0.5 s"), "{output:?}");
    // A controller that is none.
    let args = ["test", "1/controller.ron", "quick.ron", "--suite", "suite.ron"];
    bench.run(&args).assert_refused(3, &["quick.ron", "saved controller"]);
}

#[test]
fn bad_suites_are_refused_at_their_place() {
    let bench = bench();
    let suite_of = |n_tests: u32| {
        let tests: Vec<String> = (0..n_tests).map(|test| format!("(name:\"{test}\")")).collect();
        format!("Tests([{}])", tests.join(","))
    };
    let many = suite_of(20_000);
    for (suite, fragments) in [
        ("Tests([])", &["this suite has no tests", "suite.ron:1"][..]),
        (
            "Tests([\n(name: \"a\"),\n(name: \"b\"),\n(name: \"a\"),\n])",
            &["two tests have the name `a`", "suite.ron:4:8"],
        ),
        (
            "Tests([(name: \"a\", pass: (mean_eror: 1))])",
            &["mean_eror", "did you mean `mean_error`?", "suite.ron:1"],
        ),
        ("Tests([(name: \"a\", pass: (settling_s: -1))])", &["settling_s", "suite.ron:1"]),
        ("Tests([(name: \"a\", pass: (overshoot: 1))])", &["overshoot", "suite.ron:1"]),
        ("Tests([(name: \"\")])", &["a test's name has 1 to 128 bytes"]),
        ("Tests([(name: \"a\", episodes: 0)])", &["episodes must be from 1", "suite.ron:1:30"]),
        ("Tests([(name: \"a\", horizon_s: -1)])", &["the horizon", "suite.ron:1"]),
        ("Tests([(name: \"a\", parameters: {\"m\": Uniform(2, 1)})])", &["suite.ron:1", "m"]),
        ("Tests([(name: \"a\", pass: (worst: -1))])", &["must be 0 or more", "suite.ron:1:34"]),
        (&many, &["a suite has at most 1000 tests, found 20000"]),
        ("Scenario(plant: \"p\")", &["this is a scenario, where a suite of tests is needed"]),
    ] {
        test(&bench, suite, &[]).assert_refused(3, fragments);
    }
    test(&bench, &suite_of(100_000), &[]).assert_refused(3, &["suite.ron"]);
    let full = test(&bench, SUITE, &["--junit", "/dev/full"]);
    full.assert_refused(1, &["/dev/full cannot be written", "No space left"]);
    let before = bench.read("suite.ron");
    let over = test(&bench, &before, &["--junit", "suite.ron"]);
    over.assert_refused(1, &["this command reads it, too"]);
    assert_eq!(bench.read("suite.ron"), before);
}
