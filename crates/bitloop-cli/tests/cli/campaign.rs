//! Campaigns: what they print and keep, how they are resumed, and how they end early.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::{Map, Value};

use crate::support::{Bench, QUICK};

/// The object without what may differ from one time to the next.
fn bits(mut object: Map<String, Value>) -> Map<String, Value> {
    let differ = [
        "wall_s",
        "median_wall_s",
        "expected_time_to_success_s",
        "expected_time_interval_s",
        "plant_steps",
        "expected_plant_steps_to_success",
        "expected_plant_steps_interval",
        "threads",
        "cores",
        "folder",
        "controller",
    ];
    object.retain(|key, _| !differ.contains(&key.as_str()));
    for (_, value) in &mut object {
        if let Value::Array(list) = value {
            for item in list {
                if let Value::Object(inner) = item {
                    *inner = bits(std::mem::take(inner));
                }
            }
        }
    }
    object
}

const ARGS: [&str; 7] =
    ["campaign", "quick.ron", "--runs", "3", "--vary", "controller.hidden=[2],[3]", "--json"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ARGS.iter().chain(more).copied().collect()
}

#[test]
fn the_object_holds_all_that_is_promised() {
    let bench = Bench::with_scenario();
    let outcome = bench.run(&with(&["--success", "1.3", "--out", "c"]));
    assert!(outcome.stderr.contains("training finished 6/6"), "{}", outcome.stderr);
    let object = outcome.json();
    let keys = [
        "trainings",
        "failures",
        "successes",
        "success_probability",
        "success_interval",
        "min_error",
        "quartile1_error",
        "median_error",
        "median_wall_s",
        "expected_time_to_success_s",
        "expected_evaluations_to_success",
        "expected_plant_steps_to_success",
        "recommended_cutoff_evaluations",
    ];
    let variants = object["variants"].as_array().unwrap();
    assert_eq!(variants.len(), 2);
    for key in keys {
        // Figures of one variant would be taken for those of all.
        assert!(object.get(key).is_none(), "{key}");
        assert!(variants.iter().all(|variant| variant.get(key).is_some()), "{key}");
    }
    assert_eq!(variants[1]["name"], "controller.hidden=[3]");
    assert_eq!(variants[0]["trainings"], 3);
    let runs = variants[1]["training_list"].as_array().unwrap();
    let errors: Vec<f64> = runs.iter().map(|run| run["test_error"].as_f64().unwrap()).collect();
    let min = errors.iter().copied().fold(f64::INFINITY, f64::min);
    assert_eq!(variants[1]["min_error"].as_f64().unwrap(), min);

    // Each run left a controller that gives its test error again.
    for run in runs {
        let replay = bench.run(&["replay", run["controller"].as_str().unwrap(), "--json"]).json();
        assert_eq!(replay["mean_error"], run["test_error"]);
    }
    // Another success level needs no run again.
    let strict = bench.run(&with(&["--success", "1e-9", "--out", "c"]));
    assert!(strict.stderr.contains("6 of 6 were finished before"), "{}", strict.stderr);
    assert!(!strict.stderr.contains("training finished"), "{}", strict.stderr);
    let strict = strict.json()["variants"][0].clone();
    assert_eq!(strict["successes"], 0);
    assert_eq!(strict["expected_evaluations_to_success"], Value::Null);
    assert_eq!(strict["recommended_cutoff_evaluations"], Value::Null);
}

#[test]
fn neither_threads_nor_a_restart_change_a_result() {
    let bench = Bench::with_scenario();
    let one = bits(bench.run(&with(&["--threads", "1", "--out", "one"])).json());
    for threads in ["2", "3"] {
        let more = bench.run(&with(&["--threads", threads, "--out", threads])).json();
        assert_eq!(bits(more), one);
    }
    fs::remove_file(bench.path("2/controller.hidden=2/training-0001.ron")).unwrap();
    let damaged = "2/controller.hidden=3/training-0000.ron";
    bench.write(damaged, &bench.read(damaged)[..99]);
    let again = bench.run(&with(&["--out", "2"]));
    assert!(again.stderr.contains("training-0000.ron is damaged"), "{}", again.stderr);
    assert!(again.stderr.contains("4 of 6 were finished before"), "{}", again.stderr);
    assert_eq!(bits(again.json()), one);
}

#[test]
fn the_table_shows_each_variant_and_the_best_run() {
    let bench = Bench::with_scenario();
    let args = &with(&[])[..6];
    let outcome = bench.run(args);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    for fragment in ["controller.hidden=[2]  3", "controller.hidden=[3]  3", "below 0.1", "replay"]
    {
        assert!(outcome.stdout.contains(fragment), "{fragment}: {}", outcome.stdout);
    }
    assert!(bench.path("runs/quick-campaign-seed1/controller.hidden=2/training-0002.ron").exists());
}

