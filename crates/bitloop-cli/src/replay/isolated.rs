//! A replay in a process of its own: `--isolate` and `--sandbox`; and how other commands are run in one.

use std::io::Write;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bitloop_host::{Worker, serve_in_parts};
use bitloop_train::IsolationError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::table_file::{TableFile, failure};
use super::trajectories::Target;
use super::{Printed, Tables, inputs, run};
use crate::args::ReplayArgs;
use crate::environment;
use crate::failure::Failure;
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

/// Runs the replay that this program was called for in a worker, for so many seconds at the most. The worker
/// sends the contents of the table, so that it needs no right to write a file.
pub fn run_isolated(seconds: f64, mut table: Option<&mut TableFile>) -> Result<Printed, Failure> {
    let mut written = Ok(());
    let mut receive = |part: &[u8]| {
        if let Some(table) = table.as_mut().filter(|_| written.is_ok()) {
            written = table.write_all(part);
        }
    };
    let during = "while it ran the episodes of the replay";
    let printed = ask("replay-worker", during, seconds, &mut receive)?;
    if let (Err(error), Some(table)) = (written, table) {
        return Err(failure(table.path(), &error));
    }
    Ok(printed)
}

/// Runs the command that this program was called for in a worker, for so many seconds at the most; `worker` is its name for
/// workers, and `receive` is given what it sends before its answer.
pub fn ask<T: DeserializeOwned>(
    worker: &str,
    during: &str,
    seconds: f64,
    receive: &mut dyn FnMut(&[u8]),
) -> Result<T, Failure> {
    let mut command = Command::new(environment::program_file()?);
    // What came after the command's name.
    command.arg(worker).args(std::env::args_os().skip(2));
    let lost = |what: String| {
        let during =
            format!("{during}, for which it has {seconds} s (`--isolate=SECONDS` gives it more)");
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
        let tables = if args.trajectories().is_some() {
            Tables { trajectories: Some(Target::One(parts)), ..Tables::default() }
        } else {
            Tables { episodes: args.episodes_csv.is_some().then_some(parts), ..Tables::default() }
        };
        // Ctrl-C reaches the process that asks, which ends this one.
        let never = AtomicBool::new(false);
        Answer::of(inputs.and_then(|inputs| run(args, inputs, tables, &never))).to_bytes()
    };
    serve_in_parts(sandbox.as_ref(), answer).map_err(|error| Failure::stdout(&error))
}
