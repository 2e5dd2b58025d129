//! `bitloop scenario new`: a scenario for a plant, and what stands in for one where a training names a plant alone.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use bitloop_scenario::PlantChoice;
use bitloop_train::FirstScenario;

use crate::environment;
use crate::failure::Failure;
use crate::kind;
use crate::output::target::OutputFile;
use crate::output::{print, shell};
use crate::plant;
use crate::registry;
use crate::start_folder;

/// Writes a scenario for a plant, from the starts of another one if that is given, to a file that is not there yet, or prints
/// it.
pub fn new(plant: &PlantChoice, from: Option<&Path>, out: Option<&Path>) -> Result<(), Failure> {
    if let Some(path) = out {
        refuse_existing(path)?;
    }
    let scenario = match from {
        Some(file) => with_starts_of(file, plant)?,
        None => of_plant(plant)?,
    };
    let Some(path) = out else { return print(&scenario.text(plant)) };
    let mut file = OutputFile::create(path, &[])?;
    file.write_all(scenario.text(&seen_from(path, plant)).as_bytes())
        .map_err(|error| Failure::output(path, &error))?;
    file.finish()?;
    let what =
        if from.is_some() { "for the starts that were given" } else { "a guess to be changed" };
    let mut text = format!("wrote {}, {what}:\n", path.display());
    for line in scenario.assumed() {
        let _ = writeln!(text, "  {line}");
    }
    let (program, file) = (environment::program(), shell::quoted(path));
    let _ = write!(text, "\nTrain a controller in it:\n  {program} train {file}\n");
    print(&text)
}

/// The scenario for a plant.
pub fn of_plant(plant: &PlantChoice) -> Result<FirstScenario, Failure> {
    let isa = environment::isa()?;
    // Its errors name the plant; those below would show a place in a text that nobody has written.
    plant::open(plant)?;
    let registry = registry::registry();
    FirstScenario::new(plant, &registry, isa, environment::n_cores())
        .map_err(|error| Failure::of_training(Path::new(plant.text()), error))
}

/// The scenario for a plant with the starts of a file.
fn with_starts_of(file: &Path, plant: &PlantChoice) -> Result<FirstScenario, Failure> {
    let isa = environment::isa()?;
    let given = kind::plant_scenario(file, "scenario new --from")?;
    // As above.
    plant::open(plant)?;
    let registry = registry::registry();
    let n_threads = environment::n_cores();
    FirstScenario::with_starts_of(&given, plant, &registry, isa, n_threads)
        .map_err(|error| Failure::of_training(file, error))
}

fn refuse_existing(path: &Path) -> Result<(), Failure> {
    if !start_folder::absolute(path).is_file() {
        return Ok(());
    }
    Err(Failure::Usage {
        message: format!("{} is there already", path.display()),
        hint: Some("name another file, or remove it first".to_owned()),
    })
}

/// The plant as a file at `path` names it: a library or FMU in its folder or below by a relative path, so that both can be moved
/// together.
fn seen_from(path: &Path, plant: &PlantChoice) -> PlantChoice {
    let folder = start_folder::absolute(path);
    let mut seen = plant.clone();
    if let (Some(path), Some(folder)) = (seen.path_mut(), folder.parent())
        && let Some(relative) = Path::new(path).strip_prefix(folder).ok().and_then(Path::to_str)
    {
        *path = relative.to_owned();
    }
    seen
}
