//! `bitloop report`: what is in the page. How it behaves is the browser's test, in `browser.rs`.

use std::fs;

use serde_json::Value;

use crate::behavior::hangar;
use crate::support::{Bench, QUICK, QUICK_FIT};

/// The most bytes of a page.
const MOST_BYTES: usize = 2_000_000;

/// The page of a source, which loads nothing and has a limit.
#[track_caller]
pub fn reported(bench: &Bench, source: &str, options: &[&str]) -> String {
    let outcome = bench.run(&[&["report", source, "-o", "page.html"], options].concat());
    assert_eq!((outcome.code, &*outcome.stdout), (Some(0), ""), "{outcome:?}");
    let page = bench.read("page.html");
    assert!(page.len() < MOST_BYTES, "{}", page.len());
    assert!(page.contains("content=\"default-src 'none'; "), "no policy");
    assert!(!page.contains("src=") && !page.contains("@import") && !page.contains("url("), "loads");
    page
}

/// What a page plays.
pub fn motion(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"episodes\">").unwrap();
    let (json, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(json).unwrap()
}

#[test]
fn a_run_has_its_summary_pictures_scenario_and_the_plant_in_motion() {
    let (bench, _) = Bench::with_controller();
    let page = reported(&bench, "run", &[]);
    for text in [
        "<h1>run on inverted-pendulum</h1>",
        "mean error",
        "9 episodes of 20 s",
        "bit of its Gray code",
        "theta_dot [rad/s]",
        "of a weight",
        "Uniform(-0.4, 0.4)",
        "report run -o page.html",
        "replay run/controller.ron",
    ] {
        assert!(page.contains(text), "`{text}` is missing");
    }
    let motion = motion(&page);
    assert_eq!(motion["scene"]["follow"], 0);
    let names: Vec<&str> =
        motion["signals"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["force", "cost", "x", "theta", "x_dot", "theta_dot"]);
    let episodes = motion["episodes"].as_array().unwrap();
    assert_eq!(episodes.len(), 6);
    let worst =
        bench.run(&["replay", "run/controller.ron", "--json"]).json()["worst_episode"].clone();
    assert!(episodes[0]["name"].as_str().unwrap().starts_with(&format!("{worst} (the worst)")));
    // All queries and the end, 0.1 s apart.
    assert_eq!(episodes[0]["runs"], serde_json::json!([[0, 10, 201]]));
    // Bytes repeat, whatever the threads and the instruction set; so they do in a process of its own.
    assert_eq!(self::motion(&reported(&bench, "run", &["--threads", "1"])), motion);
    let isolated = reported(&bench, "run", &["--isolate"]);
    assert_eq!(self::motion(&isolated), motion);
}

/// The first hundredth of the page has the warning, so that nobody scrolls for it.
#[test]
fn the_limit_cycle_of_a_quadrotor_is_the_first_thing_on_its_page() {
    let bench = hangar();
    let page = reported(&bench, "steep.ron", &[]);
    let (_, body) = page.split_once("<body>").unwrap();
    let head: String = body.chars().take(2000).collect();
    assert!(head.contains("role=\"alert\""), "{head}");
    assert!(head.contains("left does not come to rest, chatter or a limit cycle"), "{head}");
    // A plant without a picture has a bar for each state.
    assert_eq!(motion(&page)["scene"], Value::Null);
    let calm = reported(&bench, "calm.ron", &[]);
    assert!(!calm.contains("role=\"alert\""));
}

#[test]
fn a_million_samples_stay_small_and_keep_both_ends() {
    let (bench, _) = Bench::with_controller();
    let page = reported(&bench, "run/controller.ron", &["--horizon", "100000", "--episodes", "8"]);
    let motion = motion(&page);
    let runs = motion["episodes"][0]["runs"].as_array().unwrap();
    let count: u64 = runs.iter().map(|run| run[2].as_u64().unwrap()).sum();
    assert!((1000..20_000).contains(&count), "{runs:?}");
    assert_eq!((&runs[0][0], &runs[0][1]), (&0.into(), &10.into()));
    assert!(motion["episodes"][0]["note"].as_str().unwrap().contains("middle in steps"));
}

