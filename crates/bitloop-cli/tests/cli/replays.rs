//! What a replay says of each of its episodes, and of itself.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use flate2::read::MultiGzDecoder;
use serde_json::Value;

use crate::support::{Bench, Outcome, QUICK};

/// The quick scenario with a cart of random mass, and starts of which some cannot be caught.
fn varied() -> String {
    QUICK
        .replace("-0.4, 0.4)", "-1.0, 1.0)")
        .replace("simulation:", "parameters: {\"cart_mass\": Uniform(0.5, 2)},\n    simulation:")
}

fn replay(bench: &Bench, more: &[&str]) -> Outcome {
    let args = ["replay", "run/controller.ron", "--scenario", "varied.ron", "--episodes", "40"];
    bench.run(&[&args[..], more].concat())
}

fn with_varied() -> Bench {
    let (bench, _) = Bench::with_controller();
    bench.write("varied.ron", &varied());
    bench
}

#[test]
fn each_episode_has_its_error_its_end_its_start_and_its_parameters() {
    let bench = with_varied();
    let whole = replay(&bench, &["--json", "--episodes-csv", "e.csv", "--csv", "t.csv"]).json();
    let results = whole["episode_results"].as_array().unwrap();
    assert_eq!(results.len(), 40);
    let errors: Vec<f64> = results.iter().map(|one| one["error"].as_f64().unwrap()).collect();
    let largest = errors.iter().copied().fold(0.0, f64::max);
    let worst = errors.iter().position(|&error| error == largest).unwrap();
    assert_eq!(whole["worst_episode"], worst);
    assert_eq!(whole["max_error"], largest);
    let mut sorted = errors.clone();
    sorted.sort_by(f64::total_cmp);
    let quantiles = &whole["error_quantiles"];
    assert_eq!(
        [quantiles["median"].clone(), quantiles["p90"].clone(), quantiles["p99"].clone()],
        // At positions 19.5, 35.1 and 38.61 of 0 to 39, as NumPy has it.
        [(19, 0.5), (35, 0.9 * 39.0 - 35.0), (38, 0.99 * 39.0 - 38.0)]
            .map(|(at, share)| Value::from(sorted[at] + share * (sorted[at + 1] - sorted[at])))
    );
    let failed = results.iter().filter(|one| one["end"] == "failed");
    assert_eq!(whole["failed_episodes"], failed.count());

    // The table says the same.
    let table = bench.read("e.csv");
    let mut lines = table.lines();
    assert_eq!(
        lines.next(),
        Some(
            "episode,error,end,end_s,start.x,start.theta,start.x_dot,start.theta_dot,parameter.cart_mass,\
             at_limit.force,variation.force,reversals.force,effort.force,steady_variation.force,\
             steady_reversals.force,own_error,steady_error,settling_s,largest.x,largest.theta,largest.x_dot,\
             largest.theta_dot,overshoot.x,overshoot.theta,overshoot.x_dot,overshoot.theta_dot"
        )
    );
    for (line, result) in lines.by_ref().zip(results) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |cell: usize| Value::from(cells[cell].parse::<f64>().unwrap());
        assert_eq!(cells[0], result["episode"].to_string());
        assert_eq!(
            (number(1), cells[2], number(3)),
            (result["error"].clone(), result["end"].as_str().unwrap(), result["end_s"].clone())
        );
        assert_eq!(number(5), result["start"]["theta"]);
        assert_eq!(number(8), result["parameters"]["cart_mass"]);
        assert_eq!(result["parameters"].as_object().unwrap().len(), 1, "the drawn one alone");
    }
    assert_eq!(lines.next(), None);

    // One alone is the same, and so is its part of the file.
    let worst_name = worst.to_string();
    let alone = replay(&bench, &["--json", "--episode", &worst_name, "--csv", "one.csv"]).json();
    assert_eq!(alone["episode_results"], Value::from(vec![results[worst].clone()]));
    assert_eq!(alone["mean_error"], largest);
    let rows = bench.read("t.csv");
    let start = format!("{worst},");
    let expected: Vec<&str> = rows.lines().filter(|row| row.starts_with(&start)).collect();
    let one = bench.read("one.csv");
    assert_eq!(one.lines().skip(1).collect::<Vec<_>>(), expected);

    let text = replay(&bench, &[]).stdout;
    for fragment in [
        format!("(episode {worst}, which failed after"),
        "quantiles".to_owned(),
        "not as trained   parameters.cart_mass: Uniform(0.5, 2.0) here, 1.0 in training".to_owned(),
    ] {
        assert!(text.contains(&fragment), "{fragment}: {text}");
    }
    replay(&bench, &["--episode", "40"])
        .assert_refused(2, &["there is no episode 40: the last one is 39", "change --horizon"]);
}

