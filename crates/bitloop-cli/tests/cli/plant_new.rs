//! A new plant, made, built, tested, trained and replayed as the README says, outside the checkout.

use std::fs;
use std::process::Command;

use crate::support::{Bench, Outcome, workspace};

/// Runs a tool in the folder of the plant.
#[track_caller]
fn build(bench: &Bench, plant: &str, program: &str, args: &[&str]) -> String {
    let mut command = Command::new(program);
    command.args(args).current_dir(bench.path(plant));
    // As a user has it: a library lies in the plant's own folder.
    command.env_remove("CARGO_TARGET_DIR").env_remove("CARGO_BUILD_TARGET_DIR");
    // Only for the compiler to be done sooner; the bits do not depend on it.
    command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1").env("CARGO_PROFILE_RELEASE_LTO", "off");
    let outcome = Outcome::of(&mut command);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    outcome.stdout
}

/// Trains and replays in the folder of the plant, and gives the controller's digest and the replay's trajectories.
#[track_caller]
fn train_and_replay(bench: &Bench, plant: &str) -> [String; 2] {
    let run = |args: &[&str]| Outcome::of(bench.command(args).current_dir(bench.path(plant)));
    let trained = run(&["train", "scenario.ron", "--json"]);
    trained.json();
    let replayed = run(&["replay", "runs/scenario-seed1/controller.ron", "--json"]);
    assert_eq!(replayed.json()["failed_episodes"], 0);
    assert_eq!(replayed.number("mean_error"), trained.number("test_error"));
    [
        trained.number("controller_digest").to_owned(),
        replayed.number("trajectory_digest").to_owned(),
    ]
}

/// The guide `Your first plant`.
fn guide() -> String {
    fs::read_to_string(workspace().join("crates/bitloop-plant/GUIDE.md")).unwrap()
}

#[test]
fn a_new_plant_builds_tests_trains_and_replays_in_c_and_in_rust_to_the_same_bits() {
    let bench = Bench::new();
    let made = bench.run(&["plant", "new", "two-words", "--lang", "c", "--out", "c plant"]);
    assert_eq!(made.code, Some(0), "{made:?}");
    assert!(made.stdout.contains("cd 'c plant'") && made.stdout.contains("make"), "{made:?}");
    build(&bench, "c plant", "make", &["-s"]);
    assert!(build(&bench, "c plant", "make", &["-s", "test"]).contains("ok: "));
    let in_c = train_and_replay(&bench, "c plant");
    // Its scenario is the one that is written for any plant.
    let library = "c plant/two-words.so";
    let written = bench.run(&["scenario", "new", library, "--out", "c plant/first.ron"]);
    assert_eq!(written.code, Some(0), "{written:?}");
    assert_eq!(bench.read("c plant/first.ron"), bench.read("c plant/scenario.ron"));
    let info = bench.run(&["plant", "info", "c plant/two-words.so"]);
    assert!(info.stdout.starts_with("two-words: "), "{info:?}");

    let made = bench.run(&["plant", "new", "two-words"]);
    assert_eq!(made.code, Some(0), "{made:?}");
    assert!(made.stdout.contains("target/release/libtwo_words.so"), "{made:?}");
    build(&bench, "two-words", env!("CARGO"), &["build", "--release", "--offline", "--quiet"]);
    build(&bench, "two-words", env!("CARGO"), &["test", "--release", "--offline", "--quiet"]);
    assert_eq!(train_and_replay(&bench, "two-words"), in_c);
    // The name is no part of the digest.
    assert!(
        guide().contains(in_c[0].trim_matches('"')),
        "the guide shows another training than {in_c:?}"
    );
}

#[test]
fn rates_that_are_none_are_refused_by_name() {
    let bench = Bench::new();
    assert_eq!(bench.run(&["plant", "new", "crane", "--lang", "c"]).code, Some(0));
    let sound = bench.read("crane/equations.h");
    for (rates, what) in [
        ("{7, -1}", "rate_of names a state that there is not"),
        ("{OMEGA, THETA}", "rate_of names a state that has a rate itself"),
        ("{-1, -1}", "SemiImplicitEuler is listed, but rate_of names no rate"),
    ] {
        bench.write("crane/equations.h", &sound.replace("{OMEGA, -1}", rates));
        build(&bench, "crane", "make", &["-s"]);
        let checked = bench.run(&["plant", "check", "crane/crane.so"]);
        assert_ne!(checked.code, Some(0), "{checked:?}");
        assert!(checked.stdout.contains(what) || checked.stderr.contains(what), "{checked:?}");
    }
}

#[test]
fn what_is_there_is_left_alone() {
    let bench = Bench::new();
    fs::create_dir(bench.path("crane")).unwrap();
    bench.write("crane/notes", "mine");
    bench.run(&["plant", "new", "crane"]).assert_refused(2, &["crane is there already", "--out"]);
    assert_eq!(fs::read_dir(bench.path("crane")).unwrap().count(), 1);
    bench
        .run(&["plant", "new", "hoist", "--out", "crane/notes/hoist"])
        .assert_refused(1, &["notes"]);
}

#[test]
fn wrong_names_and_languages_are_reported() {
    let bench = Bench::new();
    for (args, fragment) in [
        (&["Two Tanks"][..], "did you mean `two-tanks`?"),
        (&["loop"], "try `loop-plant`"),
        (&["tank", "--lang", "pascal"], "[possible values: rust, c]"),
    ] {
        bench.run(&[&["plant", "new"], args].concat()).assert_refused(2, &[fragment]);
    }
    assert_eq!(fs::read_dir(bench.path("")).unwrap().count(), 0);
}

/// Comments of the templates and of the guide stay true: the guide shows the very files, and those of the plant that owns its
/// state.
#[test]
fn the_guide_shows_the_files_of_a_new_plant() {
    let guide = guide();
    let templates = workspace().join("crates/bitloop-cli/templates");
    for (language, files) in
        [("rust", &["rust/src/lib.rs"][..]), ("c", &["c/equations.h", "c/plant.c"])]
    {
        let texts = files.iter().map(|file| fs::read_to_string(templates.join(file)).unwrap());
        let text = texts.collect::<String>().replace("new-plant", "my-pendulum");
        let shower = "plants/shower-instances-c/shower.c";
        let shower = fs::read_to_string(workspace().join(shower)).unwrap();
        let text = text.replace("NewPlant", "MyPendulum") + &shower;
        let fence = format!("\n```{language}\n");
        let blocks: Vec<&str> =
            guide.split(&fence).skip(1).filter_map(|rest| rest.split("\n```\n").next()).collect();
        assert!(!blocks.is_empty(), "{language}");
        for block in blocks {
            assert!(text.contains(block), "not in {files:?}:\n{block}");
        }
    }
}
