//! Shards of replays, maps and tests of robustness: run, lost, run twice, merged, refused.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::support::{Bench, Outcome, QUICK};

const CONTROLLER: &str = "run/controller.ron";

/// A command that can be done in parts, without its outputs; what it is called; and how many items it has.
struct Divided {
    args: &'static [&'static str],
}

const REPLAY: Divided =
    Divided { args: &["replay", CONTROLLER, "--episodes", "41", "--pass", "failed: 41"] };

const MAP: Divided =
    Divided { args: &["map", CONTROLLER, "--axes", "theta=-0.5:0.5,x=-1:1", "--grid", "9x7"] };

/// Two controllers of the pendulum, which has 3 + 2 + 2 n + 1 sources, and the regulator.
const ROBUST: Divided = Divided {
    args: &["robust", CONTROLLER, CONTROLLER, "--lqr", "--episodes", "3", "--horizon", "2"],
};

impl Divided {
    fn run(&self, bench: &Bench, more: &[&str]) -> Outcome {
        bench.run(&[self.args, more].concat())
    }

    /// Runs shards in folder `c`.
    fn shards(&self, bench: &Bench, shards: &[&str]) {
        for shard in shards {
            let outcome = self.run(bench, &["--shard", shard, "--out", "c", "--threads", "1"]);
            assert_eq!(outcome.code, Some(0), "{outcome:?}");
        }
    }
}

fn merge(bench: &Bench) -> Outcome {
    bench.run(&["merge", "c", "--out", "merged"])
}

/// What is printed but for the line with the time.
fn timeless(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("time "));
    lines.collect::<Vec<_>>().join("\n")
}

fn without_time(mut result: Map<String, Value>) -> Map<String, Value> {
    result.remove("wall_s");
    result
}

#[test]
fn a_merged_replay_is_the_replay_in_one_piece() {
    let (bench, _) = Bench::with_controller();
    let whole = REPLAY.run(&bench, &["--episodes-csv", "whole.csv", "--threads", "2"]);
    assert_eq!(whole.code, Some(0), "{whole:?}");
    let result = REPLAY.run(&bench, &["--json"]).json();
    // Another number of shards than at first, so that some episodes are there twice.
    REPLAY.shards(&bench, &["0/3", "2/3", "1/4", "0/2", "3/4"]);
    let merged = merge(&bench);
    assert_eq!(merged.code, Some(0), "{merged:?}");
    assert!(merged.stderr.contains("merged 41 episodes from 5 folders"), "{}", merged.stderr);
    let expected = timeless(&REPLAY.run(&bench, &[]).stdout);
    assert_eq!(timeless(&merged.stdout), expected);
    assert!(expected.contains("trajectories"), "{expected}");
    assert_eq!(bench.read("merged/episodes.csv"), bench.read("whole.csv"));
    let again = bench.run(&["merge", "c", "merged", "--out", "merged", "--json"]);
    assert!(again.stderr.contains("there are already the same"), "{}", again.stderr);
    assert_eq!(without_time(again.json()), without_time(result));
    // The merged folder alone holds all results.
    fs::remove_dir_all(bench.path("c")).unwrap();
    let alone = bench.run(&["merge", "merged", "--out", "second"]);
    assert_eq!(timeless(&alone.stdout), expected);
    // A missed criterion gives exit code 4 after a merge too.
    let strict = ["replay", CONTROLLER, "--pass", "mean_error: 1e-9", "--no-digest"];
    let shard = bench.run(&[&strict[..], &["--shard", "0/1", "--out", "c"]].concat());
    assert_eq!(shard.code, Some(0), "{shard:?}");
    let missed = bench.run(&["merge", "c", "--out", "missed"]);
    assert_eq!(missed.code, Some(4), "{missed:?}");
    assert!(missed.stdout.contains("MISSED") && !missed.stdout.contains("trajectories"));
}

