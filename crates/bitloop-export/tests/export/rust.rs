//! Rust without the standard library, bit for bit.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use bitloop_export::{Fixed, Portable, Target, export};
use proptest::prelude::*;

use crate::episodes::{FixedStep, Step, fixed_steps, shipped};
use crate::fixed_c::direct;
use crate::networks::{controller, direct_controller, model, sample};
use crate::tools::{run, run_line};

/// Puts the exports of all into one crate without the standard library, and runs the tests of each.
fn run_all(portables: &[Portable], target: Target, folder: &Path) {
    let mut root = String::from("#![cfg_attr(not(test), no_std)]\n");
    for (at, portable) in portables.iter().enumerate() {
        let name = format!("net_{at}");
        let exported = export(portable, target, &name).unwrap();
        fs::write(folder.join(&exported.files[0].name), &exported.files[0].contents).unwrap();
        let _ = writeln!(root, "pub mod {name};");
    }
    fs::write(folder.join("root.rs"), root).unwrap();
    let rustc = |arguments: &[&str]| {
        let mut command = Command::new("rustc");
        run(command.current_dir(folder).args(["--edition", "2021", "root.rs"]).args(arguments));
    };
    rustc(&["--crate-type", "lib", "-D", "warnings", "-o", "libroot.rlib"]);
    // With checks of overflow.
    rustc(&["--test", "-C", "opt-level=1", "-C", "debug-assertions=on", "-o", "tests"]);
    let printed = run(&mut Command::new(folder.join("tests")));
    assert!(printed.contains(&format!("{} passed; 0 failed", portables.len())), "{printed}");
}

#[test]
fn random_networks_of_every_shape_pass_their_tests() {
    let mut exact = sample(&prop_oneof![2 => controller().boxed(), 1 => model(true).boxed()], 16);
    exact.extend(sample(&direct_controller(), 8));
    run_all(&exact, Target::Rust, tempfile::tempdir().unwrap().path());
    let strategy = prop_oneof![2 => controller().boxed(), 1 => model(false).boxed()]
        .prop_filter("fixed point holds it", |portable| Fixed::new(portable).is_ok());
    let mut fixed = sample(&strategy, 16);
    fixed.extend(direct(4));
    run_all(&fixed, Target::RustFixed, tempfile::tempdir().unwrap().path());
}

#[test]
fn the_test_runs_as_printed() {
    let portable = &sample(&controller(), 1)[0];
    for target in [Target::Rust, Target::RustFixed] {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("rust");
        let exported = export(portable, target, "net").unwrap();
        exported.write(&home).unwrap();
        assert!(run_line(&exported.self_test, &home).contains("1 passed"));
    }
}

#[test]
fn shipped_controllers_give_the_bits_of_whole_episodes() {
    for shipped in shipped(2) {
        let id = shipped.name.replace('-', "_");
        let exact: Vec<u8> = shipped.steps.iter().flat_map(Step::bytes).collect();
        let fixed = fixed_steps(&shipped.name, 2);
        let fixed: Vec<u8> = fixed.iter().flat_map(FixedStep::bytes).collect();
        for (target, steps, number, word) in
            [(Target::Rust, exact, "f64", "u64"), (Target::RustFixed, fixed, "i32", "u32")]
        {
            let folder = tempfile::tempdir().unwrap();
            let home = folder.path().join("rust");
            export(&shipped.portable, target, &id).unwrap().write(&home).unwrap();
            fs::write(home.join("steps"), steps).unwrap();
            let program = include_str!("rust_episodes.in")
                .replace("@NAME@", &id)
                .replace("@NUMBER@", number)
                .replace("@WORD@", word);
            fs::write(home.join("episodes.rs"), program).unwrap();
            let mut command = Command::new("rustc");
            command.current_dir(&home).args(["--edition", "2021", "-O", "episodes.rs"]);
            run(&mut command);
            let printed = run(Command::new(home.join("episodes")).current_dir(&home));
            assert_eq!(printed, format!("{} steps, 0 differ\n", shipped.steps.len()), "{id}");
        }
    }
}
