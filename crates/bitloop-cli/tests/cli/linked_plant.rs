//! `examples/linked-plant`: a program outside the workspace, whose own plant is linked in, has the whole command line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Bench, Outcome, workspace};

/// Crates with kernels, which need more stack than a thread has unless they are optimized.
const WITH_KERNELS: [&str; 15] = [
    "bitloop-acrobot",
    "bitloop-ball-and-beam",
    "bitloop-coupled-tanks",
    "bitloop-cstr",
    "bitloop-double-pendulum",
    "bitloop-inverted-pendulum",
    "bitloop-lane-keeping",
    "bitloop-magnetic-levitation",
    "bitloop-mass-spring-damper",
    "bitloop-mountain-car",
    "bitloop-net",
    "bitloop-pendulum-swing-up",
    "bitloop-planar-quadrotor",
    "bitloop-plant",
    "bitloop-van-der-pol",
];

/// Writes a file unless it is as it should be, so that Cargo finds nothing new.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|found| found == text) {
        return;
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Builds the program in a copy, with the versions of the workspace and beside its build. Compiled for tests, it is slow.
fn build() -> PathBuf {
    let workspace = workspace().canonicalize().unwrap();
    let source = workspace.join("examples/linked-plant");
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("linked-plant");
    let manifest = fs::read_to_string(source.join("Cargo.toml")).unwrap();
    assert!(manifest.contains("\"../../crates/"));
    let crates = format!("\"{}/crates/", workspace.display());
    write(&copy.join("Cargo.toml"), &manifest.replace("\"../../crates/", &crates));
    for name in ["src/main.rs", "src/tank.rs"] {
        write(&copy.join(name), &fs::read_to_string(source.join(name)).unwrap());
    }
    fs::copy(workspace.join("Cargo.lock"), copy.join("Cargo.lock")).unwrap();

    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let mut command = Command::new(env!("CARGO"));
    command.args(["build", "--quiet", "--offline", "--config", "profile.dev.opt-level=1"]);
    command.args(["--config", "profile.dev.debug=false"]);
    command.args(["--config", "profile.dev.package.\"*\".opt-level=0"]);
    for name in WITH_KERNELS {
        command.args(["--config", &format!("profile.dev.package.{name}.opt-level=1")]);
    }
    command.env_remove("CARGO_BUILD_TARGET_DIR").env("CARGO_TARGET_DIR", target);
    let outcome = Outcome::of(command.current_dir(&copy));
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    target.join("debug/linked-plant")
}

#[test]
fn a_program_with_a_plant_of_its_own_trains_isolates_replays_and_checks_it() {
    let program = build();
    let bench = Bench::new();
    let scenario = workspace().join("examples/linked-plant/tank.ron");
    fs::copy(scenario, bench.path("tank.ron")).unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(&program);
        command.args(args).current_dir(bench.path("")).env_remove("BITLOOP_PLANT_PATH");
        Outcome::of(&mut command)
    };
    let listed = run(&["plant", "list"]);
    assert!(listed.stdout.contains("tank") && listed.stdout.contains("acrobot"), "{listed:?}");
    let plain = run(&["train", "tank.ron", "--out", "plain", "--json"]);
    assert!(plain.json()["test_error"].as_f64().unwrap() < 0.1, "{plain:?}");
    // The worker is this program, too, or it would not know the plant.
    let isolated = run(&["train", "tank.ron", "--out", "isolated", "--json", "--isolate"]);
    assert_eq!(isolated.json()["controller_digest"], plain.json()["controller_digest"]);
    for how in [&[][..], &["--isolate"]] {
        let args = [&["replay", "isolated/controller.ron", "--json"], how].concat();
        assert_eq!(run(&args).number("mean_error"), plain.number("test_error"), "{how:?}");
    }
    let checked = run(&["plant", "check", "tank", "--only", "description"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    // The command without that plant says so.
    bench.run(&["train", "tank.ron"]).assert_refused(3, &["there is no plant `tank`"]);
}
