//! `bitloop report`: one page that shows what a controller does.

mod choice;
mod closed_loop;
mod figures;
mod motion;
mod scene;
mod signals;
mod source;
mod trained;
mod watch;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use bitloop_host::serve_in_parts;

use crate::args::ReportArgs;
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::output::target::{OutputFile, check_extension};
use crate::replay::isolated::{self, Answer};
use source::Source;

pub use watch::watch;

/// Writes a page.
pub fn report(args: &ReportArgs) -> Result<Done, Failure> {
    check_page_name(&args.out)?;
    let source = Source::find(&args.source)?;
    // Before the work, so that a place that cannot be written costs no time.
    let inputs = source.inputs(args)?;
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    let mut file = OutputFile::create(&args.out, &inputs)?;
    let page = if let Some(seconds) = args.isolate {
        isolated_page(seconds)?
    } else {
        let interrupt = Interrupt::listen();
        let page = page(args, &source, interrupt.flag())?;
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

/// The page; nothing if it was interrupted.
fn page(
    args: &ReportArgs,
    source: &Source,
    interrupt: &AtomicBool,
) -> Result<Option<String>, Failure> {
    let report = match source {
        Source::Controller { controller, folder } => {
            closed_loop::report(args, controller, folder.as_deref(), interrupt)?
        }
        Source::Model { model, folder } => Some(trained::model(args, model, folder.as_deref())?),
        Source::Campaign(folder) => Some(trained::campaign(args, folder)?),
        Source::Unfinished(folder) => Some(trained::unfinished(args, folder)?),
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

/// The worker's side: sends the page, and then an answer.
pub fn serve(args: &ReportArgs) -> Result<(), Failure> {
    let answer = |_: &[u8], parts: &mut (dyn Write + Send)| {
        // Ctrl-C reaches the process that asks, which ends this one.
        let never = AtomicBool::new(false);
        let page = Source::find(&args.source).and_then(|source| page(args, &source, &never));
        let sent = page.and_then(|page| {
            let page = page.unwrap_or_default();
            parts.write_all(page.as_bytes()).map_err(|error| Failure::stdout(&error))
        });
        Answer::of(sent).to_bytes()
    };
    serve_in_parts(None, answer).map_err(|error| Failure::stdout(&error))
}
