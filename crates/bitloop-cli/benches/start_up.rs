//! What a user waits for before anything is computed: the program started, a file read, a second or two simulated.

use std::path::Path;
use std::process::{Command, Stdio};

use divan::Bencher;

fn main() {
    divan::main();
}

#[divan::bench]
fn version(bencher: Bencher<'_, '_>) {
    run(bencher, &["--version"]);
}

#[divan::bench]
fn plant_list(bencher: Bencher<'_, '_>) {
    run(bencher, &["plant", "list"]);
}

#[divan::bench]
fn scenario_check(bencher: Bencher<'_, '_>) {
    run(bencher, &["scenario", "check", "scenarios/pendulum-full-16bit.ron"]);
}

#[divan::bench]
fn short_replay(bencher: Bencher<'_, '_>) {
    let controller = "controllers/pendulum-full-16bit.ron";
    run(bencher, &["replay", controller, "--episodes", "1", "--horizon", "2"]);
}

fn run(bencher: Bencher<'_, '_>, args: &[&str]) {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    bencher.bench_local(|| {
        let status = Command::new(env!("CARGO_BIN_EXE_bitloop"))
            .args(args)
            .current_dir(&workspace)
            .stdout(Stdio::null())
            .status();
        assert!(status.expect("it starts").success(), "{args:?}");
    });
}
