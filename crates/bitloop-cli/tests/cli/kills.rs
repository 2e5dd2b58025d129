//! Killed at any moment, and gone on with, a training or a campaign ends with the same bits.
//!
//! The moments come from a seed, what happens in them from the machine, so that each run of these tests tries others. The
//! long version: `cargo test -p bitloop-cli --test cli -- --ignored --nocapture two_hundred`.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use bitloop_random::{Purpose, Stream};
use serde_json::Value;

use crate::support::{Bench, QUICK, QUICK_FIT};

/// Draws moments, and kills.
pub struct Killer {
    stream: Stream,
    n_kills: u32,
    /// Of these, those of a command that was resuming something.
    n_kills_of_resumed: u32,
}

impl Killer {
    pub fn new(seed: u64) -> Self {
        let stream = Stream::new(seed, Purpose::RandomSearch, 0, 0);
        Self { stream, n_kills: 0, n_kills_of_resumed: 0 }
    }

    /// Runs a command, and kills it at a moment within `longest`, unless it is done before. Tells its exit code.
    fn run(&mut self, bench: &Bench, args: &[&str], longest: Duration) -> Option<i32> {
        let moment = longest.mul_f64(self.stream.uniform_f64());
        let mut command = bench.command(args);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while begun.elapsed() < moment {
            if let Some(status) = child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        child.kill().unwrap();
        let code = child.wait().unwrap().code();
        if code.is_none() {
            self.n_kills += 1;
            self.n_kills_of_resumed += u32::from(args.contains(&"--resume"));
        }
        code
    }
}

/// A training on examples that takes a while, over several runs.
fn fitting(trainer: &str) -> String {
    let long = QUICK_FIT.replace("3000", "60000").replace("1300", "25000");
    let (head, rest) = long.split_once("training: TelescopicBlm(").unwrap();
    match trainer {
        "" => long,
        trainer => {
            let (_, tail) = rest.split_once("    ),\n    stop").unwrap();
            format!("{head}training: {trainer},\n    stop{tail}")
        }
    }
}

/// Some thousand evaluations, over several runs.
fn scenario(search: &str) -> String {
    let long = QUICK.replace("evaluations: 600", "evaluations: 6000, run_evaluations: 2500");
    match search {
        "" => long,
        search => {
            let (head, rest) = long.split_once("training: TelescopicBlm(").unwrap();
            let (_, tail) = rest.split_once("    ),\n    stop").unwrap();
            format!("{head}training: {search},\n    stop{tail}")
        }
    }
}

/// The lines of a log without times, and without what says that the run was killed.
fn log(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines
        .filter(|line| line["event"] != "resumed")
        .map(|mut line| {
            line["wall_s"] = Value::Null;
            line
        })
        .collect()
}

/// Trains in a folder until it is done, killing on the way, and compares with a training that nobody killed.
fn train_and_kill(killer: &mut Killer, scenario: &str, most: u32) {
    train_and_kill_in(&Bench::new(), killer, scenario, most);
}

/// The same in a folder with what the scenario needs.
pub fn train_and_kill_in(bench: &Bench, killer: &mut Killer, scenario: &str, most: u32) {
    let kind = if scenario.starts_with("Scenario") { "controller" } else { "model" };
    bench.write("s.ron", scenario);
    let begun = Instant::now();
    bench.run(&["train", "s.ron", "--out", "whole", "--json"]).json();
    let whole_time = begun.elapsed();

    let often = ["--checkpoint-every", "0.01"];
    let mut longest = whole_time;
    let limit = killer.n_kills + most;
    loop {
        // From the moment that there is a folder, there is a training to resume in it.
        let is_begun = bench.path("killed").exists();
        let args: Vec<&str> = if is_begun {
            ["train", "--resume", "killed"].into_iter().chain(often).collect()
        } else {
            ["train", "s.ron", "--out", "killed"].into_iter().chain(often).collect()
        };
        // Shorter and shorter, so that there is room for many; then as long as it takes.
        longest = longest.mul_f64(0.8).max(Duration::from_millis(5));
        let patience = if killer.n_kills < limit { longest } else { Duration::from_mins(10) };
        match killer.run(bench, &args, patience) {
            None => {}
            Some(0) => break,
            Some(code) => {
                let outcome = bench.run(&args);
                panic!("exit code {code}: {outcome:?}");
            }
        }
    }
    for name in [&format!("{kind}.ron"), "scenario.ron", "resolved.ron"] {
        assert_eq!(bench.read(&format!("killed/{name}")), bench.read(&format!("whole/{name}")));
    }
    assert_eq!(log(&bench.path("killed/log.jsonl")), log(&bench.path("whole/log.jsonl")));
    let digest = |name: &str| {
        let result: Value = serde_json::from_str(&bench.read(name)).unwrap();
        (
            result[format!("{kind}_digest")].clone(),
            result["evaluations"].clone(),
            result["moves"].clone(),
        )
    };
    assert_eq!(digest("killed/result.json"), digest("whole/result.json"));
}

/// The same for a campaign of a few runs.
fn campaign_and_kill(killer: &mut Killer, most: u32) {
    let bench = Bench::new();
    bench.write("s.ron", &QUICK.replace("evaluations: 600", "evaluations: 1500"));
    let begin = |folder| ["campaign", "s.ron", "--runs", "6", "--out", folder];
    let begun = Instant::now();
    assert_eq!(bench.run(&begin("whole")).code, Some(0));
    let whole_time = begun.elapsed();
    let limit = killer.n_kills + most;
    loop {
        let is_begun = bench.path("killed/campaign.json").exists();
        let args = if is_begun {
            vec!["campaign", "--resume", "killed"]
        } else {
            begin("killed").to_vec()
        };
        // Long enough for a run, so that it comes to an end.
        let patience =
            if killer.n_kills < limit { whole_time.mul_f64(0.6) } else { Duration::from_mins(10) };
        match killer.run(&bench, &args, patience) {
            None => {}
            Some(0) => break,
            Some(code) => panic!("exit code {code}: {:?}", bench.run(&args)),
        }
    }
    for run in 0..6 {
        let name = format!("training-{run:04}-controller.ron");
        assert_eq!(bench.read(&format!("killed/{name}")), bench.read(&format!("whole/{name}")));
    }
}

fn kill_until(n_kills: u32, seed: u64) -> Killer {
    let mut killer = Killer::new(seed);
    while killer.n_kills < n_kills {
        let left = n_kills - killer.n_kills;
        train_and_kill(&mut killer, &scenario(""), left.min(6));
        let left = n_kills.saturating_sub(killer.n_kills);
        train_and_kill(&mut killer, &scenario("RandomSearch()"), left.min(2));
        train_and_kill(&mut killer, &scenario("CmaEs(validate_every: 2)"), left.min(2));
        let left = n_kills.saturating_sub(killer.n_kills);
        train_and_kill(&mut killer, &fitting(""), left.min(3));
        let left = n_kills.saturating_sub(killer.n_kills);
        train_and_kill(&mut killer, &fitting("OneStepSecant(initial_range: 1)"), left.min(2));
        campaign_and_kill(&mut killer, left.min(3));
    }
    killer
}

#[test]
fn a_training_that_is_killed_and_gone_on_with_ends_the_same() {
    let killer = kill_until(16, 1);
    assert!(killer.n_kills_of_resumed > 0);
}

#[test]
#[ignore = "takes minutes"]
fn two_hundred_kills() {
    let killer = kill_until(200, 2);
    println!("{} kills, {} of them of resumed runs", killer.n_kills, killer.n_kills_of_resumed);
}
