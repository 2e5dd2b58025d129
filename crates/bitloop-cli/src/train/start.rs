//! What the command line asks for: a training from its beginning, or one that is resumed.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use bitloop_host::Registry;
use bitloop_run::{Begin, Budgets, FinishedRun, Resumed, RunHandle, default_folder};
use bitloop_scenario::{AnyScenario, PlantChoice};
use bitloop_train::PlantAccess;

use crate::args::{DataFiles, TrainArgs, parse_plant};
use crate::environment::Interrupt;
use crate::failure::Failure;
use crate::isolation;
use crate::kind;
use crate::new_scenario;
use crate::output::{print_note, shell};
use crate::overrides;
use crate::registry;

/// What there is to do.
pub enum Start {
    /// A training that can run.
    Run(Box<RunHandle>),
    /// The result of one that is finished.
    Finished(FinishedRun),
}

/// Begins or resumes.
pub fn start(args: &TrainArgs, interrupt: &Interrupt) -> Result<Start, Failure> {
    let budgets = Budgets { seconds: args.seconds, evaluations: args.evaluations };
    let registry = OnceCell::new();
    let plants = |scenario: &AnyScenario| plants(scenario, args, interrupt, &registry);
    match (&args.resume, &args.scenario) {
        (Some(folder), _) => Ok(match bitloop_run::resume(folder, budgets)? {
            Resumed::Finished(finished) => Start::Finished(finished),
            Resumed::Unfinished(saved) => {
                let plants = plants(saved.scenario())?;
                Start::Run(Box::new(saved.open(&plants)?))
            }
        }),
        (None, Some(file)) => {
            let given = given(args, file)?;
            let (mut scenario, seed) = scenario(args, given.scenario)?;
            budgets.apply(&mut scenario);
            let plants = plants(&scenario)?;
            let name = given.name;
            let out = args.out.clone().unwrap_or_else(|| default_folder(&name, seed));
            let plain = command(file, args.plant.as_ref(), &args.files, seed);
            let command = budgets.in_command(&(plain + &against(&args.against)));
            let begin = Begin { scenario, plants, file: name, command };
            Ok(Start::Run(Box::new(bitloop_run::begin(begin, &out)?)))
        }
        (None, None) => Err(Failure::Usage {
            message: "there is nothing to train".to_owned(),
            hint: Some("name a scenario, or a folder with --resume".to_owned()),
        }),
    }
}

/// A scenario, and the name that its training goes by.
struct Given {
    scenario: AnyScenario,
    name: PathBuf,
}

/// The scenario of a file or, where a plant is named in place of one, what `scenario new` writes for it.
fn given(args: &TrainArgs, file: &Path) -> Result<Given, Failure> {
    let Some(plant) = plant_in_place_of(file) else {
        return Ok(Given { scenario: AnyScenario::read(file)?, name: file.to_owned() });
    };
    if args.isolate.is_some() || args.sandbox {
        return Err(Failure::Usage {
            message: "without a scenario, the plant is first run in this process, which --isolate and --sandbox rule out"
                .to_owned(),
            hint: Some("write one by `bitloop scenario new`, and train in it".to_owned()),
        });
    }
    let first = new_scenario::of_plant(&plant)?;
    let name = PathBuf::from(first.plant_name());
    print_note("no scenario was given; `bitloop scenario new` writes the one that is assumed:");
    for line in first.assumed() {
        print_note(&format!("  {line}"));
    }
    let text = first.text(&plant);
    Ok(Given { scenario: AnyScenario::parse(&text, first.plant_name())?, name })
}

/// The plant that is named where a scenario's file could be: a library by its path, another one by its name, unless there is
/// a file of that name.
fn plant_in_place_of(file: &Path) -> Option<PlantChoice> {
    let is_library = file.extension().is_some_and(|end| end == "so" || end == "fmu");
    let text = file.to_str()?;
    let is_name = !text.contains('/') && !file.exists();
    let is_known = || registry::registry().library_path(text).is_ok();
    (is_library || (is_name && is_known())).then(|| parse_plant(text).ok()).flatten()
}

/// The scenario with what the command line puts in its place, and its seed.
fn scenario(args: &TrainArgs, mut scenario: AnyScenario) -> Result<(AnyScenario, u64), Failure> {
    if let Some(seed) = args.seed {
        scenario.set_seed(seed);
    }
    overrides::apply(&mut scenario, args.plant.as_ref(), &args.files)?;
    for path in &args.against {
        let AnyScenario::ClosedLoop(file) = &mut scenario else {
            return Err(Failure::Usage {
                message: "--against has no meaning for a supervised scenario".to_owned(),
                hint: Some("it is for scenarios of plants".to_owned()),
            });
        };
        file.add_hard_episode(&kind::plant_scenario(path, "train --against")?)?;
    }
    let seed = scenario.seed();
    Ok((scenario, seed))
}

/// Seconds for an evaluation in a process of its own, if the plant runs in one: on request, or since it is an FMU.
pub fn isolation_of(args: &TrainArgs, scenario: &AnyScenario) -> Option<f64> {
    let plant = match scenario {
        AnyScenario::ClosedLoop(file) => Some(&file.value.plant),
        AnyScenario::Supervised(_) => None,
    };
    isolation::seconds(args.isolate, args.sandbox, args.no_isolate, plant)
}

/// Where the plants of a training run. Those of this process are looked for only if they are needed.
fn plants<'a>(
    scenario: &AnyScenario,
    args: &TrainArgs,
    interrupt: &Interrupt,
    registry: &'a OnceCell<Registry>,
) -> Result<PlantAccess<'a>, Failure> {
    let Some(seconds) = isolation_of(args, scenario) else {
        return Ok(PlantAccess::Here(registry.get_or_init(registry::registry)));
    };
    let AnyScenario::ClosedLoop(file) = scenario else {
        return Err(Failure::Usage {
            message: "--isolate and --sandbox have no meaning for a supervised scenario".to_owned(),
            hint: Some("they are for scenarios of plants".to_owned()),
        });
    };
    let isolation = isolation::of_training(file, seconds, args.sandbox, interrupt)?;
    Ok(PlantAccess::Isolated(isolation))
}

/// The command that makes this controller or model again, on any machine.
pub fn command(
    scenario: &Path,
    plant: Option<&PlantChoice>,
    files: &DataFiles,
    seed: u64,
) -> String {
    let plant = plant.map(|plant| format!(" --plant {}", shell::quoted(plant.text())));
    let plant = plant.unwrap_or_default();
    let add = |all, (option, path)| format!("{all} {option} {}", shell::quoted(path));
    let files = files.given().fold(String::new(), add);
    format!("bitloop train {}{plant}{files} --seed {seed}", shell::quoted(scenario))
}

/// The options of episodes to train against.
fn against(paths: &[PathBuf]) -> String {
    let add = |all: String, path: &PathBuf| all + " --against " + &shell::quoted(path);
    paths.iter().fold(String::new(), add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_one_for_a_shell() {
        assert_eq!(
            command(Path::new("a b.ron"), None, &DataFiles::default(), 7),
            "bitloop train 'a b.ron' --seed 7"
        );
        let files = DataFiles { test_data: Some("t t.csv".into()), ..DataFiles::default() };
        assert_eq!(
            command(Path::new("a.ron"), None, &files, 7),
            "bitloop train a.ron --test-data 't t.csv' --seed 7"
        );
        let paths = ["w.ron", "w 2.ron"].map(PathBuf::from);
        assert_eq!(against(&paths), " --against w.ron --against 'w 2.ron'");
    }
}
