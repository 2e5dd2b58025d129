//! What it costs to merge shards, and to start one: processor time and memory of the program, in order of the table in
//! `crates/bitloop-campaign/SHARDS.md`. `cargo bench -p bitloop-cli --bench merge` makes the shards in a folder of its own, and
//! needs GNU time at `/usr/bin/time`.
//!
//! Trainings of five evaluations stand for real ones, which leave files of the same size.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const TRAININGS: &str = "10000";
const SHARDS: u32 = 100;

/// A scenario of the size of those that ship.
const SCENARIO: &str = "Scenario(
    plant: \"inverted-pendulum\",
    initial: {\"theta\": Uniform(-0.4, 0.4)},
    controller: FeedForward(hidden: [5]),
    episodes: (
        training: (count: 1, horizon_s: 2, transient_s: 1),
        validation: (count: 1, horizon_s: 2),
        confirmation: (count: 1, horizon_s: 2),
        test: (count: 1, horizon_s: 2),
    ),
    training: TelescopicBlm(bits: 16),
    stop: (evaluations: 5),
)
";

fn main() {
    let folder = tempfile::tempdir().expect("a folder for the shards");
    let at = folder.path();
    fs::write(at.join("s.ron"), SCENARIO).expect("the scenario is written");
    let campaign = ["campaign", "s.ron", "--runs", TRAININGS, "--out", "c"];
    shards(at, &campaign);
    println!("                                          processor s   MB");
    measured(at, "merge of 10 000 trainings", &["merge", "c", "--out", "whole"]);
    measured(at, "the same again", &["merge", "c", "--out", "whole"]);
    let idle = [&campaign[..], &["--shard", "0/100"]].concat();
    measured(at, "a shard with nothing to do", &idle);
    let controller = "whole/training-0000-controller.ron";
    let axes = ["--axes", "theta=-0.5:0.5,x=-1:1", "--grid", "1000x1000", "--horizon", "2"];
    let map = [&["map", controller][..], &axes, &["--out", "m"]].concat();
    shards(at, &map);
    measured(at, "merge of a map of 1 000 000 cells", &["merge", "m", "--out", "map"]);
    let replay = ["replay", controller, "--episodes", "100000", "--horizon", "2", "--out", "r"];
    shards(at, &replay);
    measured(at, "merge of a replay of 100 000 episodes", &["merge", "r", "--out", "replay"]);
}

/// Runs all shards of a command.
fn shards(folder: &Path, args: &[&str]) {
    for shard in 0..SHARDS {
        let shard = format!("{shard}/{SHARDS}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_bitloop"));
        command.args(args).args(["--shard", &shard, "--threads", "1"]);
        run(command.current_dir(folder));
    }
}

/// Runs a command, and prints what it took.
fn measured(folder: &Path, what: &str, args: &[&str]) {
    let mut command = Command::new("/usr/bin/time");
    command.args(["-f", "\n%U %S %M", env!("CARGO_BIN_EXE_bitloop")]).args(args);
    let output = run(command.current_dir(folder));
    let errors = String::from_utf8_lossy(&output.stderr);
    let figures = errors.trim_end().lines().next_back().unwrap_or_default();
    let figures: Vec<f64> =
        figures.split(' ').map(|figure| figure.parse().expect("a figure of time")).collect();
    println!("{what:40} {:12.2} {:5.0}", figures[0] + figures[1], figures[2] / 1024.0);
}

fn run(command: &mut Command) -> Output {
    let output = command.stdin(Stdio::null()).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}
