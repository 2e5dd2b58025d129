//! A page that follows a training, from the disk: `bitloop watch`, and `bitloop train --watch`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bitloop_folder::{CAMPAIGN, RESULT};
use bitloop_look::{Report, Section};

use super::{check_page_name, report, trained};
use crate::args::{ReportArgs, WatchArgs};
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
    let interrupt = Interrupt::listen();
    let mut page = LivePage::begin(folder, &args.out)?;
    print_note(&format!("watching {}: open {}", folder.display(), args.out.display()));
    while !folder.join(RESULT).is_file() {
        page.look()?;
        if !wait(&|| interrupt.came()) {
            return Ok(Done::Interrupted { signal: interrupt.signal() });
        }
    }
    page.finish(false)
}

/// Waits until it is time for another look; false as soon as `is_over` says so.
pub fn wait(is_over: &dyn Fn() -> bool) -> bool {
    for _ in 0..PERIOD.as_millis() / PATIENCE.as_millis() {
        if is_over() {
            return false;
        }
        std::thread::sleep(PATIENCE);
    }
    !is_over()
}

/// A page that follows a training, with the script beside it.
#[derive(Debug)]
pub struct LivePage {
    args: ReportArgs,
    script: PathBuf,
    /// What the script says.
    shown: String,
}

impl LivePage {
    /// Writes a page that follows the training in a folder.
    pub fn begin(folder: &Path, out: &Path) -> Result<Self, Failure> {
        check_page_name(out)?;
        let (source, out) = (folder.to_owned(), out.to_owned());
        let script = out.with_extension("live.js");
        let name = script.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let args = ReportArgs { source, out, ..ReportArgs::default() };
        write(&args.out, &now(&args).live_html(&name))?;
        let mut page = Self { args, script, shown: String::new() };
        page.look()?;
        Ok(page)
    }

    /// Lets the page show the training as it is now.
    pub fn look(&mut self) -> Result<(), Failure> {
        let text = now(&self.args).live_script();
        if text != self.shown {
            write(&self.script, &text)?;
            self.shown = text;
        }
        Ok(())
    }

    /// Makes the page that of a report, once the training is finished; with `no_isolate`, an FMU runs in this process.
    pub fn finish(mut self, no_isolate: bool) -> Result<Done, Failure> {
        self.args.no_isolate = no_isolate;
        let done = report(&self.args)?;
        // The page first, since the script makes it load itself again.
        self.reload()?;
        Ok(done)
    }

    /// Makes the page load itself again, which has become another one.
    pub fn reload(&self) -> Result<(), Failure> {
        write(&self.script, Report::last_script())
    }
}

/// The training as it is now; what cannot be read yet is said.
fn now(args: &ReportArgs) -> Report {
    trained::unfinished(args, &args.source).unwrap_or_else(|failure| Report {
        title: args.source.display().to_string(),
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
