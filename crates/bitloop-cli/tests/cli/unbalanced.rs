//! Classes of which one is rare: weights of classes in the loss, and thresholds of the answer.

use std::fmt::Write as _;

use serde_json::Value;

use crate::support::{Bench, Outcome};

/// 400 rows, a tenth of them `yes`, which lie where `no` is as frequent.
fn rows() -> String {
    let mut text = "x,y,kind\n".to_owned();
    for row in 0..400_u32 {
        let (x, y) = (row * 37 % 400, row * 149 % 400);
        let is_yes = x >= 320 && row % 2 == 0;
        let _ = writeln!(text, "{x},{y},{}", if is_yes { "yes" } else { "no" });
    }
    text
}

fn fit(more: &str) -> String {
    format!(
        "Supervised(data: File(path: \"rows.csv\", targets: Classes(\"kind\")), \
         split: (training: 200, validation: 100, test: 100), network: (hidden: [3]), {more} \
         training: TelescopicBlm(bits: 8), stop: (evaluations: 4000))"
    )
}

fn trained(more: &str) -> (Bench, Outcome) {
    let bench = Bench::new();
    bench.write("rows.csv", &rows());
    bench.write("fit.ron", &fit(more));
    let trained = bench.run(&["train", "fit.ron", "--out", "run", "--json"]);
    trained.json();
    (bench, trained)
}

/// The scores of a model on all rows.
fn scored(bench: &Bench) -> Value {
    let predict = ["predict", "run/model.ron", "--data", "rows.csv", "--json"];
    bench.run(&predict).json()["targets"][0].clone()
}

fn recall_of_yes(score: &Value) -> f64 {
    score["recall"][1].as_f64().unwrap()
}

#[test]
fn balanced_classes_find_the_rare_one() {
    let (plain, _) = trained("");
    let (balanced, _) = trained("class_weights: Balanced,");
    let (before, after) = (scored(&plain), scored(&balanced));
    assert!(recall_of_yes(&before) < 0.5, "{before}");
    assert!(recall_of_yes(&after) > 0.9, "{after}");
    let shown = balanced.run(&["controller", "show", "run/model.ron", "--json"]).json();
    let weights: Vec<f64> =
        shown["class_weights"].as_array().unwrap().iter().map(|w| w.as_f64().unwrap()).collect();
    assert_eq!(weights.len(), 2);
    assert!(weights[1] > 5.0 * weights[0], "{weights:?}");
    let text = balanced.run(&["controller", "show", "run/model.ron"]).stdout;
    assert!(text.contains("class weights") && text.contains("no 0.5"), "{text}");
    // The loss on the rows of the training is what the training has reported, weights included.
    let lines: Vec<String> = rows().lines().map(str::to_owned).collect();
    balanced.write(
        "fit.ron",
        &fit("class_weights: Balanced,").replace("test: 100", "test: 100, order: File"),
    );
    let in_order = balanced.run(&["train", "fit.ron", "--out", "in-order", "--json"]);
    let test: Vec<&str> = lines[..1].iter().chain(&lines[301..]).map(String::as_str).collect();
    balanced.write("test.csv", &(test.join("\n") + "\n"));
    let predict = ["predict", "in-order/model.ron", "--data", "test.csv", "--json"];
    assert_eq!(balanced.run(&predict).number("loss"), in_order.number("test_error"));
    let check = balanced.run(&["scenario", "check", "fit.ron"]).stdout;
    assert!(check.contains("class weights"), "{check}");
}

