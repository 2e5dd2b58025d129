//! Pages in a real browser, offline: what plays, what keys do, what is loaded. It is skipped where there is no browser.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::behavior::{hangar, hangar_of};
use crate::support::{Bench, QUICK_FIT};

/// The module that drives the browser, in the folder of `BITLOOP_BROWSER_MODULES` or where CI installs it.
fn playwright() -> Option<PathBuf> {
    let usual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/browser/node_modules");
    let modules = env::var_os("BITLOOP_BROWSER_MODULES").map_or(usual, PathBuf::from);
    let module = modules.join("playwright-core");
    module.canonicalize().ok().filter(|module| module.join("package.json").is_file())
}

/// The browser.
fn chromium() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let all = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    all.into_iter().find(|file| file.is_file())
}

#[test]
fn pages_play_fit_and_stay_inert_in_a_browser_without_a_network() {
    let has_node = Command::new("node").arg("--version").output().is_ok_and(|o| o.status.success());
    let (Some(playwright), Some(chromium), true) = (playwright(), chromium(), has_node) else {
        eprintln!(
            "SKIPPED: pages are not opened in a browser: node, chromium or playwright-core is not there \
             (.ci/install-browser-tools installs them)"
        );
        return;
    };
    let pages = Bench::new();
    let page = |bench: &Bench, source: &str, name: &str| {
        let out = pages.path(name);
        let outcome = bench.run(&["report", source, "-o", out.to_str().unwrap()]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
    };
    let (bench, _) = Bench::with_controller();
    page(&bench, "run", "pendulum.html");
    page(&hangar(), "steep.ron", "quadrotor.html");
    bench.write("fit.ron", QUICK_FIT);
    assert_eq!(bench.run(&["train", "fit.ron", "--out", "fit"]).code, Some(0));
    page(&bench, "fit", "model.html");
    let campaign =
        ["campaign", "fit.ron", "--runs", "2", "--vary", "training.bits=8,10", "--out", "c"];
    assert_eq!(bench.run(&campaign).code, Some(0));
    page(&bench, "c", "campaign.html");
    // A plant that tries: in its name, in those of a state and a control, and in a unit.
    let hostile = hangar_of(&[
        (".name = \"planar-quadrotor\"", ".name = \"</script><script>hit=1</script><b>\""),
        ("{\"left\", \"N\"", "{\"<img src=x onerror=hit=1>\", \"</style><script>hit=1</script>\""),
        ("\"omega\", \"rad/s\"", "\"omega\", \"<!--<script>\""),
    ]);
    page(&hostile, "steep.ron", "hostile.html");
    // The page that follows a training, as it is left when the command ends before the training.
    fs::create_dir(bench.path("empty")).unwrap();
    let live = pages.path("live.html");
    let mut watching =
        bench.command(&["watch", "empty", "-o", live.to_str().unwrap()]).spawn().unwrap();
    while !live.is_file() {
        assert!(watching.try_wait().unwrap().is_none(), "it ended without a page");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    watching.kill().unwrap();
    watching.wait().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/pages.cjs");
    let mut command = Command::new("node");
    command.arg(script).arg(playwright).arg(chromium).arg(pages.path("."));
    if let Some(folder) = env::var_os("BITLOOP_SCREENSHOTS") {
        fs::create_dir_all(&folder).unwrap();
        command.arg(folder);
    }
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("all pages are as they should be"));
}