#[test]
fn tables_are_thinned_packed_and_printed() {
    let bench = with_varied();
    replay(&bench, &["--csv", "all.csv", "--json"]).json();
    let all = bench.read("all.csv");
    let unpack = |name: &str| {
        let packed = std::fs::read(bench.path(name)).unwrap();
        let mut text = String::new();
        MultiGzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
        text
    };
    replay(&bench, &["--csv", "all.csv.gz", "--episodes-csv", "e.csv.gz", "--json"]).json();
    assert!(unpack("all.csv.gz") == all, "packed and plain differ");
    replay(&bench, &["--episodes-csv", "e.csv", "--json"]).json();
    assert_eq!(unpack("e.csv.gz"), bench.read("e.csv"));

    let printed = replay(&bench, &["--csv", "-"]);
    assert!(printed.stdout == all, "printed and written differ");
    assert!(printed.stderr.contains("mean error"), "{}", printed.stderr);
    let isolated = replay(&bench, &["--csv", "-", "--isolate"]);
    assert!(isolated.stdout == all, "the process of the plant wrote something else");
    let printed = replay(&bench, &["--episodes-csv", "-"]);
    assert_eq!(printed.stdout, bench.read("e.csv"));

    // Every 25th query is one in 2.5 s; the ends stay.
    let every = ["--csv", "thin.csv", "--every", "25", "--json"];
    replay(&bench, &every).json();
    let is_kept = |row: &&str| {
        let cells: Vec<&str> = row.split(',').collect();
        let is_end = row.ends_with(',');
        is_end || cells[1].parse::<f64>().map_or(true, |time_s| (time_s / 2.5).fract() == 0.0)
    };
    let expected: Vec<&str> = all.lines().filter(is_kept).collect();
    assert_eq!(bench.read("thin.csv").lines().collect::<Vec<_>>(), expected);

    for (more, fragment) in [
        (&["--csv", "-", "--json"][..], "--json and a table both go to standard output"),
        (&["--csv", "a", "--episodes-csv", "b", "--isolate"], "writes one file"),
        (&["--csv", "a", "--episodes-csv", "a"], "name the same file"),
        (&["--every", "2"], "--csv or --mcap"),
        (&["--csv", "a", "--every", "0"], "--every"),
    ] {
        replay(&bench, more).assert_refused(2, &[fragment]);
    }
}

/// The numbers of a column of comma-separated values, as a Parquet file has them one after another.
fn bytes_of(table: &str, column: &str) -> Vec<u8> {
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let at = names.iter().position(|name| *name == column).unwrap();
    let number = |cell: &str| if cell.is_empty() { f64::NAN } else { cell.parse().unwrap() };
    lines.flat_map(|cells| number(cells[at]).to_le_bytes()).collect()
}

#[test]
fn tables_are_written_as_parquet_by_their_names() {
    let bench = with_varied();
    replay(&bench, &["--csv", "t.csv", "--episodes-csv", "e.csv", "--json"]).json();
    replay(&bench, &["--csv", "t.parquet", "--episodes-csv", "e.PARQUET", "--json"]).json();
    let holds = |file: &[u8], bytes: &[u8]| file.windows(bytes.len()).any(|part| part == bytes);
    for (table, file, columns) in [
        ("t.csv", "t.parquet", &["time_s", "theta", "force"][..]),
        ("e.csv", "e.PARQUET", &["error", "start.theta", "parameter.cart_mass"]),
    ] {
        let (table, file) = (bench.read(table), std::fs::read(bench.path(file)).unwrap());
        assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
        for column in columns {
            assert!(holds(&file, &bytes_of(&table, column)), "{column}");
        }
    }
    let file = std::fs::read(bench.path("t.parquet")).unwrap();
    replay(&bench, &["--csv", "isolated.parquet", "--isolate", "--json"]).json();
    assert!(std::fs::read(bench.path("isolated.parquet")).unwrap() == file);
    replay(&bench, &["--csv", "one.parquet", "--threads", "1", "--json"]).json();
    assert!(std::fs::read(bench.path("one.parquet")).unwrap() == file);
}

