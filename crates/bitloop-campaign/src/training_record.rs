//! [`TrainingRecord`]: what is saved of a finished training of a campaign, and [`TrainingCost`], which is kept beside it.

use std::num::NonZeroUsize;

use bitloop_train::{Outcome, Reached, SetName, StopReason};
use serde::{Deserialize, Serialize};

use crate::milestones::Milestone;
use crate::records::{Origin, Record};

/// A finished training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingRecord {
    /// Version of bitloop that made it.
    pub bitloop_version: String,
    /// Digest of the training's own scenario, with its seed, its stopping rules and the contents of its files, without their
    /// folders.
    pub scenario_digest: String,
    /// Digest of the plant's library, if it came from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plant_digest: Option<String>,
    /// Number of the training in its campaign, from 0.
    pub number: u32,
    /// Root seed of the training's own scenario.
    pub seed: u64,
    /// Digest of the controller or model that the training ended with.
    pub product_digest: String,
    /// The set that `error` is of: the test, or else validation, or else training.
    pub reported_set: SetName,
    /// Error on the reported set.
    pub error: f64,
    /// Error on the training set, where the trainer knows it.
    pub training_error: Option<f64>,
    /// Error on the validation set, if there is one.
    pub validation_error: Option<f64>,
    /// Error on the confirmation set.
    pub confirmation_error: Option<f64>,
    /// Episodes of the reported set that did not reach their horizon.
    pub failed_episodes: u32,
    /// Share of the rows of the reported set whose class is right, where targets are classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classified: Option<f64>,
    /// Why the training ended.
    pub stop_reason: StopReason,
    /// Runs begun.
    pub runs: u64,
    /// Accepted moves.
    pub moves: u64,
    /// Evaluations of the objective.
    pub evaluations: u64,
    /// Those until it reached its target, if it did. It may have gone on after that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluations_to_target: Option<u64>,
    /// The first bad value of a training without a finite error, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Evaluations that counted as worst, because the plant broke or gave a negative or infinite cost.
    pub faults: u64,
    /// The best candidates on the way, see [`Milestone`]; the last is the one that the training ended with.
    pub milestones: Vec<Milestone>,
    /// What it cost, which is kept in a file beside the records; none if that was lost.
    #[serde(skip)]
    pub cost: Option<TrainingCost>,
}

/// What a training cost: what depends on the machine, and on how the training was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingCost {
    /// Seconds from start to end, without the milestones' scores.
    pub wall_s: f64,
    /// Threads it ran on.
    pub threads: u32,
    /// Integration steps simulated, for validation and the final test too; those of the milestones' scores are not counted.
    pub plant_steps: u64,
    /// What it had cost when it reached its target, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_target: Option<CostToTarget>,
}

/// What a training had cost when it reached its target, on as many threads.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CostToTarget {
    /// Seconds until then.
    pub wall_s: f64,
    /// Integration steps simulated until then, for validation and confirmation too.
    pub plant_steps: u64,
}

impl TrainingCost {
    /// That of a training which ended so, on so many threads.
    pub(crate) fn new(outcome: &Outcome, n_threads: NonZeroUsize) -> Self {
        Self {
            wall_s: outcome.wall_s,
            threads: u32::try_from(n_threads.get()).unwrap_or(u32::MAX),
            plant_steps: outcome.plant_steps,
            to_target: outcome.reached.map(|Reached { spent, .. }| CostToTarget {
                wall_s: spent.wall_s,
                plant_steps: spent.plant_steps,
            }),
        }
    }
}

impl Record for TrainingRecord {
    const WHAT: &'static str = "A training of a bitloop campaign";
    const NOUN: &'static str = "training";
    const ENDING: &'static str = ".ron";
    const OTHER: &'static str = "a training of another scenario, seed or kind of campaign";
    const FORMAT: u32 = 3;
    const LIMIT_BYTES: u64 = 1 << 20;

    fn number(&self) -> u32 {
        self.number
    }

    fn origin(&self) -> Origin {
        Origin {
            bitloop_version: self.bitloop_version.clone(),
            work_digest: self.scenario_digest.clone(),
            plant_digest: self.plant_digest.clone(),
        }
    }
}

impl TrainingRecord {
    /// Whether it found no candidate with a finite error.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        !self.error.is_finite()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn milestone(evaluations: u64, error: f64) -> Milestone {
        Milestone { evaluations, validation_error: 0.5, error }
    }

    /// A record with numbers that are hard to write and read back.
    pub(crate) fn record() -> TrainingRecord {
        TrainingRecord {
            bitloop_version: "0.1.0".to_owned(),
            scenario_digest: "ab".to_owned(),
            plant_digest: Some("ef".to_owned()),
            number: 7,
            seed: u64::MAX,
            product_digest: "cd".to_owned(),
            reported_set: SetName::Test,
            error: 1.0 / 3.0,
            training_error: Some(0.1 + 0.2),
            validation_error: Some(f64::INFINITY),
            confirmation_error: Some(5e-324),
            failed_episodes: 3,
            classified: None,
            stop_reason: StopReason::Runs,
            runs: 1,
            moves: 12,
            evaluations: 1000,
            evaluations_to_target: None,
            fault: None,
            faults: 0,
            milestones: vec![milestone(1, 1.2), milestone(500, f64::MAX)],
            cost: None,
        }
    }
}
