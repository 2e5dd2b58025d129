//! Workers for trainings with `--isolate`: this program again, with a command that is not for users.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use bitloop_fmu::settings_path;
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

/// Seconds for an evaluation of an FMU, or without progress of its replay, which is isolated without being asked for: a model may be slow, and a user
/// who waits for one that hangs can end it.
const FMU_SECONDS: f64 = 3600.0;

/// The seconds of a worker, if the plant runs in one: on request, or since it is an FMU.
pub fn seconds(
    isolate: Option<f64>,
    is_sandboxed: bool,
    no_isolate: bool,
    plant: Option<&PlantChoice>,
) -> Option<f64> {
    let is_fmu = matches!(plant, Some(PlantChoice::Fmu(_)));
    let usual = is_sandboxed.then_some(USUAL_SECONDS);
    isolate.or(usual).or((is_fmu && !no_isolate).then_some(FMU_SECONDS))
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
            let path = registry::registry().library_path(name).ok().flatten();
            path.map(|path| (name.clone(), path))
        }
        PlantChoice::Library(_) | PlantChoice::Fmu(_) => None,
    };
    let absolute = |path: &str| {
        let path = file.source.folder().join(path);
        std::path::absolute(&path).unwrap_or(path)
    };
    let readable = match plant {
        PlantChoice::Named(_) => library.iter().map(|(_, path)| path.clone()).collect(),
        PlantChoice::Library(path) => vec![absolute(path)],
        PlantChoice::Fmu(path) => vec![absolute(path), settings_path(&absolute(path))],
    };
    let command = move || {
        let mut command = Command::new(&program);
        command.arg("train-worker");
        if is_sandboxed {
            sandbox::empty_environment(&mut command);
            command.arg("--sandbox");
            for path in &readable {
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
