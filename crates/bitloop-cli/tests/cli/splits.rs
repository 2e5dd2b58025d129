//! How rows come into their parts: by shares, by classes, by groups, by folds, and from files of their own.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;

use crate::support::{Bench, QUICK};

/// 120 rows of 24 patients; a sixth of the patients is ill.
fn rows() -> String {
    let mut text = "patient,x,y,ill\n".to_owned();
    for row in 0..120_u32 {
        let patient = row * 7 % 24;
        let (x, y) = (f64::from(row % 11), f64::from(row * 5 % 13) + f64::from(patient % 6));
        let ill = if patient % 6 == 0 { "yes" } else { "no" };
        let _ = writeln!(text, "p{patient},{x},{y},{ill}");
    }
    text
}

fn fit(data: &str, split: &str) -> String {
    format!(
        "Supervised(data: File(path: \"rows.csv\", {data} targets: Classes(\"ill\")), {split} \
         network: (hidden: [3]), training: TelescopicBlm(bits: 6), stop: (evaluations: 500))"
    )
}

const SHARES: &str = "split: (training: 0.6, validation: 0.15, test: 0.25, stratified: true, grouped_by: \"patient\"),";

fn bench(data: &str, split: &str) -> Bench {
    let bench = Bench::new();
    bench.write("rows.csv", &rows());
    bench.write("fit.ron", &fit(data, split));
    bench
}

#[test]
fn shares_are_stratified_and_grouped() {
    let bench = bench("", SHARES);
    let check = bench.run(&["scenario", "check", "fit.ron", "--json"]).json();
    let rows = ["training_rows", "validation_rows", "test_rows"].map(|key| check[key].as_u64());
    let [training, validation, test] = rows.map(Option::unwrap);
    assert_eq!(training + validation + test, 120);
    // Groups of five rows.
    assert!([training, validation, test].iter().all(|n| n % 5 == 0), "{check:?}");
    assert!(training.abs_diff(72) <= 5 && test.abs_diff(30) <= 5, "{check:?}");
    // The column of groups is no input.
    assert_eq!(check["inputs"], 2);
    let text = bench.run(&["scenario", "check", "fit.ron"]).stdout;
    assert!(text.contains("drawn by the seed, stratified, grouped by patient"), "{text}");
    let trained = bench.run(&["train", "fit.ron", "--out", "run", "--json"]).json();
    assert!(trained["test_error"].is_number());
}

#[test]
fn a_split_has_a_seed_of_its_own() {
    let digests = |split: &str, seed: &str| {
        let bench = bench("ignored: [\"patient\"],", split);
        bench.run(&["train", "fit.ron", "--out", "run", "--seed", seed, "--json"]).json();
        let model = bench.read("run/model.ron");
        let (_, rest) = model.split_once("row_digests:").unwrap();
        let text: String = rest.chars().filter(|c| !c.is_whitespace()).collect();
        text.split_once("made_by").unwrap().0.to_owned()
    };
    let own = "split: (training: 0.7, test: 0.3, seed: 9),";
    assert_eq!(digests(own, "1"), digests(own, "2"));
    let common = "split: (training: 0.7, test: 0.3),";
    assert_ne!(digests(common, "1"), digests(common, "2"));
}

/// Some of the rows, counted from 1, below the names of the columns.
fn part(range: Range<usize>) -> String {
    let all = rows();
    let lines: Vec<&str> = all.lines().collect();
    let text: Vec<&str> = lines[..1].iter().chain(&lines[range]).copied().collect();
    text.join("\n") + "\n"
}

