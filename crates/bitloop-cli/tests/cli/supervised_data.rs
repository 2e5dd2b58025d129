//! Wrong supervised scenarios and wrong data; and the data sets of the paper, where they are there.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::support::{Bench, Outcome, QUICK_FIT, workspace};

const ROWS: &str = "name,size,kind,price\na,1,big,10\nb,2,small,20\nc,3,big,15\nd,4,small,40\n";

const FIT: &str = r#"Supervised(
    data: File(path: "rows.csv", ignored: ["name"], nominal: ["kind"], targets: Numbers(["price"])),
    split: (training: 3, validation: 1),
    network: (hidden: [2], hidden_activation: Tanh),
    training: TelescopicBlm(bits: 8, max_weight: 10, initialization: Bounded(0.1)),
    stop: (evaluations: 50),
)"#;

#[test]
fn each_mistake_in_a_supervised_scenario_is_reported_where_it_stands() {
    let bench = Bench::new();
    bench.write("rows.csv", ROWS);
    for (from, to, at, message, hint) in [
        ("Supervised(", "Supervized(", "Supervized", "found `Supervized`", "right kind of file"),
        ("path:", "pat:", "pat:", "unknown field `pat`", "did you mean `path`?"),
        ("File(", "Fil(", "Fil(", "unknown choice `Fil`", "did you mean `File`?"),
        ("rows.csv", "row.csv", "\"row.csv", "row.csv: no such file", "--data FILE"),
        ("\"kind\"", "\"kid\"", "Numbers(", "no column `kid`", "check the spelling"),
        ("[\"name\"]", "[9]", "Numbers(", "no column 9: expected 1 to 4", "counted from 1"),
        ("[\"name\"]", "[0]", "[0]", "there is no column 0", "counted from 1"),
        ("[\"name\"]", "[1.5]", "1.5", "a column's number", "compare"),
        ("[\"name\"]", "[name]", "name]", "in quotes, found name", "put it in quotes: \"name\""),
        ("[\"name\"]", "[()]", "()", "found a unit value", "compare"),
        ("Numbers([\"price\"])", "Numbers([])", "Numbers", "nothing to answer", "name one column"),
        ("nominal", "header: false, nominal", "[\"name\"]", "without a header", "by its number"),
        ("Numbers([\"price\"])", "\"price\"", "\"price\"", "expected a name", "Numbers([\"y\"])"),
        ("Numbers([\"price\"])", "[\"price\"]", "[\"price", "expected a name", "Classes(\"y\")"),
        ("Numbers([\"price\"])", "Numbers(\"price\")", "\"price", "expected a list", "with a list"),
        (
            "training: 3,",
            "training: 1.7,",
            "1.7",
            "a share must be from 0 to 1",
            "no decimal point",
        ),
        (
            "validation: 1)",
            "validation: \"30%\")",
            "30%",
            "a whole number of rows",
            "`training: 140`",
        ),
        ("training: 3,", "training: 4,", "(training: 4", "4 + 1 + 0 rows", "smaller parts"),
        ("training: 3,", "training: 0,", "0, val", "no row is for training", "how many"),
        ("    split: (training: 3, validation: 1),\n", "", "Supervised", "rows are split", "add"),
        ("hidden: [2]", "hidden: [0]", "0]", "from 1 to 65536 units", "leave the layer out"),
        ("hidden: [2]", "hidden: [65536, 65536]", "[65536", "more than 16777216", "smaller"),
        ("Tanh", "[Tanh, Tanh]", "[Tanh", "of hidden layers 1", "list one for each"),
        ("Tanh", "Tan", "Tan)", "unknown choice `Tan`", "did you mean `Tanh`?"),
        ("bits: 8", "bits: 1", "1, max", "bits must be from 2 to 24", "16 is usual"),
        ("bits: 8", "bits: 8, zero_share: 1", "1, max", "from 0 to below 1", "0.5"),
        (
            "bits: 8",
            "bits: 8, hold_zeros: true",
            "true",
            "without zero_share",
            "leave `hold_zeros` out",
        ),
        (
            "TelescopicBlm(",
            "Annealing(",
            "Annealing",
            "unknown choice `Annealing`",
            "TelescopicBlm",
        ),
        (
            "TelescopicBlm(bits: 8, max_weight: 10, initialization: Bounded(0.1))",
            "ExtremeLearning(ridges: [1, -1])",
            "-1]",
            "a regularization constant must be above 0",
            "above 0",
        ),
        (
            "TelescopicBlm(bits: 8, max_weight: 10, initialization: Bounded(0.1))",
            "Backpropagation(momentum: 1)",
            "1),\n    stop",
            "the momentum must be from 0 to below 1",
            "0.9",
        ),
        ("stop:", "loss: SoftmaxCrossEntropy, stop:", "SoftmaxC", "sum to 1", "SquaredError"),
        ("stop:", "regularization: -1, stop:", "-1", "must be 0 or more", "write 0"),
        ("stop:", "scaling: (inputs: (1, 1)), stop:", "(1, 1)", "must go up", "(-1, 1)"),
        ("evaluations: 50", "target: 0.1", "(target", "may never be met", "seconds: 60"),
    ] {
        let text = FIT.replacen(from, to, 1);
        assert_ne!(text, FIT, "{from}");
        bench.write("spoiled.ron", &text);
        let before = text.split_once(at).expect(at).0;
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().expect("a line").len() + 1;
        let place = format!("--> spoiled.ron:{line}:{column}\n");
        let refused = bench.run(&["train", "spoiled.ron", "--json"]);
        refused.assert_refused(3, &[message, &place, "= hint: ", hint]);
    }
    assert!(!bench.path("runs").exists(), "a refused scenario leaves nothing behind");
    bench.write("fit.ron", FIT);
    for command in ["lqr", "bench"] {
        let refused = bench.run(&[command, "fit.ron"]);
        let message = format!("`bitloop {command}` needs one of a plant");
        refused.assert_refused(3, &[&message, "--> fit.ron:1:1", "hint"]);
    }
}

