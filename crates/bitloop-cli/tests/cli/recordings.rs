//! Trajectories in files: what CSV and MCAP have of them.

use std::collections::BTreeMap;
use std::fs;

use mcap::MessageStream;
use serde_json::Value;

use crate::support::{Bench, QUICK};

/// A folder with a controller and a test in which a mass is drawn and an angle is measured with noise.
fn with_noise() -> Bench {
    let (bench, _) = Bench::with_controller();
    let noisy = QUICK.replace(
        "simulation:",
        "parameters: {\"cart_mass\": Uniform(0.5, 2)},\n    \
         uncertainty: (sensors: {\"theta\": (noise: Normal(0.01))}),\n    simulation:",
    );
    bench.write("noisy.ron", &noisy);
    bench
}

fn replay(bench: &Bench, more: &[&str]) -> crate::support::Outcome {
    let test = ["replay", "run/controller.ron", "--scenario", "noisy.ron", "--episodes", "3"];
    let outcome = bench.run(&[&test[..], &["--horizon", "2"], more].concat());
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    outcome
}

/// The messages of each topic: time and numbers.
type Messages = BTreeMap<String, Vec<(u64, Value)>>;

fn messages(bench: &Bench, name: &str) -> Messages {
    let bytes = fs::read(bench.path(name)).unwrap();
    let mut all = Messages::new();
    for message in MessageStream::new(&bytes).unwrap() {
        let message = message.unwrap();
        let channel = &message.channel;
        assert_eq!(channel.message_encoding, "json");
        let schema = channel.schema.as_ref().unwrap();
        assert_eq!(schema.encoding, "jsonschema");
        let schema: Value = serde_json::from_slice(&schema.data).unwrap();
        let numbers: Value = serde_json::from_slice(&message.data).unwrap();
        for name in numbers.as_object().unwrap().keys() {
            assert_eq!(schema["properties"][name]["type"], "number", "{name}");
        }
        all.entry(channel.topic.clone()).or_default().push((message.log_time, numbers));
    }
    all
}

/// The rows of a table, by the names of its columns.
fn rows(text: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    lines.map(|cells| names.iter().copied().zip(cells).collect()).collect()
}

#[test]
fn a_recording_has_what_the_table_has() {
    let bench = with_noise();
    replay(&bench, &["--csv", "t.csv"]);
    replay(&bench, &["--mcap", "t.mcap"]);
    let table = bench.read("t.csv");
    let header = "episode,time_s,parameter.cart_mass,x,theta,x_dot,theta_dot,reading.theta,force";
    assert_eq!(table.lines().next(), Some(header));
    let rows = rows(&table);
    let messages = messages(&bench, "t.mcap");
    assert_eq!(messages.len(), 3 * 5);
    for episode in 0..3 {
        let own: Vec<_> = rows.iter().filter(|row| row["episode"] == episode.to_string()).collect();
        let topic = |name: &str| &messages[&format!("/episode_{episode}/{name}")];
        // All queries and the end, which may come early.
        let n = own.len() - 1;
        assert!((2..=20).contains(&n), "{n}");
        let lengths = ["state", "observation", "control", "cost"].map(|name| topic(name).len());
        assert_eq!(lengths, [n + 1, n, n, n]);
        let number = |row: &BTreeMap<&str, &str>, name: &str| row[name].parse::<f64>().unwrap();
        for (row, (time_ns, state)) in own.iter().zip(topic("state")) {
            assert_eq!(*time_ns as f64, (1e9 * number(row, "time_s")).round());
            for name in ["x", "theta", "x_dot", "theta_dot"] {
                assert_eq!(state[name], number(row, name));
            }
            // The same in each row, and the one that was drawn.
            assert_eq!(row["parameter.cart_mass"], own[0]["parameter.cart_mass"]);
        }
        for (row, (_, seen)) in own.iter().zip(topic("observation")) {
            assert_eq!(seen["theta"], number(row, "reading.theta"));
            assert_ne!(row["reading.theta"], row["theta"]);
        }
        for (row, (_, control)) in own.iter().zip(topic("control")) {
            assert_eq!(control["force"], number(row, "force"));
        }
        let parameters = &topic("parameter")[..];
        assert_eq!(parameters.len(), 1);
        assert_eq!(parameters[0].1["cart_mass"], number(own[0], "parameter.cart_mass"));
        let costs: Vec<f64> =
            topic("cost").iter().map(|cost| cost.1["sum"].as_f64().unwrap()).collect();
        assert!(costs[0] == 0.0 && costs.is_sorted(), "{costs:?}");
    }
    // As the list of episodes says.
    let all = Value::Object(replay(&bench, &["--json"]).json());
    let drawn = &all["episode_results"][2]["parameters"]["cart_mass"];
    assert_eq!(messages["/episode_2/parameter"][0].1["cart_mass"], *drawn);
}

