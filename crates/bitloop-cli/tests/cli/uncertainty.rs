//! Training and replay with sensors and actuators that are not perfect, and disturbances.

use crate::support::{Bench, QUICK};

const UNCERTAINTY: &str = r#"uncertainty: (
        sensors: {
            "theta": (noise: Normal(0.001), bias: Uniform(-0.01, 0.01), quantum: 0.001, dropout: 0.05),
            "x_dot": (noise: Uniform(0.02), delay_s: 0.1),
        },
        actuators: {"force": (gain: Uniform(0.9, 1.1), dead_band: 0.01, rate: 500, delay_s: 0.03)},
        disturbances: {
            "force": [Impulse(at_s: Uniform(0.5, 4), area: Normal(mean: 0, sd: 0.2)), Noise(sd: 0.1, time_constant_s: 1)],
            "length": [Step(at_s: 2, to: 1.2)],
        },
    ),
    controller:"#;

fn with(bench: &Bench, uncertainty: &str) {
    bench.write("u.ron", &QUICK.replacen("controller:", uncertainty, 1));
}

#[test]
fn a_training_gives_the_same_bits_by_any_way_of_running_it() {
    let bench = Bench::new();
    with(&bench, &UNCERTAINTY.replace("uncertainty:", "aggregate: CVaR(0.3),\n    uncertainty:"));
    let run = |out: &str, more: &[&str]| {
        let args = ["train", "u.ron", "--json", "--out", out];
        bench.run(&[&args[..], more].concat()).json()
    };
    let whole = run("whole", &["--threads", "1"]);
    for more in [&["--threads", "3"][..], &["--isolate"]] {
        let again = run(&more[0][2..], more);
        for figure in ["controller_digest", "test_error", "evaluations"] {
            assert_eq!(again[figure], whole[figure], "{more:?}");
        }
    }
    bench.run(&["train", "u.ron", "--out", "cut", "--evaluations", "100", "--json"]).json();
    let resumed = bench.run(&["train", "--resume", "cut", "--evaluations", "600", "--json"]).json();
    assert_eq!(resumed["controller_digest"], whole["controller_digest"]);

    let replayed = bench.run(&["replay", "whole/controller.ron", "--json"]).json();
    assert_eq!(replayed["mean_error"], whole["test_error"]);
    // What sensors read stands beside the states that they read.
    bench.run(&["replay", "whole/controller.ron", "--csv", "t.csv", "--episodes", "2"]);
    let table = bench.read("t.csv");
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name| header.iter().position(|other| *other == name).unwrap();
    let (theta, reading) = (column("theta"), column("reading.theta"));
    assert!(!header.contains(&"reading.x"), "{header:?}");
    let cells: Vec<&str> = lines.next().unwrap().split(',').collect();
    let [theta, reading] = [theta, reading].map(|at| cells[at].parse::<f64>().unwrap());
    assert!(theta != reading && (theta - reading).abs() < 0.05, "{theta} {reading}");
    // A test without it says so.
    bench.write("u.ron", QUICK);
    let other = bench.run(&["replay", "whole/controller.ron", "--scenario", "u.ron"]).stdout;
    assert!(other.contains("uncertainty.sensors.theta"), "{other}");
    assert!(other.contains("perfect"), "{other}");
    // Without it, the training is another one.
    assert_ne!(run("perfect", &[])["controller_digest"], whole["controller_digest"]);
}

#[test]
fn it_is_explained_by_check() {
    let bench = Bench::new();
    with(&bench, &UNCERTAINTY.replace("uncertainty:", "aggregate: CVaR(0.3),\n    uncertainty:"));
    let text = bench.run(&["scenario", "check", "u.ron"]).stdout;
    assert!(text.contains("the mean error of the worst 30 % of episodes"), "{text}");
    for part in [
        "theta: bias Uniform(-0.01, 0.01), noise Normal(0.001), quantum 0.001, dropout of 5 % of the queries",
        "x_dot: noise Uniform(0.02), delay 0.1 s",
        "force: gain Uniform(0.9, 1.1), dead band 0.01, rate 500 per s, delay 0.03 s",
        "force: impulse of area Normal(mean: 0.0, sd: 0.2) at Uniform(0.5, 4.0) s, then noise of standard deviation 0.1",
        "length: step to 1.2 at 2.0 s",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn what_the_plant_cannot_have_is_refused_at_its_place() {
    let bench = Bench::new();
    for (uncertainty, fragments) in [
        (r#"sensors: {"thetta": ()}"#, ["has no observation `thetta`", "did you mean `theta`?"]),
        (r#"actuators: {"theta": ()}"#, ["has no control `theta`", "it has force"]),
        (r#"sensors: {"x": (delay_s: 0.15)}"#, ["no multiple of the control period", "u.ron:"]),
        (
            r#"actuators: {"force": (delay_s: 0.015)}"#,
            ["no multiple of the integration step", "u.ron:"],
        ),
        (
            r#"disturbances: {"fource": []}"#,
            ["parameter or state `fource`", "did you mean `force`?"],
        ),
        (
            r#"disturbances: {"length": [Step(at_s: 1, to: 1), Step(at_s: 1, to: 0)]}"#,
            ["0.0 leaves the bounds of the plant", "u.ron:"],
        ),
        (
            r#"disturbances: {"force": [Impulse(at_s: 1, area: 1, width_s: 0.15)]}"#,
            ["the width of 0.15 s is no multiple of the control period", "u.ron:"],
        ),
        (
            r#"disturbances: {"force": [Sine(amplitude: 1, period_s: 0.15)]}"#,
            ["is shorter than two control periods", "u.ron:"],
        ),
    ] {
        with(&bench, &format!("uncertainty: ({uncertainty}),\n    controller:"));
        bench.run(&["train", "u.ron", "--out", "run"]).assert_refused(3, &fragments);
    }
}
