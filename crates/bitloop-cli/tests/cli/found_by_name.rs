//! Libraries in `BITLOOP_PLANT_PATH`: none is opened that was not asked for, and the one at fault is named.

use std::path::Path;
use std::process::Command;

use crate::support::{Bench, Outcome};

const TEA: &str = include_str!("../../../bitloop-host/tests/host/tea.c");

const NAME: &str = "BITLOOP_PLANT_NAME(\"tea\")\n";

/// Compiles a plant with a constructor that says that it ran, and then does something.
fn traced(bench: &Bench, file: &str, text: &str, then: &str) {
    let trace = bench.path("opened").display().to_string();
    let note = format!(
        "FILE *trace = fopen(\"{trace}\", \"a\");\n    if (trace != NULL) fputs(\"{file}\\n\", trace), fclose(trace);"
    );
    library(bench, file, text, &format!("{note}\n    {then}"));
}

/// Compiles a plant with a constructor.
fn library(bench: &Bench, file: &str, text: &str, constructor: &str) {
    std::fs::create_dir_all(bench.path("plants")).unwrap();
    let constructor = format!(
        "#include <stdio.h>\n#include <stdlib.h>\n__attribute__((constructor)) static void at_load(void) {{\n    {constructor}\n}}\n"
    );
    bench.write("plant.c", &format!("{constructor}{text}"));
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bitloop-plant/include");
    let output = Command::new("cc")
        .args(["-std=c99", "-O1", "-ffp-contract=off", "-fPIC", "-shared", "-I"])
        .arg(include)
        .arg("-o")
        .args([bench.path("plants").join(file), bench.path("plant.c")])
        .output()
        .expect("a C compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn run(bench: &Bench, args: &[&str]) -> Outcome {
    let mut command = bench.command(args);
    Outcome::of(command.env("BITLOOP_PLANT_PATH", bench.path("plants")))
}

/// The libraries that ran code, in whatever process.
fn opened(bench: &Bench) -> Vec<String> {
    let text = std::fs::read_to_string(bench.path("opened")).unwrap_or_default();
    let mut names: Vec<String> = text.lines().map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

const CRASH: &str = "*(volatile int *)8 = 1;";
const HANG: &str = "for (volatile int go = 1; go;) {}";

#[test]
fn libraries_that_nobody_asked_for_are_not_opened() {
    let (bench, _) = Bench::with_controller();
    let unnamed = TEA.replace(NAME, "");
    traced(&bench, "crash.so", &unnamed, CRASH);
    traced(&bench, "hang.so", &unnamed, HANG);
    traced(&bench, "tea.so", TEA, "");
    traced(&bench, "crash_named.so", &TEA.replace("\"tea\"", "\"cold-tea\""), CRASH);
    let controller = "run/controller.ron";
    for args in [
        &["plant", "info", "inverted-pendulum"][..],
        &["plant", "check", "inverted-pendulum", "--only", "units"],
        &["scenario", "check", "quick.ron"],
        &["replay", controller],
        &["replay", controller, "--isolate"],
        &["train", "quick.ron", "--out", "again"],
        &["train", "quick.ron", "--out", "isolated", "--isolate"],
    ] {
        let outcome = run(&bench, args);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert!(!outcome.stderr.contains("plants/"), "{outcome:?}");
        assert_eq!(opened(&bench), [""; 0], "{args:?}");
    }
    // Nor where one of them is asked for by its path, or by a name that its file holds.
    let path = bench.path("plants/tea.so").display().to_string();
    for plant in [&*path, "tea"] {
        let outcome = run(&bench, &["plant", "info", plant]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert_eq!(opened(&bench), ["tea.so"], "{plant}");
    }
}

#[test]
fn libraries_that_crash_or_hang_are_named_and_keep_nothing_from_the_others() {
    let bench = Bench::new();
    let unnamed = TEA.replace(NAME, "");
    library(&bench, "crash.so", &unnamed, CRASH);
    library(&bench, "hang.so", &unnamed, HANG);
    library(&bench, "tea.so", &unnamed, "");
    bench.write("plants/text.so", "text");
    let list = run(&bench, &["plant", "list", "--json"]);
    let plants = list.json()["plants"].clone();
    let tea = plants.as_array().unwrap().iter().find(|plant| plant["name"] == "tea").unwrap();
    assert_eq!(tea["library"], bench.path("plants/tea.so").display().to_string());
    assert_eq!(tea["states"][0]["unit"], "degC");
    for fault in [
        "plants/crash.so: the name of its plant cannot be read: segmentation fault",
        "plants/hang.so: the name of its plant cannot be read: no answer for 5 s",
        "plants/text.so: not a shared library: it is a text file",
    ] {
        assert!(list.stderr.contains(fault), "{fault}: {list:?}");
    }
    let info = run(&bench, &["plant", "info", "tea"]);
    assert_eq!(info.code, Some(0), "{info:?}");
    run(&bench, &["plant", "info", "coffee"])
        .assert_refused(2, &["no plant `coffee`", "crash.so", "hang.so", "known plants: acrobot"]);
    let list = run(&bench, &["plant", "list"]);
    assert!(list.stdout.contains("Tea kept warm by a hotplate.  "), "{list:?}");
}

#[test]
fn two_libraries_of_one_name_are_both_listed_and_only_that_name_is_an_error() {
    let bench = Bench::new();
    library(&bench, "a.so", TEA, "");
    library(&bench, "b.so", TEA, "exit(0);");
    let list = run(&bench, &["plant", "list"]);
    assert_eq!(list.code, Some(0), "{list:?}");
    assert!(list.stdout.contains("plants/a.so"), "{list:?}");
    assert!(list.stderr.contains("plants/b.so: called exit(0)"), "{list:?}");
    run(&bench, &["plant", "info", "tea"])
        .assert_refused(2, &["several plants `tea`", "plants/a.so", "plants/b.so"]);
    assert_eq!(run(&bench, &["plant", "info", "cstr"]).code, Some(0));
}

#[test]
fn a_bad_library_is_not_a_wrong_command_line() {
    let bench = Bench::new();
    bench.write("text.so", "text");
    bench.run(&["plant", "info", "./text.so"]).assert_refused(3, &["it is a text file", "hint"]);
    bench.run(&["plant", "info", "./none.so"]).assert_refused(3, &["no such file"]);
    bench.run(&["plant", "info", "none"]).assert_refused(2, &["BITLOOP_PLANT_PATH"]);
}
