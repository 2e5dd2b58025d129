//! The plant in C as a user would compile it: compilers, levels of optimization, standards, C++, without vectors, with an
//! older host. The bits are those of the plant linked in.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use bitloop_host::PlantLibrary;
use bitloop_plant::abi::{CAPABILITY_AVX2, CAPABILITY_LANE_BY_LANE};
use bitloop_plant::{Integrator, Isa, PlantHandle, Stretch};
use tempfile::TempDir;

use crate::built::workspace;
use crate::same_bits::{bits, linked, record};

/// A folder with sources, which is removed at the end.
struct Bench(TempDir);

/// A library, and what the compiler said.
struct Compiled {
    plant: PlantHandle,
    messages: String,
}

impl Bench {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn compile(&self, compiler: &str, source: &Path, arguments: &[&str]) -> Compiled {
        // A library that is loaded keeps its file.
        let n_files = fs::read_dir(self.0.path()).unwrap().count();
        let library = self.0.path().join(format!("plant{n_files}.so"));
        let mut command = Command::new(compiler);
        command.args(["-fPIC", "-shared", "-Wall", "-Wextra"]).args(arguments);
        for folder in ["crates/bitloop-plant/include", "plants/inverted-pendulum-c", "tests/plants"]
        {
            command.arg("-I").arg(workspace().join(folder));
        }
        let output = command.arg("-o").args([library.as_path(), source]).output().unwrap();
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{compiler} {arguments:?}: {messages}");
        let plant = PlantLibrary::open(&library).unwrap().plant(None).unwrap();
        Compiled { plant, messages }
    }
}

/// The compilers of a kind that are installed; the others are named on standard error.
fn installed<'a>(compilers: &[&'a str]) -> Vec<&'a str> {
    let is_there = |&name: &&str| Command::new(name).arg("--version").output().is_ok();
    let (there, missing): (Vec<&str>, Vec<&str>) =
        compilers.iter().copied().partition(|name| is_there(name));
    for name in missing {
        // Not by `eprintln!`, which the test harness captures.
        let _ = writeln!(io::stderr(), "SKIPPED plants in C by {name}: it is not installed");
    }
    assert!(!there.is_empty(), "one of {compilers:?} is needed");
    there
}

fn source() -> PathBuf {
    workspace().join("plants/inverted-pendulum-c/pendulum.c")
}

#[track_caller]
fn assert_bits_of_twin(plant: &PlantHandle, case: &str) {
    for integrator in [Integrator::Euler, Integrator::RungeKutta4] {
        let expected = record(&linked(), Isa::PORTABLE, integrator);
        for isa in Isa::available() {
            let found = record(plant, isa, integrator);
            assert!(found == expected, "{case}, {}, {}", integrator.name(), isa.name());
        }
    }
}

#[test]
fn compilers_levels_and_standards_give_the_same_bits() {
    let bench = Bench::new();
    for compiler in installed(&["gcc", "clang"]) {
        for level in ["-O2", "-O3"] {
            // The second lets a compiler fuse products and sums by default: the headers forbid it.
            for standard in ["-std=c99", "-std=gnu17"] {
                let compiled = bench.compile(compiler, &source(), &[level, standard]);
                let case = format!("{compiler} {level} {standard}");
                assert_eq!(compiled.messages, "", "{case}");
                assert_bits_of_twin(&compiled.plant, &case);
            }
        }
    }
}

#[test]
fn cpp_compiles_it_too() {
    let bench = Bench::new();
    // Designators in the order of declaration, as C++ asks for.
    let in_cpp = bench.write("pendulum.cpp", &fs::read_to_string(source()).unwrap());
    for compiler in installed(&["g++", "clang++"]) {
        let compiled = bench.compile(compiler, &in_cpp, &["-O2", "-std=c++20"]);
        let has_avx2 = compiled.plant.capabilities() & CAPABILITY_AVX2 != 0;
        assert_eq!(has_avx2, cfg!(target_arch = "x86_64"));
        assert_bits_of_twin(&compiled.plant, compiler);
    }
}

#[test]
fn any_answer_of_failed_but_0_ends_an_episode() {
    let bench = Bench::new();
    let equations = workspace().join("plants/inverted-pendulum-c/equations.h");
    let equations = fs::read_to_string(equations).unwrap();
    let odd = equations.replace(
        "return (x[THETA] > p[FAILURE_ANGLE])",
        "return 2 * (x[THETA] > p[FAILURE_ANGLE])",
    );
    let odd =
        odd.replace("| (x[THETA] < -p[FAILURE_ANGLE])", "| 4 * (x[THETA] < -p[FAILURE_ANGLE])");
    assert_ne!(odd, equations);
    bench.write("equations.h", &odd);
    let folder = bench.0.path().display().to_string();
    for compiler in installed(&["gcc", "clang"]) {
        let without = ["-O2", "-ffp-contract=off", "-DBITLOOP_WITHOUT_VECTORS", "-I", &folder];
        assert_bits_of_twin(&bench.compile(compiler, &source(), &without).plant, compiler);
    }
}

