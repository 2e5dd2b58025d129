//! A plant that hides a state: its first scenario, and LQR that sees the state all the same.

use std::path::Path;
use std::process::Command;

use crate::support::Bench;

/// A folder with `rail.so`, a mass whose speed is not observed.
fn rail() -> Bench {
    let bench = Bench::new();
    bench.write("rail.c", include_str!("hidden_states.c"));
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bitloop-plant/include");
    let output = Command::new("cc")
        .args(["-std=c99", "-O1", "-ffp-contract=off", "-fPIC", "-shared", "-I"])
        .arg(include)
        .arg("-o")
        .args([bench.path("rail.so"), bench.path("rail.c")])
        .output()
        .expect("a C compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    bench
}

#[test]
fn a_first_scenario_sees_the_last_queries_and_comes_near_lqr_that_sees_all_states() {
    let bench = rail();
    let made = bench.run(&["scenario", "new", "./rail.so", "--out", "rail.ron"]);
    assert_eq!(made.code, Some(0), "{made:?}");
    let text = bench.read("rail.ron");
    assert!(text.contains("controller: TappedDelay(window: 3, hidden: []),"), "{text}");
    let trained = bench.run(&["train", "rail.ron", "--out", "run"]).stdout;
    assert!(trained.contains("stopped             target"), "{trained}");
    assert!(trained.contains("0 failed, with all states fed back, without sensors"), "{trained}");

    let lqr = bench.run(&["lqr", "rail.ron"]).stdout;
    assert!(lqr.contains("with all states fed back, which the observations do not"), "{lqr}");
    let lqr = bench.run(&["lqr", "rail.ron", "--json"]).json();
    assert_eq!(lqr["feeds_back_states"], true);
    assert_eq!(lqr["gains"][0].as_array().unwrap().len(), 2);
    let replay = ["replay", "run/controller.ron", "--scenario", "rail.ron", "--json"];
    let trained = bench.run(&replay).json();
    let ratio = trained["mean_error"].as_f64().unwrap() / lqr["test_error"].as_f64().unwrap();
    assert!((0.5..3.0).contains(&ratio), "{ratio}");
    // No sensor of a controller shows the speed, so that there are no margins of them.
    bench
        .run(&["robust", "run/controller.ron", "--lqr", "--episodes", "3"])
        .assert_refused(2, &["--lqr", "do not determine all states", "leave it out"]);
}
