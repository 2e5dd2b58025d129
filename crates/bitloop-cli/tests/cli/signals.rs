//! Ctrl-C: the state and the best so far are saved.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use crate::support::{Bench, QUICK};

/// Starts a training that would take minutes, waits until it runs, and sends a signal to it and its workers, as a terminal
/// does.
fn interrupt(signal: &str, more: &[&str]) -> (Bench, std::process::Output) {
    let bench = Bench::new();
    bench.write("long.ron", &QUICK.replace("evaluations: 600", "seconds: 600"));
    let mut child = bench
        .command(&["train", "long.ron", "--out", "run", "--json"])
        .args(more)
        .process_group(0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(stderr.any(|line| line.unwrap().contains("run 1  bits")), "it must start");
    let group = format!("-{}", child.id());
    assert!(Command::new("kill").args(["-s", signal, "--", &group]).status().unwrap().success());
    // Whatever it still has to say is read, so that it is not stopped by a full pipe.
    stderr.for_each(|line| drop(line.unwrap()));
    let output = child.wait_with_output().unwrap();
    (bench, output)
}

#[test]
fn an_interrupted_training_saves_its_best() {
    for (signal, code, more) in
        [("INT", 130, &[][..]), ("TERM", 143, &[]), ("INT", 130, &["--isolate"])]
    {
        let (bench, output) = interrupt(signal, more);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(result["stop_reason"], "interrupted");
        assert!(!bench.path("run/result.json").exists(), "what was interrupted is not finished");
        let replay = bench.run(&["replay", "run/controller.ron", "--json"]).json();
        assert_eq!(replay["mean_error"], result["test_error"]);
    }
}