#[test]
fn a_training_without_a_controller_has_its_curves() {
    let (bench, _) = Bench::with_controller();
    fs::create_dir(bench.path("killed")).unwrap();
    let log = bench.read("run/log.jsonl");
    bench.write("killed/log.jsonl", &log[..2 * log.len() / 3]);
    let page = reported(&bench, "killed", &[]);
    assert!(page.contains("not finished") && page.contains("evaluations"), "{page}");
}

#[test]
fn a_model_has_its_confusions_its_fits_and_its_learning_curve() {
    let bench = Bench::new();
    bench.write("fit.ron", QUICK_FIT);
    assert_eq!(bench.run(&["train", "fit.ron", "--out", "run"]).code, Some(0));
    for (source, has_curve) in [("run", true), ("run/model.ron", false)] {
        let page = reported(&bench, source, &[]);
        for text in [
            "RMSE ",
            "% of 150 rows right",
            "Spirals(Cmu194)",
            "2 inputs",
            "balanced accuracy",
            "<th>as 0</th>",
            "Answers for the 194 rows of the two spirals: rows of its training and validation and test.",
            "Answers over the plane of the inputs",
            "how many",
        ] {
            assert!(page.contains(text), "`{text}` is missing in that of {source}");
        }
        assert_eq!(page.contains("bits of a weight"), has_curve, "{source}");
    }
}

#[test]
fn a_model_of_numbers_has_its_residuals() {
    let bench = Bench::new();
    let line = |i: u32| format!("{i},{},{}\n", i * i % 17, 3 * i);
    let rows = |range: std::ops::Range<u32>| range.map(line).collect::<String>();
    bench.write("rows.csv", &format!("a,b,y\n{}", rows(0..40)));
    bench.write("others.csv", &format!("a,b,y\n{}", rows(40..52)));
    let data = "data: File(path: \"rows.csv\", targets: Numbers([\"y\"]))";
    let rest = "split: (training: 30, validation: 5, test: 5), network: (hidden: [3]), \
                training: TelescopicBlm(bits: 8), stop: (evaluations: 500)";
    bench.write("s.ron", &format!("Supervised({data}, {rest})"));
    bench.run(&["train", "s.ron", "--out", "run", "--json"]).json();
    // The folder knows where its rows are; a file is given them, or says so.
    let page = reported(&bench, "run", &[]);
    let texts = [
        "Residuals of y",
        "answer - value",
        "mean absolute error",
        "Answers for the 40 rows of rows.csv",
    ];
    for text in texts {
        assert!(page.contains(text), "{text}");
    }
    let page = reported(&bench, "run/model.ron", &["--data", "others.csv"]);
    assert!(page.contains("12 rows of others.csv: rows that its training did not have"), "{page}");
    let page = reported(&bench, "run/model.ron", &[]);
    assert!(page.contains("--data FILE names them") && !page.contains("Residuals"));
    let refused = ["report", "run/model.ron", "-o", "a.html", "--data", "none.csv"];
    bench.run(&refused).assert_refused(3, &["none.csv"]);
}

/// Many targets of many rows have more residuals than a page of its size can hold.
#[test]
fn a_page_of_many_targets_keeps_its_size() {
    let bench = Bench::new();
    let names: Vec<String> = (0..16).map(|target| format!("y{target}")).collect();
    let row = |i: u32| {
        let targets: Vec<String> = (0..16).map(|k| format!("{}.5", i * (k + 3) % 101)).collect();
        format!("{},{}\n", f64::from(i) * 0.01, targets.join(","))
    };
    let rows: String = (0..2000).map(row).collect();
    bench.write("rows.csv", &format!("a,{}\n{rows}", names.join(",")));
    let data = format!("data: File(path: \"rows.csv\", targets: Numbers({names:?}))");
    let rest = "split: (training: 1500, validation: 250, test: 250), network: (hidden: [2]), \
                training: TelescopicBlm(bits: 8), stop: (evaluations: 50)";
    bench.write("s.ron", &format!("Supervised({data}, {rest})"));
    bench.run(&["train", "s.ron", "--out", "run", "--json"]).json();
    let page = reported(&bench, "run", &[]);
    assert!(
        page.contains("Residuals of y0") && page.contains("Too large for this page: residuals")
    );
    assert!(page.contains("y15: RMSE"), "the figures of all");
}