#[test]
fn parts_have_files_of_their_own() {
    let one = bench(
        "ignored: [\"patient\"],",
        "split: (training: 80, validation: 20, test: 20, order: File),",
    );
    let of_one = one.run(&["train", "fit.ron", "--out", "run", "--json"]).json();
    let data = "validation: \"validation.csv\", test: \"held/test.csv\", ignored: [\"patient\"],";
    let three = bench(data, "");
    fs::create_dir(three.path("held")).unwrap();
    three.write("rows.csv", &part(1..81));
    three.write("validation.csv", &part(81..101));
    // Columns are found by their names.
    let turned: Vec<String> = part(101..121)
        .lines()
        .map(|line| line.split(',').rev().collect::<Vec<_>>().join(","))
        .collect();
    three.write("held/test.csv", &(turned.join("\n") + "\n"));
    let of_three = three.run(&["train", "fit.ron", "--out", "run", "--json"]).json();
    for key in ["training_error", "validation_error", "test_error"] {
        assert_eq!(of_one[key], of_three[key], "{key}");
    }
    let predict = ["predict", "run/model.ron", "--data", "held/test.csv"];
    assert!(three.run(&predict).stdout.contains("rows: the test rows of the model's training"));
    // A campaign that was moved, resumed or merged finds all files; another test file is another campaign.
    let campaign = ["campaign", "fit.ron", "--runs", "2", "--out", "c", "--json"];
    let before = three.run(&campaign).json();
    fs::remove_file(three.path("c/training-0001.ron")).unwrap();
    let again = three.run(&["campaign", "--resume", "c", "--json"]).json();
    assert_eq!(again["mean_error"], before["mean_error"]);
    three.write("held/test.csv", &part(91..121));
    three.run(&campaign).assert_refused(2, &["another scenario"]);
    let bad = part(101..121).replacen("no\n", "perhaps\n", 1).replacen(",no", ",?", 1);
    three.write("held/test.csv", &bad);
    three.run(&["train", "fit.ron", "--out", "r2"]).assert_refused(3, &["held/test.csv, line"]);
    fs::remove_file(three.path("held/test.csv")).unwrap();
    three
        .run(&["train", "fit.ron", "--out", "r2"])
        .assert_refused(3, &["test.csv: no such file", "--> fit.ron:1:"]);
}

/// The fields of data whose parts have files of their own.
const OWN: &str = "validation: \"validation.csv\", test: \"test.csv\", ignored: [\"patient\"],";

/// Files of the three parts in folder `here`, and the same under other names of folders in `there`.
fn two_places() -> Bench {
    let bench = bench(OWN, "");
    for (here, there, text) in [
        ("here/rows.csv", "there/a/rows.csv", part(1..81)),
        ("here/validation.csv", "there/b/validation.csv", part(81..101)),
        ("here/test.csv", "there/c/test.csv", part(101..121)),
    ] {
        for path in [here, there] {
            fs::create_dir_all(bench.path(path).parent().unwrap()).unwrap();
            bench.write(path, &text);
        }
    }
    fs::rename(bench.path("fit.ron"), bench.path("here/fit.ron")).unwrap();
    fs::copy(bench.path("here/fit.ron"), bench.path("fit.ron")).unwrap();
    fs::remove_file(bench.path("rows.csv")).unwrap();
    bench
}

/// Where the rows are, for a scenario in a folder without them.
const THERE: [&str; 6] = [
    "--data",
    "there/a/rows.csv",
    "--validation-data",
    "there/b/validation.csv",
    "--test-data",
    "there/c/test.csv",
];

#[test]
fn the_command_line_says_where_the_files_of_all_parts_are() {
    let bench = two_places();
    let here = bench.run(&["train", "here/fit.ron", "--out", "a", "--json"]).json();
    let args = [&["train", "fit.ron", "--out", "b", "--json"], &THERE[..]].concat();
    let there = bench.run(&args).json();
    for key in ["training_error", "validation_error", "test_error", "evaluations"] {
        assert_eq!(there[key], here[key], "{key}");
    }
    let model = bench.read("b/model.ron");
    let made = "--validation-data there/b/validation.csv --test-data there/c/test.csv --seed 1";
    assert!(model.contains(made), "{model}");
    // A training that goes on finds them from anywhere, and sees that rows of any part are others.
    let limit = ["--evaluations", "100"];
    let args = [&["train", "fit.ron", "--out", "c"], &limit[..], &THERE].concat();
    assert_eq!(bench.run(&args).code, Some(0));
    let more = ["train", "--resume", "c", "--evaluations", "200"];
    for path in ["there/b/validation.csv", "there/c/test.csv"] {
        let text = bench.read(path);
        bench.write(path, &part(1..21));
        bench.run(&more).assert_refused(1, &["put the data back as they were"]);
        bench.write(path, &text);
    }
    assert_eq!(bench.run(&more).code, Some(0));
    bench
        .run(&[&more[..], &["--test-data", "there/c/test.csv"]].concat())
        .assert_refused(2, &["--test-data", "cannot be used with"]);
}

