//! `bitloop plot`.

use std::fs;

use crate::support::{Bench, QUICK};

/// The picture of a kind, which has each of these texts.
#[track_caller]
fn plotted(bench: &Bench, kind: &str, source: &str, options: &[&str], texts: &[&str]) -> String {
    let arguments = [&["plot", kind, source, "-o", "picture.svg"], options].concat();
    let outcome = bench.run(&arguments);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(outcome.stdout, "");
    let svg = bench.read("picture.svg");
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{kind}");
    for text in texts {
        assert!(svg.contains(text), "`{text}` is missing in {kind}");
    }
    // The same picture again, on the portable path.
    let mut command = bench.command(&arguments);
    command.env("BITLOOP_ISA", "portable");
    assert_eq!(crate::support::Outcome::of(&mut command).code, Some(0));
    assert_eq!(bench.read("picture.svg"), svg, "{kind}");
    svg
}

#[test]
fn each_kind_of_a_controller_has_axes_with_units() {
    let (bench, _) = Bench::with_controller();
    let controller = "run/controller.ron";
    let signals = ["theta [rad]", "x_dot [m/s]", "force [N]", "time [s]", "range of all 9"];
    plotted(&bench, "trajectory", controller, &[], &signals);
    let worst = bench.run(&["replay", controller, "--json"]).json()["worst_episode"].clone();
    let name = format!("episode {worst}, the worst");
    plotted(&bench, "control", controller, &[], &["force [N]", &name]);
    let options = ["--horizon", "2000", "--episode", "3"];
    let long = plotted(&bench, "trajectory", controller, &options, &["episode 3"]);
    assert!(long.len() < 500_000, "{}", long.len());
    plotted(&bench, "phase", controller, &[], &["theta [rad]", "theta_dot [rad/s]", "episode 4"]);
    plotted(&bench, "phase", controller, &["--x", "x", "--y", "x_dot"], &["x [m]", "x_dot [m/s]"]);
    plotted(&bench, "error-map", controller, &[], &["theta [rad]", "error"]);
    plotted(&bench, "weights", controller, &[], &["19 weights of 12 bits"]);
    plotted(&bench, "weight-values", controller, &[], &["19 weights, 12 bits", "how many"]);
}

#[test]
fn a_model_of_two_inputs_has_a_map_of_its_answers_with_the_rows() {
    let bench = Bench::new();
    let network = "network: (hidden: [5]), training: TelescopicBlm(bits: 8, max_weight: 10), stop: (evaluations: 500)";
    bench.write("spirals.ron", &format!("Supervised(data: Spirals(Cmu194), {network})"));
    bench.run(&["train", "spirals.ron", "--out", "run", "--json"]).json();
    let model = "run/model.ron";
    let svg = plotted(&bench, "answers", model, &[], &["the output, from", "class 0", "class 1"]);
    assert_eq!(svg.matches("<circle").count(), 194);
    plotted(&bench, "weight-values", model, &[], &["21 weights, 8 bits"]);

    // Rows in a file are named, and more than two inputs have no plane.
    let rows = |columns: &str| {
        let line = |i: u32| columns.replace('?', &i.to_string()) + "\n";
        (0..40).map(line).collect::<String>()
    };
    bench.write("plane.csv", &format!("a,b,y\n{}", rows("?,3,?.5")));
    bench.write("space.csv", &format!("a,b,c,y\n{}", rows("?,3,1.?,?.5")));
    for name in ["plane", "space"] {
        let data = format!("data: File(path: \"{name}.csv\", targets: Numbers([\"y\"]))");
        let split = "split: (training: 30, validation: 5, test: 5)";
        bench.write("s.ron", &format!("Supervised({data}, {split}, {network})"));
        bench.run(&["train", "s.ron", "--out", name, "--json"]).json();
    }
    let plane = "plane/model.ron";
    plotted(&bench, "answers", plane, &["--data", "plane.csv"], &["the output", "a", "b", "rows"]);
    let refused = |source: &str, more: &[&str], code: i32, words: &[&str]| {
        let arguments = [&["plot", "answers", source, "-o", "p.svg"], more].concat();
        bench.run(&arguments).assert_refused(code, words);
        assert!(!bench.path("p.svg").exists());
    };
    refused(plane, &[], 2, &["plane.csv", "name the file with --data"]);
    refused("space/model.ron", &["--data", "space.csv"], 3, &["two numbers", "predict --csv"]);
    refused(plane, &["--data", "none.csv"], 3, &["none.csv"]);
}

