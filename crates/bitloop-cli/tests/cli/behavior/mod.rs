//! What a controller does, as a user meets it: a quadrotor that switches its rotors for ever has a small mean error, and is
//! found out by the lines below it.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::Bench;

/// A scenario for feedback of all states, and a mass that is drawn.
const SCENARIO: &str = r#"Scenario(
    plant: Library("quadrotor.so"),
    initial: {"x": Uniform(-1, 1), "z": Uniform(-1, 1)},
    parameters: {"mass": Uniform(0.9, 1.1)},
    observations: ["x", "z", "theta", "vx", "vz", "omega"],
    controller: FeedForward(hidden: []),
    episodes: (training: (count: 8, horizon_s: 10), test: (count: 8, horizon_s: 20)),
    training: TelescopicBlm(bits: 16, max_weight: 256, initialization: Bounded(0.1)),
    stop: (evaluations: 100),
    seed: 1,
)
"#;

/// A gain in N for each state, for each rotor, that hovers calmly.
const GAIN: [f64; 12] = [2.0, 5.0, -20.0, 3.0, 5.0, -2.8, -2.0, 5.0, 20.0, -3.0, 5.0, 2.8];

/// A folder with the plant, the scenario, and controllers: a calm one, and one so steep that it switches.
pub fn hangar() -> Bench {
    hangar_of(&[])
}

/// The same with a plant whose source is changed.
pub fn hangar_of(changes: &[(&str, &str)]) -> Bench {
    let bench = Bench::new();
    let mut source = include_str!("quadrotor.c").to_owned();
    for (from, to) in changes {
        assert!(source.contains(from), "{from}");
        source = source.replace(from, to);
    }
    bench.write("quadrotor.c", &source);
    bench.write("hover.ron", SCENARIO);
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bitloop-plant/include");
    let output = Command::new("cc")
        .args(["-std=c99", "-O1", "-ffp-contract=off", "-fPIC", "-shared", "-I"])
        .arg(include)
        .arg("-o")
        .args([bench.path("quadrotor.so"), bench.path("quadrotor.c")])
        .output()
        .expect("a C compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for (name, factor) in [("calm.ron", 1.0), ("steep.ron", 50.0)] {
        let rows: Vec<String> = GAIN
            .chunks(6)
            .map(|row| row.iter().map(|k| (factor * k).to_string()).collect::<Vec<_>>().join(","))
            .collect();
        let import =
            ["controller", "import", "hover.ron", "--gain", &rows.join(";"), "--out", name];
        let outcome = bench.run(&import);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
    }
    bench
}

fn number(value: &Value, path: &str) -> f64 {
    value.pointer(path).and_then(Value::as_f64).unwrap_or_else(|| panic!("{path} in {value}"))
}

#[test]
fn a_quadrotor_that_switches_for_ever_is_seen_in_the_terminal_and_in_json() {
    let bench = hangar();
    let calm = bench.run(&["replay", "calm.ron"]);
    assert_eq!(calm.code, Some(0), "{calm:?}");
    assert!(!calm.stdout.contains("WARNING"), "{}", calm.stdout);
    let steep = bench.run(&["replay", "steep.ron"]);
    let warnings: Vec<&str> =
        steep.stdout.lines().filter(|line| line.contains("WARNING")).collect();
    assert_eq!(warnings.len(), 2, "{}", steep.stdout);
    assert!(warnings[0].contains("left does not come to rest"), "{}", warnings[0]);
    assert!(warnings[0].contains("8 of 8 episodes"), "{}", warnings[0]);
    assert!(warnings[1].contains("left is at a limit in"), "{}", warnings[1]);
    // All that a mean error says.
    let [calm, steep] = ["calm.ron", "steep.ron"]
        .map(|file| Value::Object(bench.run(&["replay", file, "--json"]).json()));
    assert_eq!(number(&steep, "/failed_episodes"), 0.0);
    let settles = |replay| number(replay, "/behavior/settling_s/median");
    assert!((0.5..15.0).contains(&settles(&calm)), "{calm}");
    assert_eq!(calm["behavior"]["warnings"].as_array().map(Vec::len), Some(0));
    let kinds: Vec<&str> = steep["behavior"]["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|warning| warning["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["chatter", "saturation", "chatter", "saturation"]);
    assert!(number(&steep, "/behavior/at_limit/left/median") > 0.5);
    assert!(number(&steep, "/behavior/steady_variation/right/median") > 0.2);
    assert!(number(&calm, "/behavior/steady_variation/right/worst") < 1e-3);
    let episode = &steep["episode_results"][3]["behavior"];
    assert!(number(episode, "/steady_reversals/left") > 0.2);
    assert_eq!(number(episode, "/variation/left"), {
        let all = steep["episode_results"].as_array().unwrap();
        number(&all[3], "/behavior/variation/left")
    });
}

