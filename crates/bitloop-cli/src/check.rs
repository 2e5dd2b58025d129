//! `bitloop plant check`: the plant's contract, asked about out of process.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bitloop_check::{CheckOptions, CheckReport, CheckResult, OpenError, Outcome, Subject};
use bitloop_fmu::settings_path;
use bitloop_host::{Disturbance, FmuPlant, HostError, LibraryError, PlantLibrary, Sandbox, Worker};
use bitloop_scenario::PlantChoice;
use serde::Serialize;

use crate::args::CheckArgs;
use crate::environment;
use crate::failure::Failure;
use crate::linked;
use crate::output::table::Table;
use crate::output::{json, print};
use crate::registry;
use crate::sandbox;

/// Checks a plant.
pub fn check(args: &CheckArgs) -> Result<(), Failure> {
    let name = match &args.plant {
        PlantChoice::Named(name) | PlantChoice::Library(name) | PlantChoice::Fmu(name) => name,
    };
    let options = CheckOptions {
        seed: args.seed,
        time_limit: Duration::from_secs_f64(args.time_limit),
        only: args.only.clone(),
    };
    let library = match &args.plant {
        PlantChoice::Named(name) => registry::registry().library_path(name)?,
        PlantChoice::Library(path) | PlantChoice::Fmu(path) => Some(PathBuf::from(path)),
    };
    let plant = library.unwrap_or_else(|| PathBuf::from(name));
    if args.sandbox {
        sandbox::require()?;
    }
    let is_sandboxed = args.sandbox || sandbox::by_default(args.no_sandbox);
    let mut start = || {
        let mut command = environment::this_program();
        command.arg("plant-check-worker");
        if is_sandboxed {
            command.arg("--sandbox");
            sandbox::empty_environment(&mut command);
        }
        Worker::start(command.arg("--").arg(&plant))
    };
    let report = bitloop_check::check(&mut start, &options)?;
    if args.json {
        json::print_object(&ReportJson::of(name, &report))?;
    } else {
        print(&text(&report))?;
    }
    conclude(name, args.seed, &report)
}

/// A failed check fails the command.
fn conclude(name: &str, seed: u64, report: &CheckReport) -> Result<(), Failure> {
    let mut failed = report.results.iter().filter(|r| r.finding.outcome == Outcome::Fail);
    let Some(first) = failed.next() else { return Ok(()) };
    let n_failed = 1 + failed.count();
    let n_made = report.results.len();
    Err(Failure::Check {
        message: format!("{name} failed {n_failed} of {n_made} checks"),
        hint: Some(format!("`--only {} --seed {seed}` repeats the first of them", first.name)),
    })
}

/// Makes checks for the host that started this process.
pub fn serve(is_sandboxed: bool, plant: &PlantChoice) -> Result<(), Failure> {
    let libraries = match plant {
        PlantChoice::Library(path) => vec![PathBuf::from(path)],
        PlantChoice::Fmu(path) => {
            let path = PathBuf::from(path);
            vec![settings_path(&path), path]
        }
        PlantChoice::Named(_) => Vec::new(),
    };
    let sandbox = is_sandboxed.then(|| Sandbox::of_libraries(libraries));
    bitloop_check::serve(sandbox.as_ref(), || open(plant)).map_err(|error| Failure::Check {
        message: format!("this command is for `bitloop plant check` alone: {error}"),
        hint: None,
    })
}

fn open(plant: &PlantChoice) -> Result<Subject, OpenError> {
    match plant {
        PlantChoice::Library(path) => {
            of_library(PlantLibrary::open(Path::new(path)).map_err(|error| library_error(&error))?)
        }
        PlantChoice::Fmu(path) => {
            let fmu = FmuPlant::open(Path::new(path)).map_err(|error| host_error(&error.into()))?;
            Ok(of_fmu(fmu))
        }
        PlantChoice::Named(name) => linked_in(name),
    }
}

/// An FMU has no structure.
fn of_fmu(fmu: FmuPlant) -> Subject {
    let disturbance = fmu.disturbance().clone();
    let plant = fmu.plant().clone();
    let with_structure = move |_: &[u64]| Ok(fmu.plant().clone());
    Subject::new(plant, disturbance, Box::new(with_structure))
}

fn of_library(library: PlantLibrary) -> Result<Subject, OpenError> {
    let plant = library.plant(None).map_err(|error| library_error(&error))?;
    let disturbance = library.disturbance().clone();
    let with_structure =
        move |structure: &[u64]| library.plant(Some(structure)).map_err(|error| error.to_string());
    Ok(Subject::new(plant, disturbance, Box::new(with_structure)))
}

/// The host has found the libraries already.
fn linked_in(name: &str) -> Result<Subject, OpenError> {
    let registry = linked::plants();
    let plant = registry.open(name, None).map_err(|error| host_error(&error))?;
    let name = name.to_owned();
    let with_structure = move |structure: &[u64]| {
        registry.open(&name, Some(structure)).map_err(|error| error.to_string())
    };
    Ok(Subject::new(plant, Disturbance::default(), Box::new(with_structure)))
}

fn host_error(error: &HostError) -> OpenError {
    OpenError { message: error.to_string(), hint: error.hint() }
}

fn library_error(error: &LibraryError) -> OpenError {
    OpenError { message: error.to_string(), hint: error.hint() }
}

fn text(report: &CheckReport) -> String {
    let mut table = Table::new(&["check", "", "what was found"]);
    for CheckResult { name, finding, .. } in &report.results {
        table.row(vec![
            (*name).to_owned(),
            word(finding.outcome).to_owned(),
            finding.reason.clone(),
        ]);
    }
    let [passed, failed, skipped] = counts(report);
    let seed = report.results.first().map_or(0, |result| result.seed);
    format!("{}{passed} passed, {failed} failed, {skipped} skipped, seed {seed}\n", table.text())
}

fn counts(report: &CheckReport) -> [usize; 3] {
    [Outcome::Pass, Outcome::Fail, Outcome::Skip].map(|outcome| report.count(outcome))
}

/// What is wrong stands out.
const fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "pass",
        Outcome::Fail => "FAIL",
        Outcome::Skip => "skip",
    }
}

#[derive(Serialize)]
struct ReportJson<'a> {
    plant: &'a str,
    passed: usize,
    failed: usize,
    skipped: usize,
    checks: Vec<CheckJson<'a>>,
}

#[derive(Serialize)]
struct CheckJson<'a> {
    name: &'static str,
    outcome: Outcome,
    reason: &'a str,
    seed: u64,
}

impl<'a> ReportJson<'a> {
    fn of(plant: &'a str, report: &'a CheckReport) -> Self {
        let [passed, failed, skipped] = counts(report);
        let checks = report
            .results
            .iter()
            .map(|CheckResult { name, finding, seed }| CheckJson {
                name,
                outcome: finding.outcome,
                reason: &finding.reason,
                seed: *seed,
            })
            .collect();
        Self { plant, passed, failed, skipped, checks }
    }
}