#[test]
fn margins_are_a_section_of_the_page() {
    let (bench, _) = Bench::with_controller();
    let options = ["--robust", "--episodes", "4", "--horizon", "3"];
    let page = reported(&bench, "run/controller.ron", &options);
    let robust = ["robust", "run/controller.ron", "--episodes", "4", "--horizon", "3"];
    let table = bench.run(&robust).stdout;
    let row = table.lines().find(|line| line.contains("noise")).unwrap();
    let words: Vec<&str> = row.split_whitespace().collect();
    assert!(page.contains("<h2>Robustness</h2>") && page.contains("Failures by source"), "{page}");
    let same = page.lines().any(|line| line.split_whitespace().collect::<Vec<_>>() == words);
    assert!(same, "`{row}` is missing");
    assert!(page.contains("--robust"), "the command");
}

#[test]
fn a_page_of_a_sandboxed_plant_is_the_same() {
    let bench = hangar();
    let here = motion(&reported(&bench, "calm.ron", &[]));
    let sandboxed = bench.run(&["report", "calm.ron", "-o", "page.html", "--sandbox"]);
    if sandboxed.stderr.contains("this system lacks") {
        eprintln!("SKIPPED: this system has no sandbox");
        return;
    }
    assert_eq!(sandboxed.code, Some(0), "{sandboxed:?}");
    assert_eq!(motion(&bench.read("page.html")), here);
}

/// Whatever has been done by then: there is no page, nothing is left, and the page that was there before stays.
#[test]
fn an_interrupted_report_leaves_what_was_there() {
    let (bench, _) = Bench::with_controller();
    bench.write("page.html", "the one before");
    let arguments = ["report", "run/controller.ron", "-o", "page.html", "--horizon", "1e7"];
    let mut command = bench.command(&[&arguments[..], &["--episodes", "100"]].concat());
    let mut child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().unwrap()));
    let is_running =
        |line: std::io::Result<String>| line.unwrap().contains("of the time simulated");
    assert!(lines.any(is_running), "it must show how far it is");
    let kill = ["-s", "INT", &child.id().to_string()];
    assert!(std::process::Command::new("kill").args(kill).status().unwrap().success());
    lines.for_each(drop);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(bench.read("page.html"), "the one before");
    let left = fs::read_dir(bench.path(".")).unwrap();
    let left =
        left.filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().contains(".tmp"));
    assert_eq!(left.count(), 0);
}

