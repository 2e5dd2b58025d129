//! What trainings have cost, beside their records.
//!
//! Times, threads and integration steps depend on the machine, and on how often a training was interrupted. So they are no part of
//! a record, which is the same wherever it is made. A line of JSON for each training is appended; of several for one training, the last
//! counts, and a torn one is left out.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use bitloop_folder::{FolderError, append_line, read_bounded};
use serde::{Deserialize, Serialize};

use crate::training_record::TrainingCost;

/// The name of the file in the folder of a variant.
pub(crate) const COSTS: &str = "costs.jsonl";

/// The largest file that is read, in bytes.
const LIMIT_BYTES: u64 = 1 << 26;

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    number: u32,
    #[serde(flatten)]
    cost: TrainingCost,
}

/// The costs in a folder, by the number of the training. A file that is missing or damaged costs no more than the costs.
pub(crate) fn read(folder: &Path) -> BTreeMap<u32, TrainingCost> {
    let bytes = read_bounded(&folder.join(COSTS), LIMIT_BYTES).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
    lines.map(|Line { number, cost }| (number, cost)).collect()
}

/// Appends the cost of a training.
pub(crate) fn append(folder: &Path, number: u32, cost: TrainingCost) -> Result<(), FolderError> {
    let path = folder.join(COSTS);
    append_line(&path, &line(number, cost).map_err(|error| FolderError::write(&path, error))?)
}

/// The cost of a training as a line, without its end.
pub(crate) fn line(number: u32, cost: TrainingCost) -> io::Result<String> {
    Ok(serde_json::to_string(&Line { number, cost })?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_last_whole_line_of_a_training_counts() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(folder.path()).is_empty());
        let cost =
            |wall_s| TrainingCost { wall_s, threads: 2, plant_steps: 1 << 60, to_target: None };
        append(folder.path(), 3, cost(0.1)).unwrap();
        append(folder.path(), 4, cost(0.2)).unwrap();
        append(folder.path(), 3, cost(0.3)).unwrap();
        assert_eq!(read(folder.path()), BTreeMap::from([(3, cost(0.3)), (4, cost(0.2))]));
        let path = folder.path().join(COSTS);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() - 5]).unwrap();
        assert_eq!(read(folder.path()), BTreeMap::from([(3, cost(0.1)), (4, cost(0.2))]));
    }
}
