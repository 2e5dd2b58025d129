//! [`begin()`]: a training from its beginning.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use bitloop_folder::{CAMPAIGN, Provenance, RunFolder, Texts, read_text_bounded};
use bitloop_scenario::{AnyScenario, FileError};
use bitloop_train::{PlantAccess, TrainingState, open_training};

use crate::VERSION;
use crate::error::RunError;
use crate::product_file;
use crate::run_handle::RunHandle;

/// What a training begins with.
#[derive(Clone, Debug)]
pub struct Begin<'a> {
    /// The scenario, with the seed and the budgets that count.
    pub scenario: AnyScenario,
    /// Where plants run.
    pub plants: PlantAccess<'a>,
    /// The scenario's file, for messages and for its name in what is saved.
    pub file: PathBuf,
    /// The command that makes the result again, as it is saved with it.
    pub command: String,
}

impl<'a> Begin<'a> {
    /// With the scenario of a file as it is.
    ///
    /// # Errors
    /// If the file is no sound scenario.
    pub fn read(file: impl AsRef<Path>, plants: PlantAccess<'a>) -> Result<Self, FileError> {
        let file = file.as_ref().to_owned();
        let scenario = AnyScenario::read(&file)?;
        let command = format!("bitloop train {} --seed {}", file.display(), scenario.seed());
        Ok(Self { scenario, plants, file, command })
    }
}

/// Begins a training in a folder, which is made if it is not there. A finished training that is there already is moved to a
/// folder of its own inside, unless it was the same.
///
/// # Errors
/// A scenario that cannot be trained, or a folder that holds something else or cannot be written to. Nothing is left behind
/// then.
pub fn begin(begin: Begin<'_>, folder: &Path) -> Result<RunHandle, RunError> {
    let Begin { mut scenario, plants, file, command } = begin;
    // What is kept of it lies in another folder.
    scenario.make_absolute().map_err(|error| RunError::training(&file, error.into()))?;
    let training =
        open_training(&scenario, &plants).map_err(|error| RunError::training(&file, error))?;
    product_file::check_room(training.product_kind(), folder)?;
    let provenance = Provenance {
        bitloop_version: VERSION.to_owned(),
        scenario_digest: scenario.search_digest(),
        plant_digest: training.library().map(|library| library.digest.clone()),
        data: training.data_digests(),
        scenario_name: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        command,
    };
    let state = TrainingState::new();
    let resolved = scenario.to_text();
    let texts = Texts { given: scenario.source().text(), resolved: &resolved };
    let (folder, earlier) = match RunFolder::open(folder)? {
        None => (RunFolder::create(folder, texts, &provenance, &state)?, None),
        Some(folder) => {
            check_free(&folder)?;
            // What comes to the same is written over.
            let is_same = read_text_bounded(&folder.resolved_path(), resolved.len() as u64)
                .is_ok_and(|old| old == resolved)
                && folder.provenance().is_some_and(|old| {
                    old.scenario_digest == provenance.scenario_digest
                        && old.plant_digest == provenance.plant_digest
                        && old.data == provenance.data
                });
            let keeps_earlier = !is_same;
            let earlier = folder.begin(texts, &provenance, &state, keeps_earlier)?;
            (folder, earlier)
        }
    };
    let notes = earlier.map(|earlier| {
        format!("note: the training that was there before is now in {}", earlier.display())
    });
    Ok(RunHandle {
        is_isolated: matches!(plants, PlantAccess::Isolated(_)),
        file,
        scenario,
        training,
        folder,
        provenance,
        state,
        log_bytes: 0,
        notes: notes.into_iter().collect(),
    })
}

/// `runs/SCENARIO-seedN` under the current folder, where the command line puts a training.
#[must_use]
pub fn default_folder(scenario: &Path, seed: u64) -> PathBuf {
    let mut name = scenario.file_stem().map_or_else(|| OsString::from("run"), OsString::from);
    name.push(format!("-seed{seed}"));
    Path::new("runs").join(name)
}

/// Refuses a folder that holds something else than a finished training.
fn check_free(folder: &RunFolder) -> Result<(), RunError> {
    let refused = |message: &str, hint: String| RunError::InTheWay {
        path: folder.path().to_owned(),
        message: message.to_owned(),
        hint,
    };
    if folder.holds(CAMPAIGN) {
        return Err(refused("it holds a campaign", "name another folder with --out".to_owned()));
    }
    if folder.is_unfinished() {
        let path = folder.path().display();
        let hint = format!(
            "`bitloop train --resume {path}` continues with it; a new one needs another folder, given with --out"
        );
        return Err(refused("it holds a training that is not finished", hint));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_named_after_scenario_and_seed() {
        let folder = default_folder(Path::new("scenarios/a b.long.ron"), 7);
        assert_eq!(folder, Path::new("runs/a b.long-seed7"));
    }
}
