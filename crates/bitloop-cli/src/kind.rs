//! Files of the kind that a command needs; another kind is refused with the command that it is for.

use std::path::{Path, PathBuf};

use bitloop_folder::{CONTROLLER, MODEL};
use bitloop_scenario::{AnySaved, AnyScenario, ControllerFile, ModelFile, ScenarioFile};

use crate::failure::Failure;

/// A scenario of a plant, for a command that has no meaning for examples.
pub fn plant_scenario(path: &Path, command: &str) -> Result<ScenarioFile, Failure> {
    match AnyScenario::read(path)? {
        AnyScenario::ClosedLoop(file) => Ok(file),
        AnyScenario::Supervised(file) => {
            let message = format!(
                "this scenario is on examples, and `bitloop {command}` needs one of a plant"
            );
            let hint = "`bitloop train` and `bitloop campaign` take scenarios of both kinds";
            Err(file.source.error_at("", message, hint).into())
        }
    }
}

/// The controller or model that a path of a command line names: what a training has saved, where it is the folder of one.
pub fn saved(path: PathBuf) -> PathBuf {
    let mut inside = [CONTROLLER, MODEL].map(|name| path.join(name)).into_iter();
    inside.find(|file| file.is_file()).unwrap_or(path)
}

/// A saved controller.
pub fn controller(path: &Path) -> Result<ControllerFile, Failure> {
    match AnySaved::read(path)? {
        AnySaved::Controller(file) => Ok(*file),
        AnySaved::Model(file) => {
            let message = "this is a model of examples, and not a controller";
            let hint = "`bitloop predict MODEL --data FILE` applies it to rows";
            Err(file.source.error_at("", message, hint).into())
        }
    }
}

/// A saved model.
pub fn model(path: &Path) -> Result<ModelFile, Failure> {
    match AnySaved::read(path)? {
        AnySaved::Model(file) => Ok(*file),
        AnySaved::Controller(file) => {
            let message = "this is a controller, and not a model of examples";
            let hint = "`bitloop replay CONTROLLER` runs it in its closed loop";
            Err(file.source.error_at("", message, hint).into())
        }
    }
}
