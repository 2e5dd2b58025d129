//! Workers for `--isolate`: this program again, with a command that is not for users.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use bitloop_host::{Sandbox, Worker, serve};
use bitloop_scenario::{PlantChoice, ScenarioFile};
use bitloop_train::{Isolation, IsolationError, PlantWorker};
use serde::{Deserialize, Serialize};

use crate::args::ReplayArgs;
use crate::environment::{self, Interrupt};
use crate::failure::Failure;
use crate::linked;
use crate::output::{print, tell};
use crate::replay;
use crate::sandbox;

/// Seconds that an evaluation may take, where the user gives none.
pub const USUAL_SECONDS: f64 = 60.0;

/// The outcome of a replay, from its worker.
#[derive(Serialize, Deserialize)]
enum ReplayAnswer {
    Done { notes: Vec<String>, text: String },
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
            let mut option = OsString::from("--sandbox");
            if let Some(path) = &readable {
                option.push("=");
                option.push(path);
            }
            command.arg(option);
        }
        if let Some((name, path)) = &library {
            command.arg("--").arg(name).arg(path);
        }
        command
    };
    let limit = Duration::from_secs_f64(seconds);
    Ok(Arc::new(Isolation::new(command, limit, interrupt.shared_flag())))
}

/// Runs the replay that this program was called for in a worker, for so many seconds at the most.
pub fn replay(seconds: f64) -> Result<(), Failure> {
    let mut command = Command::new(environment::program_file()?);
    // What came after `replay`.
    command.arg("replay-worker").args(std::env::args_os().skip(2));
    let lost = |what: String| {
        let during = "while it ran the episodes of the replay".to_owned();
        Failure::Isolation { error: IsolationError { what, during }, go_on: None }
    };
    let mut worker = Worker::start(&mut command)
        .map_err(|error| lost(format!("it cannot be started: {error}")))?;
    let answer =
        worker.ask(&[], Duration::from_secs_f64(seconds)).map_err(|end| lost(end.to_string()))?;
    match serde_json::from_slice(&answer) {
        Ok(ReplayAnswer::Done { notes, text }) => {
            for note in &notes {
                tell(note);
            }
            print(&text)
        }
        Ok(ReplayAnswer::Failed { code, message }) => Err(Failure::Told { code, message }),
        Err(_) => Err(lost("it answered something else than was asked".to_owned())),
    }
}

/// The worker's side of a training, whose plant may be that of a library found by name.
///
/// `sandbox` is there if the process is to give up its rights, but for that to read a library, if one is named.
pub fn serve_training(
    sandbox: Option<Option<&Path>>,
    library: Option<(&str, &Path)>,
) -> Result<(), Failure> {
    let registry = match library {
        Some((name, path)) => linked::plants().with_library(name, path),
        None => environment::registry(),
    };
    let mut worker = PlantWorker::new(registry);
    let readable = |path: Option<&Path>| path.map(Path::to_owned).into_iter().collect();
    let sandbox = sandbox.map(|path| Sandbox::of_libraries(readable(path)));
    serve(sandbox.as_ref(), |request| worker.answer(request))
        .map_err(|error| Failure::stdout(&error))
}

/// The worker's side of a replay. All files are opened before rights are given up.
pub fn serve_replay(args: &ReplayArgs) -> Result<(), Failure> {
    let inputs = replay::Inputs::read(args);
    let sandbox = inputs.as_ref().ok().filter(|_| args.sandbox).map(|inputs| inputs.sandbox(args));
    let mut inputs = Some(inputs);
    let answer = |_: &[u8]| {
        let inputs = inputs.take().expect("a replay is asked for once");
        let answer = match inputs.and_then(|inputs| replay::run(args, inputs)) {
            Ok((notes, text)) => ReplayAnswer::Done { notes, text },
            Err(failure) => {
                ReplayAnswer::Failed { code: failure.code(), message: failure.to_string() }
            }
        };
        serde_json::to_vec(&answer).expect("plain texts")
    };
    serve(sandbox.as_ref(), answer).map_err(|error| Failure::stdout(&error))
}
