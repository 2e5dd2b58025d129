//! What the command line puts in place of a scenario's plant or files of rows.

use std::path::{Path, PathBuf};

use bitloop_scenario::{AnyScenario, DataFile, DataSource, PlantChoice};

use crate::args::DataFiles;
use crate::failure::Failure;
use crate::output::target::is_stdout as is_stdin;

/// Puts another plant or other files of rows into a scenario. The paths of its plant and its data are made absolute, since
/// what is kept of it lies in another folder.
pub fn apply(
    scenario: &mut AnyScenario,
    plant: Option<&PlantChoice>,
    files: &DataFiles,
) -> Result<(), Failure> {
    match scenario {
        AnyScenario::ClosedLoop(file) => {
            if let Some((option, _)) = files.given().next() {
                let hint = "it is for scenarios that read data";
                return refuse(option, "a scenario of a plant", hint);
            }
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
                DataSource::Spirals(_) => match files.given().next() {
                    Some((option, _)) => refuse(option, "points from a formula", "leave it out"),
                    None => Ok(()),
                },
                DataSource::File(data) => {
                    for (path, own) in data.paths_mut().zip(own) {
                        *path = absolute(&own)?;
                    }
                    put(files, data)
                }
            }
        }
    }
}

/// Puts files in the place of those that the data have.
fn put(files: &DataFiles, data: &mut DataFile) -> Result<(), Failure> {
    if let Some(path) = &files.data {
        data.path = of_rows(path)?;
    }
    put_own(
        "validation",
        "--validation-data",
        files.validation_data.as_ref(),
        &mut data.validation,
    )?;
    put_own("test", "--test-data", files.test_data.as_ref(), &mut data.test)?;
    let paths: Vec<_> = data.paths().map(|(_, path)| path).collect();
    let twice = (1..paths.len()).find(|&at| paths[..at].contains(&paths[at]));
    match (twice, files.given().next()) {
        (Some(at), Some(_)) => Err(Failure::Usage {
            message: format!("{} would be the file of two parts", paths[at]),
            hint: Some(
                "name a file for each part, by --data, --validation-data or --test-data".to_owned(),
            ),
        }),
        _ => Ok(()),
    }
}

/// Puts a file in the place of the one that the rows of a part have.
fn put_own(
    part: &str,
    option: &str,
    file: Option<&PathBuf>,
    own: &mut Option<String>,
) -> Result<(), Failure> {
    let Some(path) = file else { return Ok(()) };
    let Some(own) = own else {
        let what = format!("data whose {part} rows have no file of their own");
        let hint = format!(
            "write `{part}: \"FILE\"` into the scenario's `data: File(...)`, and leave these rows out of `split`"
        );
        return refuse(option, &what, &hint);
    };
    *own = of_rows(path)?;
    Ok(())
}

/// The path of a file of rows as a scenario has it.
fn of_rows(path: &Path) -> Result<String, Failure> {
    refuse_stdin(path)?;
    absolute(path)
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
