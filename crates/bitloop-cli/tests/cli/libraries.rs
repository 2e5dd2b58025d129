//! Plants from libraries, as a run's folder sees them: found again from anywhere, distinguished by their digest, and whatever
//! numbers they give, none that is not finite is kept.

use std::fs;
use std::path::Path;
use std::process::Command;

use bitloop_folder::Loaded;
use bitloop_train::TrainingState;

use crate::support::{Bench, Outcome};

/// A cup of tea on a hotplate.
const TEA: &str = include_str!("../../../bitloop-host/tests/host/tea.c");

const SCENARIO: &str = r#"Scenario(
    plant: Library("plants/tea.so"),
    initial: {"temperature": Uniform(20, 80)},
    scaling: {"temperature": (center: 60, scale: 20)},
    controller: FeedForward(hidden: [2]),
    episodes: (training: (count: 8, horizon_s: 20), test: (count: 4, horizon_s: 20)),
    training: TelescopicBlm(preset: Paper, bits: 12, max_weight: 10, initialization: Bounded(0.1)),
    stop: (evaluations: EVALUATIONS),
)
"#;

/// A folder `study` with the scenario `tea.ron`, whose plant lies in a folder inside it.
fn study(n_evaluations: u32) -> Bench {
    let bench = Bench::new();
    fs::create_dir_all(bench.path("study/plants")).unwrap();
    compile(&bench, "cost");
    write_scenario(&bench, &SCENARIO.replace("EVALUATIONS", &n_evaluations.to_string()));
    bench
}

fn write_scenario(bench: &Bench, text: &str) {
    bench.write("study/tea.ron", text);
}

