//! `regularization: Auto`: each of a few in a run of its own, chosen on the validation rows.

use std::fmt::Write as _;

use serde_json::Value;

use crate::support::Bench;

/// 60 rows of five inputs, of which one decides, and a class that is often wrong.
fn rows() -> String {
    let mut text = "a,b,c,d,e,kind\n".to_owned();
    for row in 0..60_u32 {
        let of = |factor: u32, n: u32| f64::from(row * factor % n) / f64::from(n);
        let a = of(37, 60);
        let is_yes = (a > 0.5) != (row % 7 == 0);
        let kind = if is_yes { "yes" } else { "no" };
        let _ =
            writeln!(text, "{a},{},{},{},{},{kind}", of(11, 17), of(7, 23), of(13, 29), of(5, 31));
    }
    text
}

fn fit(regularization: &str, stop: &str) -> String {
    format!(
        "Supervised(data: File(path: \"rows.csv\", targets: Classes(\"kind\")), \
         split: (training: 30, validation: 15, test: 15), network: (hidden: [6]), \
         regularization: {regularization}, training: TelescopicBlm(bits: 4), stop: ({stop}))"
    )
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("rows.csv", &rows());
    bench.write("auto.ron", &fit("Auto", "runs: 1, run_evaluations: 4000"));
    // 0.03 for each of 30 rows.
    bench.write("first.ron", &fit("0.9", "runs: 1, run_evaluations: 4000"));
    bench
}

fn train(bench: &Bench, scenario: &str, seed: &str) -> serde_json::Map<String, Value> {
    let out = format!("{scenario}-{seed}");
    let args = ["train", scenario, "--seed", seed, "--out", &out, "--json"];
    bench.run(&args).json()
}

#[test]
fn the_validation_rows_choose_among_runs() {
    let bench = bench();
    let mut chosen = Vec::new();
    for seed in ["1", "2", "3", "4", "5", "6"] {
        let (auto, first) = (train(&bench, "auto.ron", seed), train(&bench, "first.ron", seed));
        assert_eq!((&auto["runs"], &first["runs"]), (&2.into(), &1.into()));
        let shown = bench
            .run(&["controller", "show", &format!("auto.ron-{seed}/model.ron"), "--json"])
            .json();
        let regularization = shown["regularization"].as_f64().unwrap();
        chosen.push(regularization);
        let errors = [&auto, &first].map(|result| result["validation_error"].as_f64().unwrap());
        if regularization < 1.0 {
            assert!((regularization - 0.9).abs() < 1e-12, "{regularization}");
            assert_eq!(errors[0], errors[1]);
        } else {
            // 0.1 for each row.
            assert!((regularization - 3.0).abs() < 1e-12, "{regularization}");
            assert!(errors[0] < errors[1], "{errors:?}");
        }
    }
    assert!(chosen.iter().any(|&weight| weight > 1.0), "{chosen:?}");
    let text = bench.run(&["controller", "show", "auto.ron-1/model.ron"]).stdout;
    assert!(text.contains("chosen by Auto"), "{text}");
    let check = bench.run(&["scenario", "check", "auto.ron"]).stdout;
    assert!(check.contains("0.9, 3, a run each"), "{check}");
    // The squared error can do without.
    bench.write(
        "numbers.ron",
        &fit("Auto", "runs: 1, run_evaluations: 4000")
            .replace("Classes(\"kind\")", "Numbers([\"a\"])"),
    );
    let check = bench.run(&["scenario", "check", "numbers.ron"]).stdout;
    assert!(check.contains("0, 9, 90, 300, a run each"), "{check}");
}

#[test]
fn bits_alone_choose_it() {
    let bench = bench();
    let text = fit("Auto", "runs: 1, run_evaluations: 500");
    bench.write("auto.ron", &text);
    bench.write("bits.ron", &text.replace("regularization: Auto, ", ""));
    let digest = |scenario: &str| train(&bench, scenario, "1")["model_digest"].clone();
    assert_eq!(digest("bits.ron"), digest("auto.ron"));
    // The paper's search has none.
    bench.write(
        "bits.ron",
        &text.replace("bits: 4", "bits: 4, max_weight: 1").replace("regularization: Auto, ", ""),
    );
    assert_eq!(train(&bench, "bits.ron", "2")["runs"], 1);
}

#[test]
fn more_runs_are_each_as_long_as_one() {
    let bench = bench();
    let check = |stop: &str| {
        bench.write("fit.ron", &fit("0", stop));
        bench.run(&["scenario", "check", "fit.ron"]).stdout
    };
    for stop in ["", "runs: 3", "runs: 3, seconds: 60"] {
        let shown = check(stop);
        assert!(shown.contains("500000"), "{stop}: {shown}");
    }
    let shown = check("runs: 3, run_evaluations: 4000");
    assert!(shown.contains("4000") && !shown.contains("500000"), "{shown}");
}

