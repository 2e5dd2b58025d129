//! Trainings on examples: the same bits however they are carried out, saved models, campaigns.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::support::{Bench, Outcome, QUICK, QUICK_FIT};

/// Digest of the model that `QUICK_FIT` gives on every machine; see `determinism.rs`.
const GOLDEN: &str = "74b797ecde9360fcb3924844d7b37f83bf850a9ccfb5a24168b3715656c07d77";

/// What must not depend on how a training is carried out, as printed.
fn bits(outcome: &Outcome) -> Vec<String> {
    outcome.json();
    let keys = [
        "model_digest",
        "training_error",
        "validation_error",
        "test_error",
        "runs",
        "moves",
        "evaluations",
        "stop_reason",
    ];
    keys.map(|key| format!("{key} {}", outcome.number(key))).to_vec()
}

/// 4200 rows of a smooth function, so many that probes are shared among threads.
fn waves() -> String {
    let mut text = String::from("x,y,z\n");
    for row in 0..4200 {
        let (x, y) = (f64::from(row % 70) / 35.0 - 1.0, f64::from(row / 70) / 30.0 - 1.0);
        let _ = writeln!(text, "{x},{y},{}", x * y + 0.5 * x * x - y);
    }
    text
}

const WAVES: &str = r#"Supervised(
    data: File(path: "waves.csv", targets: Numbers(["z"])),
    split: (training: 4150, validation: 50),
    network: (hidden: [3]),
    training: TelescopicBlm(bits: 8, max_weight: 10, initialization: Bounded(0.1), validate_every: 10),
    stop: (evaluations: 900),
)"#;

fn train(name: &str, threads: &str, environment: &[(&str, &str)]) -> Outcome {
    let bench = Bench::new();
    bench.write("fit.ron", QUICK_FIT);
    bench.write("waves.ron", WAVES);
    bench.write("waves.csv", &waves());
    let args = ["train", name, "--json", "--threads", threads];
    Outcome::of(bench.command(&args).envs(environment.iter().copied()))
}

#[test]
fn neither_threads_nor_instruction_set_change_a_bit_of_a_model() {
    for name in ["fit.ron", "waves.ron"] {
        let reference = bits(&train(name, "1", &[]));
        for (threads, isa) in [("3", ""), ("2", "portable"), ("1", "avx2")] {
            let outcome = train(name, threads, &[("BITLOOP_ISA", isa)]);
            if outcome.code == Some(2) && outcome.stderr.contains("this processor lacks") {
                continue;
            }
            assert_eq!(bits(&outcome), reference, "{name}: {threads} threads, {isa}");
        }
    }
}

#[test]
fn a_known_training_gives_the_known_bits() {
    assert_eq!(train("fit.ron", "2", &[]).json()["model_digest"], GOLDEN);
}

#[test]
fn a_prediction_is_what_the_training_has_told_to_the_last_bit() {
    let bench = Bench::new();
    bench.write(
        "waves.ron",
        &WAVES.replace("training: 4150, validation: 50", "training: 4200, order: File"),
    );
    bench.write("waves.csv", &waves());
    for trainer in [
        "TelescopicBlm(bits: 8, max_weight: 10, initialization: Bounded(0.1))",
        "OneStepSecant()",
        "Backpropagation(momentum: 0.5)",
        "ExtremeLearning(units: 20)",
        "CmaEs()",
        "RandomSearch(max_weight: 1)",
    ] {
        let text = bench.read("waves.ron");
        let (head, rest) = text.split_once("    training: ").unwrap();
        let (_, tail) = rest.split_once(",\n    stop: (evaluations: ").unwrap();
        let (_, tail) = tail.split_once(')').unwrap();
        let budget = "\n    stop: (evaluations: 100)";
        bench.write("t.ron", &format!("{head}    training: {trainer},{budget}{tail}"));
        let trained = bench.run(&["train", "t.ron", "--out", trainer, "--json"]);
        trained.json();
        let model = format!("{trainer}/model.ron");
        let args = ["predict", &model, "--data", "waves.csv"];
        let scored = bench.run(&[&args[..], &["--json"]].concat());
        assert_eq!(scored.json()["rows"], 4200);
        assert_eq!(scored.number("rmse"), trained.number("training_error"), "{trainer}");
        assert_eq!(scored.json()["classified"], Value::Null);
        let text = bench.run(&args).stdout;
        assert!(text.contains("as on the training rows of its training"), "{text}");
        let shown = bench.run(&["controller", "show", &model]);
        assert_eq!(shown.code, Some(0), "{shown:?}");
        let name = trainer.split('(').next().unwrap();
        assert!(shown.stdout.contains(name) && shown.stdout.contains("0.9714"), "{}", shown.stdout);
    }
}