#[test]
fn the_worst_episode_comes_with_its_draws_and_the_command_that_replays_it_alone() {
    let bench = hangar();
    let options = ["replay", "calm.ron", "--seed", "7", "--horizon", "4", "--json"];
    let all = Value::Object(bench.run(&options).json());
    let worst = &all["worst"];
    let episode = worst["episode"].as_u64().unwrap();
    let listed = &all["episode_results"][usize::try_from(episode).unwrap()];
    for key in ["start", "parameters", "error"] {
        assert_eq!(worst[key], listed[key]);
    }
    assert_eq!(worst["seed"], 7);
    assert!((0.9..1.1).contains(&number(worst, "/parameters/mass")));
    let command = worst["command"].as_str().unwrap();
    let (_, words) = command.split_once("replay ").unwrap();
    let mut alone = vec!["replay"];
    alone.extend(words.split(' '));
    alone.push("--json");
    let alone = Value::Object(bench.run(&alone).json());
    assert_eq!(alone["mean_error"], worst["error"]);
    assert_eq!(alone["episode_results"][0]["behavior"], listed["behavior"]);
    // A table has the same figures.
    bench.run(&["replay", "calm.ron", "--seed", "7", "--horizon", "4", "--episodes-csv", "e.csv"]);
    let table = bench.read("e.csv");
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let column = header.iter().position(|name| *name == "variation.right").unwrap();
    let row = lines.nth(usize::try_from(episode).unwrap()).unwrap();
    assert_eq!(row.len(), header.len());
    assert_eq!(row[column].parse(), Ok(number(listed, "/behavior/variation/right")));
}

/// A training of the quadrotor, with further fields.
fn trained(bench: &Bench, name: &str, fields: &str) -> Value {
    let search = "preset: Paper, start_bits: 4, max_weight: 20, initialization: Bounded(0.5), moves: BestOf(40), \
                  candidates: SeveralFlips(extra: 0.5)";
    let text = SCENARIO
        .replace("max_weight: 256, initialization: Bounded(0.1)", search)
        .replace("evaluations: 100),", &format!("evaluations: 10000),\n    {fields}"));
    bench.write(&format!("{name}.ron"), &text);
    let scenario = format!("{name}.ron");
    Value::Object(bench.run(&["train", &scenario, "--out", name, "--json"]).json())
}

#[test]
fn a_penalty_on_the_rate_trades_error_for_rest() {
    let bench = hangar();
    let free = trained(&bench, "free", "");
    let gentle = trained(&bench, "gentle", "penalties: (rate: 0.1),");
    let chatters = |result: &Value| {
        let warnings = result["behavior"]["warnings"].as_array().unwrap();
        warnings.iter().any(|warning| warning["kind"] == "chatter")
    };
    assert!(chatters(&free), "{free}");
    assert!(!chatters(&gentle), "{gentle}");
    assert_eq!(number(&gentle, "/test_failed_episodes"), 0.0);
    // The error is that of both, and the plant's own beside it.
    let [error, own] = ["/test_error", "/test_own_error"].map(|key| number(&gentle, key));
    assert!(own < error, "{own} {error}");
    assert!(!free.as_object().unwrap().contains_key("test_own_error"));
    let replay = bench.run(&["replay", "gentle/controller.ron"]);
    assert!(replay.stdout.contains("the plant's own"), "{}", replay.stdout);
    let replay = Value::Object(bench.run(&["replay", "gentle/controller.ron", "--json"]).json());
    assert_eq!(replay["mean_error"], gentle["test_error"]);
    assert_eq!(replay["mean_own_error"], gentle["test_own_error"]);
    // In another test the penalties may be others, which is said.
    let other = bench.run(&["replay", "gentle/controller.ron", "--scenario", "free.ron"]);
    assert!(other.stdout.contains("penalties.rate: 0 here, 0.1 in training"), "{}", other.stdout);
}

#[test]
fn bad_penalties_are_refused_at_their_place() {
    let bench = Bench::new();
    for (penalties, fragment) in [
        ("(rate: -0.1)", "a penalty must be 0 or more, found -0.1"),
        ("(effort: NaN)", "effort"),
        ("(saturation: inf)", "saturation"),
        ("(effrt: 1)", "did you mean `effort`?"),
    ] {
        let text = crate::support::QUICK
            .replace("    seed: 1,", &format!("    seed: 1,\n    penalties: {penalties},"));
        bench.write("bad.ron", &text);
        bench.run(&["train", "bad.ron"]).assert_refused(3, &["bad.ron:20", fragment]);
    }
}

#[test]
fn a_training_says_what_its_controller_does_isolated_or_not() {
    let bench = hangar();
    let train = |folder: &str, more: &[&str]| {
        let mut arguments = vec!["train", "hover.ron", "--out", folder, "--json"];
        arguments.extend(more);
        Value::Object(bench.run(&arguments).json())
    };
    let (here, elsewhere) = (train("here", &[]), train("elsewhere", &["--isolate"]));
    for key in ["behavior", "worst"] {
        assert!(here[key].is_object(), "{here}");
        assert_eq!(here[key], elsewhere[key]);
    }
    let replay = Value::Object(bench.run(&["replay", "here/controller.ron", "--json"]).json());
    assert_eq!(here["behavior"], replay["behavior"]);
    assert_eq!(here["worst"]["start"], replay["worst"]["start"]);
    for n_threads in ["1", "2"] {
        let options = ["replay", "here/controller.ron", "--threads", n_threads, "--json"];
        let mut command = bench.command(&options);
        command.env("BITLOOP_ISA", "portable");
        let again = Value::Object(crate::support::Outcome::of(&mut command).json());
        assert_eq!(again["behavior"], replay["behavior"]);
        assert_eq!(again["episode_results"], replay["episode_results"]);
    }
}
