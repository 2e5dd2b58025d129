//! What a training knows of its rows: a resumed one is refused on others, and `predict` says which it is given.

use serde_json::Value;

use crate::support::{Bench, Outcome};

/// Rows of a smooth function, with words and a name that is not read.
fn rows(n: u32) -> Vec<String> {
    let row = |i: u32| {
        let (x, kind) = (f64::from(i) / 10.0, ["low", "high"][(i % 2) as usize]);
        format!("r{i},{x},{kind},{}", x * x)
    };
    (0..n).map(row).collect()
}

const HEAD: &str = "name,x,kind,y";

fn write(bench: &Bench, name: &str, rows: &[String]) {
    bench.write(name, &format!("{HEAD}\n{}\n", rows.join("\n")));
}

const FIT: &str = r#"Supervised(
    data: File(path: "rows.csv", ignored: ["name"], nominal: ["kind"], targets: Numbers(["y"])),
    split: (training: 20, validation: 10, test: 8, order: File),
    network: (hidden: [3]),
    training: TelescopicBlm(bits: 10, max_weight: 10),
    stop: (evaluations: 300),
)"#;

fn trained() -> Bench {
    let bench = Bench::new();
    write(&bench, "rows.csv", &rows(40));
    bench.write("fit.ron", FIT);
    bench.run(&["train", "fit.ron", "--out", "run", "--json"]).json();
    bench
}

#[test]
fn a_training_is_not_resumed_on_other_rows() {
    let bench = trained();
    let resume = || bench.run(&["train", "--resume", "run", "--evaluations", "600", "--json"]);
    let same = rows(40);
    // Row 0 is for training, row 20 for validation, row 30 for the test, row 39 for nothing.
    for (changed, expected) in [
        (&[30][..], "other test rows"),
        (&[0], "other training rows"),
        (&[20, 31], "other test, validation rows"),
    ] {
        let mut others = same.clone();
        for &row in changed {
            others[row] = others[row].replace('r', "r9").replacen(',', ",1", 1);
        }
        write(&bench, "rows.csv", &others);
        resume()
            .assert_refused(1, &["the data of the training in run", expected, "put the data back"]);
    }
    // Labels alone.
    let mut others = same.clone();
    others[33] = "r33,3.3,high,11".to_owned();
    write(&bench, "rows.csv", &others);
    resume().assert_refused(1, &["other test rows"]);
    // What is not learned from may change, as may the spelling of a number.
    let mut others = same.clone();
    others[39] = "r39,1000,low,7".to_owned();
    others[30] = others[30].replace("r30,3,", "x,3.000,");
    write(&bench, "rows.csv", &others);
    let resumed = resume().json();
    let fresh = bench.run(&["train", "fit.ron", "--evaluations", "600", "--out", "new", "--json"]);
    assert_eq!(resumed["model_digest"], fresh.json()["model_digest"]);
}

#[test]
fn predict_says_which_rows_of_its_training_it_is_given() {
    let bench = trained();
    let predict = |rows: &[String], more: &[&str]| -> Outcome {
        write(&bench, "some.csv", rows);
        bench.run(&[&["predict", "run/model.ron", "--data", "some.csv"], more].concat())
    };
    let all = rows(40);
    let mut turned: Vec<String> = all[..20].to_vec();
    turned.reverse();
    for (rows, words, json) in [
        (turned, "the training rows of the model's training", serde_json::json!(["training"])),
        (all[30..38].to_vec(), "the test rows", serde_json::json!(["test"])),
        (
            all[..38].to_vec(),
            "the training, validation and test rows",
            serde_json::json!(["training", "validation", "test"]),
        ),
        (all[..19].to_vec(), "none of the parts of the model's training", Value::Null),
        (all.clone(), "none of the parts", Value::Null),
    ] {
        let text = predict(&rows, &[]).stdout;
        assert!(text.contains(&format!("rows: {words}")), "{text}");
        assert_eq!(predict(&rows, &["--json"]).json()["known_rows"], json);
    }
    // A model without digests of rows, which earlier versions wrote, can be used as well.
    let text = bench.read("run/model.ron");
    let (before, rest) = text.split_once("    row_digests: (").unwrap();
    let (_, after) = rest.split_once("),\n").unwrap();
    bench.write("run/model.ron", &format!("{before}{after}"));
    predict(&all, &[]).assert_refused(3, &["digest"]);
    let spoiled = text.replacen("training: \"20-", "training: \"x-", 1);
    bench.write("run/model.ron", &spoiled);
    predict(&all, &[]).assert_refused(3, &["run/model.ron"]);
}