#[test]
fn what_is_infinite_is_inf_in_a_table_and_what_does_not_apply_is_empty() {
    let (bench, _) = Bench::with_controller();
    // They fall at once.
    bench.write("falling.ron", &QUICK.replace("-0.4, 0.4)", "1.09, 1.099)"));
    let falling = ["replay", "run/controller.ron", "--scenario", "falling.ron", "--episodes", "3"];
    bench.run(&[&falling[..], &["--json", "--episodes-csv", "e.csv"]].concat()).json();
    bench.run(&[&falling[..], &["--json", "--episodes-csv", "e.parquet"]].concat()).json();
    let table = bench.read("e.csv");
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let column = |name: &str| names.iter().position(|found| *found == name).unwrap();
    for cells in lines.by_ref() {
        for (figure, expected) in
            [("settling_s", "inf"), ("steady_error", "inf"), ("steady_variation.force", "")]
        {
            assert_eq!(cells[column(figure)], expected, "{figure}");
        }
    }
    let file = std::fs::read(bench.path("e.parquet")).unwrap();
    let values = bytes_of(&table, "settling_s");
    assert_eq!(values.len(), 3 * size_of::<f64>());
    assert!(file.windows(values.len()).any(|part| part == values), "the same in Parquet");
}

#[test]
fn the_behavior_of_very_many_episodes_is_measured_if_it_is_asked_for() {
    let (bench, _) = Bench::with_controller();
    // They fall at once.
    bench.write("falling.ron", &QUICK.replace("-0.4, 0.4)", "1.09, 1.099)"));
    let replay = |n: &str, more: &[&str]| {
        let args = ["replay", "run/controller.ron", "--scenario", "falling.ron", "--json"];
        let many = ["--episodes", n, "--horizon", "5"];
        bench.run(&[&args[..], &many, more].concat()).json()
    };
    assert_ne!(replay("100000", &[])["behavior"], Value::Null);
    let plain = replay("100001", &[]);
    assert_eq!(plain["behavior"], Value::Null);
    let measured = replay("100001", &["--episodes-csv", "e.parquet"]);
    assert_ne!(measured["behavior"], Value::Null);
    assert_eq!(plain["trajectory_digest"], measured["trajectory_digest"]);
    assert_eq!(plain["mean_error"], measured["mean_error"]);
}

#[test]
fn an_error_that_is_not_the_stored_one_is_a_warning_and_a_field() {
    let (bench, _) = Bench::with_controller();
    let replayed = bench.run(&["replay", "run/controller.ron", "--json"]);
    assert_eq!(replayed.json()["is_training_test_error"], true);
    assert_eq!(replayed.json()["differences"], Value::from(Vec::<Value>::new()));
    // An older file has no digest of its errors.
    let text = bench.read("run/controller.ron");
    let is_kept = |line: &&str| !line.contains("content_digest:") && !line.contains("format: 1,");
    let text: Vec<&str> = text.lines().filter(is_kept).collect();
    let text = text.join("\n");
    let (before, after) = text.split_once("        test: 0.").unwrap();
    let (_, after) = after.split_once(',').unwrap();
    bench.write("other.ron", &format!("{before}        test: 0.5,{after}"));
    assert_eq!(bench.run(&["controller", "upgrade", "other.ron"]).code, Some(0));
    let replayed = bench.run(&["replay", "other.ron", "--json"]);
    assert_eq!(replayed.json()["is_training_test_error"], false);
    assert!(replayed.stderr.contains("warning: this is not the test error"), "{replayed:?}");
    let replayed = bench.run(&["replay", "other.ron", "--episodes", "3", "--json"]);
    assert_eq!(replayed.json()["is_training_test_error"], Value::Null);
}

