//! [`resume()`]: what an earlier process has left in a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bitloop_folder::RunFolder;
use bitloop_scenario::{AnyScenario, Stop};
use bitloop_train::{PlantAccess, Training, TrainingState, open_training};
use serde_json::{Map, Value};

use crate::VERSION;
use crate::error::RunError;
use crate::product_file;
use crate::run_handle::RunHandle;

/// Budgets in place of those that a training was begun with; what is none stays.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budgets {
    /// Seconds, those before included.
    pub seconds: Option<f64>,
    /// Evaluations, those before included.
    pub evaluations: Option<u64>,
}

impl Budgets {
    /// Puts them in place of a scenario's.
    pub fn apply(self, scenario: &mut AnyScenario) {
        let stop = scenario.stop_mut();
        stop.seconds = self.seconds.or(stop.seconds);
        stop.evaluations = self.evaluations.or(stop.evaluations);
    }

    /// The command that makes a training with these budgets: `command` without those that this function has put at its end,
    /// where they are given anew, and with all that count.
    #[must_use]
    pub fn in_command(mut self, command: &str) -> String {
        let mut plain = command;
        while let [value, name, before] = plain.rsplitn(3, ' ').collect::<Vec<_>>()[..] {
            match name {
                EVALUATIONS if value.parse::<u64>().is_ok() => {
                    self.evaluations = self.evaluations.or(value.parse().ok());
                }
                SECONDS if value.parse::<f64>().is_ok() => {
                    self.seconds = self.seconds.or(value.parse().ok());
                }
                _ => break,
            }
            plain = before;
        }
        let evaluations = self.evaluations.map(|n| format!(" {EVALUATIONS} {n}"));
        let seconds = self.seconds.map(|seconds| format!(" {SECONDS} {seconds}"));
        [Some(plain.to_owned()), evaluations, seconds].into_iter().flatten().collect()
    }
}

/// The options by which budgets are given on the command line.
const EVALUATIONS: &str = "--evaluations";
const SECONDS: &str = "--seconds";

/// What a folder holds.
#[derive(Debug)]
pub enum Resumed {
    /// A training with something left to do.
    Unfinished(Box<SavedRun>),
    /// One that is finished within its budgets.
    Finished(FinishedRun),
}

/// A training that can be resumed.
#[derive(Debug)]
pub struct SavedRun {
    folder: RunFolder,
    file: PathBuf,
    scenario: AnyScenario,
    /// Whether the scenario that is kept has to be written anew.
    is_changed: bool,
    budgets: Budgets,
}

/// The result of a training that is finished.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedRun {
    /// Where it is.
    pub folder: PathBuf,
    /// `result.json`, with the place where the product is now.
    pub result: Map<String, Value>,
}

/// Finds what is left to do in a folder, with other budgets if they are given: of a training that was cut off, or of one
/// that is finished because a budget was used up which is larger now.
///
/// # Errors
/// No training is there, another process is at work on it, or a file cannot be read.
pub fn resume(folder: &Path, budgets: Budgets) -> Result<Resumed, RunError> {
    let folder = RunFolder::open_run(folder)?;
    let file = folder.resolved_path();
    folder.check_resolved()?;
    let mut scenario =
        AnyScenario::read(&file).map_err(|error| RunError::training(&file, error.into()))?;
    let before = scenario.stop().clone();
    budgets.apply(&mut scenario);
    let is_changed = *scenario.stop() != before;
    let result = folder.result()?;
    if let Some(result) = result.as_ref().filter(|result| !has_budget_left(result, scenario.stop()))
    {
        return Ok(Resumed::Finished(FinishedRun::new(&folder, result.clone())));
    }
    let is_changed = is_changed || result.is_some();
    Ok(Resumed::Unfinished(Box::new(SavedRun { folder, file, scenario, is_changed, budgets })))
}

impl SavedRun {
    /// The scenario, with the budgets that count now.
    #[must_use]
    pub fn scenario(&self) -> &AnyScenario {
        &self.scenario
    }

