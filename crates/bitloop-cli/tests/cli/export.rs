//! `bitloop controller export`.

use std::fmt::Write as _;
use std::fs;

use bitloop_export::{Decoding, Encoding, Reference};

use crate::support::{Bench, QUICK_FIT, workspace};

const TARGETS: [&str; 7] = ["c", "c-fixed", "rust", "rust-fixed", "numpy", "onnx", "fmu"];

fn shipped(name: &str) -> String {
    let path = workspace().join(format!("controllers/{name}.ron"));
    path.to_str().unwrap().to_owned()
}

#[test]
fn an_export_prints_its_files_its_notes_and_how_to_test_it() {
    let bench = Bench::new();
    let controller = shipped("pendulum-positions");
    for target in TARGETS {
        let arguments = ["controller", "export", &controller, "--to", target, "--out", target];
        let outcome = bench.run(&arguments);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert!(outcome.stdout.contains(&format!("Test it:\n  cd {target} && ")), "{outcome:?}");
        let mut contents = String::new();
        for file in fs::read_dir(bench.path(target)).unwrap() {
            let file = file.unwrap();
            let name = file.file_name().into_string().unwrap();
            assert!(outcome.stdout.contains(&format!("\n  {name}\n")), "{outcome:?}");
            contents += &String::from_utf8_lossy(&fs::read(file.path()).unwrap());
        }
        for fact in ["inverted-pendulum", "sample time      0.1 s", "input 1          theta [rad]"]
        {
            assert!(contents.contains(fact), "{fact} in {target}");
        }
    }
    let named =
        ["controller", "export", &controller, "--to", "c", "--out", "n", "--name", "2nd try"];
    let outcome = bench.run(&named);
    assert!(outcome.stdout.contains("`2nd try` is called controller_2nd_try"), "{outcome:?}");
    assert!(bench.path("n/controller_2nd_try.c").exists());
}

#[test]
fn an_export_tells_programs_what_it_wrote() {
    let bench = Bench::new();
    let controller = shipped("pendulum-full-2bit");
    let arguments =
        ["controller", "export", &controller, "--to", "c-fixed", "--out", "c", "--json"];
    let outcome = bench.run(&arguments);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let written = outcome.json();
    assert_eq!(written["folder"], "c");
    for file in written["files"].as_array().unwrap() {
        assert!(bench.path("c").join(file.as_str().unwrap()).exists(), "{file}");
    }
    assert!(written["notes"].to_string().contains("bytes of weights"), "{written:?}");
    assert!(written["self_test"].as_str().unwrap().starts_with("cc -std=c99"), "{written:?}");
}

#[test]
fn a_folder_with_files_in_it_is_refused() {
    let bench = Bench::new();
    let controller = shipped("pendulum-full-16bit");
    fs::create_dir(bench.path("mine")).unwrap();
    bench.write("mine/main.c", "int main(void) { return 0; }");
    for out in ["mine", "mine/main.c"] {
        let outcome = bench.run(&["controller", "export", &controller, "--to", "c", "--out", out]);
        let (code, message) =
            if out == "mine" { (2, "mine is not empty") } else { (1, "cannot be written") };
        outcome.assert_refused(code, &[message]);
    }
    assert_eq!(bench.read("mine/main.c"), "int main(void) { return 0; }");
    assert_eq!(fs::read_dir(bench.path("mine")).unwrap().count(), 1);
}

#[test]
fn a_damaged_controller_is_not_exported() {
    let bench = Bench::new();
    let text = fs::read_to_string(shipped("pendulum-full-16bit")).unwrap();
    let (head, tail) = text.split_once("codes: [").unwrap();
    let (first, others) = tail.split_once(',').unwrap();
    let other = first.trim().parse::<i32>().unwrap() / 2;
    bench.write("damaged.ron", &format!("{head}codes: [{other},{others}"));
    let outcome = bench.run(&["controller", "export", "damaged.ron", "--to", "c", "--out", "c"]);
    outcome.assert_refused(3, &["the digest does not match", "--> damaged.ron:"]);
    assert!(!bench.path("c").exists());
    let outcome = bench.run(&["controller", "export", "missing.ron", "--to", "c", "--out", "c"]);
    outcome.assert_refused(3, &["no such file"]);
}

/// Sizes, words and classes.
fn parts() -> String {
    let mut text = String::from("size,color,weight,kind,price\n");
    for row in 0..60 {
        let color = ["red", "light green", "blue"][row % 3];
        let kind = ["bolt", "nut", "pin", "cap"][row * row % 7 % 4];
        let (size, weight, price) = (row % 9, row * row % 17, row % 11);
        let _ = writeln!(text, "{size}.5,{color},{weight},{kind},{price}");
    }
    text
}

const PARTS: &str = r#"Supervised(
    data: File(path: "parts.csv", nominal: ["color", "kind"], targets: Numbers(["price"])),
    split: (training: 40, validation: 10, test: 10),
    network: (hidden: [3]),
    training: TelescopicBlm(bits: 8, max_weight: 10, initialization: Bounded(0.1), validate_every: 10),
    stop: (evaluations: 300),
)"#;

/// What an exported model reads for a cell: a number, or the position of a word.
fn number(encoding: &Encoding, cell: &str) -> f64 {
    match encoding {
        Encoding::Words(words) => words.iter().position(|word| word == cell).unwrap() as f64,
        _ => cell.parse().unwrap(),
    }
}

