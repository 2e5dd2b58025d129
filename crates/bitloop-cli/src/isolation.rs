//! Workers for `--isolate`: this program once more, with a command that nobody types.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use bitloop_host::{Worker, serve};
use bitloop_train::{Isolation, IsolationError, PlantWorker};
use serde::{Deserialize, Serialize};

use crate::args::ReplayArgs;
use crate::environment::{self, Interrupt};
use crate::failure::Failure;
use crate::output::{print, tell};
use crate::replay;

/// What a replay came to, as its worker tells it.
#[derive(Serialize, Deserialize)]
enum Told {
    Done { notes: Vec<String>, text: String },
    Failed { code: u8, message: String },
}

/// Workers for a training, each of which has so many seconds for an evaluation; after an interrupt, hardly any.
pub fn of_training(seconds: f64, interrupt: &Interrupt) -> Result<Arc<Isolation>, Failure> {
    let program = environment::program_file()?;
    let command = move || worker_command(&program, "train-worker");
    let limit = Duration::from_secs_f64(seconds);
    Ok(Arc::new(Isolation::new(command, limit, interrupt.shared_flag())))
}

/// Runs the replay that this program was called for in a worker, for so many seconds at the most.
pub fn replay(seconds: f64) -> Result<(), Failure> {
    let mut command = worker_command(&environment::program_file()?, "replay-worker");
    // What came after `replay`.
    command.args(std::env::args_os().skip(2));
    let lost = |what: String| {
        let during = "while it ran the episodes of the replay".to_owned();
        Failure::Isolation { error: IsolationError { what, during }, go_on: None }
    };
    let mut worker = Worker::start(&mut command)
        .map_err(|error| lost(format!("it cannot be started: {error}")))?;
    let answer =
        worker.ask(&[], Duration::from_secs_f64(seconds)).map_err(|end| lost(end.to_string()))?;
    match serde_json::from_slice(&answer) {
        Ok(Told::Done { notes, text }) => {
            for note in &notes {
                tell(note);
            }
            print(&text)
        }
        Ok(Told::Failed { code, message }) => Err(Failure::Told { code, message }),
        Err(_) => Err(lost("it answered something else than was asked".to_owned())),
    }
}

/// This program with a command for a worker. A terminal sends Ctrl-C to all processes of a group; this one is left out, and
/// ends when the process that asks it is gone.
fn worker_command(program: &Path, name: &str) -> Command {
    let mut command = Command::new(program);
    command.arg(name).process_group(0);
    command
}

/// The worker's side of a training.
pub fn serve_training() -> Result<(), Failure> {
    let mut worker = PlantWorker::new(environment::registry());
    serve(|request| worker.answer(request)).map_err(|error| Failure::stdout(&error))
}

/// The worker's side of a replay.
pub fn serve_replay(args: &ReplayArgs) -> Result<(), Failure> {
    let answer = |_: &[u8]| {
        let told = match replay::run(args) {
            Ok((notes, text)) => Told::Done { notes, text },
            Err(failure) => Told::Failed { code: failure.code(), message: failure.to_string() },
        };
        serde_json::to_vec(&told).expect("plain texts")
    };
    serve(answer).map_err(|error| Failure::stdout(&error))
}