#[test]
fn a_merged_map_is_the_map_in_one_piece() {
    let (bench, _) = Bench::with_controller();
    fs::create_dir(bench.path("whole")).unwrap();
    let outputs = ["--out", "whole/map.svg", "--csv", "whole/map.csv"];
    let whole = MAP.run(&bench, &outputs);
    assert_eq!(whole.code, Some(0), "{whole:?}");
    let result = MAP.run(&bench, &["--out", "other.svg", "--json"]);
    MAP.shards(&bench, &["1/2", "0/4", "2/4"]);
    let merged = merge(&bench);
    assert_eq!(merged.stdout.replace("merged/map.svg", "whole/map.svg"), whole.stdout);
    for name in ["map.svg", "map.csv"] {
        assert_eq!(bench.read(&format!("merged/{name}")), bench.read(&format!("whole/{name}")));
    }
    assert_eq!(bench.read("merged/result.json"), result.stdout);
}

#[test]
fn a_merged_test_of_robustness_is_the_one_in_one_piece() {
    let (bench, _) = Bench::with_controller();
    let whole = ROBUST.run(&bench, &["--out", "whole.svg"]);
    assert_eq!(whole.code, Some(0), "{whole:?}");
    let result = ROBUST.run(&bench, &["--json"]);
    ROBUST.shards(&bench, &["0/3", "1/3", "2/3"]);
    let merged = merge(&bench);
    assert_eq!(merged.stdout, whole.stdout, "{merged:?}");
    assert_eq!(bench.read("merged/robust.svg"), bench.read("whole.svg"));
    assert_eq!(bench.read("merged/result.json"), result.stdout);
}