#[test]
fn a_recording_is_the_same_again_and_in_a_process_of_its_own() {
    let bench = with_noise();
    replay(&bench, &["--mcap", "one.mcap", "--threads", "1"]);
    replay(&bench, &["--mcap", "two.mcap", "--threads", "2"]);
    replay(&bench, &["--mcap", "isolated.mcap", "--isolate"]);
    let one = fs::read(bench.path("one.mcap")).unwrap();
    for other in ["two.mcap", "isolated.mcap"] {
        assert!(fs::read(bench.path(other)).unwrap() == one, "{other}");
    }
    // One episode alone needs no number in its topics; every fourth query is one in 0.4 s.
    replay(&bench, &["--mcap", "alone.mcap", "--episode", "1", "--every", "4"]);
    let (all, alone) = (messages(&bench, "one.mcap"), messages(&bench, "alone.mcap"));
    let every = all["/episode_1/control"].iter().step_by(4).cloned().collect::<Vec<_>>();
    assert_eq!(alone["/control"], every);
}

#[test]
fn each_episode_has_a_file_where_that_is_asked_for() {
    let bench = with_noise();
    replay(&bench, &["--csv", "all.csv"]);
    replay(&bench, &["--csv", "own.csv", "--per-episode"]);
    replay(&bench, &["--csv", "own.csv.gz", "--per-episode"]);
    replay(&bench, &["--mcap", "own.mcap", "--per-episode"]);
    replay(&bench, &["--mcap", "all.mcap"]);
    let all = bench.read("all.csv");
    let (header, _) = all.split_once('\n').unwrap();
    let together = messages(&bench, "all.mcap");
    for episode in 0..3 {
        let start = format!("{episode},");
        let lines: Vec<&str> = all.lines().filter(|line| line.starts_with(&start)).collect();
        let expected = format!("{header}\n{}\n", lines.join("\n"));
        assert_eq!(bench.read(&format!("own-{episode}.csv")), expected);
        let packed = fs::read(bench.path(&format!("own-{episode}.csv.gz"))).unwrap();
        let mut text = String::new();
        std::io::Read::read_to_string(
            &mut flate2::read::MultiGzDecoder::new(&packed[..]),
            &mut text,
        )
        .unwrap();
        assert_eq!(text, expected);
        let alone = messages(&bench, &format!("own-{episode}.mcap"));
        assert_eq!(alone["/state"], together[&format!("/episode_{episode}/state")]);
    }
    assert!(!bench.path("own.csv").exists() && !bench.path("own-3.csv").exists());
}

#[test]
fn what_cannot_be_recorded_is_refused() {
    let bench = with_noise();
    let refused = |more: &[&str], code: i32, words: &[&str]| {
        let arguments = [&["replay", "run/controller.ron", "--horizon", "2"], more].concat();
        bench.run(&arguments).assert_refused(code, words);
    };
    refused(&["--mcap", "a.mcap", "--csv", "a.csv"], 2, &["--csv"]);
    refused(&["--per-episode"], 2, &["--csv or --mcap"]);
    refused(&["--mcap", "a.mcap", "--per-episode", "--isolate"], 2, &["leave out --isolate"]);
    refused(&["--csv", "-", "--per-episode"], 2, &["name a file"]);
    refused(&["--mcap", "no/a.mcap"], 1, &["no/a.mcap"]);
    refused(&["--csv", "no/a.csv", "--per-episode"], 1, &["no/a-0.csv"]);
    refused(&["--mcap", "a.mcap", "--episodes", "10001"], 2, &["at most 10000 episodes"]);
    refused(&["--mcap", "run/controller.ron"], 1, &["this command reads it, too"]);
    assert!(!bench.path("a.mcap").exists() && !bench.path("a.csv").exists());
}

#[test]
fn behavior_is_left_out_on_request() {
    let bench = with_noise();
    let (with, without) =
        (replay(&bench, &["--json"]), replay(&bench, &["--no-behavior", "--json"]));
    let (with, without) = (Value::Object(with.json()), Value::Object(without.json()));
    assert!(with["behavior"].is_object() && without["behavior"].is_null());
    assert_eq!(with["trajectory_digest"], without["trajectory_digest"]);
    assert_eq!(with["mean_error"], without["mean_error"]);
    assert!(!replay(&bench, &["--no-behavior"]).stdout.contains("steady error"));
}
