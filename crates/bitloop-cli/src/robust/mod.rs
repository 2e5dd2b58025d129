//! `bitloop robust`.

mod report;

use std::io::Write as _;
use std::path::Path;

use bitloop_host::Registry;
use bitloop_robust::{Contender, Level, Margins, Running, Source, Sweep};
use bitloop_scenario::{ControllerFile, ScenarioFile};
use bitloop_sim::LinearFeedback;
use bitloop_train::{LqrBaseline, ReplayProgress};

use crate::args::RobustArgs;
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::kind;
use crate::map::{of_robust, with_training_horizon};
use crate::output::target::OutputFile;
use crate::output::{json, print, print_note};
use crate::registry;
use crate::replay::progress::Display;

/// Who was tested, and what it takes.
pub struct Column {
    /// The file, or LQR.
    pub name: String,
    /// Without any source.
    pub baseline: Level,
    /// Source by source.
    pub sweeps: Vec<Sweep>,
}

/// A controller with the scenario whose test it runs.
struct Subject<'a> {
    name: String,
    path: &'a Path,
    controller: ControllerFile,
    scenario: ScenarioFile,
}

/// Adds each source to the test of each controller, and prints the margins.
pub fn robust(args: &RobustArgs) -> Result<Done, Failure> {
    let mut inputs: Vec<&Path> = args.controllers.iter().map(|path| &**path).collect();
    inputs.extend(args.test.scenario.as_deref());
    // Before the work, so that a place that cannot be written costs no time.
    let picture = args.out.as_deref().map(|path| OutputFile::create(path, &inputs)).transpose()?;
    let registry = registry::registry();
    let subjects: Vec<Subject<'_>> =
        args.controllers.iter().map(|path| subject(args, path)).collect::<Result<_, _>>()?;
    let first = subjects.first().expect("one is required");
    let n_threads = args.threads.unwrap_or_else(environment::n_cores);
    let feedback = if args.lqr { Some(lqr(first, &registry, n_threads)?) } else { None };
    let interrupt = Interrupt::listen();
    let stop = || interrupt.came();
    let running = Running { isa: environment::isa()?, n_threads, stop: &stop };
    let mut columns = Vec::new();
    for subject in &subjects {
        let Some(column) = column(args, subject, Contender::Saved, &registry, running)? else {
            return Ok(interrupted(&interrupt));
        };
        columns.push(column);
    }
    if let Some(feedback) = &feedback {
        let contender = Contender::Linear(feedback);
        let Some(column) = column(args, first, contender, &registry, running)? else {
            return Ok(interrupted(&interrupt));
        };
        columns.push(column);
    }
    environment::restore_process();
    if let (Some(mut file), Some(path)) = (picture, &args.out) {
        let svg = report::picture(&columns).and_then(|picture| picture.svg());
        let svg = svg.map_err(|error| Failure::NothingFound {
            message: format!("{}: {error}", path.display()),
            hint: None,
        })?;
        file.write_all(svg.as_bytes()).map_err(|error| Failure::output(path, &error))?;
        file.finish()?;
    }
    if args.json {
        json::print_object(&report::of_columns(&columns))?;
    } else {
        print(&report::text(&columns))?;
    }
    Ok(Done::Fully)
}

fn interrupted(interrupt: &Interrupt) -> Done {
    print_note("interrupted; there are no margins of a part of the levels");
    Done::Interrupted { signal: interrupt.signal() }
}

fn subject<'a>(args: &RobustArgs, path: &'a Path) -> Result<Subject<'a>, Failure> {
    let controller = kind::controller(path)?;
    let scenario = match args.test.scenario.as_deref() {
        Some(scenario) => kind::plant_scenario(scenario, "robust")?,
        None => ScenarioFile::inside(controller.value.scenario.clone(), controller.source.clone())?,
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Subject { name, path, controller, scenario })
}

/// The regulator that is best on the training episodes of the scenario.
fn lqr(
    subject: &Subject<'_>,
    registry: &Registry,
    n_threads: std::num::NonZeroUsize,
) -> Result<LinearFeedback, Failure> {
    let isa = environment::isa()?;
    let baseline = LqrBaseline::new(&subject.scenario, registry, None, isa, n_threads);
    let baseline = baseline.map_err(|error| Failure::of_training(subject.path, error))?;
    Ok(baseline.lqr.controller)
}

/// All sweeps of a contender; none if they were interrupted.
fn column(
    args: &RobustArgs,
    subject: &Subject<'_>,
    contender: Contender<'_>,
    registry: &Registry,
    running: Running<'_>,
) -> Result<Option<Column>, Failure> {
    let failed = |error| of_robust(subject.path, error);
    let scenario = Some(&subject.scenario);
    let options = with_training_horizon(&args.test, &subject.controller, scenario);
    let controller = &subject.controller;
    let margins = Margins { controller, options, registry, limit: args.limit, contender };
    let nominal = margins.nominal(&subject.scenario).map_err(failed)?;
    let Some(baseline) = margins.baseline(&nominal, running).map_err(failed)? else {
        return Ok(None);
    };
    let sources = Source::of(&nominal);
    let mut display = Display::of(sources.len(), "source");
    let mut sweeps = Vec::new();
    for source in &sources {
        let Some(sweep) = margins.sweep(&nominal, source, running).map_err(failed)? else {
            return Ok(None);
        };
        sweeps.push(sweep);
        let part = sweeps.len() as f64 / sources.len() as f64;
        display.show(ReplayProgress { n_finished: sweeps.len(), part });
    }
    display.finish();
    let name = match contender {
        Contender::Saved => subject.name.clone(),
        Contender::Linear(_) => "LQR".to_owned(),
    };
    Ok(Some(Column { name, baseline, sweeps }))
}