/// Builds the plant with another stage cost.
fn compile(bench: &Bench, cost: &str) {
    let sound = "return (x[0] - 60.0) * (x[0] - 60.0);";
    let other = format!("double cost = (x[0] - 60.0) * (x[0] - 60.0); return {cost};");
    assert!(TEA.contains(sound));
    bench.write("tea.c", &TEA.replace(sound, &other));
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bitloop-plant/include");
    let output = Command::new("cc")
        .args(["-std=c99", "-O1", "-ffp-contract=off", "-fPIC", "-shared", "-I"])
        .arg(include)
        .arg("-o")
        .args([bench.path("study/plants/tea.so"), bench.path("tea.c")])
        .output()
        .expect("a C compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Trains until the seconds are over, which they are at once.
const BEGIN: [&str; 6] = ["train", "study/tea.ron", "--out", "run", "--seconds", "0.001"];
/// Trains to the end.
const GO_ON: [&str; 6] = ["train", "--resume", "run", "--seconds", "600", "--json"];

/// Begins the training. On a machine that is busy its time may be over before it has found anything.
fn begin(bench: &Bench) {
    let outcome = bench.run(&BEGIN);
    assert!(matches!(outcome.code, Some(0 | 130)), "{outcome:?}");
}

#[test]
fn a_library_beside_the_scenario_is_found_again_from_its_run() {
    let bench = study(3000);
    begin(&bench);
    let path = bench.path("study/plants/tea.so");
    assert!(bench.read("run/resolved.ron").contains(&format!("Library({path:?})")));
    let resumed = bench.run(&GO_ON).json();
    assert_eq!(resumed["stop_reason"], "evaluations");
    let whole = bench.run(&["train", "study/tea.ron", "--out", "whole", "--json"]).json();
    assert_eq!(resumed["controller_digest"], whole["controller_digest"]);
    // The scenario as it was run can be run again, and the controller lies elsewhere than its plant.
    let again = bench.run(&["train", "run/resolved.ron", "--out", "again", "--json"]).json();
    assert_eq!(again["controller_digest"], whole["controller_digest"]);
    let replay = bench.run(&["replay", "run/controller.ron", "--json"]).json();
    assert_eq!(replay["mean_error"], whole["test_error"]);
    // Both moved to another place.
    fs::create_dir(bench.path("moved")).unwrap();
    fs::rename(bench.path("run/controller.ron"), bench.path("moved/controller.ron")).unwrap();
    fs::rename(bench.path("study/plants/tea.so"), bench.path("moved/tea.so")).unwrap();
    let replay = bench.run(&["replay", "moved/controller.ron", "--json"]).json();
    assert_eq!(replay["mean_error"], whole["test_error"]);
}

#[test]
fn a_campaign_finds_the_library_beside_its_scenario_again() {
    let bench = study(200);
    let begin = ["campaign", "study/tea.ron", "--runs", "3", "--out", "c", "--json"];
    let whole = bench.run(&begin).json();
    fs::remove_file(bench.path("c/training-0001.ron")).unwrap();
    let resumed = bench.run(&["campaign", "--resume", "c", "--json"]).json();
    assert_eq!(resumed["median_error"], whole["median_error"]);
    compile(&bench, "2.0 * cost");
    let again = bench.run(&["campaign", "--resume", "c", "--json"]);
    again.assert_refused(2, &["training-0000.ron", "another build of the plant"]);
}

#[test]
fn a_plant_that_was_built_anew_is_refused_until_it_is_as_it_was() {
    let bench = study(3000);
    begin(&bench);
    let built = fs::read(bench.path("study/plants/tea.so")).unwrap();
    compile(&bench, "2.0 * cost");
    bench.run(&GO_ON).assert_refused(1, &["was begun with a library with the digest", "hint"]);
    fs::write(bench.path("study/plants/tea.so"), built).unwrap();
    assert_eq!(bench.run(&GO_ON).json()["stop_reason"], "evaluations");
    // A finished training with another plant is another training: the files of the one before are kept.
    compile(&bench, "2.0 * cost");
    let other = bench.run(&["train", "study/tea.ron", "--out", "run", "--json"]);
    other.json();
    assert!(other.stderr.contains("is now in run/earlier-1"), "{}", other.stderr);
}

/// Whether a text holds a number that is not finite, as any of our formats would write it.
fn holds_nonfinite(text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    text.split(|c| !is_word(c))
        .any(|word| ["nan", "inf", "infinity"].contains(&word.to_lowercase().as_str()))
}

#[test]
fn of_ten_thousand_costs_that_are_not_finite_none_is_kept() {
    // Above 61 degrees, the costs are NaN, infinite or negative; all episodes start below.
    let bench = study(40_000);
    compile(
        &bench,
        "x[0] < 61.0 ? cost : x[0] < 63.0 ? 0.0 / (cost - cost) : x[0] < 66.0 ? 1.0 / (cost - cost) : -cost",
    );
    let text = bench.read("study/tea.ron");
    write_scenario(
        &bench,
        &text
            .replace("Uniform(20, 80)", "Uniform(55, 60)")
            .replace("stop: (", "stop: (run_evaluations: 500, "),
    );
    let args = ["train", "study/tea.ron", "--out", "run", "--checkpoint-every", "0.001"];
    let result = bench.run(&[&args[..], &["--json"]].concat()).json();
    let n_faults = result["nonfinite_evaluations"].as_u64().unwrap();
    assert!(n_faults >= 10_000, "{n_faults}");
    assert!(result["test_error"].is_number());
    for name in ["controller.ron", "log.jsonl", "result.json", "resolved.ron"] {
        assert!(!holds_nonfinite(&bench.read(&format!("run/{name}"))), "{name}");
    }
    // A training that runs out of time leaves its best, whatever the clock has allowed it.
    let cut = ["train", "study/tea.ron", "--out", "cut", "--seconds", "1"];
    assert_eq!(bench.run(&cut).code, Some(0));
    for name in ["run", "cut"] {
        let checkpoint = fs::read(bench.path(name).join("checkpoint")).unwrap();
        let state = Loaded::<TrainingState>::from_bytes(checkpoint).unwrap().state;
        assert!(name == "run" || state.incumbent.is_some());
        if let Some(best) = state.incumbent {
            assert!(
                best.merit().is_finite() && best.training_error.is_none_or(f64::is_finite),
                "{best:?}"
            );
        }
        if let Some(search) = state.search {
            assert!(!search.current_cost.is_nan() && search.mean_failures.is_finite());
        }
    }
    let outcome = bench.run(&["train", "study/tea.ron", "--out", "named"]);
    assert!(outcome.stdout.contains("not finite"), "{}", outcome.stdout);
}

#[test]
fn faulty_evaluations_are_counted_once_whatever_the_number_of_threads() {
    let bench = study(4000);
    compile(&bench, "x[0] < 61.0 ? cost : 0.0 / (cost - cost)");
    let text = bench.read("study/tea.ron").replace("Uniform(20, 80)", "Uniform(55, 60)");
    write_scenario(&bench, &text);
    let counts = ["1", "2", "5"].map(|n_threads| {
        let run = ["train", "study/tea.ron", "--out", n_threads, "--threads", n_threads, "--json"];
        let result = bench.run(&run).json();
        ["nonfinite_evaluations", "evaluations"].map(|name| result[name].as_u64().unwrap())
    });
    let [n_faulty, n_evaluations] = counts[0];
    assert!(n_faulty > 100 && n_faulty <= n_evaluations, "{n_faulty} of {n_evaluations}");
    assert_eq!(counts, [counts[0]; 3]);
}

#[test]
fn a_training_without_a_finite_error_is_a_failure_that_leaves_no_controller() {
    let bench = study(500);
    let text = bench.read("study/tea.ron");
    let (head, rest) = text.split_once("training: TelescopicBlm").unwrap();
    let (_, tail) = rest.split_once('\n').unwrap();
    for cost in ["0.0 / (cost - cost)", "1.0 / (cost - cost)", "-1.0 - cost"] {
        compile(&bench, cost);
        for search in ["TelescopicBlm(bits: 12)", "CmaEs()", "RandomSearch()"] {
            write_scenario(&bench, &format!("{head}training: {search},\n{tail}"));
            let _ = fs::remove_dir_all(bench.path("run"));
            let outcome = bench.run(&["train", "study/tea.ron", "--out", "run", "--json"]);
            let fragment = "no candidate has a finite error after 500 evaluations";
            outcome_without_result(
                &outcome,
                &[fragment, "the first bad value: episode", "plant check"],
            );
            for name in ["controller.ron", "result.json"] {
                assert!(!bench.path("run").join(name).exists(), "{search}: {name}");
            }
            assert!(!holds_nonfinite(&bench.read("run/log.jsonl")), "{search}");
            assert!(!bench.read("run/checkpoint").contains("NaN"), "{search}");
        }
    }
}

#[track_caller]
fn outcome_without_result(outcome: &Outcome, fragments: &[&str]) {
    assert_eq!((outcome.code, &*outcome.stdout), (Some(1), ""), "{outcome:?}");
    for fragment in fragments {
        assert!(outcome.stderr.contains(fragment), "{fragment}: {outcome:?}");
    }
}
