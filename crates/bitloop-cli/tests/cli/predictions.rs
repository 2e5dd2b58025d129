//! What `predict` says of answers, target by target; what `controller show` says for programs.

use std::fmt::Write as _;

use serde_json::Value;

use crate::support::Bench;

/// A price that depends on the size, and not on the noise; and its class.
fn rows() -> String {
    let mut text = "size,noise,price,class\n".to_owned();
    for row in 0..60_u32 {
        let (size, noise) = (f64::from(row * 7 % 60), f64::from(row * 13 % 17));
        let price = 500.0 + 20.0 * size;
        let class = ["small", "middle", "large"][(row * 7 % 60 / 20) as usize];
        let _ = writeln!(text, "{size},{noise},{price},{class}");
    }
    text
}

/// A folder with a trained model in `run`; `more` are further fields of its scenario.
fn trained(targets: &str, ignored: &str, more: &str) -> Bench {
    let bench = Bench::new();
    bench.write("rows.csv", &rows());
    bench.write(
        "fit.ron",
        &format!(
            "Supervised(data: File(path: \"rows.csv\", ignored: [\"{ignored}\"], targets: {targets}), \
             split: (training: 40, validation: 20), network: (hidden: [4]), {more} \
             training: TelescopicBlm(bits: 10, max_weight: 10), stop: (evaluations: 3000))"
        ),
    );
    bench.run(&["train", "fit.ron", "--out", "run", "--json"]).json();
    bench
}

fn predict(bench: &Bench, more: &[&str]) -> crate::support::Outcome {
    bench.run(&[&["predict", "run/model.ron", "--data", "rows.csv"], more].concat())
}

fn close(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{found} {expected}");
}

#[test]
fn numbers_are_scored_in_their_own_unit_beside_the_mean() {
    let bench = trained("Numbers([\"price\"])", "class", "");
    let json = predict(&bench, &["--csv", "out.csv", "--importance", "--json"]).json();
    let (mut squares, mut absolute, mut spread) = (0.0, 0.0, 0.0);
    let truth: Vec<f64> = rows()
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(2).unwrap().parse().unwrap())
        .collect();
    let mean = truth.iter().sum::<f64>() / 60.0;
    for (line, price) in bench.read("out.csv").lines().skip(1).zip(&truth) {
        let answer: f64 = line.split(',').nth(1).unwrap().parse().unwrap();
        squares += (answer - price) * (answer - price);
        absolute += (answer - price).abs();
        spread += (price - mean) * (price - mean);
    }
    let target = &json["targets"][0];
    assert_eq!(target["target"], "price");
    close(&target["rmse"], (squares / 60.0).sqrt());
    close(&target["mae"], absolute / 60.0);
    close(&target["mean_rmse"], (spread / 60.0).sqrt());
    close(&target["r2"], 1.0 - squares / spread);
    // The size decides, and the noise says nothing.
    let importance = json["importance"].as_array().unwrap();
    let of = |at: usize| {
        (importance[at]["input"].as_str().unwrap(), importance[at]["increase"].as_f64().unwrap())
    };
    assert_eq!((of(0).0, of(1).0), ("size", "noise"));
    assert!(of(0).1 > 3.0 * of(1).1.abs(), "{importance:?}");
    let text = predict(&bench, &["--importance"]).stdout;
    for fragment in ["price: RMSE", "R2 0.", "the mean of these rows", "RMSE rises by", "noise"] {
        assert!(text.contains(fragment), "{text}");
    }
    assert_eq!(predict(&bench, &["--importance"]).stdout, text);
    let refused = predict(&bench, &["--importance", "--unlabeled", "--csv", "x.csv"]);
    refused.assert_refused(2, &["--importance"]);
}

#[test]
fn classes_have_a_table_of_answers() {
    let bench = trained("Classes(\"class\")", "price", "loss: SoftmaxCrossEntropy,");
    let json = predict(&bench, &["--csv", "out.csv", "--json"]).json();
    let classes = ["large", "middle", "small"];
    let mut confusion = [[0_u64; 3]; 3];
    let position = |class: &str| classes.iter().position(|known| *known == class).unwrap();
    for (line, row) in bench.read("out.csv").lines().skip(1).zip(rows().lines().skip(1)) {
        let (answer, own) = (line.split(',').nth(1).unwrap(), row.rsplit(',').next().unwrap());
        confusion[position(own)][position(answer)] += 1;
    }
    let target = &json["targets"][0];
    assert_eq!(target["classes"], serde_json::json!(classes));
    assert_eq!(target["confusion"], serde_json::json!(confusion));
    let recall = |class: usize| confusion[class][class] as f64 / 20.0;
    close(&target["recall"][1], recall(1));
    close(&target["balanced_accuracy"], (recall(0) + recall(1) + recall(2)) / 3.0);
    let text = predict(&bench, &[]).stdout;
    for fragment in ["class: balanced accuracy", "recall", "as middle"] {
        assert!(text.contains(fragment), "{text}");
    }
}

#[test]
fn controllers_and_models_are_shown_to_programs() {
    let bench = trained("Numbers([\"price\"])", "class", "");
    let show =
        |path: &str, more: &[&str]| bench.run(&[&["controller", "show", path], more].concat());
    let model = show("run/model.ron", &["--json"]).json();
    assert_eq!((&model["kind"], &model["trainer"]), (&"model".into(), &"TelescopicBlm".into()));
    // 2 inputs and a bias into each of 4 units, and 5 weights of the output; 10 bits each.
    assert_eq!(model["weights"]["count"], 17);
    assert_eq!(model["weights"]["packed_bytes"], 22);
    assert_eq!(model["fits"]["training"]["rows"], 40);
    assert_eq!(model["targets"][0]["name"], "price");
    assert!(show("run/model.ron", &[]).stdout.contains("22 bytes packed"));
    let (bench, trained) = Bench::with_controller();
    let shown = bench.run(&["controller", "show", "run/controller.ron", "--json"]).json();
    assert_eq!(shown["digest"], trained["controller_digest"]);
    assert_eq!((&shown["kind"], &shown["weights"]["bits"]), (&"controller".into(), &12.into()));
    assert_eq!(shown["inputs"].as_array().unwrap().len(), 4);
    assert_eq!(shown["errors"]["test"], trained["test_error"]);
}
