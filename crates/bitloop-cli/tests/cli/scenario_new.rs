//! A scenario for a plant of which nothing is known: written to a file, or assumed where a training names a plant alone.

use crate::support::{Bench, workspace};

const PLANTS: [&str; 13] = [
    "acrobot",
    "ball-and-beam",
    "coupled-tanks",
    "cstr",
    "double-pendulum",
    "inverted-pendulum",
    "lane-keeping",
    "magnetic-levitation",
    "mass-spring-damper",
    "mountain-car",
    "pendulum-swing-up",
    "planar-quadrotor",
    "van-der-pol",
];

#[test]
fn a_scenario_for_any_plant_is_sound_and_trains() {
    let bench = Bench::new();
    for plant in PLANTS {
        let file = format!("{plant}.ron");
        let made = bench.run(&["scenario", "new", plant, "--out", &file]);
        assert_eq!(made.code, Some(0), "{made:?}");
        assert!(made.stdout.contains(&format!("train {file}")), "{made:?}");
        // Standard output has the same text.
        assert_eq!(bench.run(&["scenario", "new", plant]).stdout, bench.read(&file));

        let checked = bench.run(&["scenario", "check", &file, "--json"]).json();
        assert_eq!(checked["can_train"], true, "{plant}");
        assert_eq!(checked["warnings"].as_array().unwrap().len(), 0, "{checked:?}");
        let trained = bench.run(&["train", &file, "--evaluations", "20", "--json"]).json();
        assert!(trained["test_error"].as_f64().unwrap() >= 0.0, "{trained:?}");
    }
}

#[test]
fn the_written_scenario_says_what_it_is_guessed_from() {
    let bench = Bench::new();
    let text = |plant: &str| bench.run(&["scenario", "new", plant]).stdout;
    // An equilibrium has an LQR, and so a target; its gains need a scale, since the force has no bounds.
    let pendulum = text("inverted-pendulum");
    assert!(pendulum.contains("target: ") && pendulum.contains("the error of LQR"), "{pendulum}");
    assert!(pendulum.contains("\"force\": (center: 0, scale: "), "{pendulum}");
    // With a target, a penalty keeps controls from switching to and fro, and misses draw episodes anew.
    assert!(pendulum.contains("\n    penalties: (rate: "), "{pendulum}");
    bench.write("pendulum.ron", &pendulum);
    let checked = bench.run(&["scenario", "check", "pendulum.ron"]).stdout;
    for words in ["BestOf(40) of SeveralFlips(extra: 0.9)", "drawn anew after the target is met"] {
        assert!(checked.contains(words), "{checked}");
    }
    // One that hangs far from what is wanted has none.
    let acrobot = text("acrobot");
    assert!(!acrobot.contains("stop: (target") && acrobot.contains("without control"), "{acrobot}");
    assert!(!acrobot.contains("\n    penalties"), "{acrobot}");
    // The plant's own scales are left alone, and so are flags.
    assert!(!text("cstr").contains("scaling"), "{}", text("cstr"));
    assert!(!acrobot.contains("\"reached\""), "{acrobot}");
    // A control has the scale of its bounds, and observations that of their motion under LQR.
    let mass = text("mass-spring-damper");
    let scaling = mass.split_once("scaling: {\n").unwrap().1.split_once("    },").unwrap().0;
    let mut scaling = scaling.lines();
    assert_eq!(
        scaling.next(),
        Some("        \"force\": (center: 0, scale: 10),  // N, by its bounds")
    );
    assert!(scaling.clone().count() == 2, "{mass}");
    assert!(scaling.all(|line| line.ends_with(", by its motion under LQR")), "{mass}");
    // A cosine that short rollouts find near -1 is not magnified.
    let swing_up = text("pendulum-swing-up");
    assert!(!swing_up.contains("scaling"), "{swing_up}");
}

