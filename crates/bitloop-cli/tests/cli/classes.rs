//! Examples whose targets are classes: what selects, what is reported, and the probabilities of predictions.

use std::fmt::Write as _;

use bitloop_plant::Real;

use crate::support::Bench;

const FIT: &str = r#"Supervised(
    data: File(path: "rows.csv", targets: Classes("kind")),
    split: (training: 40, validation: 20, test: 20),
    network: (hidden: [3]),
    loss: SoftmaxCrossEntropy,
    training: TelescopicBlm(bits: 8, max_weight: 10),
    stop: (evaluations: 2000),
)"#;

/// 80 rows of three kinds, a twentieth of which lies where another kind is usual.
fn rows() -> String {
    let mut text = String::from("size,kind\n");
    for row in 0..80_u32 {
        let size = f64::from(row * 37 % 80) / 80.0;
        let kind = (row * 37 % 80 * 3 / 80 + u32::from(row % 20 == 0)) % 3;
        let _ = writeln!(text, "{size},{}", ["low", "middle", "high"][kind as usize]);
    }
    text
}

fn numbers(bench: &Bench, file: &str) -> (String, Vec<Vec<f64>>) {
    let text = bench.read(file);
    let (heading, rows) = text.split_once('\n').unwrap();
    let numbers = |row: &str| row.split(',').skip(2).map(|cell| cell.parse().unwrap()).collect();
    (heading.to_owned(), rows.lines().map(numbers).collect())
}

#[test]
fn softmax_selects_by_its_loss_and_predicts_probabilities() {
    let bench = Bench::new();
    bench.write("rows.csv", &rows());
    bench.write("fit.ron", FIT);
    let outcome = bench.run(&["train", "fit.ron", "--out", "run"]);
    assert!(outcome.stdout.contains("(cross-entropy, "), "{outcome:?}");
    assert!(!outcome.stdout.contains("RMSE"), "{outcome:?}");
    let result: serde_json::Value = serde_json::from_str(&bench.read("run/result.json")).unwrap();
    assert_eq!(result["error_figure"], "CrossEntropy");
    // Better than a third for each.
    let error = result["validation_error"].as_f64().unwrap();
    assert!(error < Real::ln(3.0), "{error}");

    let predict = ["predict", "run/model.ron", "--data", "rows.csv", "--csv", "p.csv", "--json"];
    let scored = bench.run(&predict).json();
    assert!(scored["rmse"].is_null(), "{scored:?}");
    let (heading, probabilities) = numbers(&bench, "p.csv");
    assert_eq!(heading, "row,kind,probability of high,probability of low,probability of middle");
    // The loss is that of these probabilities.
    let (mut entropy, kinds) = (0.0, rows());
    for (row, p) in kinds.lines().skip(1).zip(&probabilities) {
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{p:?}");
        let kind = row.split_once(',').unwrap().1;
        let class = ["high", "low", "middle"].iter().position(|name| *name == kind).unwrap();
        entropy -= Real::ln(p[class]) / 80.0;
    }
    let loss = scored["loss"].as_f64().unwrap();
    assert!((loss - entropy).abs() < 1e-12, "{loss}, not {entropy}");
}

#[test]
fn two_classes_by_the_logistic_cross_entropy_have_a_probability_each() {
    let bench = Bench::new();
    bench.write("rows.csv", &rows().replace("middle", "low"));
    let logistic = FIT.replace("SoftmaxCrossEntropy", "LogisticCrossEntropy, select_by: Rmse");
    bench.write("fit.ron", &logistic);
    let result = bench.run(&["train", "fit.ron", "--out", "run", "--json"]).json();
    assert_eq!(result["error_figure"], "Rmse");
    let predict = ["predict", "run/model.ron", "--data", "rows.csv", "--csv", "p.csv", "--json"];
    let scored = bench.run(&predict).json();
    assert!(scored["loss"].is_number() && scored["rmse"].is_number(), "{scored:?}");
    let (heading, probabilities) = numbers(&bench, "p.csv");
    assert_eq!(heading, "row,kind,probability of high,probability of low");
    for p in probabilities {
        assert_eq!(p[0], 1.0 - p[1]);
    }
    // Rows of one class alone are still scored as classes.
    bench.write("low.csv", "size,kind\n0.1,low\n0.2,low\n");
    let low = bench.run(&["predict", "run/model.ron", "--data", "low.csv", "--json"]).json();
    assert!(low["classified"].is_number(), "{low:?}");
}

#[test]
fn accuracy_can_select() {
    let bench = Bench::new();
    bench.write("rows.csv", &rows());
    bench.write("fit.ron", &FIT.replace("    stop:", "    select_by: Accuracy,\n    stop:"));
    let result = bench.run(&["train", "fit.ron", "--out", "run", "--json"]).json();
    assert_eq!(result["error_figure"], "WrongShare");
    for set in ["validation", "test"] {
        let share = result[&format!("{set}_classified")].as_f64().unwrap();
        let error = result[&format!("{set}_error")].as_f64().unwrap();
        assert_eq!(error, 1.0 - share, "{set}");
    }
}

#[test]
fn a_figure_that_does_not_fit_is_refused_where_it_stands() {
    let bench = Bench::new();
    bench.write("rows.csv", &rows());
    let with =
        |figure: &str| FIT.replace("    stop:", &format!("    select_by: {figure},\n    stop:"));
    for (text, message) in [
        (with("Rmse"), "outputs before the softmax"),
        (
            with("Accuracy")
                .replace("Classes(\"kind\")", "Numbers([\"size\"])")
                .replace("SoftmaxCrossEntropy", "SquaredError"),
            "the targets are numbers",
        ),
        (with("Precision"), "unknown choice `Precision`"),
    ] {
        bench.write("fit.ron", &text);
        bench.run(&["train", "fit.ron"]).assert_refused(3, &[message, "fit.ron:7:16"]);
    }
}

#[test]
fn measured_values_are_no_classes() {
    let bench = Bench::new();
    bench.write("rows.csv", &rows());
    let columns = "inputs: [\"kind\"], nominal: [\"kind\"], targets: Classes(\"size\")";
    bench.write("fit.ron", &FIT.replace("targets: Classes(\"kind\")", columns));
    bench.run(&["train", "fit.ron"]).assert_refused(
        3,
        &["80 different numbers in 80 rows are no classes", "fit.ron:2", "Numbers([...])"],
    );
}

#[test]
fn predictions_go_to_standard_output() {
    let bench = Bench::new();
    bench.write("rows.csv", &rows());
    bench.write("fit.ron", FIT);
    bench.run(&["train", "fit.ron", "--out", "run"]);
    let predict = ["predict", "run/model.ron", "--data", "rows.csv", "--csv"];
    let printed = bench.run(&[&predict[..], &["-"]].concat());
    assert_eq!(bench.run(&[&predict[..], &["p.csv"]].concat()).code, Some(0));
    assert_eq!(printed.stdout, bench.read("p.csv"));
    assert!(printed.stderr.contains("cross-entropy"), "{printed:?}");
    assert!(!bench.path("-").exists());
    let both = [&predict[..], &["-", "--json"]].concat();
    bench.run(&both).assert_refused(2, &["both go to standard output"]);
}