#[test]
fn a_training_writes_the_page_that_follows_it() {
    let bench = Bench::with_scenario();
    let train = |more: &[&str]| {
        let arguments = [&["train", "quick.ron", "--out", "run", "--watch", "page.html"], more];
        bench.run(&arguments.concat())
    };
    // Before it has found anything, a page that follows is there.
    let refused = train(&["--watch", "page.txt"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    let outcome = train(&["--json"]);
    outcome.json();
    assert_eq!(bench.read("page.live.js"), "bitloop.done();\n");
    let page = bench.read("page.html");
    assert!(page.contains("id=\"episodes\"") && page.contains("bits of a weight"));
    bench.run(&["report", "run", "-o", "again.html"]);
    assert_eq!(motion(&bench.read("again.html")), motion(&page));
    // Killed, the page stays one that follows, and a training that is resumed goes on with it.
    let long = QUICK.replace("evaluations: 600", "evaluations: 100000000");
    bench.write("long.ron", &long);
    let arguments = ["train", "long.ron", "--out", "long", "--watch", "long.html"];
    let mut child = bench.command(&arguments).stderr(std::process::Stdio::null()).spawn().unwrap();
    let shows = |text: &str| {
        fs::read_to_string(bench.path("long.live.js")).is_ok_and(|script| script.contains(text))
    };
    while !shows("evaluations") {
        assert!(child.try_wait().unwrap().is_none(), "it ended without a page");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(bench.read("long.html").contains("data-live=\"long.live.js\"") && shows("evaluations"));
    let more = ["train", "--resume", "long", "--evaluations", "1000", "--watch", "long.html"];
    let resumed = bench.run(&more);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert_eq!(bench.read("long.live.js"), "bitloop.done();\n");
}

#[test]
fn a_campaign_has_its_variants_with_and_without_a_success() {
    let bench = Bench::with_scenario();
    for (folder, success) in [("some", "10"), ("none", "1e-30")] {
        let arguments =
            ["campaign", "quick.ron", "--runs", "2", "--success", success, "--out", folder];
        assert_eq!(bench.run(&arguments).code, Some(0));
        let page = reported(&bench, folder, &[]);
        for text in [
            "Variants side by side",
            "Successes and errors",
            "<th>probability</th>",
            "Intervals are at 95 %",
            "share of trainings",
        ] {
            assert!(page.contains(text), "`{text}` is missing in that of {folder}");
        }
    }
}

/// What a page that follows a training shows comes from the disk, and the last of it is the report.
#[test]
fn a_training_is_followed_until_it_is_finished() {
    let (bench, _) = Bench::with_controller();
    fs::create_dir(bench.path("killed")).unwrap();
    bench.write("killed/log.jsonl", "");
    let mut watching = bench.command(&["watch", "killed", "-o", "live.html"]).spawn().unwrap();
    let wait_for = |file: &str, text: &str| {
        while !fs::read_to_string(bench.path(file)).is_ok_and(|found| found.contains(text)) {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    };
    wait_for("live.live.js", "found nothing yet");
    assert!(bench.read("live.html").contains("data-live=\"live.live.js\""));
    // Killed in the middle of a line.
    let log = bench.read("run/log.jsonl");
    bench.write("killed/log.jsonl", &log[..2 * log.len() / 3]);
    wait_for("live.live.js", "evaluations");
    for file in ["controller.ron", "log.jsonl", "result.json"] {
        fs::copy(bench.path("run").join(file), bench.path("killed").join(file)).unwrap();
    }
    assert!(watching.wait().unwrap().success());
    assert_eq!(bench.read("live.live.js"), "bitloop.done();\n");
    assert!(bench.read("live.html").contains("id=\"episodes\""));
    let refused = bench.run(&["watch", "nowhere", "-o", "a.html"]);
    refused.assert_refused(1, &["nowhere: there is no such folder"]);
}

#[test]
fn names_of_files_are_text_and_never_markup() {
    let (bench, _) = Bench::with_controller();
    let name = "<img onerror=alert(1)><&\"'>.ron";
    fs::copy(bench.path("run/controller.ron"), bench.path(name)).unwrap();
    let page = reported(&bench, name, &[]);
    assert!(!page.contains("<img") && page.contains("&lt;img onerror=alert(1)&gt;"));
}

#[test]
fn what_cannot_be_reported_is_refused_and_leaves_nothing() {
    let (bench, _) = Bench::with_controller();
    fs::create_dir(bench.path("empty")).unwrap();
    bench.write("quick2.ron", QUICK);
    fs::copy(bench.path("run/controller.ron"), bench.path("run/controller.html")).unwrap();
    let controller = "run/controller.ron";
    for (arguments, code, fragments) in [
        (&["empty", "-o", "a.html"][..], 1, &["neither controller.ron nor log.jsonl"][..]),
        (&["nowhere.ron", "-o", "a.html"], 3, &["nowhere.ron"]),
        (&["quick2.ron", "-o", "a.html"], 3, &["quick2.ron"]),
        (&[controller, "-o", "a.svg"], 2, &["pages are written as HTML"]),
        (&[controller, "-o", "no/a.html"], 1, &["no/a.html"]),
        (&["run/controller.html", "-o", "run/controller.html"], 1, &["this command reads it, too"]),
        (&[controller, "-o", "a.html", "--scenario", "nowhere.ron"], 3, &["nowhere.ron"]),
    ] {
        bench.run(&[&["report"], arguments].concat()).assert_refused(code, fragments);
        assert!(!bench.path("a.html").exists(), "{arguments:?}");
    }
    let is_left = |name: &str| name.contains(".tmp");
    let left =
        fs::read_dir(bench.path(".")).unwrap().chain(fs::read_dir(bench.path("run")).unwrap());
    let left = left.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(left.filter(|name| is_left(name)).count(), 0);
}

#[test]
fn a_campaign_is_not_watched() {
    let bench = Bench::new();
    bench.write("fit.ron", QUICK_FIT);
    bench.run(&["campaign", "fit.ron", "--runs", "1", "--out", "campaign"]);
    let watch = bench.run(&["watch", "campaign", "-o", "page.html"]);
    watch.assert_refused(1, &["the folder of a campaign", "bitloop report"]);
    assert!(!bench.path("page.html").exists());
}