#[test]
fn answers_are_written_in_the_file_s_own_terms() {
    let bench = Bench::new();
    bench.write("fit.ron", QUICK_FIT);
    bench.run(&["train", "fit.ron", "--out", "run", "--json"]).json();
    // Without targets, with the columns in another order.
    bench.write("new.csv", "y,x\n0,6.5\n0.1,-6.5\n");
    let args = ["predict", "run/model.ron", "--data", "new.csv", "--csv", "out.csv"];
    let outcome = bench.run(&[&args[..], &["--unlabeled", "--json"]].concat());
    assert_eq!((&outcome.json()["rmse"], &outcome.json()["rows"]), (&Value::Null, &2.into()));
    let csv = bench.read("out.csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "row,class,output 1");
    for (row, line) in (1..).zip(&lines[1..]) {
        let cells: Vec<&str> = line.split(',').collect();
        let output: f64 = cells[2].parse().unwrap();
        assert_eq!(cells[0], row.to_string());
        assert_eq!(cells[1], if output >= 0.5 { "1" } else { "0" });
    }
    assert_eq!(lines.len(), 3);
    // With targets asked for, their column is missed.
    bench.run(&args).assert_refused(3, &["no column `class`", "new.csv", "hint"]);
    bench
        .run(&["predict", "run/model.ron", "--data", "new.csv", "--unlabeled"])
        .assert_refused(2, &["--csv"]);
}

#[test]
fn a_model_that_was_edited_is_refused() {
    let bench = Bench::new();
    bench.write("fit.ron", QUICK_FIT);
    bench.write("new.csv", "x,y,class\n0,6.5,1\n0.1,-6.5,0\n");
    bench.run(&["train", "fit.ron", "--out", "run", "--json"]).json();
    let model = bench.read("run/model.ron");
    assert!(!model.contains(bench.path("").to_str().unwrap()), "no folders of this machine");
    for (from, to, message) in [
        ("min: -6", "min: -7", "digest does not match"),
        ("low: -1.0", "low: 2.0", "a range does not go up"),
        ("units: 4", "units: 5", "weights, but the network has"),
        ("bits: 8", "bits: 2", "does not fit in 2 bits"),
        ("Logistic", "Tanh", "the digest does not match"),
        ("rmse: 0", "rmse: -0", "an error is below 0"),
        ("Model(", "Modell(", "found `Modell`"),
        ("network:", "netwrk:", "did you mean `network`?"),
    ] {
        assert!(model.contains(from), "{from}");
        bench.write("edited.ron", &model.replacen(from, to, 1));
        let refused = bench.run(&["predict", "edited.ron", "--data", "new.csv"]);
        refused.assert_refused(3, &[message, "edited.ron", "hint"]);
    }
    let replayed = bench.run(&["replay", "run/model.ron"]);
    replayed.assert_refused(3, &["this is a model", "--> run/model.ron:", "`bitloop predict"]);
    bench.run(&["train", "fit.ron", "--plant", "p"]).assert_refused(2, &["--plant", "hint"]);
    bench.run(&["train", "fit.ron", "--data", "d"]).assert_refused(2, &["--data", "formula"]);
    bench.write("quick.ron", QUICK);
    bench.run(&["train", "quick.ron", "--data", "d"]).assert_refused(2, &["--data", "plant"]);
}

#[test]
fn an_earlier_model_is_kept_under_another_name() {
    let bench = Bench::new();
    bench.write("fit.ron", QUICK_FIT);
    let first = bench.run(&["train", "fit.ron", "--out", "run", "--json"]).json();
    let args = ["train", "fit.ron", "--out", "run", "--json", "--seed", "2"];
    let second = bench.run(&args).json();
    assert_ne!(first["model_digest"], second["model_digest"]);
    let digest = first["model_digest"].as_str().unwrap();
    assert!(bench.read("run/earlier-1/model.ron").contains(digest));
    let again = bench.run(&["train", "--resume", "run"]);
    assert!(again.stdout.contains("run/model.ron"), "{again:?}");
    assert!(again.stdout.contains("validation error"), "{again:?}");
}

#[test]
fn a_campaign_on_examples_tells_means_and_goes_on() {
    let bench = Bench::new();
    bench.write("fit.ron", QUICK_FIT);
    let vary = [
        "--vary",
        "network.hidden=[3],[4]",
        "--vary",
        "split=(training: 150, validation: 24),(training: 130, validation: 20, test: 24)",
    ];
    let args = [&["campaign", "fit.ron", "--runs", "3", "--out", "c"][..], &vary].concat();
    let whole = bench.run(&[&args[..], &["--json"]].concat());
    let variants = whole.json()["variants"].as_array().unwrap().clone();
    assert_eq!(variants.len(), 4);
    for variant in &variants {
        let runs = variant["training_list"].as_array().unwrap();
        let errors: Vec<f64> = runs.iter().map(|run| run["error"].as_f64().unwrap()).collect();
        let mean = errors.iter().sum::<f64>() / 3.0;
        let squares: f64 = errors.iter().map(|error| (error - mean) * (error - mean)).sum();
        let close = |key: &str, expected: f64| {
            assert!((variant[key].as_f64().unwrap() - expected).abs() < 1e-12, "{key}");
        };
        close("mean_error", mean);
        close("standard_error", (squares / 6.0).sqrt());
        assert!(runs.iter().all(|run| run["classified"].is_number()));
        assert!(runs.iter().all(|run| run["model"].is_string() && run["controller"].is_null()));
        // Without test rows, the error is the lowest on the validation rows.
        let is_test = variant["name"].as_str().unwrap().contains("test: 24");
        assert_eq!(runs.iter().all(|run| run["error"] == run["validation_error"]), !is_test);
        let (set, unknown) = if is_test { ("test", false) } else { ("validation", true) };
        assert!(runs.iter().all(|run| run["error_on"] == set));
        assert!(runs.iter().all(|run| run["test_error"].is_null() == unknown));
    }
    let record = std::fs::read_dir(bench.path("c")).unwrap().find_map(|folder| {
        let path = folder.unwrap().path().join("training-0001.ron");
        path.exists().then_some(path)
    });
    std::fs::remove_file(record.unwrap()).unwrap();
    let again = bench.run(&["campaign", "--resume", "c", "--json"]);
    assert!(again.stderr.contains("11 of 12 were finished before"), "{}", again.stderr);
    for (variant, before) in again.json()["variants"].as_array().unwrap().iter().zip(&variants) {
        assert_eq!(variant["mean_error"], before["mean_error"]);
    }
    let text = bench.run(&args).stdout;
    assert!(text.contains("standard error") && text.contains("the paper's protocol"), "{text}");
    // Nor does it speak of plants.
    assert!(!text.contains("splits of their own") && !text.contains("plant steps"), "{text}");
}

#[test]
fn the_share_of_zeros_at_the_end_stands_beside_the_one_at_the_start_and_can_be_held() {
    let bench = Bench::new();
    let with = |more: &str| QUICK_FIT.replace("bits: 8,", &format!("bits: 8, {more}"));
    bench.write("free.ron", &with("zero_share: 0.5,"));
    bench.write("held.ron", &with("zero_share: 0.5, hold_zeros: true,"));
    bench.write("plain.ron", QUICK_FIT);
    let trained = |name: &str| bench.run(&["train", &format!("{name}.ron"), "--json"]).json();
    let (free, held, plain) = (trained("free"), trained("held"), trained("plain"));
    // 17 weights, of which 8 start at zero.
    assert!(free["zero_share"].as_f64().unwrap() < 0.4, "{free:?}");
    assert!(held["zero_share"].as_f64().unwrap() >= 8.0 / 17.0, "{held:?}");
    assert_eq!(free["start_zero_share"], 8.0 / 17.0);
    assert_eq!(plain.get("start_zero_share"), None);
    let text = bench.run(&["train", "held.ron", "--out", "again"]).stdout;
    assert!(text.contains(" %, 47.1 % at the start"), "{text}");
    let check = bench.run(&["scenario", "check", "held.ron"]).stdout;
    assert!(check.contains("50 % of the weights start at zero, and as many stay there"), "{check}");
}

/// A scenario of numbers, whose sizes are those of a price.
fn with_prices() -> Bench {
    let bench = Bench::new();
    let rows = (0..80).map(|row| format!("{}.5,{},{}\n", row % 9, row * row % 17, 1000 + row % 11));
    bench.write("prices.csv", &format!("size,weight,price\n{}", rows.collect::<String>()));
    bench.write(
        "prices.ron",
        r#"Supervised(
    data: File(path: "prices.csv", targets: Numbers(["price"])),
    split: (training: 50, validation: 15, test: 15),
    network: (hidden: [3]),
    training: TelescopicBlm(bits: 4),
    stop: (evaluations: 300),
)"#,
    );
    bench
}

