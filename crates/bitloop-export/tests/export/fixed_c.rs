//! C in fixed point against the same arithmetic in Rust, bit for bit.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use bitloop_export::{Fixed, Portable, Target, export};
use proptest::prelude::*;

use crate::episodes::{FixedStep, Shipped, fixed_steps, shipped};
use crate::networks::{controller, direct_controller, model, sample};
use crate::tools::{can_compile, counts, run};

/// Compilers and options; the sanitizer ends a program at the first undefined operation.
pub const COMPILERS: [(&str, &[&str]); 5] = [
    ("gcc", &["-std=c99", "-O2"]),
    ("gcc", &["-std=c99", "-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all"]),
    ("gcc", &["-std=c99", "-O2", "-m32"]),
    ("clang", &["-std=c99", "-O2"]),
    ("g++", &["-xc++", "-std=c++11", "-O2"]),
];

const STRICT: [&str; 5] = ["-Wall", "-Wextra", "-Wpedantic", "-Wno-long-long", "-Werror"];

fn write(portable: &Portable, name: &str, folder: &Path) {
    export(portable, Target::CFixed, name).unwrap().write(folder).unwrap();
}

#[test]
fn shipped_controllers_in_c_give_the_bits_of_whole_episodes() {
    shipped_controllers_with_each_compiler(2);
}

#[test]
#[ignore = "takes half a minute; `.ci/run` runs it"]
fn shipped_controllers_in_c_give_the_bits_of_whole_episodes_over_twenty_episodes() {
    shipped_controllers_with_each_compiler(20);
}

fn shipped_controllers_with_each_compiler(n_episodes: u32) {
    let controllers = shipped(n_episodes);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("episodes.c"), include_str!("c/episodes.c")).unwrap();
    let mut n_steps = Vec::new();
    for Shipped { name, portable, .. } in &controllers {
        let home = folder.path().join(name);
        write(portable, &name.replace('-', "_"), &home);
        let steps = fixed_steps(name, n_episodes);
        let bytes: Vec<u8> = steps.iter().flat_map(FixedStep::bytes).collect();
        fs::write(home.join("steps"), bytes).unwrap();
        n_steps.push(steps.len());
    }
    for (compiler, options) in COMPILERS {
        let what =
            format!("shipped controllers in fixed point with {compiler} {}", options.join(" "));
        if !can_compile(compiler, options, &what) {
            continue;
        }
        for (Shipped { name, portable, .. }, &n_steps) in controllers.iter().zip(&n_steps) {
            let home = folder.path().join(name);
            let id = name.replace('-', "_");
            let mut command = Command::new(compiler);
            command.current_dir(&home).args(options).args(STRICT).args(["-I.", "-DFIXED"]);
            command.arg(format!("-DNAME={id}")).arg(format!("-DHEADER=\"{id}.h\""));
            command.arg(format!("-DN_IN={}", portable.inputs.len()));
            command.arg(format!("-DN_OUT={}", portable.outputs.len()));
            run(command.arg(format!("{id}.c")).args(["../episodes.c", "-o", "episodes"]));
            let steps = File::open(home.join("steps")).unwrap();
            let printed = run(Command::new(home.join("episodes")).stdin(steps));
            assert_eq!(counts(&printed), [n_steps, 0], "{name}: {what}");
        }
    }
}

/// Networks with a direct path.
pub fn direct(n: usize) -> Vec<Portable> {
    let held = |portable: &Portable| Fixed::new(portable).is_ok();
    sample(&direct_controller().prop_filter("fixed point holds it", held), n)
}

#[test]
fn random_networks_of_every_shape_pass_their_self_test_in_fixed_point() {
    let strategy = prop_oneof![2 => controller().boxed(), 1 => model(false).boxed()]
        .prop_filter("fixed point holds it", |portable| Fixed::new(portable).is_ok());
    let mut networks = sample(&strategy, 14);
    networks.extend(direct(4));
    for (compiler, options) in COMPILERS {
        let what = format!("random networks in fixed point with {compiler} {}", options.join(" "));
        if !can_compile(compiler, options, &what) {
            continue;
        }
        let n = if options.contains(&"-fsanitize=undefined") { networks.len() } else { 3 };
        for portable in &networks[..n] {
            let folder = tempfile::tempdir().unwrap();
            let home = folder.path().join("c");
            write(portable, "net", &home);
            let mut command = Command::new(compiler);
            command.current_dir(&home).args(options).args(STRICT);
            run(command.args(["net.c", "self_test.c", "-o", "self_test"]));
            let output = Command::new(home.join("self_test")).output().unwrap();
            assert!(output.status.success(), "{what}: {output:?}\n{portable:?}");
        }
    }
}
