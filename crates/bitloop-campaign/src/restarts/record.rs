//! [`RestartRecord`]: what is saved of a run that was done apart.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use bitloop_folder::{FolderError, numbers_in, read_text_bounded, write_file};
use bitloop_train::{Candidate, StopReason};
use serde::{Deserialize, Serialize};

use super::error::RestartsError;
use crate::training_record::TrainingCost;

/// First line of a record.
const HEADER: &str = "// A run of a bitloop training, format 1\n";

/// The largest record that is read, in bytes.
const LIMIT_BYTES: u64 = 1 << 26;

/// A finished run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RestartRecord {
    /// Version of bitloop that made it.
    pub bitloop_version: String,
    /// Digest of the training's scenario, without the folders of its files.
    pub scenario_digest: String,
    /// Digest of the plant's library, if it came from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plant_digest: Option<String>,
    /// The best of the run, with the run's number.
    pub candidate: Candidate,
    /// `Target` if the run met the target, so that a training ends with it.
    pub stop_reason: StopReason,
    /// Accepted moves.
    pub moves: u64,
    /// Evaluations of the objective.
    pub evaluations: u64,
    /// Evaluations that counted as worst.
    pub faults: u64,
    /// What it cost, which is kept beside the record.
    #[serde(skip)]
    pub cost: Option<TrainingCost>,
}

impl RestartRecord {
    /// Whether another record says the same, costs aside.
    pub(super) fn has_same_bits(&self, other: &Self) -> bool {
        let text = |record: &Self| ron::to_string(record).ok();
        matches!((text(self), text(other)), (Some(own), Some(others)) if own == others)
    }
}

/// The name of the file of a run.
pub(super) fn name(run: u32) -> String {
    format!("run-{run:04}.ron")
}

/// The numbers of the records in a folder.
pub(super) fn numbers(folder: &Path) -> Result<BTreeSet<u32>, RestartsError> {
    let numbers = numbers_in(folder, |_, of_file| {
        let number = of_file.strip_prefix("run-")?.strip_suffix(".ron")?.parse().ok()?;
        (of_file == name(number)).then_some(number)
    });
    Ok(numbers.map_err(|error| FolderError::read(folder, error))?)
}

/// Reads a record; nothing if it was cut short or damaged, so that its run is done again.
pub(super) fn read(path: &Path) -> Result<Option<RestartRecord>, RestartsError> {
    let text = match read_text_bounded(path, LIMIT_BYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(None),
        Err(error) => return Err(FolderError::read(path, error).into()),
    };
    Ok(text.strip_prefix(HEADER).and_then(|body| ron::from_str(body).ok()))
}

/// Writes a record.
pub(super) fn write(path: &Path, record: &RestartRecord) -> Result<(), FolderError> {
    let body = ron::ser::to_string_pretty(record, ron::ser::PrettyConfig::new())
        .map_err(|error| FolderError::write(path, io::Error::other(error)))?;
    write_file(path, format!("{HEADER}{body}\n").as_bytes())
}