#[test]
fn wider_starts_in_a_file_get_scales_and_a_target_of_their_own() {
    let bench = Bench::new();
    let first = bench.run(&["scenario", "new", "mass-spring-damper"]).stdout;
    assert!(first.contains("`bitloop scenario new PLANT --from THIS_FILE`"), "{first}");
    bench.write("wide.ron", &first.replace("Uniform(-0.1, 0.1)", "Uniform(-2, 2)"));
    let args = ["scenario", "new", "mass-spring-damper", "--from", "wide.ron", "-o", "new.ron"];
    let made = bench.run(&args);
    assert_eq!(made.code, Some(0), "{made:?}");
    assert!(made.stdout.contains("for the starts that were given"), "{made:?}");
    let (wide, new) = (bench.read("wide.ron"), bench.read("new.ron"));
    assert_eq!(new.matches("Uniform(-2, 2)").count(), 2, "{new}");
    let target = |text: &str| {
        let target = text.split_once("target: ").unwrap().1.split_once(',').unwrap().0;
        target.parse::<f64>().unwrap()
    };
    // The plant is linear: 20 times the starts have 400 times the error, as long as the force reaches.
    assert!(target(&new) > 100.0 * target(&wide), "{new}");
    bench.write("off.ron", &first.replace("\"v\":", "\"w\":"));
    bench
        .run(&["scenario", "new", "mass-spring-damper", "--from", "off.ron"])
        .assert_refused(3, &["has no state `w`", "off.ron:"]);
}

#[test]
fn nothing_is_written_over() {
    let bench = Bench::new();
    bench.write("mine.ron", "mine");
    bench
        .run(&["scenario", "new", "cstr", "-o", "mine.ron"])
        .assert_refused(2, &["mine.ron is there already", "name another file"]);
    assert_eq!(bench.read("mine.ron"), "mine");
    bench
        .run(&["scenario", "new", "nothing-known", "-o", "new.ron"])
        .assert_refused(2, &["there is no plant `nothing-known`"]);
    assert!(!bench.path("new.ron").exists());
}

#[test]
fn a_training_that_names_a_plant_is_one_in_the_scenario_that_would_be_written() {
    let bench = Bench::new();
    let plant = "mass-spring-damper";
    let alone = bench.run(&["train", plant, "--evaluations", "60", "--seed", "3", "--json"]);
    assert!(alone.stderr.contains("no scenario was given"), "{alone:?}");
    assert!(alone.stderr.contains("episodes start with x from"), "{alone:?}");
    let result = alone.json();
    bench.run(&["scenario", "new", plant, "-o", "first.ron"]);
    let args = ["train", "first.ron", "--evaluations", "60", "--seed", "3", "--json"];
    let same = bench.run(&args).json();
    for key in ["controller_digest", "test_error", "training_error", "evaluations"] {
        assert_eq!(result.get(key), same.get(key), "{key}");
        assert!(result.contains_key(key), "{key} in {result:?}");
    }
    // What it assumed is in its folder, so that it can be resumed.
    let folder = format!("runs/{plant}-seed3");
    assert!(bench.path(&folder).join("controller.ron").exists());
    let resumed =
        bench.run(&["train", "--resume", &folder, "--evaluations", "90", "--json"]).json();
    assert_eq!(resumed["evaluations"], 90);
    // A file of that name is the scenario that is meant.
    bench.write(plant, "no scenario");
    bench.run(&["train", plant]).assert_refused(3, &[plant]);
}

#[test]
fn a_plant_that_must_stay_outside_is_not_run_inside_for_a_guess() {
    let bench = Bench::new();
    for option in ["--isolate", "--sandbox"] {
        bench
            .run(&["train", "cstr", option])
            .assert_refused(2, &["without a scenario", "bitloop scenario new"]);
    }
}

#[test]
fn a_set_point_that_never_varies_is_named() {
    let bench = Bench::new();
    let shelf = workspace().join("scenarios/shelf/cstr.ron");
    let fixed = std::fs::read_to_string(shelf).unwrap();
    let with = |field: &str| fixed.replacen("initial:", &format!("{field}, initial:"), 1);
    let drawn = with(r#"parameters: {"set_point": Uniform(0.4, 0.6)}"#);
    let stepped =
        with(r#"uncertainty: (references: {"set_point": [Step(at_s: 5, to: Uniform(0.4, 0.6))]})"#);
    for (text, is_named) in [(&fixed, true), (&drawn, false), (&stepped, false)] {
        bench.write("cstr.ron", text);
        let checked = bench.run(&["scenario", "check", "cstr.ron"]);
        assert_eq!(checked.code, Some(0), "{checked:?}");
        let names = checked.stdout.contains("never varied      set_point = 0.5: the controller");
        assert_eq!(names, is_named, "{}", checked.stdout);
    }
}