#[test]
fn bad_rows_are_reported_with_line_and_column() {
    let bench = Bench::new();
    bench.write("fit.ron", FIT);
    bench.write("rows.csv", ROWS);
    bench.run(&["train", "fit.ron", "--out", "run", "--json"]).json();
    for (from, to, fragments) in [
        ("b,2,", "b,,", ["missing", "bad.csv, line 3, column 2 (`size`)"]),
        ("b,2,", "b,two,", ["`two`", "bad.csv, line 3, column 2 (`size`)"]),
        ("b,2,", "b,inf,", ["inf", "bad.csv, line 3, column 2 (`size`)"]),
        ("d,4,small,40", "d,4,small", ["expected 4 cells, found 3", "bad.csv, line 5"]),
        ("20\n", "?\n", ["missing", "bad.csv, line 3, column 4 (`price`)"]),
    ] {
        let text = ROWS.replacen(from, to, 1);
        assert_ne!(text, ROWS, "{from}");
        bench.write("bad.csv", &text);
        bench.run(&["train", "fit.ron", "--data", "bad.csv"]).assert_refused(3, &fragments);
        bench.run(&["predict", "run/model.ron", "--data", "bad.csv"]).assert_refused(3, &fragments);
    }
    // Each hint is one that leads to a scenario that trains.
    for (from, to, hint, scenario) in [
        (
            "10\n",
            "cheap\n",
            "write `targets: Classes(...)`",
            FIT.replace("Numbers([\"price\"])", "Classes(\"price\")"),
        ),
        (
            "a,1,",
            "a,2024-05-01,",
            "leave the column out with `ignored`",
            FIT.replace("[\"name\"]", "[\"name\", \"size\"]"),
        ),
        (
            "a,1,",
            "a,True,",
            "name a column of words in `nominal`",
            FIT.replace("[\"kind\"]", "[\"kind\", \"size\"]"),
        ),
    ] {
        bench.write("rows.csv", &ROWS.replacen(from, to, 1));
        bench.run(&["train", "fit.ron"]).assert_refused(3, &["expected a finite number", hint]);
        bench.write("better.ron", &scenario);
        let trained = bench.run(&["train", "better.ron", "--json"]);
        assert_eq!(trained.code, Some(0), "{trained:?}");
    }
    // Two columns have the same name: their numbers choose between them.
    bench.write("rows.csv", &ROWS.replacen("size,kind", "kind,kind", 1));
    bench
        .run(&["train", "fit.ron"])
        .assert_refused(3, &["two columns are called `kind`", "numbers"]);
    bench.write("numbers.ron", &FIT.replace("nominal: [\"kind\"]", "nominal: [3]"));
    bench.run(&["train", "numbers.ron", "--out", "numbers", "--json"]).json();
    let predict = ["predict", "numbers/model.ron", "--data", "rows.csv", "--json"];
    assert_eq!(bench.run(&predict).json()["rows"], 4);
    bench.write("rows.csv", ROWS);
    bench.write("fit.ron", FIT);
    // A word that the training has not seen.
    bench.write("bad.csv", &ROWS.replace("b,2,small", "b,2,tiny"));
    bench
        .run(&["predict", "run/model.ron", "--data", "bad.csv"])
        .assert_refused(3, &["`tiny`", "line 3, column 3 (`kind`)"]);
    bench
        .run(&["predict", "run/model.ron", "--data", "run"])
        .assert_refused(3, &["not a regular file"]);
}

