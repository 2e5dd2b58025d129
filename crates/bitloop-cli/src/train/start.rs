//! What the command line asks for: a training from its beginning, or one that is resumed.

use std::cell::OnceCell;
use std::path::Path;

use bitloop_host::Registry;
use bitloop_run::{Begin, Budgets, FinishedRun, Resumed, RunHandle, default_folder};
use bitloop_scenario::{AnyScenario, PlantChoice};
use bitloop_train::PlantAccess;

use crate::args::TrainArgs;
use crate::environment::Interrupt;
use crate::failure::Failure;
use crate::isolation;
use crate::output::shell;
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
            let (mut scenario, seed) = scenario(args, file)?;
            budgets.apply(&mut scenario);
            let plants = plants(&scenario)?;
            let out = args.out.clone().unwrap_or_else(|| default_folder(file, seed));
            let command = command(file, args.plant.as_ref(), args.data.as_deref(), seed);
            let begin = Begin { scenario, plants, file: file.clone(), command };
            Ok(Start::Run(Box::new(bitloop_run::begin(begin, &out)?)))
        }
        (None, None) => Err(Failure::Usage {
            message: "there is nothing to train".to_owned(),
            hint: Some("name a scenario, or a folder with --resume".to_owned()),
        }),
    }
}

/// The scenario with what the command line puts in its place, and its seed.
fn scenario(args: &TrainArgs, file: &Path) -> Result<(AnyScenario, u64), Failure> {
    let mut scenario = AnyScenario::read(file)?;
    if let Some(seed) = args.seed {
        scenario.set_seed(seed);
    }
    overrides::apply(&mut scenario, args.plant.as_ref(), args.data.as_deref())?;
    let seed = scenario.seed();
    Ok((scenario, seed))
}

/// Where the plants of a training run. Those of this process are looked for only if they are needed.
fn plants<'a>(
    scenario: &AnyScenario,
    args: &TrainArgs,
    interrupt: &Interrupt,
    registry: &'a OnceCell<Registry>,
) -> Result<PlantAccess<'a>, Failure> {
    let isolate = args.isolate.or(args.sandbox.then_some(isolation::USUAL_SECONDS));
    let Some(seconds) = isolate else {
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
fn command(scenario: &Path, plant: Option<&PlantChoice>, data: Option<&Path>, seed: u64) -> String {
    let plant = plant.map(|plant| format!(" --plant {}", shell::quoted(plant.text())));
    let data = data.map(|path| format!(" --data {}", shell::quoted(path)));
    let (plant, data) = (plant.unwrap_or_default(), data.unwrap_or_default());
    format!("bitloop train {}{plant}{data} --seed {seed}", shell::quoted(scenario))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_one_for_a_shell() {
        assert_eq!(
            command(Path::new("a b.ron"), None, None, 7),
            "bitloop train 'a b.ron' --seed 7"
        );
    }
}
