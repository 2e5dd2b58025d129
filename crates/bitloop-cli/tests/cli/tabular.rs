//! What people have in their tables: words, gaps, ids, and rows that come through a pipe.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Stdio;

use crate::support::{Bench, Outcome};

/// 60 houses: an id, a district in words with gaps, a size with gaps, and a price that depends on both.
fn rows() -> String {
    let mut text = "id,district,size,price\n".to_owned();
    for row in 0..60_u32 {
        let (district, base) = [("north", 10), ("south", 20), ("west", 40)][(row % 3) as usize];
        let size = row * 7 % 30;
        let (shown_district, shown_size) = match row % 10 {
            4 => ("", size.to_string()),
            7 => (district, "NA".to_owned()),
            _ => (district, size.to_string()),
        };
        let _ = writeln!(text, "h{row},{shown_district},{shown_size},{}", base + size);
    }
    text
}

const FIT: &str = r#"Supervised(
    data: File(path: "rows.csv", ignored: ["id"], missing: Mean, targets: Numbers(["price"])),
    split: (training: 0.7, validation: 0.3),
    network: (hidden: [3]),
    training: TelescopicBlm(bits: 6),
    stop: (evaluations: 1000),
)"#;

fn trained(text: &str) -> Bench {
    let bench = Bench::new();
    bench.write("rows.csv", &rows());
    bench.write("fit.ron", text);
    bench.run(&["train", "fit.ron", "--out", "run", "--json"]).json();
    bench
}

/// Runs a command with a text on its standard input.
fn piped(bench: &Bench, args: &[&str], text: &str) -> Outcome {
    let mut command = bench.command(args);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn columns_of_words_are_recognized() {
    let recognized = trained(FIT);
    let text = recognized.run(&["scenario", "check", "fit.ron"]).stdout;
    assert!(text.contains("nominal inputs") && text.contains("district"), "{text}");
    let named = trained(&FIT.replace("missing:", "nominal: [\"district\"], missing:"));
    let digest = |bench: &Bench| {
        bench.run(&["controller", "show", "run/model.ron", "--json"]).json()["digest"].clone()
    };
    assert_eq!(digest(&recognized), digest(&named));
    // Names are no inputs.
    recognized.write("fit.ron", &FIT.replace("ignored: [\"id\"], ", ""));
    recognized
        .run(&["train", "fit.ron"])
        .assert_refused(3, &["60 different words in 60 rows", "`ignored`"]);
    // Nor is a column of words in which one cell is a number.
    recognized.write("rows.csv", &rows().replacen("west", "7", 1));
    recognized.write("fit.ron", FIT);
    recognized
        .run(&["train", "fit.ron"])
        .assert_refused(3, &["expected a finite number", "nominal"]);
}

#[test]
fn a_gap_can_have_a_word_of_its_own() {
    let words = |missing: &str| {
        let bench = trained(&FIT.replace("Mean", missing));
        let shown = bench.run(&["controller", "show", "run/model.ron", "--json"]).json();
        shown["inputs"].to_string()
    };
    assert!(words("Word").contains("\"missing\""), "{}", words("Word"));
    assert!(!words("Mean").contains("\"missing\""));
    // Rows with gaps are answered, too.
    let bench = trained(&FIT.replace("Mean", "Word"));
    bench.write("new.csv", "district,size\n?,10\nwest,\n");
    let predict = ["predict", "run/model.ron", "--data", "new.csv", "--unlabeled", "--csv", "-"];
    assert_eq!(bench.run(&predict).stdout.lines().count(), 3);
}

#[test]
fn unknown_words_are_taken_on_request() {
    let bench = trained(FIT);
    bench.write("new.csv", "district,size\nharbor,10\nwest,3\nairport,5\n");
    let predict =
        ["predict", "run/model.ron", "--data", "new.csv", "--unlabeled", "--csv", "p.csv"];
    bench.run(&predict).assert_refused(3, &["found `harbor`", "line 2", "--unknown-words"]);
    let taken = bench.run(&[&predict[..], &["--unknown-words"]].concat());
    assert!(taken.stderr.contains("2 cells of nominal inputs"), "{taken:?}");
    let answers = bench.read("p.csv");
    assert_eq!(answers.lines().count(), 4);
    // What is known is answered as without the option.
    bench.write("known.csv", "district,size\nwest,3\n");
    let known = ["predict", "run/model.ron", "--data", "known.csv", "--unlabeled", "--csv", "-"];
    let line =
        bench.run(&known).stdout.lines().nth(1).unwrap().split_once(',').unwrap().1.to_owned();
    assert!(answers.lines().nth(2).unwrap().ends_with(&line), "{answers} {line}");
}

#[test]
fn ids_and_true_values_go_into_the_answers() {
    let bench = trained(FIT);
    let predict = |keep: &str| {
        let args =
            ["predict", "run/model.ron", "--data", "rows.csv", "--csv", "p.csv", "--keep", keep];
        bench.run(&args)
    };
    assert_eq!(predict("id,price,3").code, Some(0));
    let answers = bench.read("p.csv");
    let mut lines = answers.lines();
    assert_eq!(lines.next(), Some("row,id,true price,size,price,output 1"));
    for (line, own) in lines.zip(rows().lines().skip(1)) {
        let (cells, own): (Vec<&str>, Vec<&str>) =
            (line.split(',').collect(), own.split(',').collect());
        assert_eq!(cells[1..4], [own[0], own[3], own[2]]);
    }
    predict("name").assert_refused(3, &["no column `name`", "rows.csv"]);
    predict("9").assert_refused(3, &["no column"]);
    let alone = ["predict", "run/model.ron", "--data", "rows.csv", "--keep", "id"];
    bench.run(&alone).assert_refused(2, &["--csv"]);
}

#[test]
fn rows_come_through_a_pipe() {
    let bench = trained(FIT);
    let of_file = bench.run(&["predict", "run/model.ron", "--data", "rows.csv", "--json"]);
    let args = ["predict", "run/model.ron", "--data", "-", "--json"];
    let of_pipe = piped(&bench, &args, &rows());
    assert_eq!(of_pipe.number("rmse"), of_file.number("rmse"));
    assert_eq!(of_pipe.json()["data"], "-");
    piped(&bench, &args, "district,size,price\nwest,x,3\n")
        .assert_refused(3, &["standard input, line 2", "found `x`"]);
    piped(&bench, &args, "").assert_refused(3, &["no rows"]);
    piped(&bench, &["train", "fit.ron", "--data", "-"], &rows()).assert_refused(
        2,
        &["cannot read its rows from standard input", "write the rows into a file"],
    );
}