#[test]
fn without_the_extensions_one_lane_is_computed_at_a_time_and_the_compiler_says_so() {
    let bench = Bench::new();
    for compiler in installed(&["gcc", "clang"]) {
        let without = ["-O2", "-std=c99", "-ffp-contract=off", "-DBITLOOP_WITHOUT_VECTORS"];
        let Compiled { plant, messages } = bench.compile(compiler, &source(), &without);
        assert!(messages.contains("compiled without vectors"), "{messages}");
        assert_ne!(plant.capabilities() & CAPABILITY_LANE_BY_LANE, 0);
        assert_eq!(plant.capabilities() & CAPABILITY_AVX2, 0);
        assert_bits_of_twin(&plant, compiler);
    }
}

#[test]
fn a_host_from_before_vectors_gets_the_same_bits() {
    let bench = Bench::new();
    let old_host = bench.write("old_host.c", OLD_HOST);
    let compiled = bench.compile("cc", &old_host, &["-O2", "-std=c99"]);
    assert_bits_of_twin(&compiled.plant, "an older host");
}

/// Stands between the host and the plant, and hides the end of the table of functions.
const OLD_HOST: &str = r#"
#define bitloop_plant_v1 new_plant
#include "pendulum.c"
#undef bitloop_plant_v1

#define OLD(name)                                          \
    static int32_t old_##name(BitloopBatch *batch) {       \
        BitloopMath math = *batch->math;                   \
        BitloopBatch copy = *batch;                        \
        math.struct_size = offsetof(BitloopMath, vectors); \
        math.vectors = NULL;                               \
        copy.math = &math;                                 \
        return new_plant()->name(&copy);                   \
    }
OLD(advance)
OLD(observe)
OLD(terminal_cost)
OLD(failure_cost)

BITLOOP_EXPORT const BitloopDescriptor *bitloop_plant_v1(void) {
    static BitloopDescriptor descriptor;
    descriptor = *new_plant();
    descriptor.advance = old_advance;
    descriptor.observe = old_observe;
    descriptor.terminal_cost = old_terminal_cost;
    descriptor.failure_cost = old_failure_cost;
    return &descriptor;
}
"#;

/// All that the functions of a plant write, lanes ending one after the other.
fn trace(plant: &PlantHandle, isa: Isa, integrator: Integrator, n_lanes: usize) -> Vec<Vec<u64>> {
    let mut lanes = plant.lanes(n_lanes);
    for lane in 0..n_lanes {
        let share = lane as f64 / n_lanes as f64;
        for (row, start) in [0.6 * share - 0.2, 1.7 - 3.0 * share, share].into_iter().enumerate() {
            lanes.state.row_mut(row)[lane] = start;
        }
        lanes.control.row_mut(0)[lane] = share - 0.5;
        lanes.parameters.row_mut(0)[lane] = 0.8;
    }
    let mut trace = Vec::new();
    for period in 0..6 {
        let stretch =
            Stretch { tick: 4 * period, n_steps: 4, step_s: 0.125, integrator, counts_cost: true };
        plant.advance(isa, &mut lanes, n_lanes, stretch).unwrap();
        trace.push((0..n_lanes).map(|lane| u64::from(lanes.take_end_step(lane))).collect());
        trace.push(bits(&lanes.end_cost.row(0)[..n_lanes]));
        plant.observe(isa, &mut lanes, n_lanes, stretch).unwrap();
        plant.terminal_cost(isa, &mut lanes, n_lanes).unwrap();
        for matrix in [&lanes.state, &lanes.observation, &lanes.cost, &lanes.end_cost] {
            for row in 0..matrix.n_rows() {
                trace.push(bits(&matrix.row(row)[..n_lanes]));
            }
        }
        plant.failure_cost(isa, &mut lanes, n_lanes).unwrap();
        trace.push(bits(&lanes.end_cost.row(0)[..n_lanes]));
    }
    trace
}

#[test]
fn every_function_over_vectors_gives_the_bits_of_plain_numbers() {
    let bench = Bench::new();
    for compiler in installed(&["gcc", "clang"]) {
        let source = workspace().join("tests/plants/every_function.c");
        let compiled = bench.compile(compiler, &source, &["-O2", "-std=c99"]);
        assert_eq!(compiled.messages, "");
        for integrator in [Integrator::PlantStep, Integrator::Euler] {
            // Whole vectors and pairs of them, and what is left over.
            for n_lanes in [4, 8, 12, 16, 20, 56] {
                let expected = trace(&compiled.plant, Isa::PORTABLE, integrator, n_lanes);
                // The first row of each of the six periods has the steps at which lanes ended.
                let n_ended = expected
                    .chunks(expected.len() / 6)
                    .flat_map(|period| &period[0])
                    .filter(|&&step| step > 0)
                    .count();
                assert!(n_ended > 0 || n_lanes < 12, "no lane of {n_lanes} ended");
                for isa in Isa::available() {
                    let found = trace(&compiled.plant, isa, integrator, n_lanes);
                    let case = format!("{compiler}, {}, {n_lanes}", isa.name());
                    assert!(found == expected, "{case}, {}", integrator.name());
                }
            }
        }
    }
}
