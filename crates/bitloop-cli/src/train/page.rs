//! `bitloop train --watch`: a page that follows the training, written by a thread of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use crate::args::TrainArgs;
use crate::environment;
use crate::failure::Failure;
use crate::report::{LivePage, wait};

/// A page under way.
#[derive(Debug)]
pub struct Page {
    folder: PathBuf,
    out: PathBuf,
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<Result<LivePage, Failure>>,
}

impl Page {
    /// Begins the page that is asked for.
    pub fn begin(args: &TrainArgs, folder: &Path) -> Result<Option<Self>, Failure> {
        let Some(out) = &args.watch else { return Ok(None) };
        let mut page = LivePage::begin(folder, out)?;
        let is_over = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_over);
        let thread = thread::spawn(move || {
            while wait(&|| flag.load(Ordering::Relaxed)) {
                page.look()?;
            }
            page.look()?;
            Ok(page)
        });
        Ok(Some(Self { folder: folder.to_owned(), out: out.clone(), is_over, thread }))
    }

    /// Ends with the page of a training that is interrupted, or with the report of one that is finished.
    /// A plant that was isolated may take so many seconds again.
    pub fn finish(
        self,
        args: &TrainArgs,
        isolation_s: Option<f64>,
        is_finished: bool,
    ) -> Result<(), Failure> {
        self.is_over.store(true, Ordering::Relaxed);
        let page = match self.thread.join() {
            Ok(page) => page?,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        if !is_finished {
            return Ok(());
        }
        let Some(seconds) = isolation_s else { return page.finish(true).map(|_| ()) };
        // A plant that is kept out of this process stays out.
        let mut command = Command::new(environment::program_file()?);
        command.arg("report").arg(&self.folder).arg("-o").arg(&self.out).stdin(Stdio::null());
        command.arg(format!("--isolate={seconds}"));
        if args.sandbox {
            command.arg("--sandbox");
        }
        let failed = |message: String| Failure::Output {
            target: self.out.clone(),
            message,
            hint: Some("`bitloop report` writes it".to_owned()),
        };
        let status = command.status().map_err(|error| failed(error.to_string()))?;
        if !status.success() {
            return Err(failed("the report of the training could not be made".to_owned()));
        }
        page.reload()
    }
}
