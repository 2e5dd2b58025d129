//! A replay in a process of its own: `--isolate` and `--sandbox`.

use std::io::Write;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bitloop_host::{Worker, serve_in_parts};
use bitloop_train::IsolationError;
use serde::{Deserialize, Serialize};

use super::inputs::Inputs;
use super::table_file::{TableFile, failure};
use super::{Printed, Tables, run};
use crate::args::ReplayArgs;
use crate::environment;
use crate::failure::Failure;

/// The outcome of a replay, from its worker.
#[derive(Serialize, Deserialize)]
enum ReplayAnswer {
    Done(Printed),
    Failed { code: u8, message: String },
}

/// Runs the replay that this program was called for in a worker, for so many seconds at the most. The worker
/// sends the contents of the table, so that it needs no right to write a file.
pub fn run_isolated(seconds: f64, mut table: Option<&mut TableFile>) -> Result<Printed, Failure> {
    let mut command = Command::new(environment::program_file()?);
    // What came after `replay`.
    command.arg("replay-worker").args(std::env::args_os().skip(2));
    let lost = |what: String| {
        let during = format!(
            "while it ran the episodes of the replay, for which it has {seconds} s (`--isolate=SECONDS` gives it more)"
        );
        Failure::Isolation { error: IsolationError { what, during }, resume: None }
    };
    let mut worker = Worker::start(&mut command)
        .map_err(|error| lost(format!("it cannot be started: {error}")))?;
    let mut written = Ok(());
    let mut receive = |part: &[u8]| {
        if let Some(table) = table.as_mut().filter(|_| written.is_ok()) {
            written = table.write_all(part);
        }
    };
    let answer = worker
        .ask_in_parts(&[], Duration::from_secs_f64(seconds), &mut receive)
        .map_err(|end| lost(end.to_string()))?;
    match serde_json::from_slice(&answer) {
        Ok(ReplayAnswer::Done(printed)) => {
            if let (Err(error), Some(table)) = (written, table) {
                return Err(failure(table.path(), &error));
            }
            Ok(printed)
        }
        Ok(ReplayAnswer::Failed { code, message }) => Err(Failure::OfWorker { code, message }),
        Err(_) => Err(lost("it answered something else than was asked".to_owned())),
    }
}

/// The worker's side of a replay. All files are opened before rights are given up.
pub fn serve(args: &ReplayArgs) -> Result<(), Failure> {
    let inputs = Inputs::read(args);
    let sandbox = inputs.as_ref().ok().filter(|_| args.sandbox).map(|inputs| inputs.sandbox(args));
    let mut inputs = Some(inputs);
    let answer = |_: &[u8], parts: &mut (dyn Write + Send)| {
        let inputs = inputs.take().expect("a replay is asked for once");
        let tables = if args.csv.is_some() {
            Tables { trajectories: Some(parts), ..Tables::default() }
        } else {
            Tables { episodes: args.episodes_csv.is_some().then_some(parts), ..Tables::default() }
        };
        // Ctrl-C reaches the process that asks, which ends this one.
        let never = AtomicBool::new(false);
        let answer = match inputs.and_then(|inputs| run(args, inputs, tables, &never)) {
            Ok(printed) => ReplayAnswer::Done(printed),
            Err(failure) => {
                ReplayAnswer::Failed { code: failure.code(), message: failure.to_string() }
            }
        };
        serde_json::to_vec(&answer).expect("plain texts")
    };
    serve_in_parts(sandbox.as_ref(), answer).map_err(|error| Failure::stdout(&error))
}
