//! C in double precision against bitloop's own arithmetic, bit for bit.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use bitloop_export::{Portable, Target, export};
use proptest::prelude::*;

use crate::episodes::{Shipped, Step, shipped};
use crate::networks::{controller, direct_controller, model, sample};
use crate::tools::{can_compile, counts, run, run_line};

/// Compilers and options that must give bitloop's bits.
const COMPILERS: [(&str, &[&str]); 4] = [
    ("gcc", &["-std=c99", "-O2"]),
    ("gcc", &["-std=c99", "-O2", "-m32", "-msse2", "-mfpmath=sse"]),
    ("clang", &["-std=c99", "-O2"]),
    ("g++", &["-xc++", "-std=c++11", "-O2"]),
];

/// More options, with random networks alone. Even contraction, the default of `gnu99`, finds nothing to fuse.
const MORE_OPTIONS: [(&str, &[&str]); 3] = [
    ("gcc", &["-std=c99", "-O0"]),
    ("gcc", &["-std=gnu99", "-O3", "-march=native"]),
    ("clang", &["-std=c11", "-O2", "-march=native", "-ffp-contract=fast"]),
];

const STRICT: [&str; 5] = ["-Wall", "-Wextra", "-Wpedantic", "-Wno-long-long", "-Werror"];

fn write(portable: &Portable, name: &str, folder: &Path) {
    export(portable, Target::C, name).unwrap().write(folder).unwrap();
}

#[test]
fn shipped_controllers_give_the_bits_of_whole_episodes() {
    shipped_controllers_with_each_compiler(2);
}

#[test]
#[ignore = "takes half a minute; `.ci/run` runs it"]
fn shipped_controllers_give_the_bits_of_whole_episodes_over_twenty_episodes() {
    shipped_controllers_with_each_compiler(20);
}

fn shipped_controllers_with_each_compiler(n_episodes: u32) {
    let controllers = shipped(n_episodes);
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("episodes.c");
    fs::write(&program, include_str!("c/episodes.c")).unwrap();
    for Shipped { name, portable, steps } in &controllers {
        let home = folder.path().join(name);
        write(portable, &name.replace('-', "_"), &home);
        let bytes: Vec<u8> = steps.iter().flat_map(Step::bytes).collect();
        fs::write(home.join("steps"), bytes).unwrap();
    }
    for (compiler, options) in COMPILERS {
        let what = format!("shipped controllers with {compiler} {}", options.join(" "));
        if !can_compile(compiler, options, &what) {
            continue;
        }
        for Shipped { name, portable, steps } in &controllers {
            let home = folder.path().join(name);
            let program = compiled(&home, &name.replace('-', "_"), portable, compiler, options);
            let recorded = File::open(home.join("steps")).unwrap();
            let printed = run(Command::new(program).stdin(recorded));
            assert_eq!(counts(&printed), [steps.len(), 0], "{name}: {what}");
        }
    }
}

/// The program that runs recorded steps from standard input.
fn compiled(
    home: &Path,
    name: &str,
    portable: &Portable,
    compiler: &str,
    options: &[&str],
) -> PathBuf {
    let mut command = Command::new(compiler);
    command.current_dir(home).args(options).args(STRICT).args(["-I."]);
    command.arg(format!("-DNAME={name}")).arg(format!("-DHEADER=\"{name}.h\""));
    command.arg(format!("-DN_IN={}", portable.inputs.len()));
    command.arg(format!("-DN_OUT={}", portable.outputs.len()));
    run(command.arg(format!("{name}.c")).args(["../episodes.c", "-o", "episodes"]));
    home.join("episodes")
}

