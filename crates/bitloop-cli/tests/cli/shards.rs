//! Shards of campaigns: run, lost, run twice, merged, refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::support::{Bench, Outcome, QUICK};

const ARGS: [&str; 6] =
    ["campaign", "quick.ron", "--runs", "5", "--vary", "controller.hidden=[2],[3]"];

fn run(bench: &Bench, more: &[&str]) -> Outcome {
    bench.run(&[&ARGS[..], more].concat())
}

/// Runs shards in folder `c`.
fn shards(bench: &Bench, shards: &[&str]) {
    for shard in shards {
        let outcome = run(bench, &["--shard", shard, "--out", "c", "--threads", "1"]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
    }
}

/// All files of a folder but for those that tell of times, machines and folders, by their name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            let inner = self::files(&path).into_iter();
            files.extend(inner.map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else if !["costs.jsonl", "local.json", "lock"].contains(&&*name) {
            files.insert(name, fs::read(path).unwrap());
        }
    }
    files
}

#[test]
fn merged_shards_are_the_campaign_in_one_piece_and_merging_again_changes_nothing() {
    let bench = Bench::with_scenario();
    let whole = run(&bench, &["--out", "whole", "--json"]).json();
    // Another number of shards than at first, so that some trainings are there twice.
    shards(&bench, &["0/3", "2/3", "1/4", "0/2"]);
    let merged = bench.run(&["merge", "c", "--out", "merged", "--json"]);
    assert!(merged.stderr.contains("merged 10 trainings"), "{}", merged.stderr);
    let merged = merged.json();
    assert_eq!(files(&bench.path("merged")), files(&bench.path("whole")));
    assert_eq!(merged["complete"], true);
    for key in ["successes", "success_interval", "min_error", "median_error"] {
        for variant in 0..2 {
            let of = |json: &Map<String, Value>| json["variants"][variant][key].clone();
            assert_eq!(of(&merged), of(&whole), "{key}");
        }
    }
    let before = files(&bench.path("merged"));
    let again = bench.run(&["merge", "c", "merged", "--out", "merged"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(again.stderr.contains("there are already the same"), "{}", again.stderr);
    assert_eq!(files(&bench.path("merged")), before);
    // It is a campaign like any other.
    let resumed = bench.run(&["campaign", "--resume", "merged"]);
    assert!(resumed.stderr.contains("10 of 10 were finished before"), "{}", resumed.stderr);
    // What made a controller is a command that makes it again.
    let controller = bench.read("merged/controller.hidden=2/training-0001-controller.ron");
    assert!(controller.contains("--seed 1 --runs 2\""), "{controller}");
}

#[test]
fn folders_and_plants_of_other_places_change_no_bit() {
    let bench = Bench::with_scenario();
    fs::create_dir(bench.path("elsewhere")).unwrap();
    bench.write("elsewhere/quick.ron", QUICK);
    shards(&bench, &["0/2"]);
    let mut other = bench.command(&ARGS);
    other.args(["--shard", "1/2", "--out", "d"]).current_dir(bench.path("elsewhere"));
    assert_eq!(Outcome::of(&mut other).code, Some(0));
    let merged = bench.run(&["merge", "c", "elsewhere/d", "--out", "merged"]);
    assert_eq!(merged.code, Some(0), "{merged:?}");
    assert_eq!(run(&bench, &["--out", "whole"]).code, Some(0));
    assert_eq!(files(&bench.path("merged")), files(&bench.path("whole")));
}

#[test]
fn a_shard_that_is_killed_or_run_twice_at_once_ends_the_same() {
    let bench = Bench::with_scenario();
    let args = [&ARGS[..], &["--shard", "0/2", "--out", "c", "--threads", "1"]].concat();
    for pause_ms in [0, 20, 60, 120] {
        let mut child = bench.command(&args).stderr(Stdio::null()).stdout(Stdio::null()).spawn();
        let child = child.as_mut().unwrap();
        thread::sleep(Duration::from_millis(pause_ms));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // Two copies at once, none of which waits for the other, or for a lock that is left.
    let begin = || bench.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let copies: Vec<_> = (0..2).map(|_| begin().unwrap()).collect();
    for mut copy in copies {
        assert!(copy.wait().unwrap().success());
    }
    let again = bench.run(&args);
    assert!(again.stderr.contains("6 of 6 were finished before"), "{}", again.stderr);
    shards(&bench, &["1/2"]);
    let merged = bench.run(&["merge", "c", "--out", "merged"]);
    assert_eq!(merged.code, Some(0), "{merged:?}");
    assert_eq!(run(&bench, &["--out", "whole"]).code, Some(0));
    assert_eq!(files(&bench.path("merged")), files(&bench.path("whole")));
}

#[test]
fn what_is_missing_is_listed_as_shards_and_nothing_is_written() {
    let bench = Bench::with_scenario();
    shards(&bench, &["0/5", "3/5"]);
    let merge = || bench.run(&["merge", "c", "--out", "merged"]);
    merge().assert_refused(1, &["6 of 10 trainings are missing", "--array=1-2,4"]);
    assert!(!bench.path("merged").exists());
    shards(&bench, &["1/5", "2/5", "4/5"]);
    let cut = "c/shard-3-of-5/attempt-1/controller.hidden=2/training-0003.ron";
    let text = bench.read(cut);
    bench.write(cut, &text[..text.len() / 2]);
    merge()
        .assert_refused(1, &["1 of 10 trainings are", "training-0003.ron is damaged", "--array=3"]);
    assert!(!bench.path("merged").exists());
    // The shard does it again, in a folder of its own.
    shards(&bench, &["3/5"]);
    assert_eq!(merge().code, Some(0));
    bench.run(&["merge", "elsewhere", "--out", "merged"]).assert_refused(1, &["elsewhere"]);
    fs::create_dir(bench.path("empty")).unwrap();
    bench.run(&["merge", "empty", "--out", "m"]).assert_refused(1, &["there is no shard in it"]);
}

#[test]
fn shards_of_other_campaigns_and_versions_are_refused_by_name() {
    let bench = Bench::with_scenario();
    shards(&bench, &["0/2"]);
    for (options, fragment) in [
        (&["--seed", "2"][..], "seed is 1 in the one, 2 in the other"),
        (&["--search"], "search is false in the one"),
        (&["--success", "0.5"], "success is 0.1 in the one"),
    ] {
        let part = ["--shard", "1/2", "--out", "other"];
        assert_eq!(run(&bench, &[&part[..], options].concat()).code, Some(0));
        let merge = bench.run(&["merge", "c", "other", "--out", "merged"]);
        merge.assert_refused(1, &["are not parts of the same campaign", fragment]);
        fs::remove_dir_all(bench.path("other")).unwrap();
    }
    bench.write("quick.ron", &QUICK.replace("count: 9", "count: 8"));
    assert_eq!(run(&bench, &["--shard", "1/2", "--out", "other"]).code, Some(0));
    let merge = || bench.run(&["merge", "c", "other", "--out", "merged"]);
    merge().assert_refused(1, &["scenario.ron is another one"]);
    let plan = "other/shard-1-of-2/attempt-1/campaign.json";
    let text = bench.read(plan);
    let version = format!("\"bitloop_version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    bench.write(plan, &text.replace(&version, "\"bitloop_version\": \"9.9.9\""));
    merge().assert_refused(1, &[plan, "made by bitloop 9.9.9"]);
    bench.write(plan, &text.replace("\"machine\": \"", "\"machine\": \"other, "));
    merge().assert_refused(1, &["are not parts of the same campaign"]);
    bench.write(plan, &text[..text.len() / 2]);
    merge().assert_refused(1, &[plan]);
    assert!(!bench.path("merged").exists());
}

#[test]
fn equal_trainings_with_other_results_are_refused_whatever_their_time() {
    let bench = Bench::with_scenario();
    shards(&bench, &["0/1"]);
    shards(&bench, &["0/2"]);
    // A clock that is an hour behind or ahead is never looked at.
    let record = bench.path("c/shard-0-of-2/attempt-1/controller.hidden=3/training-0002.ron");
    let hour = Duration::from_hours(1);
    let modified = fs::metadata(&record).unwrap().modified().unwrap();
    fs::File::options().write(true).open(&record).unwrap().set_modified(modified - hour).unwrap();
    assert_eq!(bench.run(&["merge", "c", "--out", "merged"]).code, Some(0));
    let text = fs::read_to_string(&record).unwrap();
    fs::write(&record, text.replacen("moves: ", "moves: 1", 1)).unwrap();
    let merge = bench.run(&["merge", "c", "--out", "again"]);
    merge.assert_refused(1, &["shard-0-of-2", "training-0002.ron", "differ"]);
    assert!(!bench.path("again").exists());
}

#[test]
fn a_full_disk_leaves_nothing_of_a_merge() {
    let bench = Bench::with_scenario();
    shards(&bench, &["0/1"]);
    let mut limited = bench.command(&[]);
    limited = {
        let program = limited.get_program().to_owned();
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", "ulimit -f 4 && exec \"$0\" merge c --out merged"]).arg(program);
        shell.current_dir(bench.path(""));
        shell
    };
    Outcome::of(&mut limited).assert_refused(1, &["cannot be written", "File too large"]);
    let names = fs::read_dir(bench.path("")).unwrap();
    let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["c", "quick.ron"]);
    // Something else in its place stays as it is.
    fs::create_dir(bench.path("merged")).unwrap();
    bench.write("merged/mine", "mine");
    bench.run(&["merge", "c", "--out", "merged"]).assert_refused(1, &["it holds something else"]);
    assert_eq!(bench.read("merged/mine"), "mine");
}

