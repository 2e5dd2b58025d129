//! `replay --checkpoint` and `--resume`.

use std::process::Stdio;
use std::time::Duration;

use crate::support::{Bench, Outcome};

const LONG: [&str; 6] = ["replay", "run/controller.ron", "--episodes", "30", "--horizon", "100000"];

fn replay(bench: &Bench, more: &[&str]) -> Outcome {
    bench.run(&[&LONG[..], more].concat())
}

#[test]
fn a_replay_that_was_killed_is_resumed_with_the_same_bits() {
    let (bench, _) = Bench::with_controller();
    let whole = replay(&bench, &["--json", "--episodes-csv", "whole.csv"]).json();
    let begin = ["--checkpoint", "state", "--checkpoint-every", "0.05"];
    let mut child = bench
        .command(&[&LONG[..], &begin].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The first state has nothing in it.
    let length = || std::fs::metadata(bench.path("state")).map_or(0, |found| found.len());
    while length() < 1000 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    replay(&bench, &begin).assert_refused(3, &["state", "it is there already", "--resume"]);

    let more = ["--resume", "state", "--json", "--episodes-csv", "resumed.csv"];
    // The second time, nothing is left to be done.
    for _ in 0..2 {
        let resumed = replay(&bench, &more).json();
        for key in whole.keys().filter(|key| *key != "wall_s") {
            assert_eq!(resumed[key], whole[key], "{key}");
        }
        assert_eq!(bench.read("resumed.csv"), bench.read("whole.csv"));
    }

    for (other, fragment) in [
        (&["--resume", "state", "--seed", "9"][..], "it is the checkpoint of another replay"),
        (&["--resume", "state", "--no-digest"], "it is the checkpoint of another replay"),
        (&["--resume", "none"], "it cannot be read"),
        (&["--resume", "quick.ron"], "it is no checkpoint of a replay"),
        (&["--checkpoint", "no/such/folder"], "cannot be written"),
    ] {
        let outcome = replay(&bench, other);
        assert_ne!(outcome.code, Some(0), "{outcome:?}");
        assert!(outcome.stderr.contains(fragment), "{fragment}: {outcome:?}");
    }
    let mut bytes = std::fs::read(bench.path("state")).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(bench.path("state"), &bytes).unwrap();
    replay(&bench, &more).assert_refused(3, &["state", "it is damaged"]);
    replay(&bench, &["--checkpoint", "s", "--csv", "t.csv"]).assert_refused(2, &["--csv"]);
}
