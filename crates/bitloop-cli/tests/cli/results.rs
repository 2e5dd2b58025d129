//! What trainings and replays print.

use serde_json::{Map, Value};

use crate::support::{Bench, QUICK};

fn keys(object: &Map<String, Value>) -> Vec<&str> {
    let mut keys: Vec<&str> = object.keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

#[test]
fn train_prints_one_object_with_its_keys() {
    let (bench, result) = Bench::with_controller();
    let expected = [
        "behavior",
        "confirmation_error",
        "confirmation_failed_episodes",
        "controller",
        "controller_digest",
        "evaluations",
        "evaluations_to_target",
        "format",
        "moves",
        "nonfinite_evaluations",
        "plant_steps",
        "runs",
        "seed",
        "stop_reason",
        "target",
        "target_reached",
        "test_error",
        "test_failed_episodes",
        "test_meets_target",
        "trainer",
        "training_error",
        "validation_error",
        "wall_s",
        "worst",
        "zero_share",
    ];
    assert_eq!(keys(&result), expected);
    assert_eq!(result["controller"], "run/controller.ron");
    assert_eq!(result["evaluations"], 600);
    assert!(result["confirmation_failed_episodes"].is_u64(), "{result:?}");
    assert_eq!(result["stop_reason"], "evaluations");
    assert_eq!(result["seed"], 1);
    assert!(result["plant_steps"].as_u64().unwrap() > 10_000);
    assert_eq!(result["controller_digest"].as_str().unwrap().len(), 64);
    assert!(
        bench.read("run/controller.ron").contains(result["controller_digest"].as_str().unwrap())
    );
}

#[test]
fn a_target_that_is_not_reached_or_that_the_test_misses_is_said_in_words_and_in_json() {
    let bench = Bench::new();
    let no_target = Bench::with_controller().1;
    for key in ["target", "target_reached", "test_meets_target"] {
        assert_eq!(no_target[key], Value::Null, "{key}");
    }
    // The test begins where the others do not look yet: its errors are larger.
    let text = QUICK.replace(
        "test: (count: 9, horizon_s: 20)",
        "confirmation: (count: 20, horizon_s: 5, transient_s: 1),
        test: (count: 9, horizon_s: 1, transient_s: 0)",
    );
    let with_target = |target: &str| {
        let stop = format!("target: {target}, evaluations: 6000");
        bench.write("t.ron", &text.replace("evaluations: 600", &stop));
        let args = ["train", "t.ron", "--out", target];
        let text = bench.run(&args).stdout;
        (text, bench.run(&[&args[..], &["--json"]].concat()).json())
    };
    for (target, is_reached, meets, words) in [
        ("0.000001", false, false, "1e-6 was not reached"),
        ("0.002", true, false, "the test misses it: its error of 0.0"),
        ("0.9", true, true, ""),
    ] {
        let (text, result) = with_target(target);
        assert_eq!(result["target"].to_string().parse::<f64>(), target.parse());
        assert_eq!(result["target_reached"], is_reached, "{result:?}");
        assert_eq!(result["test_meets_target"], meets, "{result:?}");
        assert!(text.contains(words), "{text}");
        assert_eq!(text.contains("  target "), !words.is_empty(), "{text}");
    }
}

#[test]
fn the_seed_of_the_command_line_goes_before_that_of_the_scenario() {
    let bench = Bench::with_scenario();
    let seed = u64::MAX.to_string();
    let outcome = bench.run(&["train", "quick.ron", "--json", "--seed", &seed]);
    assert_eq!(outcome.number("seed"), seed);
    let controller = outcome.json()["controller"].as_str().unwrap().to_owned();
    assert_eq!(controller, format!("runs/quick-seed{seed}/controller.ron"));
    bench.write("seeded.ron", &QUICK.replace("seed: 1", &format!("seed: {seed}")));
    let seeded = bench.run(&["train", "seeded.ron", "--json"]);
    assert_eq!(seeded.number("controller_digest"), outcome.number("controller_digest"));
    assert_eq!(seeded.number("test_error"), outcome.number("test_error"));
    let replay = bench.run(&["replay", &controller, "--json"]);
    assert_eq!(replay.number("mean_error"), outcome.number("test_error"));
}

#[test]
fn a_replay_right_after_training_gives_the_test_error_to_the_last_bit() {
    let bench = Bench::with_scenario();
    let trained = bench.run(&["train", "quick.ron", "--out", "run", "--json"]);
    let replayed = bench.run(&["replay", "run/controller.ron", "--json"]);
    let object = replayed.json();
    let expected = [
        "behavior",
        "differences",
        "episode_results",
        "episodes",
        "error_quantiles",
        "failed_episodes",
        "horizon_s",
        "is_training_test_error",
        "max_error",
        "mean_error",
        "missed",
        "part",
        "passed",
        "plant_steps",
        "seed",
        "trajectory_digest",
        "unfinished_episodes",
        "unfinished_error",
        "unfinished_time_s",
        "wall_s",
        "worst",
        "worst_episode",
    ];
    assert_eq!(keys(&object), expected);
    assert_eq!(replayed.number("mean_error"), trained.number("test_error"));
    assert_eq!(replayed.number("failed_episodes"), trained.number("test_failed_episodes"));
    assert_eq!(object["episodes"], 9);
    assert_eq!(object["horizon_s"], 20.0);

    // In its own scenario, too, whatever seed the file has.
    bench.write("again.ron", &QUICK.replace("seed: 1", "seed: 77"));
    let again = bench.run(&["replay", "run/controller.ron", "--scenario", "again.ron", "--json"]);
    assert_eq!(again.number("mean_error"), trained.number("test_error"));

    let other = bench.run(&["replay", "run/controller.ron", "--seed", "2", "--json"]);
    assert_ne!(other.number("trajectory_digest"), replayed.number("trajectory_digest"));
    let longer = ["replay", "run/controller.ron", "--episodes", "3", "--horizon", "30", "--json"];
    let longer = bench.run(&longer).json();
    assert_eq!((&longer["episodes"], &longer["horizon_s"]), (&3.into(), &30.0.into()));
}

#[test]
fn people_are_reported_the_same() {
    let bench = Bench::with_scenario();
    let outcome = bench.run(&["train", "quick.ron"]);
    assert_eq!(outcome.code, Some(0));
    for fragment in [
        "training error",
        "validation error",
        "confirmation error",
        "test error",
        "9 new episodes of 20 s",
        " episodes of 20 s, ",
        "evaluations         600",
        "stopped",
        "replay runs/quick-seed1/controller.ron",
    ] {
        assert!(outcome.stdout.contains(fragment), "{fragment}: {outcome:?}");
    }
    // Plain lines while it runs: where standard error is no terminal, nothing is drawn.
    assert!(outcome.stderr.starts_with("training quick.ron, seed 1, "), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("run 1  bits "), "{}", outcome.stderr);
    assert!(!outcome.stderr.contains('\u{1b}'), "{}", outcome.stderr);

    let outcome = bench.run(&["replay", "runs/quick-seed1/controller.ron"]);
    assert!(outcome.stdout.contains("to the last bit"), "{outcome:?}");
    let outcome = bench.run(&["controller", "show", "runs/quick-seed1/controller.ron"]);
    for fragment in
        ["4 inputs -> 3 Tanh -> 1 Linear", "bitloop train quick.ron --seed 1", "theta_dot"]
    {
        assert!(outcome.stdout.contains(fragment), "{fragment}: {outcome:?}");
    }
    let outcome = bench.run(&["scenario", "check", "quick.ron"]);
    for fragment in ["quick.ron is fine", "19 weights of 12 bits", "after 600 evaluations"] {
        assert!(outcome.stdout.contains(fragment), "{fragment}: {outcome:?}");
    }
}

#[test]
fn plants_are_explained() {
    let bench = Bench::new();
    let list = bench.run(&["plant", "list", "--json"]).json();
    let plants = list["plants"].as_array().unwrap();
    assert!(plants.iter().any(|plant| plant["name"] == "inverted-pendulum"), "{list:?}");
    let info = bench.run(&["plant", "info", "inverted-pendulum", "--json"]).json();
    assert_eq!(info["states"][1]["unit"], "rad");
    assert_eq!(info["states"][1]["max"], Value::Null, "no bound is null");
    assert_eq!(info["parameters"][3]["default"], 9.81);
    let text = bench.run(&["plant", "info", "inverted-pendulum"]).stdout;
    for fragment in ["cart_mass", "RungeKutta4", "rad/s", "sample time"] {
        assert!(text.contains(fragment), "{fragment}: {text}");
    }
}

#[test]
fn bench_tells_what_the_machine_does() {
    let bench = Bench::with_scenario();
    let args = ["bench", "quick.ron", "--seconds", "0.3", "--threads", "2", "--json"];
    let result = bench.run(&args).json();
    for key in ["plant_steps_per_s_one_core", "plant_steps_per_s_all_cores", "evaluations_per_s"] {
        assert!(result[key].as_f64().unwrap() > 0.0, "{key}: {result:?}");
    }
    assert_eq!((&result["threads"], &result["episodes"]), (&2.into(), &11.into()));
    assert!(result["isa"].is_string());
    let shipped = bench.run(&["bench", "--seconds", "0.3"]);
    assert_eq!(shipped.code, Some(0), "{shipped:?}");
    assert!(shipped.stdout.contains("plant steps/s"), "{shipped:?}");
    bench.run(&["bench", "none.ron"]).assert_refused(3, &["none.ron"]);
    bench.run(&["bench", "--seconds", "0"]).assert_refused(2, &["--seconds"]);
}

#[test]
fn lqr_is_a_baseline_with_full_feedback_whatever_the_scenario_observes() {
    let bench = Bench::with_scenario();
    let full = bench.run(&["lqr", "quick.ron", "--json"]).json();
    // It balances, and its error over 20 s is that of catching the pendulum.
    assert_eq!(full["test_failed_episodes"], 0);
    assert!(full["test_error"].as_f64().unwrap() < 0.05, "{full:?}");
    assert_eq!(full["gains"][0].as_array().unwrap().len(), 4);
    let positions = QUICK.replace(r#"["x", "theta", "x_dot", "theta_dot"]"#, r#"["x", "theta"]"#);
    bench.write("positions.ron", &positions);
    assert_eq!(bench.run(&["lqr", "positions.ron", "--json"]).json(), full);
    assert!(bench.run(&["lqr", "quick.ron"]).stdout.contains("spectral radius"));
    // It stands beside the result of a training, on the same test.
    let printed = bench.run(&["lqr", "quick.ron"]).stdout;
    let error = printed.split_once("test error").unwrap().1.trim_start();
    let error = error.split_whitespace().next().unwrap();
    let trained = bench.run(&["train", "quick.ron", "--out", "beside"]).stdout;
    assert!(trained.contains(&format!("{error} on the same test, 0 failed")), "{trained}");
    // Where the plant does not rest, it says with which control, by how much, and what to do.
    let pushed = QUICK.replace(
        "plant: \"inverted-pendulum\",",
        "plant: \"inverted-pendulum\", scaling: {\"force\": (center: 3, scale: 1)},",
    );
    bench.write("pushed.ron", &pushed);
    bench.run(&["lqr", "pushed.ron"]).assert_refused(
        3,
        &["no equilibrium with force = 3: `", "by more than 1e-6", "hint", "centers"],
    );
    assert_eq!(full["refused_control_weights"].as_array().unwrap().len(), 0);
    bench
        .run(&["lqr", "quick.ron", "--control-weight", "-1"])
        .assert_refused(2, &["--control-weight"]);
}

#[test]
fn a_search_off_the_grid_tells_its_error_before_and_after_rounding() {
    let bench = Bench::new();
    let (before, rest) = QUICK.split_once("    training: TelescopicBlm(").unwrap();
    let (_, after) = rest.split_once("    ),\n    stop").unwrap();
    let scenario =
        format!("{before}    training: CmaEs(bits: 8, max_weight: 10),\n    stop{after}");
    bench.write("cma.ron", &scenario);
    let outcome = bench.run(&["train", "cma.ron", "--out", "run", "--json"]);
    outcome.json();
    let errors = ["training_error", "unrounded_training_error"].map(|key| outcome.number(key));
    assert_ne!(errors[0], errors[1]);
    let saved = bench.read("run/controller.ron");
    assert!(saved.contains(&format!("unrounded_training: {}", errors[1])), "{saved}");
    assert!(bench.run(&["controller", "show", "run/controller.ron"]).stdout.contains("rounding"));
}