#[test]
fn random_networks_of_every_shape_pass_their_self_test() {
    let mut networks = sample(&direct_controller(), 2);
    networks.extend(sample(&prop_oneof![2 => controller().boxed(), 1 => model(true).boxed()], 16));
    networks.extend(sample(&direct_controller(), 8).drain(2..));
    for (compiler, options) in COMPILERS.into_iter().chain(MORE_OPTIONS) {
        let what = format!("random networks with {compiler} {}", options.join(" "));
        if !can_compile(compiler, options, &what) {
            continue;
        }
        // All of them once; the other compilers repeat the first ones.
        let n = if (compiler, options) == COMPILERS[0] { networks.len() } else { 3 };
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

#[test]
fn the_self_test_runs_as_printed_and_finds_a_weight_that_moved() {
    if !can_compile("cc", &["-std=c99"], "the self-test") {
        return;
    }
    let portable = &sample(&controller(), 1)[0];
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("c");
    let exported = export(portable, Target::C, "net").unwrap();
    exported.write(&home).unwrap();
    let printed = run_line(&exported.self_test, &home);
    assert!(printed.contains("48 steps, 0 differ"), "{printed}");
    let vectors = fs::read_to_string(home.join("test_vectors.h")).unwrap();
    let (inputs, outputs) = vectors.split_once("test_outputs").unwrap();
    // The first digit of the first output.
    let at = outputs.find("0x").unwrap() + 2;
    let other = if outputs[at..].starts_with('3') { "4" } else { "3" };
    let spoiled = format!("{}{other}{}", &outputs[..at], &outputs[at + 1..]);
    fs::write(home.join("test_vectors.h"), format!("{inputs}test_outputs{spoiled}")).unwrap();
    let output =
        Command::new("sh").args(["-c", &exported.self_test]).current_dir(&home).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn options_that_change_bits_do_not_compile() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("c");
    write(&sample(&controller(), 1)[0], "net", &home);
    for options in [
        ["-O2", "-ffast-math"].as_slice(),
        &["-Ofast"],
        &["-O2", "-ffinite-math-only"],
        &["-O2", "-m32", "-mfpmath=387", "-std=c99"],
        &["-O2", "-mfpmath=387", "-std=c99"],
    ] {
        let what = format!("refusal of {}", options.join(" "));
        if !can_compile("gcc", options, &what) {
            continue;
        }
        let mut command = Command::new("gcc");
        command.current_dir(&home).args(options).args(["-c", "net.c", "-o", "net.o"]);
        let output = command.output().unwrap();
        assert!(!output.status.success(), "{what}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("#error"), "{output:?}");
    }
}

/// The fused product of the source, against the machine's, for bits of every kind.
#[test]
fn the_fused_product_is_exact_where_it_is_emulated() {
    if !can_compile("gcc", &["-std=c99"], "the emulated fused product") {
        return;
    }
    let numbers = || {
        prop_oneof![
            any::<u64>().prop_map(f64::from_bits),
            (any::<u64>(), -60..60_i32).prop_map(|(word, exponent)| {
                let field = u64::try_from(1023 + exponent).unwrap();
                f64::from_bits((word & 0x800f_ffff_ffff_ffff) | (field << 52))
            }),
            (any::<u64>(), 0..3_u64).prop_map(|(word, field)| {
                f64::from_bits((word & 0x800f_ffff_ffff_ffff) | (field << 52))
            }),
            (-8..8_i32).prop_map(f64::from),
            Just(-0.0),
        ]
    };
    // Sums that nearly cancel, and those that tie.
    let triple =
        (numbers(), numbers(), numbers(), 0..4_u8, -3..3_i64).prop_map(|(x, y, z, kind, off)| {
            match kind {
                0 => (x, y, f64::from_bits((-(x * y)).to_bits().wrapping_add_signed(off))),
                _ => (x, y, z),
            }
        });
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut bytes = Vec::new();
    for _ in 0..20_000 {
        let (x, y, z) =
            proptest::strategy::ValueTree::current(&triple.new_tree(&mut runner).unwrap());
        let fused = x.mul_add(y, z);
        if !fused.is_nan() {
            let words = [0, x.to_bits(), y.to_bits(), z.to_bits(), fused.to_bits()];
            bytes.extend(words.into_iter().flat_map(u64::to_le_bytes));
        }
    }
    let n = bytes.len() / 40;
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    fs::write(home.join("steps"), bytes).unwrap();
    let source = format!(
        "#include <stdint.h>\n#include <string.h>\ntypedef int net_state;\n{}\n{}\n\
         void net_reset(net_state *state) {{ (void)state; }}\n\
         void net_step(net_state *state, const double *in, double *out) {{ (void)state; *out = fused(in[0], in[1], in[2]); }}\n",
        include_str!("../../src/c/bits.c"),
        include_str!("../../src/c/fused.c")
    );
    fs::write(home.join("net.c"), source).unwrap();
    fs::write(home.join("net.h"), "typedef int net_state;\nvoid net_reset(net_state *);\nvoid net_step(net_state *, const double *, double *);\n").unwrap();
    fs::write(home.join("episodes.c"), include_str!("c/episodes.c")).unwrap();
    let mut command = Command::new("gcc");
    command.current_dir(home).args(["-std=c99", "-O2", "-I.", "-DNAME=net", "-DHEADER=\"net.h\""]);
    command.args(["-DN_IN=3", "-DN_OUT=1", "net.c", "episodes.c", "-o", "fused"]);
    run(&mut command);
    let steps = File::open(home.join("steps")).unwrap();
    let printed = run(Command::new(home.join("fused")).stdin(steps));
    assert_eq!(printed, format!("{n} steps, 0 differ\n"));
}