#[test]
fn shards_on_machines_with_other_folders_are_told_where_all_files_are() {
    let bench = two_places();
    let campaign = ["campaign", "--runs", "4", "--out"];
    let whole = bench.run(&[&campaign[..], &["whole", "here/fit.ron", "--json"]].concat()).json();
    let first = ["parts", "here/fit.ron", "--shard", "0/2"];
    assert_eq!(bench.run(&[&campaign[..], &first].concat()).code, Some(0));
    let second = ["parts", "fit.ron", "--shard", "1/2"];
    bench
        .run(&[&campaign[..], &second, &THERE[..4]].concat())
        .assert_refused(3, &["test.csv: no such file", "`--test-data FILE` names another file"]);
    assert_eq!(bench.run(&[&campaign[..], &second, &THERE].concat()).code, Some(0));
    // Without the files of the first shard, `merge` needs the options. The merged folder keeps them for `--resume`.
    fs::rename(bench.path("here"), bench.path("elsewhere")).unwrap();
    let merge = ["merge", "parts", "--out", "merged", "--json"];
    assert_ne!(bench.run(&merge).code, Some(0));
    let merged = bench.run(&[&merge[..], &THERE].concat()).json();
    for key in ["mean_error", "min_error", "median_error"] {
        assert_eq!(merged[key], whole[key], "{key}");
    }
    fs::remove_file(bench.path("merged/training-0001.ron")).unwrap();
    let resumed = bench.run(&["campaign", "--resume", "merged", "--json"]).json();
    assert_eq!(resumed["mean_error"], whole["mean_error"]);
}

#[test]
fn shards_of_a_training_are_told_where_all_files_are() {
    let bench = two_places();
    let text = bench.read("fit.ron").replace("evaluations: 500", "runs: 3, run_evaluations: 100");
    bench.write("fit.ron", &text);
    let args = [&["train", "fit.ron", "--out", "whole", "--json"], &THERE[..]].concat();
    let whole = bench.run(&args).json();
    for shard in ["0/2", "1/2"] {
        let args = ["train", "fit.ron", "--out", "parts", "--shard", shard];
        assert_eq!(bench.run(&[&args[..], &THERE].concat()).code, Some(0));
    }
    let merged = bench.run(&["merge", "parts", "--out", "merged", "--json"]).json();
    for key in ["validation_error", "test_error", "runs", "model_digest"] {
        assert_eq!(merged[key], whole[key], "{key}");
    }
    assert!(bench.read("merged/model.ron").contains("--test-data"));
}

#[test]
fn a_resumed_campaign_has_the_files_that_its_variants_name() {
    let bench = bench("ignored: [\"patient\"],", SHARES);
    bench.write("fit.ron", &bench.read("fit.ron").replace(", grouped_by: \"patient\"", ""));
    bench.write("others.csv", &part(1..101));
    let vary = "data.path=\"rows.csv\",\"others.csv\"";
    let campaign = ["campaign", "fit.ron", "--runs", "2", "--vary", vary, "--out", "c"];
    assert_eq!(bench.run(&campaign).code, Some(0));
    let removed = "c/data.path=others.csv/training-0001";
    let names = [".ron", "-model.ron"].map(|end| format!("{removed}{end}"));
    let before = names.each_ref().map(|name| bench.read(name));
    fs::remove_file(bench.path(&names[0])).unwrap();
    assert_eq!(bench.run(&["campaign", "--resume", "c"]).code, Some(0));
    assert_eq!(names.each_ref().map(|name| bench.read(name)), before);
}

