//! `bitloop robust`.

mod report;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use bitloop_robust::{Level, LinearLoop, Margins, Running, Source, Sweep};
use bitloop_train::{LqrBaseline, ReplayProgress};

use crate::args::RobustArgs;
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::output::target::{OutputFile, check_picture_name};
use crate::output::{json, print, print_note};
use crate::replay::progress::Display;
use crate::test_inputs::TestInputs;

/// Who was tested, and what it takes.
pub struct Column {
    /// The file, or LQR.
    pub name: String,
    /// Without any source.
    pub baseline: Level,
    /// Source by source.
    pub sweeps: Vec<Sweep>,
}

/// Adds each source to the test of each controller, and prints the margins.
pub fn robust(args: &RobustArgs) -> Result<Done, Failure> {
    if let Some(out) = &args.out {
        check_picture_name(out)?;
    }
    let subjects: Vec<TestInputs<'_>> = args
        .controllers
        .iter()
        .map(|path| TestInputs::read(path, &args.test, "robust"))
        .collect::<Result<_, _>>()?;
    let files: Vec<PathBuf> = subjects.iter().flat_map(TestInputs::files).collect();
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    // Before the work, so that a place that cannot be written costs no time.
    let picture = args.out.as_deref().map(|path| OutputFile::create(path, &files)).transpose()?;
    let interrupt = Interrupt::listen();
    let columns = columns(args, &subjects, &interrupt);
    environment::restore_process();
    let Some(columns) = columns? else {
        print_note("interrupted; there are no margins of a part of the levels");
        return Ok(Done::Interrupted { signal: interrupt.signal() });
    };
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

/// The columns of all controllers, and of the regulator; none if they were interrupted.
fn columns(
    args: &RobustArgs,
    subjects: &[TestInputs<'_>],
    interrupt: &Interrupt,
) -> Result<Option<Vec<Column>>, Failure> {
    let stop = || interrupt.came();
    let n_threads = args.threads.unwrap_or_else(environment::n_cores);
    let mut columns = Vec::new();
    for subject in subjects {
        let running = Running { isa: subject.isa, n_threads, stop: &stop };
        let Some(column) = column(args, subject, None, running)? else { return Ok(None) };
        columns.push(column);
    }
    if let (true, Some(first)) = (args.lqr, subjects.first()) {
        let running = Running { isa: first.isa, n_threads, stop: &stop };
        let feedback = lqr(args, first, running)?;
        let Some(column) = column(args, first, Some(&feedback), running)? else { return Ok(None) };
        columns.push(column);
    }
    Ok(Some(columns))
}

/// The regulator that is best on the training episodes of the scenario whose test a controller runs.
fn lqr(
    args: &RobustArgs,
    subject: &TestInputs<'_>,
    running: Running<'_>,
) -> Result<LinearLoop, Failure> {
    let replay = subject.replay(subject.with_training_horizon(args.count.episodes))?;
    let Running { isa, n_threads, .. } = running;
    let baseline = LqrBaseline::new(replay.scenario(), &subject.registry, None, isa, n_threads);
    let baseline = baseline.map_err(|error| Failure::of_training(subject.path, error))?;
    Ok(LinearLoop { feedback: baseline.lqr.controller, interface: baseline.interface })
}

/// All sweeps of a controller, or of linear feedback in its place; none if they were interrupted.
fn column(
    args: &RobustArgs,
    subject: &TestInputs<'_>,
    linear: Option<&LinearLoop>,
    running: Running<'_>,
) -> Result<Option<Column>, Failure> {
    let failed = |error| Failure::of_robust(subject.path, error);
    let options = subject.with_training_horizon(args.count.episodes);
    // What only the options broke is found here.
    subject.replay(options.clone())?;
    let margins = Margins {
        controller: &subject.controller,
        options,
        registry: &subject.registry,
        limit: args.limit,
        linear,
    };
    let nominal = margins.test(subject.scenario.as_ref()).map_err(failed)?;
    let Some(baseline) = margins.baseline(&nominal, running).map_err(failed)? else {
        return Ok(None);
    };
    let sources = Source::of(&nominal);
    let mut display = Display::of(sources.len(), "source");
    let mut sweeps = Vec::new();
    for source in &sources {
        let sweep = margins.sweep(&nominal, source, running);
        let Ok(Some(sweep)) = sweep else {
            display.finish();
            return sweep.map(|_| None).map_err(failed);
        };
        sweeps.push(sweep);
        let part = sweeps.len() as f64 / sources.len() as f64;
        display.show(ReplayProgress { n_finished: sweeps.len(), part });
    }
    display.finish();
    let name = match linear {
        None => subject.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        Some(_) => "LQR".to_owned(),
    };
    Ok(Some(Column { name, baseline, sweeps }))
}
