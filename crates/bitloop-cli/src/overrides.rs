//! What the command line puts in place of a scenario's plant or data.

use std::path::{Path, PathBuf};

use bitloop_scenario::{AnyScenario, DataSource, PlantChoice};

use crate::failure::Failure;
use crate::output::target::is_stdout as is_stdin;

/// Puts another plant or another data file into a scenario. The paths of its plant and its data are made absolute, since
/// what is kept of it lies in another folder.
pub fn apply(
    scenario: &mut AnyScenario,
    plant: Option<&PlantChoice>,
    data: Option<&Path>,
) -> Result<(), Failure> {
    match scenario {
        AnyScenario::ClosedLoop(_) if data.is_some() => {
            refuse("--data", "a scenario of a plant", "it is for scenarios that read data")
        }
        AnyScenario::ClosedLoop(file) => {
            if let Some(plant) = plant {
                file.value.plant = plant.clone();
            }
            Ok(file.make_absolute()?)
        }
        AnyScenario::Supervised(_) if plant.is_some() => {
            refuse("--plant", "a supervised scenario", "it is for scenarios of plants")
        }
        AnyScenario::Supervised(file) => {
            let own = file.data_paths();
            match &mut file.value.data {
                DataSource::Spirals(_) if data.is_some() => {
                    refuse("--data", "points from a formula", "leave it out")
                }
                DataSource::Spirals(_) => Ok(()),
                DataSource::File(data_file) => {
                    for (path, own) in data_file.paths_mut().zip(own) {
                        *path = absolute(&own)?;
                    }
                    if let Some(path) = data {
                        refuse_stdin(path)?;
                        data_file.path = absolute(path)?;
                    }
                    Ok(())
                }
            }
        }
    }
}

/// The data file of a scenario, once [`apply`] has made its path absolute.
pub fn data_file(scenario: &AnyScenario) -> Option<PathBuf> {
    match scenario {
        AnyScenario::Supervised(file) => file.data_path(),
        AnyScenario::ClosedLoop(_) => None,
    }
}

fn absolute(path: &Path) -> Result<String, Failure> {
    let usage = |message| Failure::Usage { message, hint: None };
    let absolute = std::path::absolute(path).map_err(|error| usage(error.to_string()))?;
    let text = absolute.into_os_string().into_string();
    text.map_err(|path| usage(format!("{} is not UTF-8", path.display())))
}

/// Refuses standard input, which cannot be read again when a training is resumed, nor by another process.
fn refuse_stdin(path: &Path) -> Result<(), Failure> {
    if !is_stdin(path) {
        return Ok(());
    }
    Err(Failure::Usage {
        message: "a training cannot read its rows from standard input, since it may be resumed"
            .to_owned(),
        hint: Some("write the rows into a file".to_owned()),
    })
}

fn refuse(option: &str, what: &str, hint: &str) -> Result<(), Failure> {
    Err(Failure::Usage {
        message: format!("{option} has no meaning for {what}"),
        hint: Some(hint.to_owned()),
    })
}
