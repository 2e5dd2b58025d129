//! Training and replay with sensors and actuators that are not perfect, and disturbances.

use crate::support::{Bench, QUICK};

const UNCERTAINTY: &str = r#"uncertainty: (
        sensors: {
            "theta": (noise: Normal(0.001), bias: Uniform(-0.01, 0.01), quantum: 0.001, dropout: 0.05),
            "x_dot": (noise: Uniform(0.02), delay_s: 0.1),
            "theta_dot": (noise: Normal(0.01), noise_time_constant_s: 0.3, jitter_s: 0.05, delay_s: Uniform(0, 0.1)),
        },
        actuators: {"force": (
            gain: Uniform(0.9, 1.1), dead_band: 0.01, rate: 500, backlash: 0.02, stuck_at_s: Uniform(4, 30), delay_s: 0.03,
        )},
        disturbances: {
            "force": [Impulse(at_s: Uniform(0.5, 4), area: Normal(mean: 0, sd: 0.2)), Noise(sd: 0.1, time_constant_s: 1)],
            "length": [Step(at_s: 2, to: 1.2)],
            "theta_dot": [Profile(file: "wind.csv", column: "torque", gain: Uniform(0.5, 1.5))],
        },
    ),
    controller:"#;

/// Values over time.
const WIND: &str = "time_s,other,torque\n0,1,0\n1.5,1,0.2\n\n3,1,-0.1\n";