#[test]
fn a_resumed_training_has_the_regularization_of_its_run() {
    let bench = bench();
    let whole = train(&bench, "auto.ron", "3");
    for cut in ["1000", "4000", "5500"] {
        let out = format!("cut-{cut}");
        let args =
            ["train", "auto.ron", "--seed", "3", "--out", &out, "--evaluations", cut, "--json"];
        assert_eq!(bench.run(&args).json()["stop_reason"], "evaluations");
        let args = ["train", "--resume", &out, "--evaluations", "100000", "--json"];
        let resumed = bench.run(&args).json();
        for key in ["validation_error", "test_error", "evaluations", "runs"] {
            assert_eq!(resumed[key], whole[key], "{cut}: {key}");
        }
    }
    let campaign = ["campaign", "auto.ron", "--runs", "2", "--out", "c", "--json"];
    let campaign = bench.run(&campaign).json();
    let trainings = campaign["variants"][0]["training_list"].as_array().unwrap();
    assert!(trainings.iter().all(|training| training["runs"] == 2), "{trainings:?}");
}

#[test]
fn many_rows_and_none_for_validation_need_no_regularization() {
    let bench = bench();
    let text = fit("Auto", "runs: 1, run_evaluations: 500");
    bench.write("auto.ron", &text.replace("training: 30, validation: 15", "training: 45"));
    assert_eq!(train(&bench, "auto.ron", "1")["runs"], 1);
    let text_of_rows = rows();
    let (head, body) = text_of_rows.split_once('\n').unwrap();
    bench.write("rows.csv", &format!("{head}\n{}", body.repeat(40)));
    bench.write("auto.ron", &text.replace("training: 30", "training: 2000"));
    assert_eq!(train(&bench, "auto.ron", "1")["runs"], 1);
}

#[test]
fn what_cannot_be_chosen_is_refused_where_it_stands() {
    let bench = bench();
    for (text, message) in [
        (
            fit("Auto", "runs: 1").replace("TelescopicBlm(bits: 4)", "CmaEs()"),
            "the same regularization in all runs",
        ),
        (fit("Often", "runs: 1"), "a number, or Auto, found `Often`"),
        (fit("-1", "runs: 1"), "must be 0 or more"),
    ] {
        bench.write("fit.ron", &text);
        bench.run(&["train", "fit.ron"]).assert_refused(3, &[message, "--> fit.ron:1:", "hint"]);
    }
    // Gradients have it, too, whose loss is the squared error.
    bench.write(
        "fit.ron",
        &fit("Auto", "runs: 1, run_evaluations: 300")
            .replace("TelescopicBlm(bits: 4)", "OneStepSecant()"),
    );
    assert_eq!(train(&bench, "fit.ron", "1")["runs"], 4);
}

#[test]
fn runs_that_are_done_apart_are_those_of_one_machine() {
    let bench = bench();
    bench.write("auto.ron", &fit("Auto", "runs: 2, run_evaluations: 400"));
    // Two starts of two regularizations each.
    let check = bench.run(&["scenario", "check", "auto.ron"]).stdout;
    assert!(check.contains("after 4 runs"), "{check}");
    let whole = train(&bench, "auto.ron", "1");
    assert_eq!(whole["runs"], 4);
    for shard in ["0/3", "1/3", "2/3"] {
        let args = ["train", "auto.ron", "--seed", "1", "--out", "parts", "--shard", shard];
        let done = bench.run(&[&args[..], &["--json"]].concat()).json();
        assert_eq!(done["runs"].as_array().unwrap().len(), if shard == "0/3" { 2 } else { 1 });
    }
    let merged = bench.run(&["merge", "parts", "--out", "merged", "--json"]).json();
    for key in ["runs", "evaluations", "validation_error", "model_digest"] {
        assert_eq!(merged[key], whole[key], "{key}");
    }
}

/// Of the runs of a squared error, the one whose error on the validation rows is lowest once it is divided by 1.03 for each smaller
/// regularization that was tried.
#[test]
fn of_numbers_the_larger_regularization_is_preferred() {
    let bench = bench();
    let text = fit("Auto", "runs: 1, run_evaluations: 2000")
        .replace("Classes(\"kind\")", "Numbers([\"a\", \"b\"])");
    bench.write("numbers.ron", &text);
    let mut n_larger = 0;
    for seed in ["1", "2", "3", "4", "5", "6", "7", "8"] {
        let parts = format!("parts-{seed}");
        let shard = ["train", "numbers.ron", "--seed", seed, "--out", &parts, "--shard", "0/1"];
        let told = bench.run(&shard).stderr;
        let errors: Vec<f64> = told
            .lines()
            .filter_map(|line| {
                line.split_once("finished: error ")?.1.split(',').next()?.parse().ok()
            })
            .collect();
        assert_eq!(errors.len(), 4, "{told}");
        let preferences = [1.0, 1.03, 1.03 * 1.03, 1.03 * 1.03 * 1.03];
        let ranks = errors.iter().zip(preferences).map(|(error, preference)| error / preference);
        let chosen = ranks.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0;
        let lowest = errors.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).unwrap().0;
        n_larger += u32::from(chosen > lowest);
        // 30 rows.
        let expected = [0.0, 9.0, 90.0, 300.0][chosen];
        train(&bench, "numbers.ron", seed);
        bench.run(&["merge", &parts, "--out", &format!("merged-{seed}"), "--json"]).json();
        for folder in [format!("numbers.ron-{seed}"), format!("merged-{seed}")] {
            let model = format!("{folder}/model.ron");
            let shown = bench.run(&["controller", "show", &model, "--json"]).json();
            assert_eq!(shown["regularization"], expected, "{folder}: {errors:?}");
        }
    }
    assert!(n_larger > 0);
}
