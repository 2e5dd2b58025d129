//! [`RestartRecord`]: what is saved of a run that was done apart.

use bitloop_train::{Candidate, StopReason};
use serde::{Deserialize, Serialize};

use crate::records::{Origin, Record};
use crate::training_record::TrainingCost;

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
    /// Those until the target was reached, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluations_to_target: Option<u64>,
    /// Evaluations that counted as worst.
    pub faults: u64,
    /// What it cost, which is kept beside the record.
    #[serde(skip)]
    pub cost: Option<TrainingCost>,
}

impl Record for RestartRecord {
    const WHAT: &'static str = "A run of a bitloop training";
    const NOUN: &'static str = "run";
    const ENDING: &'static str = ".ron";
    const OTHER: &'static str = "a run of another scenario or seed";
    const FORMAT: u32 = 1;
    const LIMIT_BYTES: u64 = 1 << 26;

    fn number(&self) -> u32 {
        // A number that is none of a file's belongs to no training.
        u32::try_from(self.candidate.run).unwrap_or(u32::MAX)
    }

    fn origin(&self) -> Origin {
        Origin {
            bitloop_version: self.bitloop_version.clone(),
            work_digest: self.scenario_digest.clone(),
            plant_digest: self.plant_digest.clone(),
        }
    }
}