fn with(bench: &Bench, uncertainty: &str) {
    bench.write("wind.csv", WIND);
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
    // What is kept of a training has the values of its profiles.
    bench.write("wind.csv", "");
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
        "disturbances of parameters and states > observation > sensors > controller > actuators > disturbances of controls > plant",
        "theta: bias Uniform(-0.01, 0.01), noise Normal(0.001), quantum 0.001, dropout of 5 % of the queries",
        "x_dot: noise Uniform(0.02), delay 0.1 s",
        "theta_dot: jitter 0.05 s, noise Normal(0.01), of time constant 0.3 s, delay Uniform(0.0, 0.1) s",
        "force: gain Uniform(0.9, 1.1), dead band 0.01, rate 500 per s, backlash 0.02, stuck from Uniform(4.0, 30.0) s on, delay 0.03 s",
        "theta_dot: profile of torque in wind.csv, times Uniform(0.5, 1.5)",
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
        (
            r#"sensors: {"x": (jitter_s: 0.2)}"#,
            ["a jitter is at most the control period of 0.1 s", "u.ron:"],
        ),
        (r#"sensors: {"x": (noise: Normal(-1))}"#, ["must be 0 or more", "u.ron:"]),
        (r#"sensors: {"x": (delay_s: 20)}"#, ["no shorter than the longest episode", "u.ron:"]),
        (
            r#"sensors: {"x": (delay_s: Uniform(0, 30))}"#,
            ["no shorter than the longest episode", "u.ron:"],
        ),
        (r#"sensors: {"x": (delay_s: Normal(mean: 1, sd: 1))}"#, ["must be 0 or more", "u.ron:"]),
        (
            r#"actuators: {"force": (delay_s: Normal(mean: 5, sd: 1))}"#,
            ["has no largest delay", "u.ron:"],
        ),
        (
            r#"sensors: {"x": (noise: Uniform(1), noise_time_constant_s: 1)}"#,
            ["the filter is one of normal noise", "u.ron:"],
        ),
        (r#"actuators: {"force": (backlash: Uniform(-1, 1))}"#, ["must be 0 or more", "u.ron:"]),
        (
            r#"disturbances: {"force": [Profile()]}"#,
            ["a profile has a file or points, and here is none", "u.ron:"],
        ),
        (
            r#"disturbances: {"force": [Profile(points: [(0, 1), (2, 0), (1, 1)])]}"#,
            ["each is after the one before", "u.ron:"],
        ),
        (r#"disturbances: {"force": [Profile(file: "no.csv")]}"#, ["No such file", "u.ron:"]),
        (
            r#"disturbances: {"force": [Profile(file: "wind.csv", column: "drag")]}"#,
            ["no column `drag`, it has time_s, other, torque", "u.ron:"],
        ),
    ] {
        with(&bench, &format!("uncertainty: ({uncertainty}),\n    controller:"));
        bench.run(&["train", "u.ron", "--out", "run"]).assert_refused(3, &fragments);
    }
}

#[test]
fn a_table_of_a_profile_is_refused_with_its_line() {
    let bench = Bench::new();
    let profile =
        r#"uncertainty: (disturbances: {"force": [Profile(file: "wind.csv")]}), controller:"#;
    for (table, fragment) in [
        ("", "it is empty"),
        ("t\n1\n", "line 1: it names one column"),
        ("t,f\n", "it has no values"),
        ("t,f\n0,1\n1,\n2,3\n", "line 3: column `f` has a gap"),
        ("t,f\n0,1\n1\n", "line 3: column `f` has a gap"),
        ("t,f\n0,1\n\n2,1\n1,3\n", "line 5: the time is not after that of the line before"),
        ("t,f\n0,1\n0,3\n", "line 3: the time is not after"),
        ("t,f\n-1,1\n", "line 2: the time is not after that of the line before, or below 0"),
        ("t,f\n0,gust\n", "line 2: `gust` is no number"),
        ("t,f\n0,1e999\n", "line 2: `1e999` is no number"),
    ] {
        with(&bench, profile);
        bench.write("wind.csv", table);
        bench
            .run(&["train", "u.ron", "--out", "run"])
            .assert_refused(3, &[fragment, "wind.csv", "u.ron:"]);
        bench.run(&["scenario", "check", "u.ron"]).assert_refused(3, &[fragment]);
    }
    let many: Vec<String> = (0..10_001).map(|at| format!("{at},0")).collect();
    bench.write("wind.csv", &format!("t,f\n{}", many.join("\n")));
    bench
        .run(&["train", "u.ron", "--out", "run"])
        .assert_refused(3, &["10001 values, more than 10000"]);
}

/// A set point is what the plant lets a controller see; it steps within the episode, in training and in a replay.
#[test]
fn set_points_step_and_follow_a_profile_within_an_episode() {
    let bench = Bench::new();
    let scenario = |references: &str| {
        bench.write(
            "r.ron",
            &format!(
                r#"Scenario(
    plant: "cstr",
    initial: {{"temperature": Uniform(345, 350)}},
    uncertainty: (references: {{{references}}}),
    controller: FeedForward(hidden: [2]),
    episodes: (training: (count: 8, horizon_s: 600), test: (count: 2, horizon_s: 600)),
    training: TelescopicBlm(),
    stop: (evaluations: 60),
)
"#
            ),
        );
    };
    scenario(
        r#""set_point": [Step(at_s: 120, to: 0.45), Profile(points: [(300, 0.45), (600, 0.75)])]"#,
    );
    bench.run(&["train", "r.ron", "--out", "run", "--json"]).json();
    let replay = ["replay", "run/controller.ron", "--csv", "t.csv", "--episodes", "1"];
    assert_eq!(bench.run(&replay).code, Some(0));
    let table = bench.read("t.csv");
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|other| *other == name).unwrap();
    let (time, set_point) = (column("time_s"), column("set_point"));
    let mut n_compared = 0;
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let (Ok(now_s), Ok(found)) = (cells[time].parse::<f64>(), cells[set_point].parse::<f64>())
        else {
            continue;
        };
        let expected = match now_s {
            t if t < 120.0 => 0.5,
            t if t < 300.0 => 0.45,
            t => 0.45 + 0.001 * (t - 300.0),
        };
        // The end of an episode has no query.
        if now_s < 600.0 {
            assert!((found - expected).abs() < 1e-12, "{now_s} {found} {expected}");
            n_compared += 1;
        }
    }
    assert!(n_compared >= 90, "{n_compared}");
    let check = bench.run(&["scenario", "check", "r.ron"]).stdout;
    assert!(
        check.contains("set_point: step to 0.45 at 120.0 s, then profile of 2 points"),
        "{check}"
    );
    for (references, fragments) in [
        (r#""flow": [Step(at_s: 1, to: 90)]"#, ["has no set point `flow`", "it has set_point"]),
        (r#""set_piont": []"#, ["has no set point `set_piont`", "did you mean `set_point`?"]),
        (r#""set_point": [Step(at_s: 1, to: -1)]"#, ["leaves the bounds of the plant", "r.ron:"]),
        (
            r#""set_point": []}, disturbances: {"set_point": []"#,
            ["is a set point here, and disturbed as well", "r.ron:"],
        ),
    ] {
        scenario(references);
        bench.run(&["train", "r.ron", "--out", "other"]).assert_refused(3, &fragments);
    }
}

#[test]
fn delay_lines_that_take_too_much_memory_are_refused_before_any_is_made() {
    let bench = Bench::new();
    let long = QUICK.replace("horizon_s: 20", "horizon_s: 2000");
    for (uncertainty, counts, fragment) in [
        (
            r#"sensors: {"x": (delay_s: 900)}"#,
            "count: 9,",
            "numbers kept for the delays of an episode",
        ),
        (
            r#"actuators: {"force": (delay_s: Uniform(0, 900))}"#,
            "count: 9,",
            "numbers kept for the delays of an episode",
        ),
        (r#"sensors: {"x": (delay_s: 300)}"#, "count: 900000,", "of all episodes together"),
    ] {
        let text =
            long.replacen("controller:", &format!("uncertainty: ({uncertainty}), controller:"), 1);
        bench.write("u.ron", &text.replace("count: 9,", counts));
        bench.run(&["scenario", "check", "u.ron"]).assert_refused(3, &[fragment, "u.ron:"]);
    }
}
