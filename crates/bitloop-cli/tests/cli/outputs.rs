//! What is written never harms what is read, nor what a link leads to, nor what was there before.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use crate::support::{Bench, Outcome, QUICK_FIT};

/// Makes other names for a file: itself, a way round, a symbolic link, a hard link.
fn names(bench: &Bench, file: &str) -> [String; 4] {
    let (symbolic, hard) = (format!("{file}.symbolic"), format!("{file}.hard"));
    symlink(bench.path(file), bench.path(&symbolic)).unwrap();
    fs::hard_link(bench.path(file), bench.path(&hard)).unwrap();
    [file.to_owned(), format!("./run/../{file}"), symbolic, hard]
}

/// Checks that a command with each name of an input as `--csv` is refused, and leaves that input as it was.
fn assert_inputs_are_kept(bench: &Bench, args: &[&str], inputs: &[&str]) {
    for input in inputs {
        let before = fs::read(bench.path(input)).unwrap();
        for name in names(bench, input) {
            let outcome = bench.run(&[args, &["--csv", &name]].concat());
            outcome.assert_refused(1, &[&name, "this command reads it, too", "name another file"]);
            assert_eq!(fs::read(bench.path(input)).unwrap(), before, "{name}");
        }
    }
    let outcome = bench.run(&[args, &["--csv", "out.csv"]].concat());
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
}

#[test]
fn a_prediction_does_not_overwrite_its_data_or_its_model() {
    let bench = Bench::new();
    bench.write("fit.ron", QUICK_FIT);
    bench.run(&["train", "fit.ron", "--out", "run", "--json"]).json();
    bench.write("d.csv", "x,y,class\n0,6.5,1\n0.1,-6.5,0\n");
    fs::copy(bench.path("run/model.ron"), bench.path("m.ron")).unwrap();
    assert_inputs_are_kept(&bench, &["predict", "m.ron", "--data", "d.csv"], &["d.csv", "m.ron"]);
}

#[test]
fn a_replay_does_not_overwrite_its_controller_or_its_scenario() {
    let (bench, _) = Bench::with_controller();
    fs::copy(bench.path("run/controller.ron"), bench.path("c.ron")).unwrap();
    let args = ["replay", "c.ron", "--scenario", "quick.ron", "--episodes", "2"];
    assert_inputs_are_kept(&bench, &args, &["c.ron", "quick.ron"]);
    let isolated = [&args[..], &["--isolate"]].concat();
    let outcome = bench.run(&[&isolated[..], &["--csv", "c.ron"]].concat());
    outcome.assert_refused(1, &["this command reads it, too"]);
}

/// A command that writes no file beyond so many blocks of 512 or 1024 bytes.
fn limited(bench: &Bench, blocks: u32, args: &[&str]) -> Outcome {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -f {blocks} && exec \"$0\" \"$@\"")]);
    command.arg(env!("CARGO_BIN_EXE_bitloop")).args(args);
    Outcome::of(command.current_dir(bench.path("")).stdin(Stdio::null()))
}

#[test]
fn a_limit_on_the_size_of_files_is_reported_and_the_old_file_stays() {
    let (bench, _) = Bench::with_controller();
    bench.write("t.csv", "old");
    let args = ["replay", "run/controller.ron", "--csv", "t.csv"];
    let outcome = limited(&bench, 1, &args);
    outcome.assert_refused(1, &["t.csv cannot be written: File too large"]);
    assert_eq!(bench.read("t.csv"), "old");
    let leftovers = fs::read_dir(bench.path("")).unwrap().count();
    assert_eq!(leftovers, ["quick.ron", "run", "t.csv"].len());

    // A training whose first file does not fit has not begun.
    let args = ["train", "quick.ron", "--out", "small"];
    let outcome = limited(&bench, 1, &args);
    outcome.assert_refused(1, &["begin cannot be written: File too large", "ulimit -f"]);
    assert!(!bench.path("small").exists());
    assert_eq!(bench.run(&args).code, Some(0));
}

/// What a link leads to: a file, and nothing.
const TARGETS: [&str; 2] = ["precious", "nothing"];

/// Puts a link in the place of a file of a folder, runs a command that would write there, and checks that it is refused and
/// that nothing happens to the file that the link leads to.
fn assert_link_is_refused(bench: &Bench, link: &str, target: &str, args: &[&str]) {
    bench.write("precious", "precious");
    let before = fs::read(bench.path(link)).ok();
    let _ = fs::remove_file(bench.path(link));
    symlink(bench.path(target), bench.path(link)).unwrap();
    let outcome = bench.run(args);
    assert!(matches!(outcome.code, Some(1..=3)), "{link}: {outcome:?}");
    let message = outcome.stderr.rsplit("error: ").next().unwrap();
    // A campaign says of a link in the place of a record that it is none of its trainings.
    let what = if link.ends_with("training-0000.ron") {
        "no record of a training"
    } else {
        "symbolic link"
    };
    for fragment in [link, what, "hint"] {
        assert!(message.contains(fragment), "{link}: {message}");
    }
    assert_eq!(bench.read("precious"), "precious", "{link}");
    assert!(!bench.path("nothing").exists(), "{link}");
    assert!(fs::symlink_metadata(bench.path(link)).unwrap().is_symlink(), "{link}");
    fs::remove_file(bench.path(link)).unwrap();
    if let Some(before) = before {
        fs::write(bench.path(link), before).unwrap();
    }
}

#[test]
fn links_in_the_folder_of_a_training_are_not_followed() {
    let (bench, _) = Bench::with_controller();
    // Another seed, so that each command begins anew.
    let args = ["train", "quick.ron", "--out", "run", "--seed", "2"];
    for target in TARGETS {
        for name in ["lock", "begin.tmp", "scenario.ron", "resolved.ron", "checkpoint", "log.jsonl"]
        {
            assert_link_is_refused(&bench, &format!("run/{name}"), target, &args);
        }
        // Those that are met later in the training.
        for name in ["controller.ron.tmp", "result.json.tmp"] {
            let folder = format!("{name}-{target}");
            let args = ["train", "quick.ron", "--out", &folder];
            fs::create_dir(bench.path(&folder)).unwrap();
            assert_link_is_refused(&bench, &format!("{folder}/{name}"), target, &args);
            // Nothing is lost by it.
            let resumed = bench.run(&["train", "--resume", &folder]);
            assert_eq!(resumed.code, Some(0), "{resumed:?}");
        }
    }
}

#[test]
fn links_in_the_folder_of_a_campaign_are_not_followed() {
    let bench = Bench::with_scenario();
    let args = ["campaign", "quick.ron", "--runs", "1", "--out", "c"];
    fs::create_dir(bench.path("c")).unwrap();
    for name in [
        "lock",
        "scenario.ron",
        "scenario.ron.tmp",
        "campaign.json",
        "campaign.json.tmp",
        "training-0000-controller.ron",
        "training-0000-controller.ron.tmp",
        "training-0000.ron",
        "training-0000.ron.tmp",
    ] {
        for target in TARGETS {
            assert_link_is_refused(&bench, &format!("c/{name}"), target, &args);
        }
    }
    assert_eq!(bench.run(&args).code, Some(0));
}