#[test]
fn files_of_parts_are_refused_where_there_are_none() {
    let bench = bench("ignored: [\"patient\"],", SHARES);
    for (option, part) in [("--validation-data", "validation"), ("--test-data", "test")] {
        let refused = bench.run(&["train", "fit.ron", option, "rows.csv"]);
        let rows = format!("{option} has no meaning for data whose {part} rows have no file");
        refused.assert_refused(2, &[&rows, &format!("write `{part}: \"FILE\"` into")]);
        bench.write("quick.ron", QUICK);
        let refused = bench.run(&["campaign", "quick.ron", option, "rows.csv"]);
        refused.assert_refused(2, &[option, "a scenario of a plant"]);
        bench.write("own.ron", &fit(OWN, ""));
        bench.run(&["train", "own.ron", option, "-"]).assert_refused(2, &["standard input"]);
        bench
            .run(&["train", "own.ron", option, "rows.csv"])
            .assert_refused(2, &["rows.csv would be the file of two parts", "hint"]);
    }
    bench
        .run(&["train", "own.ron", "--data", "test.csv"])
        .assert_refused(2, &["test.csv would be the file of two parts"]);
}

#[test]
fn folds_test_each_row_once() {
    let bench =
        bench("ignored: [\"patient\"],", "split: (training: 60, validation: 20, test: 40),");
    let args = ["campaign", "fit.ron", "--folds", "5", "--out", "c"];
    let campaign = bench.run(&[&args[..], &["--json"]].concat()).json();
    let trainings = campaign["variants"][0]["training_list"].as_array().unwrap();
    assert_eq!(trainings.len(), 5);
    assert!(trainings.iter().all(|training| training["error_on"] == "test"));
    assert!(
        trainings.iter().all(|training| training.get("plant_steps").is_none()),
        "{trainings:?}"
    );
    // The test rows of all trainings, by what predict says of them.
    let header_and_rows = rows();
    let lines: Vec<&str> = header_and_rows.lines().collect();
    let mut n_tested = 0;
    let mut digests = BTreeSet::new();
    for number in 0..5 {
        let shown = bench
            .run(&["controller", "show", &format!("c/training-{number:04}-model.ron"), "--json"])
            .json();
        let fits = &shown["fits"];
        let n = |part: &str| fits[part]["rows"].as_u64().unwrap();
        assert_eq!([n("training"), n("validation"), n("test")], [72, 24, 24]);
        n_tested += n("test");
        let model = bench.read(&format!("c/training-{number:04}-model.ron"));
        assert!(model.contains(&format!("index: {number}")), "{model}");
        let digest = digest_of(&model, "test");
        digests.insert(digest);
    }
    assert_eq!((n_tested, digests.len(), lines.len()), (120, 5, 121));
    // The five test parts together are all rows: their digests sum to that of the whole.
    let sum = digests.iter().fold(0_u128, |sum, digest| {
        sum.wrapping_add(u128::from_str_radix(digest.split_once('-').unwrap().1, 16).unwrap())
    });
    let whole = bench_of_all();
    assert_eq!(format!("120-{sum:032x}"), whole);
    let text = bench.run(&args).stdout;
    assert!(text.contains("tested on 5 folds"), "{text}");
    bench.write("plant.ron", QUICK);
    bench
        .run(&["campaign", "plant.ron", "--folds", "3"])
        .assert_refused(3, &["a scenario of a plant has no rows", "leave out --folds"]);
}

/// The digest of all rows, as one part.
fn bench_of_all() -> String {
    let all = bench("ignored: [\"patient\"],", "split: (training: 1.0),");
    all.run(&["train", "fit.ron", "--out", "run", "--json"]).json();
    let model = all.read("run/model.ron");
    digest_of(&model, "training")
}

