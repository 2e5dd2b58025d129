//! `bitloop robust`.

mod report;
mod shard;
mod tests_of;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use bitloop_look::LookError;
use bitloop_replay::ReplayProgress;
use bitloop_robust::{Level, Sweep};

use crate::args::RobustArgs;
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::output::progress::Display;
use crate::output::target::OutputFile;
use crate::output::{json, picture_file, print, print_note};
use crate::test_inputs::TestInputs;
use tests_of::{Tests, Threads, regulator};

pub use report::{picture, text};
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
    if let Some(out) = args.out.as_ref().filter(|out| !is_page(out)) {
        picture_file::check_name(out)?;
    }
    let subjects: Vec<TestInputs<'_>> = args
        .controllers
        .iter()
        .map(|path| TestInputs::read(path, &args.test, "robust"))
        .collect::<Result<_, _>>()?;
    let files: Vec<PathBuf> = subjects.iter().flat_map(TestInputs::files).collect();
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    // Before the work, so that a place that cannot be written costs no time.
    let out = args.out.as_deref().map(|path| OutputFile::create(path, &files)).transpose()?;
    let interrupt = Interrupt::listen();
    let stop = || interrupt.came();
    let n_threads = args.threads.unwrap_or_else(environment::n_cores);
    let columns = columns(args, &subjects, (n_threads, &stop));
    environment::restore_process();
    let (columns, is_part) = columns?;
    if is_part && columns.iter().all(|column| column.sweeps.is_empty()) {
        print_note("interrupted before any source was done");
        return Ok(Done::Interrupted { signal: interrupt.signal() });
    }
    if let (Some(mut file), Some(path)) = (out, &args.out) {
        let drawn = if is_page(path) {
            report::page(&columns, is_part).map(String::into_bytes)
        } else {
            picture(&columns).and_then(|picture| picture_file::bytes(&picture, path))
        };
        let drawn = drawn.map_err(|error| undrawn(path, &error))?;
        file.write_all(&drawn).map_err(|error| Failure::output(path, &error))?;
        file.finish()?;
    }
    if args.json {
        json::print_object(&report::of_columns(&columns, is_part))?;
    } else {
        print(&text(&columns))?;
    }
    if is_part {
        print_note("interrupted; sources that are missing were not done");
        return Ok(Done::Interrupted { signal: interrupt.signal() });
    }
    Ok(Done::Fully)
}

fn is_page(out: &Path) -> bool {
    out.extension().is_some_and(|end| end == "html")
}

/// Why there is no picture for a place.
fn undrawn(place: &Path, error: &LookError) -> Failure {
    Failure::NothingFound { message: format!("{}: {error}", place.display()), hint: None }
}

/// The columns of all controllers, and of the regulator, as far as they came before they were called off, and whether some are
/// missing.
pub fn columns(
    args: &RobustArgs,
    subjects: &[TestInputs<'_>],
    run: Threads<'_>,
) -> Result<(Vec<Column>, bool), Failure> {
    let linear = regulator(args, subjects, run.0)?;
    let tests = Tests::of_all(args, subjects, linear.as_ref())?;
    let mut columns = Vec::new();
    let mut is_part = false;
    for tests in &tests {
        let mut display = Display::of(tests.n_items(), "test");
        let mut results = Vec::new();
        for item in 0..tests.n_items() {
            match tests.run(item, run) {
                Ok(Some(result)) => results.push(result),
                Ok(None) => break,
                Err(error) => {
                    display.finish();
                    return Err(error);
                }
            }
            let part = results.len() as f64 / tests.n_items() as f64;
            display.show(ReplayProgress { n_finished: results.len(), part });
        }
        display.finish();
        is_part = results.len() < tests.n_items();
        columns.extend(tests.column(results));
        if is_part {
            break;
        }
    }
    Ok((columns, is_part))
}
