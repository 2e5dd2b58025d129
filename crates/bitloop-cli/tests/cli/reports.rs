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
fn a_model_has_its_fits_and_its_learning_curve() {
    let bench = Bench::new();
    bench.write("fit.ron", QUICK_FIT);
    assert_eq!(bench.run(&["train", "fit.ron", "--out", "run"]).code, Some(0));
    for (source, has_curve) in [("run", true), ("run/model.ron", false)] {
        let page = reported(&bench, source, &[]);
        for text in ["RMSE ", "% of 150 rows right", "Spirals(Cmu194)", "2 inputs"] {
            assert!(page.contains(text), "`{text}` is missing in that of {source}");
        }
        assert_eq!(page.contains("bits of a weight"), has_curve, "{source}");
    }
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