#[test]
fn a_shard_that_is_killed_or_run_twice_at_once_ends_the_same() {
    let (bench, _) = Bench::with_controller();
    let more = ["--shard", "0/2", "--out", "c", "--threads", "1", "--episodes", "3000"];
    let args = [&["replay", CONTROLLER][..], &more].concat();
    for pause_ms in [0, 30, 100, 300] {
        let mut child = bench.command(&args).stderr(Stdio::null()).stdout(Stdio::null()).spawn();
        let child = child.as_mut().unwrap();
        thread::sleep(Duration::from_millis(pause_ms));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let begin = || bench.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let copies: Vec<_> = (0..2).map(|_| begin().unwrap()).collect();
    for mut copy in copies {
        assert!(copy.wait().unwrap().success());
    }
    let again = bench.run(&args);
    assert!(again.stderr.contains("1500 of 1500 episodes were finished before"), "{again:?}");
    // The other half from another folder, by another path.
    fs::create_dir(bench.path("elsewhere")).unwrap();
    let other = ["replay", "../run/controller.ron", "--episodes", "3000", "--shard", "1/2"];
    let mut other = bench.command(&other);
    other.args(["--out", "d"]).current_dir(bench.path("elsewhere"));
    assert_eq!(Outcome::of(&mut other).code, Some(0));
    let merged = bench.run(&["merge", "c", "elsewhere/d", "--out", "merged"]);
    assert_eq!(merged.code, Some(0), "{merged:?}");
    let whole =
        bench.run(&["replay", CONTROLLER, "--episodes", "3000", "--episodes-csv", "whole.csv"]);
    assert_eq!(whole.code, Some(0), "{whole:?}");
    assert_eq!(bench.read("merged/episodes.csv"), bench.read("whole.csv"));
    // A merge needs none of the files but the parts.
    fs::remove_dir_all(bench.path("run")).unwrap();
    let from_parts = bench.run(&["merge", "c", "elsewhere/d", "--out", "third"]);
    assert_eq!(timeless(&from_parts.stdout), timeless(&merged.stdout));
}

#[test]
fn what_is_missing_is_listed_as_shards_and_nothing_is_written() {
    let (bench, _) = Bench::with_controller();
    for (divided, noun, n_items) in [(REPLAY, "episode", 41), (MAP, "cell", 63)] {
        divided.shards(&bench, &["0/5", "3/5"]);
        let n_missing = (0..n_items).filter(|item| ![0, 3].contains(&(item % 5))).count();
        let missing =
            format!("{n_missing} of {n_items} {noun}s are missing, the first is {noun} 1");
        merge(&bench).assert_refused(1, &[&missing, "shards of 5", "--array=1-2,4"]);
        divided.shards(&bench, &["1/5", "2/5", "4/5"]);
        let cut = bench.path("c/shard-3-of-5/attempt-1/batch-0003.bin");
        let bytes = fs::read(&cut).unwrap();
        fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
        merge(&bench).assert_refused(1, &["batch-0003.bin is damaged", "--array=3"]);
        assert!(!bench.path("merged").exists());
        // The shard does it again, in a folder of its own, and the damaged one is left alone.
        divided.shards(&bench, &["3/5"]);
        let merged = merge(&bench);
        assert_eq!(merged.code, Some(0), "{merged:?}");
        assert!(merged.stderr.contains("batch-0003.bin is damaged"), "{merged:?}");
        for folder in ["c", "merged"] {
            fs::remove_dir_all(bench.path(folder)).unwrap();
        }
    }
}

#[test]
fn shards_of_other_work_and_versions_are_refused_by_name() {
    let (bench, _) = Bench::with_controller();
    REPLAY.shards(&bench, &["0/2"]);
    let other = |args: &[&str]| {
        let _ = fs::remove_dir_all(bench.path("other"));
        let outcome = bench.run(&[args, &["--shard", "1/2", "--out", "other"]].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        bench.run(&["merge", "c", "other", "--out", "merged"])
    };
    for (options, fragment) in [
        (&["--seed", "7"][..], "seed is"),
        (&["--horizon", "9"], "horizon is"),
        (&["--no-digest"], "no_digest is"),
    ] {
        let merge = other(&[REPLAY.args, options].concat());
        merge.assert_refused(1, &["are not parts of the same replay", fragment]);
    }
    other(MAP.args).assert_refused(1, &["is of a replay", "is of a map"]);
    // Another controller under the same name.
    fs::rename(bench.path("run"), bench.path("first")).unwrap();
    bench.write("quick.ron", &QUICK.replace("seed: 1", "seed: 5"));
    assert_eq!(bench.run(&["train", "quick.ron", "--out", "run"]).code, Some(0));
    other(REPLAY.args).assert_refused(1, &["are not parts of the same replay", "the controllers"]);
    fs::rename(bench.path("run"), bench.path("second")).unwrap();
    fs::rename(bench.path("first"), bench.path("run")).unwrap();
    let merge = || bench.run(&["merge", "c", "other", "--out", "merged"]);
    fs::remove_dir_all(bench.path("other")).unwrap();
    assert_eq!(other(REPLAY.args).code, Some(0));
    fs::remove_dir_all(bench.path("merged")).unwrap();
    let plan = "other/shard-1-of-2/attempt-1/replay.json";
    let text = bench.read(plan);
    let version = format!("\"bitloop_version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    bench.write(plan, &text.replace(&version, "\"bitloop_version\": \"9.9.9\""));
    merge().assert_refused(1, &[plan, "made by bitloop 9.9.9"]);
    bench.write(plan, &text.replace("\"format\": 1", "\"format\": 2"));
    merge().assert_refused(1, &[plan, "format 2"]);
    bench.write(plan, &text[..text.len() / 2]);
    merge().assert_refused(1, &[plan]);
    bench.write(plan, &text);
    // A copy of the controller that was changed.
    let copy = "c/shard-0-of-2/attempt-1/input-0.ron";
    let controller = bench.read(copy);
    bench.write(copy, &controller.replacen("codes: [", "codes: [ 1, ", 1));
    merge().assert_refused(3, &[copy]);
    bench.write(copy, &controller);
    fs::remove_file(bench.path(copy)).unwrap();
    merge().assert_refused(3, &[copy]);
    bench.write(copy, &controller);
    let local = "c/shard-0-of-2/attempt-1/local.json";
    let text = bench.read(local);
    bench.write(local, &text.replace("\"args\"", "\"arguments\""));
    merge().assert_refused(1, &["arguments are missing"]);
    bench.write(local, &text);
    let data = bench.run(&["merge", "c", "other", "--out", "merged", "--data", "x.csv"]);
    data.assert_refused(2, &["--data"]);
    assert!(!bench.path("merged").exists());
}

#[test]
fn a_clock_that_is_wrong_changes_nothing_and_a_full_disk_leaves_nothing() {
    let (bench, _) = Bench::with_controller();
    MAP.shards(&bench, &["0/2", "1/2"]);
    let batch = bench.path("c/shard-0-of-2/attempt-1/batch-0000.bin");
    let hour = Duration::from_hours(1);
    let modified = fs::metadata(&batch).unwrap().modified().unwrap();
    fs::File::options().write(true).open(&batch).unwrap().set_modified(modified + hour).unwrap();
    let program = bench.command(&[]).get_program().to_owned();
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -f 4 && exec \"$0\" merge c --out merged"]).arg(program);
    Outcome::of(limited.current_dir(bench.path("")))
        .assert_refused(1, &["cannot be written", "File too large"]);
    let names = fs::read_dir(bench.path("")).unwrap();
    let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["c", "quick.ron", "run"]);
    assert_eq!(merge(&bench).code, Some(0));
    // Something else in the place of the whole stays as it is.
    fs::create_dir(bench.path("taken")).unwrap();
    bench.write("taken/mine", "mine");
    let taken = bench.run(&["merge", "c", "--out", "taken"]);
    taken.assert_refused(1, &["it holds something else"]);
    assert_eq!(bench.read("taken/mine"), "mine");
}