#[test]
fn relative_paths_start_at_the_scenario_and_survive_a_resumption() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("there")).unwrap();
    bench.write("there/fit.ron", FIT);
    bench.write("there/rows.csv", ROWS);
    let args = ["train", "there/fit.ron", "--out", "run", "--json", "--seconds", "1e-9"];
    bench.run(&args).json();
    let resumed = bench.run(&["train", "--resume", "run", "--json", "--seconds", "60"]).json();
    assert_eq!(resumed["stop_reason"], "evaluations");
    let whole = bench.run(&["train", "there/fit.ron", "--out", "whole", "--json"]).json();
    assert_eq!(resumed["model_digest"], whole["model_digest"]);
    let args = ["campaign", "there/fit.ron", "--runs", "2", "--out", "c", "--json"];
    let campaign = bench.run(&args).json();
    std::fs::remove_file(bench.path("c/training-0000.ron")).unwrap();
    let again = bench.run(&["campaign", "--resume", "c", "--json"]).json();
    assert_eq!(again["mean_error"], campaign["mean_error"]);
}

/// A data set of the paper, if it is there.
fn shared(name: &str) -> Option<String> {
    let path: PathBuf = workspace().join("../shared/data").join(name);
    if path.exists() {
        return Some(path.to_str().unwrap().to_owned());
    }
    println!("skipped: {} is not there", path.display());
    None
}

#[test]
fn the_scenarios_of_the_paper_fit_their_data() {
    let bench = Bench::new();
    for (scenario, data, sizes) in [
        ("yeast.ron", "yeast/yeast.data", [8, 10, 1038, 446]),
        ("abalone.ron", "abalone/abalone.data", [10, 1, 2924, 1253]),
        ("house16h.ron", "house16H/574_house_16H.tsv.gz", [16, 1, 15948, 6836]),
    ] {
        let path = workspace().join("scenarios").join(scenario);
        let Some(data) = shared(data) else { continue };
        let args = ["train", path.to_str().unwrap(), "--data", &data, "--json", "--seconds", "0.1"];
        let result = bench.run(&args).json();
        assert_eq!(result["stop_reason"], "seconds");
        let folder = format!("runs/{}-seed1", scenario.trim_end_matches(".ron"));
        let shown = bench.run(&["controller", "show", &format!("{folder}/model.ron")]);
        assert!(shown.stdout.contains(&format!("{} inputs", sizes[0])), "{}", shown.stdout);
        assert!(shown.stdout.contains(&format!("-> {} Lin", sizes[1])) || sizes[1] == 10);
        for rows in &sizes[2..] {
            assert!(shown.stdout.contains(&format!("{rows} rows")), "{}", shown.stdout);
        }
        let model = format!("{folder}/model.ron");
        bench.run(&["predict", &model, "--data", &data, "--json"]).json();
    }
}

#[test]
fn the_comparison_of_the_paper_runs_from_one_command() {
    let bench = Bench::new();
    let Some(data) = shared("yeast/yeast.data") else { return };
    std::fs::create_dir(bench.path("scenarios")).unwrap();
    for file in ["compare.sh", "yeast.ron"] {
        let name = format!("scenarios/{file}");
        std::fs::copy(workspace().join(&name), bench.path(&name)).unwrap();
    }
    let compare = |set_name: &str| {
        let mut command = Command::new("scenarios/compare.sh");
        command.args([set_name, "--data", &data, "--json", "--vary", "stop.evaluations=2"]);
        command.env("BITLOOP", env!("CARGO_BIN_EXE_bitloop")).env("RUNS", "1");
        Outcome::of(command.current_dir(bench.path("")))
    };
    let outcome = compare("yeast");
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let campaigns = serde_json::Deserializer::from_str(&outcome.stdout).into_iter::<Value>();
    let n_variants =
        campaigns.map(|campaign| campaign.unwrap()["variants"].as_array().unwrap().len());
    // BLM, one-step secant and extreme learning, by both protocols.
    assert_eq!(n_variants.collect::<Vec<_>>(), [16, 4, 2, 16, 4, 2]);
    compare("yeats").assert_refused(2, &["no data set yeats; there are yeast"]);
}

#[test]
fn the_reference_points_of_the_spirals_are_those_of_the_formula() {
    let Some(data) = shared("two-spirals/cmu-194.csv") else { return };
    let bench = Bench::new();
    let split = "split: (training: 194, order: File),";
    let text = QUICK_FIT.replace("split: (training: 150, validation: 24, test: 20),", split);
    bench.write("fit.ron", &text);
    let trained = bench.run(&["train", "fit.ron", "--out", "run", "--json"]).json();
    let scored = bench.run(&["predict", "run/model.ron", "--data", &data, "--json"]).json();
    assert_eq!(scored["classified"], trained["training_classified"]);
    let [trained, scored] =
        [&trained["training_error"], &scored["rmse"]].map(|v| v.as_f64().unwrap());
    // The points there are rounded in the last place.
    assert!((trained - scored).abs() < 1e-12, "{trained} {scored}");
}
