//! [`RunRecord`]: the record of a campaign's run, and its file.
//!
//! The file is written whole or not at all. It can still be damaged, by a disk that loses written data; its first line
//! distinguishes a damaged record from another file.

use std::fs;
use std::io;
use std::path::Path;

use bitloop_campaign::TrainingFacts;
use serde::{Deserialize, Serialize};

use crate::state::StopReason;
use bitloop_run::{FolderError, read_bounded, write_file};

/// First line of a record.
const HEADER: &str = "// A run of a bitloop campaign, format 1";

/// The largest record that is read, in bytes.
const LIMIT_BYTES: u64 = 1 << 20;

/// A controller that was, at some time, the best on validation of the run from random weights that won.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Milestone {
    /// Evaluations of the run when it was found.
    pub evaluations: u64,
    /// Its error over the validation episodes.
    pub validation_error: f64,
    /// Its error over the test episodes; measured for the statistics after the run, which never saw it.
    pub test_error: f64,
}

/// A finished run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// Version of bitloop that made it.
    pub bitloop_version: String,
    /// Digest of the run's own scenario, with its seed and its stopping rules.
    pub scenario_digest: String,
    /// Digest of the plant's library, if it came from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plant_digest: Option<String>,
    /// Number of the run in its campaign, from 0.
    pub run: u32,
    /// Root seed of the run's own scenario.
    pub seed: u64,
    /// Digest of the controller or model that the run ended with.
    pub product_digest: String,
    /// Error of it over the training episodes, or rows.
    pub training_error: f64,
    /// Over the validation episodes.
    pub validation_error: f64,
    /// Over the confirmation episodes.
    pub confirmation_error: Option<f64>,
    /// Over the test episodes.
    pub test_error: f64,
    /// Test episodes that ended in the plant's failure set.
    pub failed_episodes: u32,
    /// Why the run ended.
    pub stop_reason: StopReason,
    /// Runs from random weights that were begun: one, or with restarts several.
    pub descents: u64,
    /// Accepted moves.
    pub moves: u64,
    /// Evaluations of the objective.
    pub evaluations: u64,
    /// Integration steps simulated, for validation and the final test too; those of the milestones' tests are not counted.
    pub plant_steps: u64,
    /// Rollouts in which the plant broke.
    pub faults: u64,
    /// Seconds from start to end, without those tests.
    pub wall_s: f64,
    /// Threads it ran on.
    pub threads: u32,
    /// Of a run on examples with classes: the share of rows that were classified correctly, among the rows of the test error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classified: Option<f64>,
    /// Best controllers during the run, see [`Milestone`]; the last is the one that the run ended with.
    pub milestones: Vec<Milestone>,
}

impl RunRecord {
    /// Whether the test error is below `success`.
    #[must_use]
    pub fn is_success(&self, success: f64) -> bool {
        self.test_error < success
    }

    /// The evaluation count from which on each milestone passed the test, if the last did.
    #[must_use]
    pub fn evaluations_to_success(&self, success: f64) -> Option<u64> {
        if !self.is_success(success) {
            return None;
        }
        let passed = self.milestones.iter().rev().take_while(|m| m.test_error < success);
        Some(passed.last().map_or(self.evaluations, |milestone| milestone.evaluations))
    }

    /// What statistics need to know, of a run that counts as a success below `success`.
    #[must_use]
    pub fn facts(&self, success: f64) -> TrainingFacts {
        TrainingFacts {
            error: self.test_error,
            success_at: self.evaluations_to_success(success),
            evaluations: self.evaluations,
            plant_steps: self.plant_steps,
            wall_s: self.wall_s,
            core_s: self.wall_s * f64::from(self.threads),
        }
    }

    /// The text of the record's file.
    pub(crate) fn to_text(&self) -> Result<String, ron::Error> {
        let body = ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::new())?;
        Ok(format!("{HEADER}\n{body}\n"))
    }
}

/// What was found under the name of a record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Found {
    /// Nothing.
    Nothing,
    /// A record, whole.
    Record(Box<RunRecord>),
    /// A damaged record.
    Damaged,
    /// A file that no campaign has written.
    Foreign,
}

