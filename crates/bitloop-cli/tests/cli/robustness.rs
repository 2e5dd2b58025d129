//! `bitloop robust` and `bitloop worst`.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use crate::support::Bench;

#[test]
fn margins_are_the_same_on_any_number_of_threads_and_have_a_picture() {
    let (bench, _) = Bench::with_controller();
    let args = ["robust", "run/controller.ron", "--lqr", "--episodes", "9", "-o", "margins.svg"];
    let run = |more: &[&str]| bench.run(&[&args[..], more].concat());
    let one = run(&["--json", "--threads", "1"]).json();
    let svg = bench.read("margins.svg");
    assert!(svg.starts_with("<svg") && svg.contains("delay of force [s]"), "{svg}");
    assert_eq!(run(&["--json", "--threads", "2"]).json(), one);
    assert_eq!(bench.read("margins.svg"), svg);
    let [of_file, of_lqr] = [0, 1].map(|at| &one["controllers"][at]);
    assert_eq!((&of_file["name"], &of_lqr["name"]), (&"controller.ron".into(), &"LQR".into()));
    let sweep = |column: &serde_json::Value, source: &str| {
        let sweeps = column["sources"].as_array().unwrap();
        sweeps.iter().find(|sweep| sweep["source"] == source).unwrap().clone()
    };
    // Twice the gain of LQR is stable for a loop in continuous time; a delay of more than two queries is not.
    let delay = sweep(of_lqr, "delay of force");
    let margin = delay["margin"].as_f64().unwrap();
    assert!((0.01..0.2).contains(&margin), "{delay}");
    assert!(delay["levels"].as_array().unwrap().last().unwrap()["n_failed"].as_u64() > Some(4));
    let page = ["robust", "run/controller.ron", "--episodes", "3", "-o", "margins.html"];
    assert_eq!(bench.run(&page).code, Some(0));
    let page = bench.read("margins.html");
    for part in ["<html", "largest level tried without failure", "delay of force [s]"] {
        assert!(page.contains(part), "{part}");
    }
    let text = run(&[]).stdout;
    assert!(text.contains("largest level tried without failure"), "{text}");
    assert!(text.lines().count() < 40, "{text}");
}

#[test]
fn the_worst_episode_replays_with_the_same_error() {
    let (bench, _) = Bench::with_controller();
    let args =
        ["worst", "run/controller.ron", "-o", "worst.ron", "--random", "64", "--starts", "2"];
    let run = |more: &[&str]| bench.run(&[&args[..], &["--json"], more].concat()).json();
    let found = run(&["--threads", "1"]);
    let file = bench.read("worst.ron");
    assert_eq!(run(&["--threads", "3"]), found);
    assert_eq!(bench.read("worst.ron"), file);
    let replay = ["replay", "run/controller.ron", "--scenario", "worst.ron", "--json"];
    let replayed = bench.run(&replay).json();
    assert_eq!(replayed["mean_error"], found["error"]);
    assert!(found["error"].as_f64() >= found["random_error"].as_f64(), "{found:?}");
    // A file that is read is not overwritten.
    let args = ["worst", "run/controller.ron", "-o", "run/controller.ron"];
    bench.run(&args).assert_refused(1, &["run/controller.ron"]);
}

/// What was done before Ctrl-C is shown, with the code of an interrupt.
#[test]
fn margins_that_were_found_before_an_interrupt_are_shown() {
    let (bench, _) = Bench::with_controller();
    let args = [
        "robust",
        "run/controller.ron",
        "--episodes",
        "1000",
        "--horizon",
        "500",
        "--threads",
        "1",
        "--json",
        "-o",
        "part.html",
    ];
    let mut child = bench.command(&args);
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The test without any source is the first that is done.
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let has_source = |line: &String| {
        let mut words = line.split_whitespace().rev().skip_while(|word| *word != "of").skip(1);
        line.contains("done") && words.next().is_some_and(|n| n.parse().is_ok_and(|n: u32| n > 1))
    };
    let first = lines.by_ref().map_while(Result::ok).find(has_source);
    assert!(first.is_some());
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{rest:?}");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["is_part"], true);
    let sources = found["controllers"][0]["sources"].as_array().unwrap();
    assert!(!sources.is_empty() && sources.len() < 10, "{found}");
    assert!(rest.iter().any(|line| line.contains("sources that are missing")), "{rest:?}");
    assert!(bench.read("part.html").contains("Interrupted"));
}
