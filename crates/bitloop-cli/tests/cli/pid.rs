//! `controller: Pid`: what its integral is for, and that it leaves bitloop like any other.

use crate::support::Bench;

/// A mass on a spring under a load that differs from episode to episode, and that nobody measures.
fn scenario(controller: &str) -> String {
    format!(
        "Scenario(
    plant: \"mass-spring-damper\",
    initial: {{\"x\": Uniform(-0.5, 0.5), \"v\": 0}},
    uncertainty: (disturbances: {{\"force\": [Step(at_s: 0, to: Uniform(-3, 3))]}}),
    scaling: {{\"force\": (center: 0, scale: 10)}},
    controller: {controller},
    episodes: (training: (count: 16, horizon_s: 20)),
    training: TelescopicBlm(),
    stop: (evaluations: 4000),
)"
    )
}

#[test]
fn an_integral_removes_the_error_that_an_unknown_load_leaves() {
    let bench = Bench::new();
    let error = |controller: &str| {
        let file = format!("{controller}.ron");
        bench.write(&file, &scenario(controller));
        let result = bench.run(&["train", &file, "--out", controller, "--json"]).json();
        result["test_error"].as_f64().unwrap()
    };
    // A linear law can only divide the load by its gain, which the cost of the force keeps small.
    let (linear, pid) = (error("Linear"), error("Pid"));
    assert!(pid < 0.5 * linear, "{pid} {linear}");
    let shown = bench.run(&["controller", "show", "Pid/controller.ron"]).stdout;
    assert!(shown.contains("window of 2, "), "{shown}");
    let exported =
        bench.run(&["controller", "export", "Pid/controller.ron", "--to", "c", "--out", "out"]);
    assert_eq!(exported.code, Some(0), "{exported:?}");
}
