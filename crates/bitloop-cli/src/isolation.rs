//! Workers for trainings with `--isolate`: this program again, with a command that is not for users.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use bitloop_host::{Sandbox, serve};
use bitloop_scenario::{PlantChoice, ScenarioFile};
use bitloop_train::{Isolation, PlantWorker};

use crate::environment::{self, Interrupt};
use crate::failure::Failure;
use crate::linked;
use crate::registry;
use crate::sandbox;

/// Seconds that an evaluation may take, where the user gives none.
pub const USUAL_SECONDS: f64 = 60.0;

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
            let path = registry::registry().library_path(name).ok().flatten();
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

/// The worker's side of a training, whose plant may be that of a library found by name. With a sandbox, the process gives
/// up its rights before it opens the plant.
pub fn serve_training(
    sandbox: Option<&Sandbox>,
    library: Option<(&str, &Path)>,
) -> Result<(), Failure> {
    let registry = match library {
        Some((name, path)) => linked::plants().with_library(name, path),
        None => registry::registry(),
    };
    let mut worker = PlantWorker::new(registry);
    serve(sandbox, |request| worker.answer(request)).map_err(|error| Failure::stdout(&error))
}
