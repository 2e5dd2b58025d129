//! `bitloop watch`: a page that follows a training, from the disk.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use bitloop_folder::{CAMPAIGN, RESULT};
use bitloop_look::{Report, Section};

use super::{check_page_name, report, trained};
use crate::args::{EpisodeCount, ReportArgs, TestOptions, WatchArgs};
use crate::environment::Interrupt;
use crate::failure::{Done, Failure};
use crate::output::print_note;
use crate::output::target::OutputFile;

/// From one look at the folder to the next; the page looks as often.
const PERIOD: Duration = Duration::from_secs(2);

/// From one look whether Ctrl-C was pressed to the next.
const PATIENCE: Duration = Duration::from_millis(100);

/// Follows a training until it is finished, or the command is interrupted.
pub fn watch(args: &WatchArgs) -> Result<Done, Failure> {
    check_page_name(&args.out)?;
    let folder = &args.folder;
    if !folder.is_dir() {
        let message = format!("{}: there is no such folder", folder.display());
        let hint = "name the folder of a training, such as runs/NAME-seed1";
        return Err(Failure::Folder { message, hint: Some(hint.to_owned()) });
    }
    if folder.join(CAMPAIGN).is_file() {
        let message = format!("{} is the folder of a campaign", folder.display());
        let hint = "`bitloop report` makes a page of it, also before it is finished";
        return Err(Failure::Folder { message, hint: Some(hint.to_owned()) });
    }
    let report_args = ReportArgs {
        source: folder.clone(),
        out: args.out.clone(),
        test: TestOptions::default(),
        count: EpisodeCount::default(),
        threads: None,
        isolate: None,
    };
    let script = args.out.with_extension("live.js");
    let name = script.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let interrupt = Interrupt::listen();
    write(&args.out, &now(&report_args, folder).live_html(&name))?;
    print_note(&format!("watching {}: open {}", folder.display(), args.out.display()));
    let mut shown = String::new();
    while !folder.join(RESULT).is_file() {
        let text = now(&report_args, folder).live_script();
        if text != shown {
            write(&script, &text)?;
            shown = text;
        }
        for _ in 0..PERIOD.as_millis() / PATIENCE.as_millis() {
            std::thread::sleep(PATIENCE);
            if interrupt.came() {
                return Ok(Done::Interrupted { signal: interrupt.signal() });
            }
        }
    }
    // The page first, since the script makes it load itself again.
    let done = report(&report_args)?;
    write(&script, Report::last_script())?;
    Ok(done)
}

/// The training as it is now; what cannot be read yet is said.
fn now(args: &ReportArgs, folder: &Path) -> Report {
    trained::unfinished(args, folder).unwrap_or_else(|failure| Report {
        title: folder.display().to_string(),
        subtitle: "A training that has found nothing yet.".to_owned(),
        sections: vec![Section::Note(failure.to_string())],
        ..Report::default()
    })
}

/// Writes a file beside its place, and gives it its name.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let mut file = OutputFile::create(path, &[])?;
    file.write_all(text.as_bytes()).map_err(|error| Failure::output(path, &error))?;
    file.finish()
}
