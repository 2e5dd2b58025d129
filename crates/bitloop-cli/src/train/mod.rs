//! `bitloop train`.

mod lines;
mod live;
mod rate;
mod run_folder;
mod summary;
mod watch;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use bitloop_scenario::{PlantChoice, ScenarioFile};
use bitloop_train::{Execution, SaveInfo, StopReason, Training, TrainingState, save_controller};

use crate::args::TrainArgs;
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::output::{json, number, print, shell, tell};
use run_folder::RunFolder;
use summary::Summary;

pub use summary::network_in_short;

/// Trains a controller, saves it, and tells how it went.
pub fn train(args: &TrainArgs) -> Result<Done, Failure> {
    let interrupt = Interrupt::listen();
    let isa = environment::isa()?;
    let n_threads = args.threads.unwrap_or_else(environment::n_cores);
    let mut scenario = ScenarioFile::read(&args.scenario)?;
    if let Some(seed) = args.seed {
        scenario.scenario.seed = seed;
    }
    if let Some(plant) = &args.plant {
        scenario.scenario.plant = plant.clone();
    }
    let seed = scenario.scenario.seed;
    let training = Training::new(&scenario, &environment::registry())
        .map_err(|error| Failure::of_training(&args.scenario, error))?;
    let folder = args.out.clone().unwrap_or_else(|| default_folder(&args.scenario, seed));
    let folder = RunFolder::prepare(folder)?;

    let mut watch = watch::start(&training.stop);
    watch.say(&format!(
        "training {}, seed {seed}, {}, {}",
        args.scenario.display(),
        number::counted(n_threads.get() as u64, "thread"),
        isa.name(),
    ));
    let network = network_in_short(&training, &scenario.scenario);
    watch.say(&format!("{network} for {}", scenario.scenario.plant));
    let execution = Execution { isa, n_threads, interrupt: interrupt.flag() };
    let outcome = training.run(TrainingState::new(), execution, &mut |progress| {
        watch.show(progress);
    });
    watch.finish();
    let outcome = outcome.map_err(|error| Failure::of_training(&args.scenario, error))?;

    let info = SaveInfo {
        command: command(&args.scenario, args.plant.as_ref(), seed),
        scenario_name: file_name(&args.scenario),
        scenario: scenario.scenario.clone(),
        bitloop_version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let saved = save_controller(&training, &outcome, info);
    let (path, moved) = folder.save(&saved)?;
    if let Some(moved) = moved {
        tell(&format!("note: the controller that was there before is now {}", moved.display()));
    }
    let summary = Summary { path: &path, saved: &saved, outcome: &outcome };
    if args.json {
        json::print_object(&summary.json())?;
    } else {
        print(&summary.text(&training, &scenario.scenario))?;
    }
    Ok(match outcome.stop_reason {
        StopReason::Interrupted => Done::Interrupted { signal: interrupt.signal() },
        _ => Done::Fully,
    })
}

/// `runs/SCENARIO-seedN` under the current folder.
fn default_folder(scenario: &Path, seed: u64) -> PathBuf {
    let mut name = scenario.file_stem().map_or_else(|| OsString::from("run"), OsString::from);
    name.push(format!("-seed{seed}"));
    Path::new("runs").join(name)
}

/// The command that makes this controller again, on any machine.
fn command(scenario: &Path, plant: Option<&PlantChoice>, seed: u64) -> String {
    let plant =
        plant.map_or(String::new(), |plant| format!(" --plant {}", shell::quoted(plant.text())));
    format!("bitloop train {}{plant} --seed {seed}", shell::quoted(scenario))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_named_after_scenario_and_seed() {
        let folder = default_folder(Path::new("scenarios/a b.long.ron"), 7);
        assert_eq!(folder, Path::new("runs/a b.long-seed7"));
        assert_eq!(command(Path::new("a b.ron"), None, 7), "bitloop train 'a b.ron' --seed 7");
    }
}
