//! Workers for `--isolate`: this program again, with a command that is not for users.

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bitloop_host::{Sandbox, Worker, serve, serve_in_parts};
use bitloop_scenario::{PlantChoice, ScenarioFile};
use bitloop_train::{Isolation, IsolationError, PlantWorker};
use serde::{Deserialize, Serialize};

use crate::args::ReplayArgs;
use crate::environment::{self, Interrupt};
use crate::failure::Failure;
use crate::linked;
use crate::replay::{self, Printed, TableFile, Tables};
use crate::sandbox;

/// Seconds that an evaluation may take, where the user gives none.
pub const USUAL_SECONDS: f64 = 60.0;

/// The outcome of a replay, from its worker.
#[derive(Serialize, Deserialize)]
enum ReplayAnswer {
    Done(Printed),
    Failed { code: u8, message: String },
}

/// Workers for a training on a plant, each of which has so many seconds for an evaluation; after an interrupt, two.
///
/// With `is_sandboxed`, they give up their rights before they open the plant.
pub fn of_training(
    file: &ScenarioFile,
    seconds: f64,
    is_sandboxed: bool,
    interrupt: &Interrupt,
) -> Result<Arc<Isolation>, Failure> {
    let program = environment::program_file()?;
    let plant = &file.value.plant;
    if is_sandboxed {
        sandbox::require()?;
    }
    // A name that is wrong is reported by the worker, which knows its place in the scenario.
    let library = match plant {
        PlantChoice::Named(name) => {
            let path = environment::registry().library_path(name).ok().flatten();
            path.map(|path| (name.clone(), path))
        }
        PlantChoice::Library(_) => None,
    };
    let readable = match plant {
        PlantChoice::Named(_) => library.as_ref().map(|(_, path)| path.clone()),
        PlantChoice::Library(path) => {
            let path = file.source.folder().join(path);
            Some(std::path::absolute(&path).unwrap_or(path))
        }
    };
    let command = move || {
        let mut command = Command::new(&program);
        command.arg("train-worker");
        if is_sandboxed {
            sandbox::empty_environment(&mut command);
            command.arg("--sandbox");
            if let Some(path) = &readable {
                command.arg("--readable").arg(path);
            }
        }
        if let Some((name, path)) = &library {
            command.arg("--").arg(name).arg(path);
        }
        command
    };
    let limit = Duration::from_secs_f64(seconds);
    Ok(Arc::new(Isolation::new(command, limit, interrupt.shared_flag())))
}

/// Runs the replay that this program was called for in a worker, for so many seconds at the most. The worker
/// sends the contents of the table, so that it needs no right to write a file.
pub fn replay(seconds: f64, mut table: Option<&mut TableFile>) -> Result<Printed, Failure> {
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
                return Err(replay::table_failure(table.path(), &error));
            }
            Ok(printed)
        }
        Ok(ReplayAnswer::Failed { code, message }) => Err(Failure::OfWorker { code, message }),
        Err(_) => Err(lost("it answered something else than was asked".to_owned())),
    }
}

/// The worker's side of a training, whose plant may be that of a library found by name. With a sandbox, the process gives
/// up its rights before it opens the plant.
pub fn serve_training(
    sandbox: Option<&Sandbox>,
    library: Option<(&str, &Path)>,
) -> Result<(), Failure> {
    let registry = match library {
        Some((name, path)) => linked::plants().with_library(name, path),
        None => environment::registry(),
    };
    let mut worker = PlantWorker::new(registry);
    serve(sandbox, |request| worker.answer(request)).map_err(|error| Failure::stdout(&error))
}

/// The worker's side of a replay. All files are opened before rights are given up.
pub fn serve_replay(args: &ReplayArgs) -> Result<(), Failure> {
    let inputs = replay::Inputs::read(args);
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
        let answer = match inputs.and_then(|inputs| replay::run(args, inputs, tables, &never)) {
            Ok(printed) => ReplayAnswer::Done(printed),
            Err(failure) => {
                ReplayAnswer::Failed { code: failure.code(), message: failure.to_string() }
            }
        };
        serde_json::to_vec(&answer).expect("plain texts")
    };
    serve_in_parts(sandbox.as_ref(), answer).map_err(|error| Failure::stdout(&error))
}
