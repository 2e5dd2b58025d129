//! `bitloop plot`.

use std::fs;

use crate::behavior::{hangar, hangar_of};
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
fn a_long_episode_says_which_part_of_it_shows_something() {
    let bench = Bench::new();
    let controller =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../controllers/pendulum-full-16bit.ron");
    for kind in ["trajectory", "control"] {
        let plot = |horizon: &str| {
            bench.run(&["plot", kind, controller, "-o", "p.svg", "--horizon", horizon])
        };
        let (long, short) = (plot("1000"), plot("50"));
        let note = "s of 1000 s; `--horizon 50` draws that part";
        assert!(long.code == Some(0) && long.stderr.contains(note), "{long:?}");
        assert!(short.code == Some(0) && !short.stderr.contains("note: "), "{short:?}");
    }
}

/// Each kind is written in pixels too: the same size as the SVG twice, and the same bytes again.
#[track_caller]
fn plotted_in_pixels(bench: &Bench, kind: &str, source: &str, options: &[&str]) {
    let draw = |isa: &str| {
        let arguments = [&["plot", kind, source, "-o", "picture.png"], options].concat();
        let mut command = bench.command(&arguments);
        command.env("BITLOOP_ISA", isa);
        let outcome = crate::support::Outcome::of(&mut command);
        assert_eq!((outcome.code, &*outcome.stdout), (Some(0), ""), "{outcome:?}");
        fs::read(bench.path("picture.png")).unwrap()
    };
    let png = draw("avx2");
    assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n", "{kind}");
    assert_eq!(draw("portable"), png, "{kind}");
    let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    let (width, height) = (side(16), side(20));
    assert!((960..=2800).contains(&width) && height > 300, "{kind}: {width} x {height}");
    assert!(png.len() < 1_000_000, "{kind}: {} bytes", png.len());
}

#[test]
fn each_kind_can_be_had_in_pixels() {
    let (bench, _) = Bench::with_controller();
    let controller = "run/controller.ron";
    for kind in ["trajectory", "control", "phase", "error-map", "weights", "weight-values"] {
        plotted_in_pixels(&bench, kind, controller, &[]);
    }
    plotted_in_pixels(&bench, "neighbors", controller, &[]);
    plotted_in_pixels(&bench, "cuts", controller, &["--weights", "0", "--episodes", "2"]);
    plotted_in_pixels(&bench, "training", "run", &["--log-x"]);
}

#[test]
fn cuts_show_the_error_over_codes_around_those_that_were_found() {
    let (bench, _) = Bench::with_controller();
    let options = ["--weights", "0,3,18", "--episodes", "4"];
    let texts = ["weight 0", "weight 3", "weight 18", "3 of 19 weights", "4 episodes of 5 s"];
    let svg = plotted(&bench, "cuts", "run/controller.ron", &options, &texts);
    // The dot of each.
    assert_eq!(svg.matches("<circle").count(), 3);
    let refused = |options: &[&str], words: &[&str]| {
        let arguments = ["plot", "cuts", "run/controller.ron", "-o", "a.svg"];
        bench.run(&[&arguments, options].concat()).assert_refused(2, words);
    };
    refused(&["--weights", "19"], &["--weights 19", "there are 19 weights"]);
    refused(&["--over", "seconds"], &["--over is for pictures of kind training"]);
}

#[test]
fn neighbors_show_both_codes_and_the_grids_of_few_bits() {
    let (bench, _) = Bench::with_controller();
    let texts = ["Gray code", "base 2", "2 bits", "8 bits", "weight 1 of 12 bits"];
    let svg = plotted(&bench, "neighbors", "run/controller.ron", &["--weights", "1"], &texts);
    // Twelve flips in each code; from 4 up to 256 values in reach; two of the legends.
    let reach: usize = (2..=8).map(|bits| 1 << bits).sum();
    assert_eq!(svg.matches("<circle").count(), 2 * 12 + reach + 2);
    let refused = ["plot", "neighbors", "run/controller.ron", "--weights", "19", "-o", "a.svg"];
    bench.run(&refused).assert_refused(2, &["--weights 19", "there are 19 weights"]);
}