/// What an exported model's answer means.
fn text(decoding: &Decoding, answer: f64) -> String {
    match decoding {
        Decoding::Classes(classes) => {
            let is_it = |&(position, _): &(usize, &String)| position as f64 == answer;
            classes.iter().enumerate().find(is_it).unwrap().1.clone()
        }
        _ => answer.to_string(),
    }
}

#[test]
fn an_exported_model_gives_the_answers_of_predict() {
    let bench = Bench::new();
    bench.write("parts.csv", &parts());
    bench.write("numbers.ron", PARTS);
    let classes =
        PARTS.replace(", \"kind\"]", "]").replace("Numbers([\"price\"])", "Classes(\"kind\")");
    bench.write("classes.ron", &classes);
    // Scales that are found on the examples.
    let fitted = |text: &str| text.replace("max_weight: 10, initialization: Bounded(0.1), ", "");
    bench.write("fitted-numbers.ron", &fitted(PARTS));
    bench.write("fitted-classes.ron", &fitted(&classes));
    for scenario in ["numbers", "classes", "fitted-numbers", "fitted-classes"] {
        let file = format!("{scenario}.ron");
        bench.run(&["train", &file, "--out", scenario, "--json"]).json();
        let model = format!("{scenario}/model.ron");
        let predicted =
            bench.run(&["predict", &model, "--data", "parts.csv", "--csv", "answers.csv"]);
        assert_eq!(predicted.code, Some(0), "{predicted:?}");
        let portable = bitloop_export::read(&bench.path(&model)).unwrap();
        assert_eq!(portable.outputs[0].fit.is_some(), scenario == "fitted-numbers");
        let mut reference = Reference::new(&portable);
        let (rows, answers) = (bench.read("parts.csv"), bench.read("answers.csv"));
        let names: Vec<&str> = rows.lines().next().unwrap().split(',').collect();
        for (row, answer) in rows.lines().zip(answers.lines()).skip(1) {
            let cells: Vec<&str> = row.split(',').collect();
            let inputs = portable.inputs.iter().map(|input| {
                let at = names.iter().position(|name| *name == input.name).unwrap();
                number(&input.encoding, cells[at])
            });
            let outputs = reference.step(&inputs.collect::<Vec<_>>());
            let found = text(&portable.outputs[0].decoding, outputs[0]);
            assert_eq!(found, answer.split(',').nth(1).unwrap(), "{row}");
        }
    }
}

#[test]
fn a_replay_in_fixed_point_prints_what_it_costs() {
    let bench = Bench::new();
    let controller = shipped("pendulum-positions");
    let replay = |arguments: &[&str]| {
        bench.run(&[&["replay", &controller, "--episodes", "2"], arguments].concat())
    };
    let double = replay(&["--json"]).json();
    assert!(!double.contains_key("double_mean_error"));
    let fixed = replay(&["--json", "--fixed", "--csv", "fixed.csv"]).json();
    assert_eq!(fixed["double_mean_error"], double["mean_error"]);
    assert_ne!(fixed["trajectory_digest"], double["trajectory_digest"]);
    let ratio = fixed["mean_error"].as_f64().unwrap() / double["mean_error"].as_f64().unwrap();
    assert!((ratio - 1.0).abs() < 0.02, "{ratio}");
    // Forces are those of the fixed point, whole numbers of a unit that is no finer than 2^-31.
    let rows = bench.read("fixed.csv");
    let is_on_grid = |force: f64| (force * 2_147_483_648.0).fract() == 0.0;
    let force = |row: &str| row.rsplit(',').next().unwrap().parse::<f64>().ok();
    assert!(rows.lines().skip(1).filter_map(force).all(is_on_grid));
    let isolated = replay(&["--json", "--fixed", "--isolate"]).json();
    assert_eq!(isolated["mean_error"], fixed["mean_error"]);
    let text = replay(&["--fixed"]).stdout;
    assert!(text.contains("in double precision  ") && text.contains("(fixed point: "), "{text}");
    // It is not the test error of its training, and no plant is to blame.
    let test = bench.run(&["replay", &controller, "--fixed"]).stdout;
    assert!(!test.contains("test error of its training"), "{test}");
}

#[test]
fn real_weights_have_no_fixed_point() {
    let bench = Bench::new();
    let blm = QUICK_FIT.find("TelescopicBlm(").unwrap();
    let stop = QUICK_FIT.find("stop:").unwrap();
    let scenario = format!("{}Backpropagation(),\n    {}", &QUICK_FIT[..blm], &QUICK_FIT[stop..]);
    bench.write("fit.ron", &scenario);
    bench.run(&["train", "fit.ron", "--out", "run", "--json"]).json();
    let export = |target| {
        bench.run(&["controller", "export", "run/model.ron", "--to", target, "--out", target])
    };
    let refused = export("c-fixed");
    refused.assert_refused(
        3,
        &["fixed point needs integer weights", "--> run/model.ron", "hint: train with bits"],
    );
    assert!(!bench.path("c-fixed").exists());
    assert_eq!(export("c").code, Some(0));
}

#[test]
fn the_commands_of_the_guide_run() {
    let guide = fs::read_to_string(workspace().join("crates/bitloop-export/GUIDE.md")).unwrap();
    let exports = guide.lines().filter(|line| line.starts_with("bitloop controller export"));
    let exports: Vec<Vec<&str>> = exports.map(|line| line.split(' ').skip(1).collect()).collect();
    assert!(!exports.is_empty());
    let bench = Bench::new();
    std::os::unix::fs::symlink(workspace().join("controllers"), bench.path("controllers")).unwrap();
    for arguments in exports {
        let outcome = bench.run(&arguments);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
    }
}