#[test]
fn an_error_of_scaled_targets_says_so_and_is_given_in_their_own_unit() {
    let bench = with_prices();
    let text = bench.run(&["train", "prices.ron", "--out", "run"]).stdout;
    assert!(text.contains("(RMSE in standard deviations of the target, "), "{text}");
    assert!(text.contains(" unscaled, over 15 rows)"), "{text}");
    let result: Value = serde_json::from_str(&bench.read("run/result.json")).unwrap();
    assert_eq!(result["error_unit"], "StandardDeviation");
    let error = |set: &str| result[format!("{set}_error")].as_f64().unwrap();
    let unscaled = |set: &str| result[format!("{set}_unscaled_error")].as_f64().unwrap();
    let ratio = unscaled("test") / error("test");
    assert!((unscaled("training") / error("training") / ratio - 1.0).abs() < 1e-12);
    // The standard deviation of 0 to 10.
    assert!((2.0..4.5).contains(&ratio), "{ratio}");
    // `predict` computes it from its answers.
    let scored = bench.run(&["predict", "run/model.ron", "--data", "prices.csv", "--json"]).json();
    let scored = Value::Object(scored);
    let own = scored["targets"][0]["rmse"].as_f64().unwrap_or_else(|| panic!("{scored}"));
    let scaled = scored["rmse"].as_f64().unwrap_or_else(|| panic!("{scored}"));
    assert!((own / scaled / ratio - 1.0).abs() < 1e-9, "{own} {scaled} {ratio}");

    let scenario = bench.read("prices.ron");
    bench.write(
        "as-is.ron",
        &scenario.replace("    split", "    scaling: (targets: None),\n    split"),
    );
    let text = bench.run(&["train", "as-is.ron", "--out", "as-is"]).stdout;
    assert!(text.contains("(RMSE in the unit of the target over 15 rows)"), "{text}");
}