#[test]
fn a_model_of_two_inputs_has_a_map_of_its_answers_with_the_rows() {
    let bench = Bench::new();
    let network = "network: (hidden: [5]), training: TelescopicBlm(bits: 8, max_weight: 10), stop: (evaluations: 500)";
    bench.write("spirals.ron", &format!("Supervised(data: Spirals(Cmu194), {network})"));
    bench.run(&["train", "spirals.ron", "--out", "run", "--json"]).json();
    let model = "run/model.ron";
    let svg = plotted(
        &bench,
        "answers",
        model,
        &[],
        &["the output for class, from", "class 0", "class 1"],
    );
    // Two of the legend.
    assert_eq!(svg.matches("<circle").count(), 194 + 2);
    plotted(&bench, "weight-values", model, &[], &["21 weights, 8 bits"]);
    plotted(&bench, "cuts", model, &["--weights", "2"], &["weight 2", "error of 194 rows"]);
    plotted_in_pixels(&bench, "answers", model, &[]);

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
    plotted(
        &bench,
        "answers",
        plane,
        &["--data", "plane.csv"],
        &["answers for y, from", ">\na", ">\nb", "rows"],
    );
    // The best of each variant of a campaign.
    let campaign =
        ["campaign", "spirals.ron", "--runs", "1", "--vary", "training.bits=4,8", "--out", "bits"];
    assert_eq!(bench.run(&campaign).code, Some(0));
    plotted(&bench, "answers", "bits", &[], &["training.bits=4: error", "training.bits=8: error"]);
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
    let all = ["evaluations", "training", "validation", "bits of a weight", "neighbors tried [%]"];
    plotted(&bench, "training", "run", &[], &all);
    plotted(&bench, "training", "run", &["--over", "seconds", "--log-x"], &["time [s]"]);
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
fn variants_of_a_campaign_are_drawn_side_by_side() {
    let bench = Bench::with_scenario();
    let campaign = |folder: &str, vary: &str| {
        let arguments = ["campaign", "quick.ron", "--runs", "2", "--vary", vary, "--out", folder];
        assert_eq!(bench.run(&arguments).code, Some(0));
    };
    campaign("hidden", "controller.hidden=[2],[4]");
    let names = ["controller.hidden=[2] (2)", "controller.hidden=[4] (2)", "evaluations"];
    plotted(&bench, "convergence", "hidden", &[], &names);
    let over = plotted(&bench, "variants", "hidden", &[], &["controller.hidden", "standard error"]);
    // A dot for each training.
    assert_eq!(over.matches("<circle").count(), 4);
    let axes = ["error on the validation set", "error on the test set", "equal"];
    plotted(&bench, "validation-test", "hidden", &[], &axes);
    campaign("presets", "training.initialization=Bounded(0.1),Bounded(0.5)");
    let rows = ["training.initialization=Bounded(0.1)", "training.initialization=Bounded(0.5)"];
    plotted(&bench, "variants", "presets", &[], &rows);
    for kind in ["campaign", "convergence", "variants", "validation-test"] {
        plotted_in_pixels(&bench, kind, "hidden", &[]);
    }
}

/// Episodes that start on the right soon have no finite state: what is before is drawn, and recorded.
#[test]
fn a_trajectory_is_drawn_up_to_where_it_is_no_number_any_more() {
    let faulty = "dx[X] = t_s > 0.5 && x[X] > 0.3 ? 0.0 / (0.0 * x[X]) : x[VX];";
    let bench = hangar_of(&[("dx[X] = x[VX];", faulty)]);
    let all = serde_json::Value::Object(bench.run(&["replay", "calm.ron", "--json"]).json());
    let ends = all["episode_results"].as_array().unwrap().iter().map(|one| one["end"].as_str());
    let ends: Vec<_> = ends.map(Option::unwrap).collect();
    assert!(ends.contains(&"fault") && ends.contains(&"horizon"), "{ends:?}");
    for kind in ["trajectory", "control", "phase", "error-map"] {
        let svg = plotted(&bench, kind, "calm.ron", &[], &["calm.ron"]);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{kind}");
    }
    let outcome = bench.run(&["report", "calm.ron", "-o", "page.html"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(bench.read("page.html").contains("no finite state at 0.5"), "the time");
    let outcome = bench.run(&["replay", "calm.ron", "--mcap", "t.mcap"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
}

#[test]
fn a_plant_is_drawn_as_its_picture_says() {
    let (bench, _) = Bench::with_controller();
    let times = ["--times", "2.5,0,1", "--episode", "1"];
    let svg = plotted(&bench, "plant", "run/controller.ron", &times, &["0 s", "1 s", "2.5 s"]);
    assert!(svg.contains("episode 1") && svg.contains("<polygon"), "{svg}");
    plotted_in_pixels(&bench, "plant", "run/controller.ron", &[]);
    let refused = |options: &[&str], code: i32, words: &[&str]| {
        let arguments = ["plot", "plant", "run/controller.ron", "-o", "a.svg"];
        bench.run(&[&arguments, options].concat()).assert_refused(code, words);
    };
    refused(&["--times", "0,21"], 2, &["--times 21", "from 0 to 20 s"]);
    let bench = hangar();
    let arguments = ["plot", "plant", "calm.ron", "-o", "a.svg"];
    bench.run(&arguments).assert_refused(1, &["does not say what it looks like"]);
}

/// Episodes fail between two queries, when the others have no sample: the range of all goes on.
#[test]
fn the_range_of_all_episodes_has_no_gap_where_one_ends() {
    let early = "return (t_s > 1.0 + x[X] && x[X] > 0.1) || x[THETA] > 1.2";
    let bench = hangar_of(&[("return x[THETA] > 1.2", early)]);
    let replayed = bench.run(&["replay", "calm.ron", "--horizon", "5", "--json"]).json();
    let ends: Vec<f64> = replayed["episode_results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|episode| episode["end_s"].as_f64().unwrap())
        .collect();
    let is_between =
        |end: &&f64| **end < 5.0 && (**end * 20.0 - (**end * 20.0).round()).abs() > 0.1;
    assert!(ends.iter().filter(is_between).count() > 1, "{ends:?}");
    let svg = plotted(&bench, "trajectory", "calm.ron", &["--horizon", "5"], &["range of all 8"]);
    // The lows of x from left to right, and back along its highs.
    let (_, band) = svg.split_once("<polygon").unwrap();
    let (_, points) = band.split_once("points=\"").unwrap();
    let ys: Vec<f64> = points
        .split('"')
        .next()
        .unwrap()
        .split_whitespace()
        .map(|point| point.split_once(',').unwrap().1.parse().unwrap())
        .collect();
    let heights = ys.iter().zip(ys.iter().rev()).map(|(low, high)| low - high).take(ys.len() / 2);
    // x settles within a few seconds.
    let early: Vec<f64> = heights.take(ys.len() / 5).collect();
    assert!(early.len() > 20 && early.iter().all(|height| *height > 15.0), "{early:?}");
}

/// The folder of a run stands for what the training has saved there.
#[test]
fn the_folder_of_a_training_has_a_controller_to_draw() {
    let (bench, _) = Bench::with_controller();
    for kind in ["trajectory", "plant", "cuts", "weight-values", "network"] {
        let options = if kind == "cuts" { &["--weights", "0", "--episodes", "1"][..] } else { &[] };
        let of_file = plotted(&bench, kind, "run/controller.ron", options, &[]);
        assert_eq!(plotted(&bench, kind, "run", options, &[]), of_file, "{kind}");
    }
    // Of a training, its log is drawn.
    plotted(&bench, "training", "run", &[], &["evaluations"]);
}

#[test]
fn a_network_is_drawn_with_what_a_change_reaches() {
    let (bench, _) = Bench::with_controller();
    let controller = "run/controller.ron";
    let names = [">\nx\n", ">\ntheta\n", ">\nforce\n", "19 weights"];
    let svg = plotted(&bench, "network", controller, &[], &names);
    // Four inputs, three units, one output.
    assert_eq!(svg.matches("<circle").count(), 8);
    let changed =
        plotted(&bench, "network", controller, &["--weights", "6"], &["sums that change"]);
    // Two of the legend.
    assert_eq!(changed.matches("<circle").count(), 8 + 2);
    plotted_in_pixels(&bench, "network", controller, &["--weights", "6"]);
    let refused = ["plot", "network", controller, "-o", "a.svg", "--weights", "19"];
    bench.run(&refused).assert_refused(2, &["there are 19 weights"]);
}

/// Whatever the terminal and the display are.
#[test]
fn no_display_is_needed() {
    let (bench, _) = Bench::with_controller();
    for (kind, out) in [("plot", "a.png"), ("report", "a.html")] {
        let mut arguments = vec![kind];
        arguments.extend((kind == "plot").then_some("control"));
        arguments.extend(["run/controller.ron", "-o", out]);
        let mut command = bench.command(&arguments);
        command.env_clear();
        let outcome = crate::support::Outcome::of(&mut command);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{outcome:?}");
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
        (&["control", controller, "-o", "a.pdf"], 2, &["written as SVG or PNG", ".png"]),
        (&["control", controller, "-o", "no/a.svg"], 1, &["no/a.svg"]),
        (&["control", controller, "-o", controller], 2, &["written as SVG or PNG"]),
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
