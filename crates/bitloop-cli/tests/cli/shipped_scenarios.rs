//! The scenarios that come with bitloop.

use std::fs;

use crate::support::{Bench, workspace};

#[test]
fn every_shipped_scenario_is_fine() {
    let bench = Bench::new();
    let mut n_checked = 0;
    let folders = ["scenarios", "scenarios/shelf"].map(|folder| workspace().join(folder));
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    for path in entries.map(|entry| entry.unwrap().path().canonicalize().unwrap()) {
        if path.extension() != Some("ron".as_ref())
            || fs::read_to_string(&path).unwrap().contains("data: File(")
        {
            // No scenario, or one whose data are the user's: supervised_data.rs checks those where they are there.
            continue;
        }
        let outcome = bench.run(&["scenario", "check", path.to_str().unwrap()]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert!(outcome.stdout.contains(" is fine, and "), "{outcome:?}");
        bench.run(&["scenario", "check", path.to_str().unwrap(), "--json"]).json();
        n_checked += 1;
    }
    assert!(n_checked >= 20, "{n_checked}");
}

#[test]
fn the_scenario_in_the_readme_is_fine() {
    let readme = fs::read_to_string(workspace().join("README.md")).unwrap();
    let (_, rest) = readme.split_once("```\nScenario(").expect("a scenario");
    let (scenario, _) = rest.split_once("```").expect("its end");
    let bench = Bench::new();
    bench.write("readme.ron", &format!("Scenario({scenario}"));
    let outcome = bench.run(&["scenario", "check", "readme.ron"]);
    assert!(outcome.stdout.contains("is fine, and trains a controller"), "{outcome:?}");
}