#[test]
fn parameters_that_the_file_leaves_out_can_be_varied() {
    let bench = Bench::with_scenario();
    let args = ["campaign", "quick.ron", "--runs", "1", "--vary", "parameters.length=0.8,1.2"];
    let object = bench.run(&[&args[..], &["--out", "c", "--json"]].concat()).json();
    let variants = object["variants"].as_array().unwrap();
    assert_eq!(variants[1]["name"], "parameters.length=1.2");
    assert_ne!(variants[0]["min_error"], variants[1]["min_error"]);
    assert!(bench.path("c/parameters.length=1.2/training-0000.ron").exists());
    let unknown = bench.run(&["campaign", "quick.ron", "--vary", "parameters.mas=1"]);
    unknown.assert_refused(3, &["no parameter `mas`", r#"{"mas": 1, }"#]);
}

#[test]
fn mistakes_are_reported_by_place_or_option() {
    let bench = Bench::with_scenario();
    let quick = |more: &[&str]| {
        let args: Vec<&str> = ["campaign", "quick.ron"].iter().chain(more).copied().collect();
        bench.run(&args)
    };
    quick(&["--vary", "controller.hiden=[2]"]).assert_refused(3, &["did you mean `hidden`?"]);
    quick(&["--vary", "training.bits=99"])
        .assert_refused(3, &["quick.ron with training.bits=99", "99"]);
    quick(&["--vary", "training.bits"]).assert_refused(2, &["--vary", "as in training.bits=8,16"]);
    quick(&["--vary", "seed=1", "--vary", "seed=2"]).assert_refused(2, &["varied twice"]);
    quick(&["--vary", "stop.target=1,2"]).assert_refused(2, &["--search"]);
    quick(&["--success", "0"]).assert_refused(2, &["--success", "positive"]);
    quick(&["--runs", "0"]).assert_refused(2, &["--runs"]);
    bench.run(&["campaign", "none.ron"]).assert_refused(3, &["no such file"]);
    assert!(!bench.path("runs").exists());

    bench.run(&["campaign", "quick.ron", "--runs", "1", "--out", "c", "--json"]).json();
    let other = quick(&["--runs", "1", "--out", "c", "--seed", "2"]);
    assert_eq!((other.code, other.stdout.as_str()), (Some(2), ""));
    assert!(other.stderr.contains("training of another scenario, seed"), "{}", other.stderr);
}

#[test]
fn a_plan_of_another_format_is_refused() {
    let bench = Bench::with_scenario();
    let args = ["campaign", "quick.ron", "--runs", "1", "--out", "c"];
    assert_eq!(bench.run(&args).code, Some(0));
    let plan = bench.read("c/campaign.json");
    let text = plan.replacen("\"format\": 3,", "", 1);
    assert_ne!(text, plan);
    bench.write("c/campaign.json", &text);
    for args in [&args[..], &["campaign", "--resume", "c"]] {
        bench.run(args).assert_refused(1, &["c/campaign.json", "format 3"]);
    }
}

#[test]
fn the_cores_of_a_resumption_are_not_those_that_the_trainings_took() {
    let bench = Bench::with_scenario();
    let args = ["campaign", "quick.ron", "--runs", "2", "--success", "1e3", "--out", "c"];
    assert_eq!(bench.run(&args).code, Some(0));
    let resumed = |threads: &str| {
        bench.run(&["campaign", "--resume", "c", "--threads", threads, "--json"]).json()
    };
    let (one, two) = (resumed("1"), resumed("2"));
    assert_eq!((&one["cores"], &two["cores"]), (&1.into(), &2.into()));
    // The time of a core is kept with each training, whatever their number was.
    let time = |of: &Map<String, Value>| of["expected_time_to_success_s"].as_f64().unwrap();
    assert!((time(&one) / time(&two) - 2.0).abs() < 1e-9, "{one:?} {two:?}");
}

#[test]
fn a_campaign_that_finds_nothing_finite_fails() {
    let bench = Bench::new();
    let infinite = "initial: {\"x_dot\": 1e300}, parameters: {\"lambda\": 1e6}";
    bench.write(
        "hopeless.ron",
        &QUICK.replace(r#"initial: {"theta": Uniform(-0.4, 0.4)}"#, infinite),
    );
    let args = ["campaign", "hopeless.ron", "--runs", "2", "--out", "c"];
    let outcome = bench.run(&args);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(outcome.stdout.contains("failed"), "{}", outcome.stdout);
    let table = outcome.stdout.split("2 of 2 trainings failed").next().unwrap();
    assert!(!table.contains("inf") && !table.contains("The lowest"), "{outcome:?}");
    let fragments =
        ["error: 2 of 2 trainings failed", "nothing with a finite error", ": episode 0", "hint"];
    for fragment in fragments {
        assert!(outcome.stderr.contains(fragment), "{}", outcome.stderr);
    }
    let json = bench.run(&[&args[..], &["--json"]].concat());
    assert_eq!(json.code, Some(1), "{json:?}");
    let object: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(object["failures"], 2);
    assert_eq!(object["min_error"], Value::Null);
}

#[test]
fn a_budget_in_seconds_is_reported() {
    let bench = Bench::new();
    bench.write("clock.ron", &QUICK.replace("evaluations: 600", "seconds: 0.5"));
    let outcome = bench.run(&["campaign", "clock.ron", "--runs", "1"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stderr.contains("ended by the clock, after 0.5 s"), "{}", outcome.stderr);
}

#[test]
fn an_interrupted_campaign_keeps_finished_trainings_and_is_resumed() {
    let bench = Bench::with_scenario();
    let args = ["campaign", "quick.ron", "--runs", "500", "--out", "c", "--json"];
    let mut child =
        bench.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(stderr.any(|line| line.unwrap().contains("training finished")), "it must start");
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &pid]).status().unwrap().success());
    let rest: Vec<String> = stderr.map(Result::unwrap).collect();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(rest.iter().any(|line| line.contains("to do the rest: ")), "{rest:?}");
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["complete"], false);
    let n_finished = object["trainings"].as_u64().unwrap();
    assert!((1..500).contains(&n_finished));

    // As many runs as are there: nothing is left to do.
    let runs = n_finished.to_string();
    let again = bench.run(&["campaign", "quick.ron", "--runs", &runs, "--out", "c", "--json"]);
    let word = format!("{runs} of {runs} were finished before");
    // On several threads a later run may have finished before an earlier one.
    assert!(
        again.stderr.contains(&word) || again.stderr.contains("training finished"),
        "{again:?}"
    );
    assert_eq!(again.json()["complete"], true);
}
