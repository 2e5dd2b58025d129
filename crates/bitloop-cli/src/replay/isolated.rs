//! A replay in a process of its own: `--isolate` and `--sandbox`; and how other commands are run in one.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bitloop_host::{Worker, serve_in_parts};
use bitloop_replay::ReplayProgress;
use bitloop_train::IsolationError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::table_file::{TableFile, failure};
use super::trajectories::Target;
use super::{Printed, Tables, Watched, inputs, run};
use crate::args::ReplayArgs;
use crate::environment;
use crate::failure::Failure;
use crate::output::progress::Display;
use crate::test_inputs::TestInputs;

/// The outcome of a command, from its worker.
#[derive(Serialize, Deserialize)]
pub enum Answer<T> {
    /// What it printed or made.
    Done(T),
    /// Why it failed.
    Failed {
        /// The exit code.
        code: u8,
        /// The whole message.
        message: String,
    },
}

impl<T: Serialize> Answer<T> {
    /// The answer of a command that has ended.
    pub fn of(result: Result<T, Failure>) -> Self {
        match result {
            Ok(done) => Self::Done(done),
            Err(failure) => Self::Failed { code: failure.code(), message: failure.to_string() },
        }
    }

    /// As it is sent.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("plain texts")
    }
}

/// The first byte of a part that is a piece of the table.
const TABLE: u8 = b'T';

/// The first byte of a part that says how far the replay is.
const PROGRESS: u8 = b'P';

/// Runs the replay that this program was called for in a worker, which may be silent for so many seconds at the most. The
/// worker sends the contents of the table, so that it needs no right to write a file, and how far it is.
pub fn run_isolated(seconds: f64, mut table: Option<&mut TableFile>) -> Result<Printed, Failure> {
    let mut written = Ok(());
    let mut display = None;
    let mut receive = |part: &[u8]| {
        match part.split_first() {
            Some((&TABLE, piece)) => {
                written = table.as_mut().map_or(Ok(()), |table| table.write_all(piece));
            }
            Some((&PROGRESS, bytes)) => {
                if let Ok((n_episodes, n_finished, part)) = serde_json::from_slice(bytes) {
                    let progress = ReplayProgress { n_finished, part };
                    display.get_or_insert_with(|| Display::start(n_episodes)).show(progress);
                }
            }
            _ => {}
        }
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let during = "while it ran the episodes of the replay";
    let printed = ask("replay-worker", during, seconds, &mut receive);
    display.into_iter().for_each(Display::finish);
    // A table that cannot be written has ended the worker.
    match (written, table) {
        (Err(error), Some(table)) => Err(failure(table.path(), &error)),
        _ => printed,
    }
}

/// Runs the command that this program was called for in a worker, which may be silent for so many seconds at the most;
/// `worker` is its name for workers, and `receive` is given what it sends before its answer.
pub fn ask<T: DeserializeOwned>(
    worker: &str,
    during: &str,
    seconds: f64,
    receive: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
) -> Result<T, Failure> {
    let mut command = Command::new(environment::program_file()?);
    // What came after the command's name.
    command.arg(worker).args(std::env::args_os().skip(2));
    let lost = |what: String| {
        let during = format!(
            "{during}, in which it may be silent for {seconds} s (`--isolate=SECONDS` gives it more)"
        );
        Failure::Isolation { error: IsolationError { what, during }, resume: None }
    };
    let mut worker = Worker::start(&mut command)
        .map_err(|error| lost(format!("it cannot be started: {error}")))?;
    let answer = worker
        .ask_in_parts(&[], Duration::from_secs_f64(seconds), receive)
        .map_err(|end| lost(end.to_string()))?;
    match serde_json::from_slice(&answer) {
        Ok(Answer::Done(done)) => Ok(done),
        Ok(Answer::Failed { code, message }) => Err(Failure::OfWorker { code, message }),
        Err(_) => Err(lost("it answered something else than was asked".to_owned())),
    }
}

/// The worker's side of a replay. All files are opened before rights are given up.
pub fn serve(args: &ReplayArgs) -> Result<(), Failure> {
    let read = inputs(args);
    let sandbox = read.as_ref().ok().filter(|_| args.sandbox).map(TestInputs::sandbox);
    let mut read = Some(read);
    let answer = |_: &[u8], parts: &mut (dyn Write + Send)| {
        let inputs = read.take().expect("a replay is asked for once");
        let host = Host(Mutex::new(parts));
        let mut table = &host;
        let tables = if args.trajectories().is_some() {
            Tables { trajectories: Some(Target::One(&mut table)), ..Tables::default() }
        } else {
            let episodes = args.episodes_csv.is_some().then_some(&mut table as _);
            Tables { episodes, ..Tables::default() }
        };
        let mut last_shown = None;
        let mut on_progress = |n_episodes: usize, progress: ReplayProgress| {
            // A replay that does not advance sends nothing, so that the host can see it.
            if last_shown != Some(progress) {
                last_shown = Some(progress);
                host.show(n_episodes, progress);
            }
        };
        // Ctrl-C reaches the process that asks, which ends this one.
        let never = AtomicBool::new(false);
        let watched = Watched { interrupt: &never, on_progress: &mut on_progress };
        Answer::of(inputs.and_then(|inputs| run(args, &inputs, tables, watched))).to_bytes()
    };
    serve_in_parts(sandbox.as_ref(), answer).map_err(|error| Failure::stdout(&error))
}

/// What threads send to the host before the answer.
struct Host<'a>(Mutex<&'a mut (dyn Write + Send)>);

impl<'a> Host<'a> {
    fn parts(&self) -> MutexGuard<'_, &'a mut (dyn Write + Send)> {
        // A panic while it was locked leaves the stream as it is.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends how far the replay is.
    fn show(&self, n_episodes: usize, ReplayProgress { n_finished, part }: ReplayProgress) {
        let text = serde_json::to_vec(&(n_episodes, n_finished, part)).expect("plain numbers");
        // A host that is gone ends this process.
        let _ = self.parts().write_all(&[&[PROGRESS], &text[..]].concat());
    }
}

/// Pieces of the table.
impl Write for &Host<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Each call of the inner stream sends what it is given as a part.
        self.parts().write_all(&[&[TABLE], bytes].concat())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.parts().flush()
    }
}
