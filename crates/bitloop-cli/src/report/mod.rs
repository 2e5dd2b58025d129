//! `bitloop report`: one page that shows what a controller does.

mod choice;
mod closed_loop;
mod figures;
mod margins;
mod model;
mod motion;
mod source;
mod trained;
mod watch;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use bitloop_host::serve_in_parts;
use bitloop_look::Report;

use crate::args::ReportArgs;
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::isolation;
use crate::output::target::{OutputFile, check_extension};
use crate::replay::isolated::{self, Answer};
use crate::sandbox;
use crate::test_inputs::TestInputs;
use source::Source;

pub use watch::{LivePage, wait, watch};

/// Writes a page.
pub fn report(args: &ReportArgs) -> Result<Done, Failure> {
    check_page_name(&args.out)?;
    let source = Source::find(&args.source)?;
    let tested = match &source {
        Source::Controller { controller, .. } => {
            Some(TestInputs::read(controller, &args.test, "report")?)
        }
        Source::Model { .. } | Source::Campaign(_) | Source::Unfinished(_) => None,
    };
    // Before the work, so that a place that cannot be written costs no time.
    let inputs = tested.as_ref().map_or_else(|| vec![source.path().to_owned()], TestInputs::files);
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    let mut file = OutputFile::create(&args.out, &inputs)?;
    if args.sandbox {
        sandbox::require()?;
    }
    let plant = tested.as_ref().map(TestInputs::choice);
    let seconds = isolation::seconds(args.isolate, args.sandbox, args.no_isolate, plant);
    let page = if let Some(seconds) = seconds {
        isolated_page(seconds)?
    } else {
        let interrupt = Interrupt::listen();
        let page = read(args, &source).and_then(|read| page(args, read, interrupt.flag()))?;
        environment::restore_process();
        let Some(page) = page else {
            return Ok(Done::Interrupted { signal: interrupt.signal() });
        };
        page
    };
    file.write_all(page.as_bytes()).map_err(|error| Failure::output(&args.out, &error))?;
    file.finish()?;
    Ok(Done::Fully)
}

/// Refuses a name for a page that is one for something else.
fn check_page_name(out: &Path) -> Result<(), Failure> {
    check_extension(out, "html", "pages", "name a file that ends in .html")
}

/// What is known before a plant is run.
enum Read<'a> {
    /// A controller, whose test is then run.
    Controller(Box<closed_loop::Read<'a>>),
    /// A page for which nothing is run.
    Page(Box<Report>),
}

/// Reads all files that a page is made of.
fn read<'a>(args: &'a ReportArgs, source: &'a Source) -> Result<Read<'a>, Failure> {
    let page = match source {
        Source::Controller { controller, folder } => {
            let read = closed_loop::read(args, controller, folder.as_deref())?;
            return Ok(Read::Controller(Box::new(read)));
        }
        Source::Model { model, folder } => model::report(args, model, folder.as_deref())?,
        Source::Campaign(folder) => trained::campaign(args, folder)?,
        Source::Unfinished(folder) => trained::unfinished(args, folder)?,
    };
    Ok(Read::Page(Box::new(page)))
}

/// The page; nothing if it was interrupted.
fn page(
    args: &ReportArgs,
    read: Read<'_>,
    interrupt: &AtomicBool,
) -> Result<Option<String>, Failure> {
    let report = match read {
        Read::Controller(read) => closed_loop::report(args, *read, interrupt)?,
        Read::Page(report) => Some(*report),
    };
    Ok(report.map(|report| report.html()))
}

/// The page as a worker makes it, for which it has so many seconds.
fn isolated_page(seconds: f64) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    isolated::ask::<()>("report-worker", "while it made the report", seconds, &mut |part| {
        bytes.extend_from_slice(part);
        ControlFlow::Continue(())
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The worker's side: sends the page, and then an answer. All files are opened before rights are given up.
pub fn serve(args: &ReportArgs) -> Result<(), Failure> {
    let mut found = None;
    let read = Source::find(&args.source).and_then(|source| read(args, found.insert(source)));
    let sandbox = match &read {
        Ok(Read::Controller(read)) if args.sandbox => Some(read.inputs.sandbox()),
        _ => None,
    };
    let mut read = Some(read);
    let answer = |_: &[u8], parts: &mut (dyn Write + Send)| {
        // Ctrl-C reaches the process that asks, which ends this one.
        let never = AtomicBool::new(false);
        let read = read.take().expect("a page is asked for once");
        let page = read.and_then(|read| page(args, read, &never));
        let sent = page.and_then(|page| {
            let page = page.unwrap_or_default();
            parts.write_all(page.as_bytes()).map_err(|error| Failure::stdout(&error))
        });
        Answer::of(sent).to_bytes()
    };
    serve_in_parts(sandbox.as_ref(), answer).map_err(|error| Failure::stdout(&error))
}
