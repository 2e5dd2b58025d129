//! What a training begins with: a scenario and an empty state, or what an earlier sitting has left in a folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use bitloop_run::{Provenance, RunFolder, Texts};
use bitloop_scenario::{AnyScenario, PlantChoice};
use bitloop_train::{Library, PlantAccess, Training, TrainingState, open_training};
use serde_json::Value;

use crate::args::TrainArgs;
use crate::campaign::PLAN;
use crate::environment::{self, Interrupt};
use crate::failure::Failure;
use crate::isolation;
use crate::output::shell;
use crate::overrides;
use crate::train::product_file;

/// All that is needed to train on.
#[derive(Debug)]
pub struct Sitting {
    /// The file that messages about the scenario name.
    pub file: PathBuf,
    pub scenario: AnyScenario,
    pub training: Box<dyn Training>,
    pub folder: RunFolder,
    pub provenance: Provenance,
    pub state: TrainingState,
    pub log_bytes: u64,
    /// What the user should know before it begins.
    pub notes: Vec<String>,
}

/// What a folder holds.
#[derive(Debug)]
pub enum Found {
    /// A training to go on with.
    Sitting(Box<Sitting>),
    /// The result of one that is finished.
    Result(serde_json::Map<String, Value>),
}

impl Sitting {
    /// A training from its beginning.
    pub fn begin(args: &TrainArgs, file: &Path, interrupt: &Interrupt) -> Result<Self, Failure> {
        let mut scenario = AnyScenario::read(file)?;
        if let Some(seed) = args.seed {
            scenario.set_seed(seed);
        }
        if args.seconds.is_some() {
            scenario.stop_mut().seconds = args.seconds;
        }
        overrides::apply(&mut scenario, args.plant.as_ref(), args.data.as_deref())?;
        let seed = scenario.seed();
        let training = ready(file, &scenario, args.isolate, interrupt)?;
        let path = args.out.clone().unwrap_or_else(|| default_folder(file, seed));
        product_file::check_room(training.product_kind().name(), &path)?;
        let plant_digest = training.library().map(|library| library.digest.clone());
        let provenance = Provenance {
            bitloop_version: env!("CARGO_PKG_VERSION").to_owned(),
            scenario_digest: scenario.search_digest(),
            plant_digest,
            scenario_name: file_name(file),
            command: command(file, args.plant.as_ref(), args.data.as_deref(), seed),
        };
        let state = TrainingState::new();
        let resolved = scenario.to_text();
        let texts = Texts { given: scenario.source().text(), resolved: &resolved };
        let mut notes = warnings(&*training);
        let folder = match RunFolder::open(&path)? {
            None => RunFolder::create(&path, texts, &provenance, &state)?,
            Some(folder) => {
                check_free(&folder)?;
                let is_same_search = |old: Provenance| {
                    old.scenario_digest == provenance.scenario_digest
                        && old.plant_digest == provenance.plant_digest
                };
                let keeps_earlier = !folder.provenance().is_some_and(is_same_search);
                let earlier = folder.begin(texts, &provenance, &state, keeps_earlier)?;
                notes.extend(earlier.map(|earlier| {
                    let earlier = earlier.display();
                    format!("note: the training that was there before is now in {earlier}")
                }));
                folder
            }
        };
        let file = file.to_owned();
        Ok(Self { file, scenario, training, folder, provenance, state, log_bytes: 0, notes })
    }

    /// What is in a folder, with another budget in seconds if one is given.
    pub fn take_up(path: &Path, args: &TrainArgs, interrupt: &Interrupt) -> Result<Found, Failure> {
        let seconds = args.seconds;
        let folder = RunFolder::open_run(path)?;
        let file = folder.resolved_path();
        let mut scenario = AnyScenario::read(&file)?;
        let before = scenario.stop().seconds;
        scenario.stop_mut().seconds = seconds.or(before);
        let result = folder.result()?;
        let is_changed = scenario.stop().seconds != before || result.is_some();
        if let Some(result) = result
            && !has_time_left(&result, scenario.stop().seconds)
        {
            return Ok(Found::Result(result));
        }
        let version = env!("CARGO_PKG_VERSION");
        let loaded = folder.load(version, &scenario.search_digest())?;
        let training = ready(&file, &scenario, args.isolate, interrupt)?;
        check_plant(&folder, &loaded.provenance, &*training)?;
        training.check_state(&loaded.state).map_err(|error| Failure::Folder {
            message: format!("the checkpoint in {}: {error}", folder.path().display()),
            hint: Some("train again in another folder".to_owned()),
        })?;
        if is_changed {
            folder.resume(&scenario.to_text())?;
        }
        let mut notes = warnings(&*training);
        notes.extend(loaded.note.map(|note| format!("warning: {note}")));
        Ok(Found::Sitting(Box::new(Self {
            file,
            scenario,
            training,
            folder,
            provenance: loaded.provenance,
            state: loaded.state,
            log_bytes: loaded.log_bytes,
            notes,
        })))
    }
}