/// Looks for a record.
pub(crate) fn find(path: &Path) -> io::Result<Found> {
    let bytes = match read_bounded(path, LIMIT_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(Found::Foreign),
        Err(error) => return Err(error),
    };
    let text = String::from_utf8_lossy(&bytes);
    let header = HEADER.as_bytes();
    let is_ours = bytes.starts_with(header) || header.starts_with(&bytes);
    Ok(match ron::from_str(&text) {
        Ok(record) if is_ours => Found::Record(Box::new(record)),
        Err(_) if is_ours => Found::Damaged,
        _ => Found::Foreign,
    })
}

/// Writes a file whole or not at all. Creates its folder if necessary.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<(), FolderError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).map_err(|error| FolderError::write(folder, error))?;
    write_file(path, text.as_bytes())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn milestone(evaluations: u64, test_error: f64) -> Milestone {
        Milestone { evaluations, validation_error: 0.5, test_error }
    }

    fn record() -> RunRecord {
        RunRecord {
            bitloop_version: "0.1.0".to_owned(),
            scenario_digest: "ab".to_owned(),
            plant_digest: Some("ef".to_owned()),
            run: 7,
            seed: u64::MAX,
            product_digest: "cd".to_owned(),
            training_error: 0.1 + 0.2,
            validation_error: f64::INFINITY,
            confirmation_error: Some(5e-324),
            test_error: 1.0 / 3.0,
            failed_episodes: 3,
            stop_reason: StopReason::Runs,
            descents: 1,
            moves: 12,
            evaluations: 1000,
            plant_steps: 1 << 60,
            faults: 0,
            wall_s: 1e300,
            threads: 2,
            classified: None,
            milestones: vec![milestone(1, 1.2), milestone(500, f64::MAX)],
        }
    }

    #[test]
    fn records_come_back_to_the_bit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/run.ron");
        assert_eq!(find(&path).unwrap(), Found::Nothing);
        write_whole(&path, &record().to_text().unwrap()).unwrap();
        assert_eq!(find(&path).unwrap(), Found::Record(Box::new(record())));
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        let nan = RunRecord { test_error: f64::NAN, ..record() };
        write_whole(&path, &nan.to_text().unwrap()).unwrap();
        let Found::Record(found) = find(&path).unwrap() else { panic!("it was written") };
        assert!(found.test_error.is_nan());
    }

    #[test]
    fn a_record_that_was_cut_is_damaged_and_another_file_is_foreign() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.ron");
        let text = record().to_text().unwrap();
        for length in [0, 10, HEADER.len(), HEADER.len() + 1, text.len() / 2, text.len() - 3] {
            fs::write(&path, &text[..length]).unwrap();
            assert_eq!(find(&path).unwrap(), Found::Damaged, "{length}");
        }
        for other in ["Scenario(plant: \"x\")", "x", "\u{0}", text.split_once('\n').unwrap().1] {
            fs::write(&path, other).unwrap();
            assert_eq!(find(&path).unwrap(), Found::Foreign, "{other}");
        }
        assert_eq!(find(folder.path()).unwrap(), Found::Foreign);
    }

    #[test]
    fn a_success_counts_from_the_milestone_after_the_last_failed_test() {
        let milestones = vec![
            milestone(10, 1.2),
            milestone(20, 0.05),
            milestone(30, 0.3),
            milestone(40, 0.08),
            milestone(50, 0.02),
        ];
        let record = RunRecord { milestones, test_error: 0.02, ..record() };
        assert_eq!(record.evaluations_to_success(0.1), Some(40));
        assert_eq!(record.evaluations_to_success(0.03), Some(50));
        assert_eq!(record.evaluations_to_success(2.0), Some(10));
        // Below means below.
        assert_eq!(record.evaluations_to_success(0.02), None);
        assert_eq!(RunRecord { test_error: f64::NAN, ..record }.evaluations_to_success(0.1), None);
    }
}