#[test]
fn a_training_is_drawn_from_its_log_finished_or_not() {
    let (bench, _) = Bench::with_controller();
    let all = ["evaluations", "training", "validation", "bits of a weight"];
    plotted(&bench, "training", "run", &[], &all);
    // Killed in the middle of a line, with a target.
    let log = bench.read("run/log.jsonl");
    fs::create_dir(bench.path("killed")).unwrap();
    bench.write("killed/log.jsonl", &log[..2 * log.len() / 3]);
    let resolved = bench.read("run/resolved.ron");
    let with_target = resolved.replace("target: None", "target: Some(1e-3)");
    assert_ne!(resolved, with_target);
    bench.write("killed/resolved.ron", &with_target);
    plotted(&bench, "training", "killed", &[], &["target"]);
}

#[test]
fn a_campaign_is_drawn_with_and_without_a_success() {
    let bench = Bench::with_scenario();
    for (folder, success, text) in [("some", "10", "(2 of 2)"), ("none", "1e-30", "(0 of 2)")] {
        let arguments =
            ["campaign", "quick.ron", "--runs", "2", "--success", success, "--out", folder];
        assert_eq!(bench.run(&arguments).code, Some(0));
        plotted(
            &bench,
            "campaign",
            folder,
            &[],
            &[text, "share of trainings", "intervals at 95 %"],
        );
    }
}

#[test]
fn names_are_text_and_never_markup() {
    let (bench, _) = Bench::with_controller();
    let name = "<script>alert(1)<&\"'>.ron";
    fs::copy(bench.path("run/controller.ron"), bench.path(name)).unwrap();
    let svg = plotted(&bench, "control", name, &[], &["&lt;script&gt;alert(1)"]);
    assert!(!svg.contains("<script"));
}

#[test]
fn what_cannot_be_drawn_is_refused_and_leaves_nothing() {
    let (bench, _) = Bench::with_controller();
    fs::create_dir(bench.path("empty")).unwrap();
    bench.write("empty/log.jsonl", "");
    bench.write("fixed.ron", &QUICK.replace("Uniform(-0.4, 0.4)", "0.1"));
    let controller = "run/controller.ron";
    for (arguments, code, fragments) in [
        (&["training", "empty", "-o", "a.svg"][..], 1, &["empty", "no error yet"][..]),
        (&["training", "nowhere", "-o", "a.svg"], 1, &["nowhere/log.jsonl"]),
        (&["campaign", "run", "-o", "a.svg"], 1, &["run/campaign", "the folder of a campaign"]),
        (&["control", controller, "-o", "a.png"], 2, &["written as SVG", "rsvg-convert"]),
        (&["control", controller, "-o", "no/a.svg"], 1, &["no/a.svg"]),
        (&["control", controller, "-o", controller], 2, &["written as SVG"]),
        (&["phase", controller, "-o", "a.svg", "--x", "thta"], 2, &["did you mean `theta`?"]),
        (&["control", controller, "-o", "a.svg", "--episode", "9"], 2, &["the last one is 8"]),
        (
            &["error-map", controller, "-o", "a.svg", "--scenario", "fixed.ron"],
            2,
            &["start in the same state"],
        ),
    ] {
        bench.run(&[&["plot"], arguments].concat()).assert_refused(code, fragments);
        assert!(!bench.path("a.svg").exists());
    }
    let left: Vec<_> = fs::read_dir(bench.path("."))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("svg"))
        .collect();
    assert_eq!(left, Vec::<String>::new());
}