/// Refuses a folder that holds something else than a finished training.
fn check_free(folder: &RunFolder) -> Result<(), Failure> {
    let refused = |message: &str, hint: String| Failure::Output {
        target: folder.path().to_owned(),
        message: message.to_owned(),
        hint: Some(hint),
    };
    if folder.holds(PLAN) {
        return Err(refused("it holds a campaign", "name another folder with --out".to_owned()));
    }
    if folder.is_unfinished() {
        let path = shell::quoted(folder.path());
        let hint = format!(
            "`bitloop train --resume {path}` goes on with it; a new one needs another folder, given with --out"
        );
        return Err(refused("it holds a training that is not finished", hint));
    }
    Ok(())
}

fn ready(
    file: &Path,
    scenario: &AnyScenario,
    isolate: Option<f64>,
    interrupt: &Interrupt,
) -> Result<Box<dyn Training>, Failure> {
    let registry;
    let plants = match isolate {
        None => {
            registry = environment::registry();
            PlantAccess::Here(&registry)
        }
        Some(_) if !scenario.has_plant() => {
            return Err(Failure::Usage {
                message: "--isolate has no meaning for a supervised scenario".to_owned(),
                hint: Some("it is for scenarios of plants".to_owned()),
            });
        }
        Some(seconds) => PlantAccess::Isolated(isolation::of_training(seconds, interrupt)?),
    };
    open_training(scenario, &plants).map_err(|error| Failure::of_training(file, error))
}

/// What to know of the plant's library.
fn warnings(training: &dyn Training) -> Vec<String> {
    training.library().and_then(Library::warning).into_iter().collect()
}

/// Refuses to go on with another build of the plant, whose bits may differ.
fn check_plant(
    folder: &RunFolder,
    provenance: &Provenance,
    training: &dyn Training,
) -> Result<(), Failure> {
    let found = training.library().map(|library| library.digest.as_str());
    if found == provenance.plant_digest.as_deref() {
        return Ok(());
    }
    let in_words = |digest: Option<&str>| {
        digest.map_or("a plant that is built in".to_owned(), |digest| {
            format!("a library with the digest {digest:.8}...")
        })
    };
    Err(Failure::Folder {
        message: format!(
            "the training in {} was begun with {}, and now there is {}",
            folder.path().display(),
            in_words(provenance.plant_digest.as_deref()),
            in_words(found),
        ),
        hint: Some(
            "put the plant back as it was, or train with the new one in another folder".to_owned(),
        ),
    })
}

/// Whether a finished training ended by the clock, and may now go on.
fn has_time_left(result: &serde_json::Map<String, Value>, seconds: Option<f64>) -> bool {
    let used = result.get("wall_s").and_then(Value::as_f64).unwrap_or(0.0);
    result.get("stop_reason").is_some_and(|reason| reason == "seconds")
        && seconds.is_some_and(|seconds| seconds > used)
}

/// `runs/SCENARIO-seedN` under the current folder.
fn default_folder(scenario: &Path, seed: u64) -> PathBuf {
    let mut name = scenario.file_stem().map_or_else(|| OsString::from("run"), OsString::from);
    name.push(format!("-seed{seed}"));
    Path::new("runs").join(name)
}

/// The command that makes this controller or model again, on any machine.
fn command(scenario: &Path, plant: Option<&PlantChoice>, data: Option<&Path>, seed: u64) -> String {
    let plant = plant.map(|plant| format!(" --plant {}", shell::quoted(plant.text())));
    let data = data.map(|path| format!(" --data {}", shell::quoted(path)));
    let (plant, data) = (plant.unwrap_or_default(), data.unwrap_or_default());
    format!("bitloop train {}{plant}{data} --seed {seed}", shell::quoted(scenario))
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
        assert_eq!(
            command(Path::new("a b.ron"), None, None, 7),
            "bitloop train 'a b.ron' --seed 7"
        );
    }
}