/// The digest of the rows of a part, from the text of a model.
fn digest_of(model: &str, part: &str) -> String {
    let (_, digests) = model.split_once("row_digests:").unwrap();
    let (_, own) = digests.split_once(&format!("{part}: \"")).unwrap();
    own.split_once('"').unwrap().0.to_owned()
}

#[test]
fn what_cannot_be_split_is_refused_where_it_stands() {
    let with = |data: &str, split: &str, message: &str| {
        let bench = bench(data, split);
        bench.run(&["train", "fit.ron"]).assert_refused(3, &[message, "--> fit.ron:1:", "hint"]);
    };
    with("", "split: (training: 1.5),", "a share must be from 0 to 1, found 1.5");
    with("", "split: (training: 0.8, test: 0.3),", "the shares sum to 1.1");
    with("", "split: (training: -1),", "a whole number of rows, or a share");
    with("", "split: (training: 0.999, validation: 0.001),", "no row is for validation");
    with("", "split: (training: 0.5, grouped_by: \"doctor\"),", "no column `doctor`");
    with("", "split: (training: 0.5, validation: 0.5, fold: (index: 5, of: 5)),", "the last is 4");
    with("", "split: (training: 0.5, fold: (index: 0, of: 1)),", "expected from 2 to 10000 folds");
    with("test: \"t.csv\",", "split: (training: 0.5, test: 0.5),", "have a file of their own");
    with("", "split: (training: 0.5, order: File, seed: 1),", "which no seed draws");
    with("", "split: (training: 0.5, grouped_by: \"ill\"),", "grouped by their class");
    with("test: \"rows.csv\",", "split: (training: 0.5),", "its rows would be in two parts");
    with("", "", "does not say how rows are split");
    let bench = bench("", "\nsplit: (training: 0.5, grouped_by: \"doctor\"),");
    bench.run(&["train", "fit.ron"]).assert_refused(3, &["no column `doctor`", "fit.ron:2:"]);
    let numbers = fit("", SHARES).replace("Classes(\"ill\")", "Numbers([\"x\"])");
    bench.write("fit.ron", &numbers);
    bench.run(&["train", "fit.ron"]).assert_refused(3, &["stratified by classes", "fit.ron:1:"]);
}

#[test]
fn files_of_parts_share_no_group_and_have_rows() {
    let data = "test: \"t.csv\", missing: Drop,";
    let bench = bench(data, "split: (training: 0.8, validation: 0.2, grouped_by: \"patient\"),");
    bench.write("t.csv", "patient,x,y,ill\np100,1,2,yes\np3,1,2,no\n");
    let groups = ["rows of group `p3` are in two files", "in the same part"];
    bench.run(&["train", "fit.ron"]).assert_refused(3, &groups);
    // A row without a group is left out, as one without a target.
    bench.write("t.csv", "patient,x,y,ill\n,1,2,yes\np100,1,2,?\n");
    let empty = ["t.csv", "each row of this file lacks a value"];
    bench.run(&["train", "fit.ron"]).assert_refused(3, &empty);
    bench.write("t.csv", "patient,x,y,ill\n,1,2,yes\np100,1,2,no\n");
    let check = bench.run(&["scenario", "check", "fit.ron", "--json"]).json();
    assert_eq!(check["test_rows"], 1);
}

#[test]
fn folds_that_test_nothing_or_the_same_again_are_refused_at_once() {
    let bench = bench("", "split: (training: 0.8, validation: 0.2),");
    let campaign = |more: &[&str]| bench.run(&[&["campaign", "fit.ron"], more].concat());
    campaign(&["--folds", "5", "--runs", "7"])
        .assert_refused(3, &["do not test each of 5 folds alike", "multiple of --folds"]);
    campaign(&["--folds", "200"]).assert_refused(3, &["no row is for test"]);
    for order in ["order: File", "seed: 3"] {
        let split = format!("split: (training: 0.8, validation: 0.2, {order}),");
        bench.write("fit.ron", &fit("", &split));
        campaign(&["--folds", "5", "--runs", "10"])
            .assert_refused(3, &["a second round has the same folds"]);
    }
    assert!(!bench.path("runs").exists());
}
