//! Sound plants pass, and the command line says what it should.

use std::path::Path;

use super::workshop::{Report, c_library, faulty_cart, rust_library};
use crate::support::{Bench, Outcome};

#[test]
fn all_plants_that_come_along_pass() {
    let bench = Bench::new();
    let list = bench.run(&["plant", "list", "--json"]).json();
    let names: Vec<&str> =
        list["plants"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert!(names.len() >= 5, "{names:?}");
    let libraries = [c_library("twin"), rust_library("inverted_pendulum").into()];
    for plant in names.into_iter().map(Path::new).chain(libraries.iter().map(AsRef::as_ref)) {
        let report = Report::of(plant, &[]);
        assert_eq!((report.code, report.count("fail")), (Some(0), 0), "{plant:?}: {report:?}");
        assert!(report.count("pass") >= 25, "{plant:?}: {report:?}");
    }
}

#[test]
fn the_sound_cart_passes_all_but_what_does_not_arise() {
    for seed in ["1", "2", "18446744073709551615"] {
        let report = Report::of_cart("NONE", &["--seed", seed]);
        assert_eq!(report.code, Some(0), "{report:?}");
        // Some machines, mostly emulated ones, cannot be stopped between two instructions.
        let skipped = report.with("skip").into_iter().map(|(name, _)| name);
        let skipped: Vec<_> = skipped.filter(|name| *name != "interleaved").collect();
        assert_eq!(skipped, ["bounds"], "{report:?}");
        let first = &report.object["checks"][0];
        assert_eq!(first["seed"].to_string(), seed);
    }
}

#[test]
fn a_seed_repeats_a_failure_by_itself() {
    let reason = |seed: &str, args: &[&str]| {
        let args = [&["--seed", seed], args].concat();
        let report = Report::of_cart("NEGATIVE_COST", &args);
        let failed = report.with("fail");
        failed.iter().find(|(name, _)| *name == "costs-not-negative").unwrap().1.to_owned()
    };
    let alone = reason("7", &["--only", "costs-not-negative"]);
    assert_eq!(alone, reason("7", &[]));
    assert_ne!(alone, reason("8", &["--only", "costs-not-negative"]));
}

#[test]
fn people_get_a_table_and_a_way_to_repeat_what_failed() {
    let bench = Bench::new();
    let passed = bench.run(&["plant", "check", "inverted-pendulum", "--only", "units"]);
    assert_eq!(passed.code, Some(0), "{passed:?}");
    assert!(passed.stdout.contains("  units    pass  0 of 15 without dimension\n"), "{passed:?}");
    assert!(passed.stdout.ends_with("3 passed, 0 failed, 0 skipped, seed 1\n"), "{passed:?}");
    let mut command = bench.command(&["plant", "check", "--only", "lane-order"]);
    let failed = Outcome::of(command.arg(faulty_cart(&bench, "LANE_INDEX", "")));
    assert_eq!(failed.code, Some(1), "{failed:?}");
    assert!(failed.stdout.contains("  lane-order  FAIL  Euler: in another order, "), "{failed:?}");
    assert!(failed.stderr.contains("cart.so failed 1 of 3 checks"), "{failed:?}");
    assert!(failed.stderr.contains("--only lane-order --seed 1"), "{failed:?}");
}

#[test]
fn unknown_plants_and_checks_are_the_fault_of_the_command_line() {
    let bench = Bench::new();
    bench
        .run(&["plant", "check", "inverted-pendulun"])
        .assert_refused(2, &["no plant `inverted-pendulun`", "did you mean", "BITLOOP_PLANT_PATH"]);
    bench
        .run(&["plant", "check", "inverted-pendulum", "--only", "nothing"])
        .assert_refused(2, &["there is no check `nothing`", "lane-leaks"]);
    bench
        .run(&["plant", "check", "inverted-pendulum", "--time-limit", "0"])
        .assert_refused(2, &["--time-limit"]);
}

#[test]
fn a_library_on_the_search_path_is_checked_by_name_and_may_be_hostile() {
    let bench = Bench::new();
    for (fault, code) in [("NONE", 0), ("CONSTRUCTOR", 1)] {
        faulty_cart(&bench, fault, "");
        let mut command = bench.command(&["plant", "check", "cart", "--only", "units"]);
        command.env("BITLOOP_PLANT_PATH", bench.path(""));
        let outcome = Outcome::of(&mut command);
        assert_eq!(outcome.code, Some(code), "{outcome:?}");
        assert_eq!(outcome.stdout.contains("segmentation fault"), code == 1, "{outcome:?}");
    }
}
