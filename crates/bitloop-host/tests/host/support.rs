//! Compiles small plants in C.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bitloop_host::{LibraryError, LibraryFault, PlantLibrary};
use tempfile::TempDir;

/// A cup of tea on a hotplate: a whole plant, of which tests spoil one thing.
pub const TEA: &str = r#"
#include "bitloop_equations.h"
static void derivative(const BitloopMath *math, double t_s, const double *x, const double *u,
                       const double *p, double *dx) {
    (void)t_s;
    dx[0] = bitloop_fma(math, p[0], 20.0 - x[0], u[0]);
}
static double stage_cost(const BitloopMath *math, double t_s, const double *x, const double *u,
                         const double *p) {
    (void)math, (void)t_s, (void)u, (void)p;
    return (x[0] - 60.0) * (x[0] - 60.0);
}
static const BitloopEquations equations = {.derivative = derivative, .stage_cost = stage_cost};
static const BitloopVariable states[] = {BITLOOP_VARIABLE("temperature", "degC")};
static const BitloopVariable controls[] = {BITLOOP_VARIABLE("heat", "degC/s")};
static const BitloopParameter parameters[] = {{"k", "1/s", "rate of cooling", 0.01, 0.0, 1.0}};
static const uint32_t integrators[] = {BITLOOP_INTEGRATOR_EULER};
static const BitloopDescription description = {
    .struct_size = sizeof(BitloopDescription), .name = "tea", .version = "1",
    .summary = "Tea kept warm by a hotplate.",
    .states = states, .n_states = 1, .controls = controls, .n_controls = 1,
    .observations = states, .n_observations = 1, .parameters = parameters, .n_parameters = 1,
    .integrators = integrators, .n_integrators = 1, .step_s = 0.5, .sample_time_s = 1.0,
};
BITLOOP_PLANT(description, equations)
"#;

/// A folder that goes away, with a space in its name.
pub struct Bench(TempDir);

impl Bench {
    pub fn new() -> Self {
        Self(tempfile::Builder::new().prefix("two words").tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Compiles `text` to the library `name`.
    pub fn compile(&self, name: &str, text: &str) -> PathBuf {
        self.compile_with(name, text, &[])
    }

    /// Compiles with further arguments.
    pub fn compile_with(&self, name: &str, text: &str, arguments: &[&str]) -> PathBuf {
        let source = self.path("plant.c");
        fs::write(&source, text).unwrap();
        let library = self.path(name);
        let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bitloop-plant/include");
        let output = Command::new("cc")
            .args(["-std=c99", "-O1", "-ffp-contract=off", "-fPIC", "-shared", "-I"])
            .arg(include)
            .arg("-o")
            .args([&library, &source])
            .args(arguments)
            .output()
            .expect("a C compiler");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        library
    }

    /// Compiles the cup of tea with `from` replaced by `to`.
    pub fn spoiled(&self, from: &str, to: &str) -> PathBuf {
        assert!(TEA.contains(from), "{from}");
        self.compile("spoiled.so", &TEA.replace(from, to))
    }
}

/// The error of opening what must not open.
#[track_caller]
pub fn refused(path: &Path) -> LibraryError {
    match PlantLibrary::open(path) {
        Ok(library) => panic!("{library:?}"),
        Err(error) => error,
    }
}

/// What is wrong with what must not open.
#[track_caller]
pub fn fault(path: &Path) -> LibraryFault {
    refused(path).fault
}