#[test]
fn weights_by_class_count_by_their_proportion_for_all_trainers() {
    let digest = |more: &str| trained(more).1.json()["training_error"].clone();
    let [a, b] = ["1", "7"].map(|unit| {
        let weights = format!("class_weights: ByClass({{\"no\": {unit}, \"yes\": {unit}}}),");
        digest(&weights)
    });
    let equal = digest("").as_f64().unwrap();
    for weighted in [a, b] {
        assert!((weighted.as_f64().unwrap() - equal).abs() < 1e-12, "{weighted} {equal}");
    }
    let (bench, _) = trained("");
    for trainer in ["OneStepSecant()", "CmaEs(max_weight: 10)", "RandomSearch(max_weight: 2)"] {
        let text = fit("class_weights: ByClass({\"yes\": 20}), loss: LogisticCrossEntropy,");
        bench.write("fit.ron", &text.replace("TelescopicBlm(bits: 8)", trainer));
        bench.run(&["train", "fit.ron", "--out", "run", "--json"]).json();
        assert!(recall_of_yes(&scored(&bench)) > 0.8, "{trainer}: {}", scored(&bench));
    }
}

#[test]
fn a_threshold_is_chosen_on_the_validation_rows_and_kept_by_the_model() {
    let (half, _) = trained("");
    let (chosen, result) = trained("threshold: ByBalancedAccuracy,");
    let balanced = |score: &Value| score["balanced_accuracy"].as_f64().unwrap();
    let (before, after) = (scored(&half), scored(&chosen));
    assert!(balanced(&after) > balanced(&before) + 0.1, "{before} {after}");
    let shown = chosen.run(&["controller", "show", "run/model.ron", "--json"]).json();
    let threshold = shown["threshold"].as_f64().unwrap();
    assert!(threshold > 0.0 && threshold < 0.5, "{threshold}");
    let text = chosen.run(&["controller", "show", "run/model.ron"]).stdout;
    assert!(text.contains("yes from 0."), "{text}");
    // Answers follow it.
    let predict = ["predict", "run/model.ron", "--data", "rows.csv", "--csv", "p.csv"];
    chosen.run(&predict);
    let mut n_between = 0;
    for line in chosen.read("p.csv").lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let of_yes: f64 = cells[3].parse().unwrap();
        assert_eq!(cells[1], if of_yes >= threshold { "yes" } else { "no" }, "{line}");
        n_between += u32::from(of_yes >= threshold && of_yes < 0.5);
    }
    assert!(n_between > 0, "a threshold that decides nothing");
    // And what the training reports, too.
    assert!(result.json()["test_classified"].is_number(), "{result:?}");
    let refused = chosen.run(&["controller", "export", "run/model.ron", "--to", "c", "--out", "m"]);
    refused
        .assert_refused(3, &["answers the second class from 0.", "train it without `threshold`"]);
    let (given, _) = trained("threshold: At(0.2),");
    assert!(recall_of_yes(&scored(&given)) > recall_of_yes(&before));
    let by_f1 = trained("threshold: ByF1,").0;
    assert!(recall_of_yes(&scored(&by_f1)) > recall_of_yes(&before));
}

#[test]
fn what_classes_do_not_have_is_refused_where_it_stands() {
    let bench = Bench::new();
    bench.write("rows.csv", &rows());
    let numbers = |more: &str| fit(more).replace("Classes(\"kind\")", "Numbers([\"x\"])");
    let elm = |more: &str| fit(more).replace("TelescopicBlm(bits: 8)", "ExtremeLearning(units: 9)");
    for (text, message) in [
        (numbers("class_weights: Balanced,"), "the targets are numbers, not classes"),
        (numbers("threshold: At(0.3),"), "the targets are numbers, not classes"),
        (fit("threshold: At(1.5),"), "above 0 and below 1, found 1.5"),
        (fit("class_weights: ByClass({\"yes\": -1}),"), "the weight of a class must be above 0"),
        (fit("class_weights: ByClass({\"Yes\": 2}),"), "no class `Yes`: expected `no`, `yes`"),
        (elm("class_weights: Balanced,"), "ExtremeLearning solves for all rows alike"),
    ] {
        bench.write("fit.ron", &text);
        bench.run(&["train", "fit.ron"]).assert_refused(3, &[message, "--> fit.ron:1:", "hint"]);
    }
    bench.write("rows.csv", &rows().replacen("yes", "perhaps", 1));
    bench.write("fit.ron", &fit("threshold: ByF1,"));
    bench.run(&["train", "fit.ron"]).assert_refused(3, &["a threshold is for two classes", "hint"]);
}