    /// Gets ready to train on.
    ///
    /// # Errors
    /// No checkpoint is sound, or it is one of another version, scenario, or build of the plant.
    pub fn open(self, plants: &PlantAccess<'_>) -> Result<RunHandle, RunError> {
        let Self { folder, file, scenario, is_changed, budgets } = self;
        let mut loaded = folder.load::<TrainingState>(VERSION, &scenario.search_digest())?;
        let training =
            open_training(&scenario, plants).map_err(|error| RunError::training(&file, error))?;
        check_plant(&folder, loaded.provenance.plant_digest.as_ref(), &*training)?;
        check_data(&folder, &loaded.provenance.data, &*training)?;
        training
            .check_state(&loaded.state)
            .map_err(|fault| RunError::State { folder: folder.path().to_owned(), fault })?;
        if is_changed {
            folder.resume(&scenario.to_text())?;
        }
        loaded.provenance.command = budgets.in_command(&loaded.provenance.command);
        Ok(RunHandle {
            is_isolated: matches!(plants, PlantAccess::Isolated(_)),
            file,
            scenario,
            training,
            folder,
            provenance: loaded.provenance,
            state: loaded.state,
            log_bytes: loaded.log_bytes,
            notes: loaded.note.map(|note| format!("warning: {note}")).into_iter().collect(),
        })
    }
}

impl FinishedRun {
    fn new(folder: &RunFolder, mut result: Map<String, Value>) -> Self {
        // The folder may have been moved since.
        for kind in ["controller", "model"] {
            if let Some(path) = result.get_mut(kind) {
                *path = product_file::path(folder.path(), kind).display().to_string().into();
            }
        }
        Self { folder: folder.path().to_owned(), result }
    }
}

/// Whether a finished training ended by a budget that is larger now.
fn has_budget_left(result: &Map<String, Value>, stop: &Stop) -> bool {
    let is_reason = |name: &str| result.get("stop_reason").is_some_and(|reason| reason == name);
    let seconds_used = result.get("wall_s").and_then(Value::as_f64).unwrap_or(0.0);
    let evaluations_used = result.get("evaluations").and_then(Value::as_u64).unwrap_or(0);
    let has_seconds = stop.seconds.is_some_and(|seconds| seconds > seconds_used);
    let has_evaluations = stop.evaluations.is_some_and(|limit| limit > evaluations_used);
    is_reason("seconds") && has_seconds || is_reason("evaluations") && has_evaluations
}

/// Refuses to resume on other rows. A checkpoint that is older than their digests has none.
fn check_data(
    folder: &RunFolder,
    begun_with: &BTreeMap<String, String>,
    training: &dyn Training,
) -> Result<(), RunError> {
    let found = training.data_digests();
    let differ = |(name, digest): &(&String, &String)| found.get(*name) != Some(*digest);
    let parts: Vec<String> =
        begun_with.iter().filter(differ).map(|(name, _)| name.clone()).collect();
    if parts.is_empty() {
        return Ok(());
    }
    Err(RunError::OtherData { folder: folder.path().to_owned(), parts })
}

/// Refuses to resume with another build of the plant, whose bits may differ.
fn check_plant(
    folder: &RunFolder,
    begun_with: Option<&String>,
    training: &dyn Training,
) -> Result<(), RunError> {
    let found = training.library().map(|library| &library.digest);
    if found == begun_with {
        return Ok(());
    }
    Err(RunError::OtherPlant {
        folder: folder.path().to_owned(),
        begun_with: begun_with.cloned(),
        found: found.cloned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_has_the_budgets_that_count() {
        let plain = "bitloop train 'a --seconds 5.ron' --seed 1";
        let of = |evaluations, seconds| Budgets { seconds, evaluations };
        assert_eq!(of(None, None).in_command(plain), plain);
        let once = of(Some(700), Some(1.5)).in_command(plain);
        assert_eq!(once, format!("{plain} --evaluations 700 --seconds 1.5"));
        assert_eq!(of(None, None).in_command(&once), once);
        let again = of(Some(1500), None).in_command(&once);
        assert_eq!(again, format!("{plain} --evaluations 1500 --seconds 1.5"));
    }
}
