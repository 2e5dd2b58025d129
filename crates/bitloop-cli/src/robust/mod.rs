//! `bitloop robust`.

mod report;
mod shard;
mod tests_of;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use bitloop_robust::{Level, Sweep};
use bitloop_train::ReplayProgress;

use crate::args::RobustArgs;
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::output::target::{OutputFile, check_picture_name};
use crate::output::{json, print, print_note};
use crate::replay::progress::Display;
use crate::test_inputs::TestInputs;
use tests_of::{Tests, regulator};

pub use shard::merge;

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
    if let (Some(part), Some(out)) = (args.shard, &args.out) {
        return shard::run(args, part, out);
    }
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
        let svg = drawn(&columns, path)?;
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

/// The picture for a file of this path.
fn drawn(columns: &[Column], path: &Path) -> Result<String, Failure> {
    let svg = report::picture(columns).and_then(|picture| picture.svg());
    svg.map_err(|error| Failure::NothingFound {
        message: format!("{}: {error}", path.display()),
        hint: None,
    })
}

/// The columns of all controllers, and of the regulator; none if they were interrupted.
fn columns(
    args: &RobustArgs,
    subjects: &[TestInputs<'_>],
    interrupt: &Interrupt,
) -> Result<Option<Vec<Column>>, Failure> {
    let stop = || interrupt.came();
    let n_threads = args.threads.unwrap_or_else(environment::n_cores);
    let run = (n_threads, &stop as &(dyn Fn() -> bool + Sync));
    let linear = regulator(args, subjects, run)?;
    let tests = Tests::of_all(args, subjects, linear.as_ref())?;
    let mut columns = Vec::new();
    for tests in &tests {
        let mut display = Display::of(tests.n_items(), "test");
        let mut results = Vec::new();
        for item in 0..tests.n_items() {
            let result = tests.run(item, run);
            let Ok(Some(result)) = result else {
                display.finish();
                return result.map(|_| None);
            };
            results.push(result);
            let part = results.len() as f64 / tests.n_items() as f64;
            display.show(ReplayProgress { n_finished: results.len(), part });
        }
        display.finish();
        columns.extend(tests.column(results));
    }
    Ok(Some(columns))
}