/// Starts a replay that would take hours, waits for its progress, and sends a signal.
fn interrupt(bench: &Bench, signal: &str, more: &[&str]) -> std::process::Output {
    let args = ["replay", "run/controller.ron", "--horizon", "1e7", "--episodes", "100"];
    let mut child = bench
        .command(&[&args[..], more].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines();
    let is_progress = |line: std::io::Result<String>| {
        let line = line.unwrap();
        line.contains("of 100 episodes ended") && line.contains("% of the time simulated")
    };
    assert!(stderr.any(is_progress), "it must show how far it is");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
    stderr.for_each(|line| drop(line.unwrap()));
    child.wait_with_output().unwrap()
}

#[test]
fn an_interrupted_replay_prints_what_it_has() {
    let (bench, _) = Bench::with_controller();
    let output = interrupt(&bench, "INT", &["--json", "--episodes-csv", "e.csv"]);
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["part"], &result["trajectory_digest"]), (&true.into(), &Value::Null));
    let unfinished = result["unfinished_episodes"].as_u64().unwrap();
    assert!((1..=100).contains(&unfinished), "{result}");
    assert!(result["unfinished_time_s"].as_f64().unwrap() > 1.0, "{result}");
    assert!(result["unfinished_error"].as_f64().unwrap() > 0.0, "{result}");
    assert!(bench.read("e.csv").starts_with("episode,error,end"));

    let output = interrupt(&bench, "TERM", &["--csv", "t.csv", "--every", "1000000"]);
    assert_eq!(output.status.code(), Some(143), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("interrupted") && text.contains("of 100 episodes have ended"), "{text}");
    assert!(bench.read("t.csv").starts_with("episode,time_s"));
}

/// Times are multiples of a step of 0.01 s, and are printed so.
#[test]
fn the_time_of_a_failure_has_no_tail_and_is_told_of_an_episode_alone() {
    let bench = with_varied();
    let whole = replay(&bench, &["--json", "--episodes-csv", "e.csv"]).json();
    let table = bench.read("e.csv");
    let mut n_tails = 0;
    for (line, result) in table.lines().skip(1).zip(whole["episode_results"].as_array().unwrap()) {
        let cells: Vec<&str> = line.split(',').take(4).collect();
        let end_s: f64 = cells[3].parse().unwrap();
        let (_, places) = cells[3].split_once('.').unwrap();
        assert!(places.len() <= 2, "{line}");
        assert_eq!(result["end_s"], end_s);
        n_tails += usize::from((end_s * 100.0).round() * 0.01 != end_s);
    }
    assert!(n_tails > 0, "no product has a tail:\n{table}");
    let failed = table.lines().find(|line| line.contains(",failed,")).unwrap();
    let cells: Vec<&str> = failed.split(',').take(4).collect();
    let alone = replay(&bench, &["--episode", cells[0]]);
    let end_s: f64 = cells[3].parse().unwrap();
    let when = format!("failed episodes  1 of 1  (after {end_s} s)\n");
    assert!(alone.stdout.contains(&when), "{alone:?}");
}

#[test]
fn the_folder_of_a_training_stands_for_its_controller() {
    let (bench, _) = Bench::with_controller();
    let commands: [&[&str]; 2] = [&["replay", "run", "--csv", "-"], &["controller", "show", "run"]];
    for command in commands {
        let of_file: Vec<&str> = command
            .iter()
            .map(|word| if *word == "run" { "run/controller.ron" } else { word })
            .collect();
        let [of_folder, of_file] = [command, &of_file].map(|words| bench.run(words));
        assert_eq!((of_folder.code, &of_folder.stdout), (Some(0), &of_file.stdout), "{command:?}");
    }
    let axes = "x=-1:1,theta=-0.1:0.1";
    let map = bench.run(&["map", "run", "--axes", axes, "--grid", "2x2", "--out", "map.svg"]);
    assert_eq!(map.code, Some(0), "{map:?}");
    std::fs::create_dir(bench.path("empty")).unwrap();
    bench
        .run(&["replay", "empty"])
        .assert_refused(3, &["this is a folder", "controller file inside"]);
}