#[test]
fn errors_of_other_figures_or_scales_are_not_compared() {
    let bench = with_prices();
    // The first one scales by the standard deviation, the second one by the range.
    let vary = "training=TelescopicBlm(bits: 4),TelescopicBlm(bits: 4, max_weight: 2)";
    let campaign = |vary: &str, out: &str, more: &[&str]| {
        let arguments = [
            "campaign",
            "prices.ron",
            "--runs",
            "2",
            "--vary",
            vary,
            "--success",
            "0.5",
            "--out",
            out,
        ];
        bench.run(&[&arguments[..], more].concat())
    };
    let text = campaign(vary, "mixed", &[]).stdout;
    for fragment in [
        "WARNING: the errors of these variants cannot be compared",
        " = hint: write `scaling`",
        "RMSE in standard deviations of the target",
        "RMSE of the target scaled to [0, 1] by its range",
    ] {
        assert!(text.contains(fragment), "{fragment}: {text}");
    }
    assert!(!text.contains("The lowest is"), "{text}");
    let outcome = campaign(vary, "mixed", &["--json"]);
    assert!(outcome.stderr.contains("warning: the errors of these variants"), "{outcome:?}");
    let json = Value::Object(outcome.json());
    assert_eq!(json["errors_are_comparable"], false);
    assert_eq!(json["variants"][0]["error_unit"], "StandardDeviation");
    assert_eq!(json["variants"][1]["error_unit"]["Range"], json!([0.0, 1.0]));
    assert_eq!(json["variants"][1]["error_figure"], "Rmse");
    let plot = bench.run(&["plot", "variants", "mixed", "-o", "errors.svg"]);
    assert_eq!(plot.code, Some(0), "{plot:?}");
    let svg = bench.read("errors.svg");
    assert!(svg.contains("cannot be compared") && svg.contains("in standard deviations"), "{svg}");

    let compared = ["compare", "prices.ron", "--runs", "2", "--success", "10", "--vary", vary];
    let text = bench.run(&[&compared[..], &["--out", "compared"]].concat()).stdout;
    assert!(text.contains("WARNING: prices: the errors of these variants"), "{text}");
    assert!(!text.contains("geometric mean"), "{text}");

    // With one scale for all, there is nothing to warn of.
    let same = "training=TelescopicBlm(bits: 4),TelescopicBlm(bits: 6)";
    let text = campaign(same, "same", &[]).stdout;
    assert!(text.contains("; errors are RMSE in standard deviations of the target"), "{text}");
    assert!(text.contains("The lowest is") && !text.contains("WARNING"), "{text}");
    assert_eq!(campaign(same, "same", &["--json"]).json()["errors_are_comparable"], true);
}
