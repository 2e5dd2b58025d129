//! Descriptions of plants from libraries that nobody has asked to run: each is opened in a process of its own.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use bitloop_host::{PlantLibrary, Sandbox, Worker, serve};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::environment;
use crate::failure::Failure;
use crate::plant_json::{Described, description_json};
use crate::sandbox;

/// How long a library may take to describe its plant.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// Why a library does not describe its plant.
#[derive(Debug, Serialize, Deserialize)]
pub struct Fault {
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The description of the plant of the library at `path`, from a process of its own.
pub fn describe(path: &Path, is_sandboxed: bool) -> Result<Described, Fault> {
    let failed = |message: String| Fault { message };
    let mut command = environment::this_program();
    command.arg("plant-describe-worker");
    if is_sandboxed {
        command.arg("--sandbox");
        sandbox::empty_environment(&mut command);
    }
    command.arg("--").arg(path);
    let mut worker = Worker::start(&mut command)
        .map_err(|error| failed(format!("no process can be started: {error}")))?;
    let answer = worker.ask(&[], TIME_LIMIT).map_err(|end| failed(end.to_string()))?;
    serde_json::from_slice::<Result<Described, Fault>>(&answer)
        .unwrap_or_else(|_| Err(failed("the answer of its process makes no sense".to_owned())))
}

/// The name of that plant.
pub fn name_of(path: &Path, is_sandboxed: bool) -> Result<String, Fault> {
    match describe(path, is_sandboxed)?.remove("name") {
        Some(Value::String(name)) => Ok(name),
        _ => Err(Fault { message: "the answer of its process makes no sense".to_owned() }),
    }
}

/// Describes the plant of a library to the host that started this process.
pub fn serve_description(is_sandboxed: bool, path: &Path) -> Result<(), Failure> {
    let answer = |_: &[u8]| {
        let described = PlantLibrary::open(path)
            .map(|library| description_json(library.description()))
            .map_err(|error| Fault { message: error.fault.to_string() });
        serde_json::to_vec(&described).expect("an object or a text")
    };
    let sandbox = is_sandboxed.then(|| Sandbox::of_libraries(vec![path.to_owned()]));
    serve(sandbox.as_ref(), answer).map_err(|error| Failure::stdout(&error))
}