#[test]
fn shards_that_there_are_not_and_options_that_do_not_go_with_them_are_refused() {
    let (bench, _) = Bench::with_controller();
    for divided in [&REPLAY, &MAP, &ROBUST] {
        for (part, fragment) in [("2/2", "counted from 0"), ("0/0", "at least one shard")] {
            let outcome = divided.run(&bench, &["--shard", part, "--out", "c"]);
            outcome.assert_refused(2, &["--shard", fragment]);
        }
        let idle = divided.run(&bench, &["--shard", "900/901", "--out", "c", "--json"]).json();
        assert_eq!((&idle["items"], &idle["complete"]), (&0.into(), &true.into()));
    }
    assert!(!bench.path("c").exists());
    for more in [
        &["--episode", "0"][..],
        &["--csv", "t.csv"],
        &["--episodes-csv", "e.csv"],
        &["--fixed"],
        &["--isolate"],
        &["--sandbox"],
    ] {
        let shard = ["--shard", "0/2", "--out", "c"];
        REPLAY.run(&bench, &[&shard, more].concat()).assert_refused(2, &["--shard", more[0]]);
    }
    REPLAY.run(&bench, &["--shard", "0/2"]).assert_refused(2, &["--out"]);
    ROBUST.run(&bench, &["--shard", "0/2"]).assert_refused(2, &["--out"]);
    MAP.run(&bench, &["--shard", "0/2", "--out", "c", "--resume"]).assert_refused(2, &["--resume"]);
}

#[test]
fn a_table_of_a_profile_counts_as_part_of_the_test() {
    let (bench, _) = Bench::with_controller();
    let profile =
        "uncertainty: (disturbances: {\"force\": [Profile(file: \"wind.csv\")]}),\n    stop:";
    let windy = QUICK.replacen("stop:", profile, 1);
    assert_ne!(windy, QUICK);
    bench.write("windy.ron", &windy);
    let args = ["replay", CONTROLLER, "--scenario", "windy.ron", "--episodes", "8"];
    let shard = |which: &str, wind: &str| {
        bench.write("wind.csv", &format!("t,force\n0,0\n5,{wind}\n"));
        let outcome = bench.run(&[&args[..], &["--shard", which, "--out", "c"]].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
    };
    shard("0/2", "0.1");
    shard("1/2", "5");
    let mixed = merge(&bench);
    mixed
        .assert_refused(1, &["are not parts of the same replay", "the tests that they run differ"]);
    assert!(!bench.path("merged").exists());
    // A merge needs the values alone, which each part has kept.
    fs::remove_dir_all(bench.path("c")).unwrap();
    shard("0/2", "0.1");
    shard("1/2", "0.1");
    fs::remove_file(bench.path("wind.csv")).unwrap();
    let merged = merge(&bench);
    assert_eq!(merged.code, Some(0), "{merged:?}");
}