#[test]
fn shards_that_there_are_not_are_refused() {
    let bench = Bench::with_scenario();
    for (part, fragment) in [
        ("2/2", "counted from 0: the last of 2 is 1/2"),
        ("0/0", "at least one shard"),
        ("/2", "is the engine's variable set?"),
    ] {
        run(&bench, &["--shard", part, "--out", "c"]).assert_refused(2, &["--shard", fragment]);
    }
    assert!(!bench.path("c").exists());
    // More shards than trainings: some have nothing to do.
    let idle = run(&bench, &["--shard", "7/8", "--out", "c"]);
    assert_eq!(idle.code, Some(0), "{idle:?}");
    assert!(idle.stdout.contains("0 of 0 trainings"), "{idle:?}");
    shards(&bench, &["0/2"]);
    let attempt = ["campaign", "--resume", "c/shard-0-of-2/attempt-1"];
    bench.run(&attempt).assert_refused(1, &["the folder of a shard", "with --shard resumes it"]);
}

#[test]
fn job_files_hold_the_command_of_each_shard() {
    let bench = Bench::new();
    let script = |engine: &str, words: &[&str]| {
        let options = ["shard-script", engine, "--shards", "8", "--cores", "2", "--"];
        bench.run(&[&options[..], words].concat())
    };
    let words = ["campaign", "my s.ron", "--out", "c"];
    for (engine, fragments) in [
        ("slurm", ["#SBATCH --array=0-7", "--shard \"$SLURM_ARRAY_TASK_ID/8\" --threads 2"]),
        ("hq", ["#HQ --array 0-7", "--shard \"$HQ_TASK_ID/8\" --threads 2"]),
        ("k8s", ["completions: 8", "--shard \"$JOB_COMPLETION_INDEX/8\" --threads 2"]),
        ("parallel", ["seq 0 7 | parallel", "--shard \"$SHARD/8\" --threads 2"]),
    ] {
        let outcome = script(engine, &words);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        for fragment in fragments {
            assert!(outcome.stdout.contains(fragment), "{fragment}: {}", outcome.stdout);
        }
        assert!(outcome.stdout.contains("bitloop merge c --out c-merged"), "{}", outcome.stdout);
    }
    script("slurm", &["bench"]).assert_refused(2, &["`bench` cannot be split"]);
    script("slurm", &["campaign", "s.ron"]).assert_refused(2, &["--out"]);
    let twice = ["campaign", "s.ron", "--out", "c", "--shard=0/2"];
    script("hq", &twice).assert_refused(2, &["has --shard already"]);
}

#[test]
fn a_script_names_a_folder_for_the_whole_beside_that_of_the_shards() {
    let bench = Bench::new();
    for (out, merged) in [("my runs/", "'my runs-merged'"), ("c", "c-merged")] {
        let command = ["campaign", "s.ron", "--runs", "4", "--out", out];
        let script = ["shard-script", "slurm", "--shards", "2", "--"];
        let printed = bench.run(&[&script[..], &command].concat()).stdout;
        assert!(printed.contains(&format!("--out {merged}\n")), "{printed}");
    }
}
