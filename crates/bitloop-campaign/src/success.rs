//! [`Success`]: which trainings of a campaign count as successes.

use std::fmt;
use std::str::FromStr;

use bitloop_train::StopReason;
use serde::{Deserialize, Serialize};

use crate::statistics::TrainingFacts;
use crate::training_record::{TrainingCost, TrainingRecord};

/// When a training counts as a success. In files and on the command line it is the level, or `target`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub enum Success {
    /// Its error is below this level: on the test set or, without one, on the set that selects.
    Below(f64),
    /// It reached the scenario's own target, in validation and confirmation.
    Target,
}

/// What stands in files.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Level(f64),
    Word(Word),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Target,
}

impl From<Written> for Success {
    fn from(written: Written) -> Self {
        match written {
            Written::Level(level) => Self::Below(level),
            Written::Word(Word::Target) => Self::Target,
        }
    }
}

impl From<Success> for Written {
    fn from(success: Success) -> Self {
        match success {
            Success::Below(level) => Self::Level(level),
            Success::Target => Self::Word(Word::Target),
        }
    }
}

impl Success {
    /// Whether a training is one.
    #[must_use]
    pub fn is_met_by(self, record: &TrainingRecord) -> bool {
        match self {
            Self::Below(level) => record.error < level,
            Self::Target => record.stop_reason == StopReason::Target,
        }
    }

    /// The evaluation count from which on a training was one and remained one, if it is.
    #[must_use]
    pub fn evaluations(self, record: &TrainingRecord) -> Option<u64> {
        if !self.is_met_by(record) {
            return None;
        }
        let Self::Below(level) = self else {
            // A record of an earlier version is of a training that the target ended.
            return Some(record.evaluations_to_target.unwrap_or(record.evaluations));
        };
        let passed = record.milestones.iter().rev().take_while(|m| m.error < level);
        Some(passed.last().map_or(record.evaluations, |milestone| milestone.evaluations))
    }

    /// What statistics need to know of a training. Where the target counts, one that has reached it has cost what it took until
    /// then.
    #[must_use]
    pub fn facts(self, record: &TrainingRecord) -> TrainingFacts {
        let success_at = self.evaluations(record);
        let is_to_target = self == Self::Target && success_at.is_some();
        let (plant_steps, wall_s) = match record.cost {
            Some(TrainingCost { to_target: Some(cost), .. }) if is_to_target => {
                (cost.plant_steps as f64, cost.wall_s)
            }
            Some(cost) => (cost.plant_steps as f64, cost.wall_s),
            None => (f64::NAN, f64::NAN),
        };
        TrainingFacts {
            error: record.error,
            success_at,
            evaluations: success_at.filter(|_| is_to_target).unwrap_or(record.evaluations),
            plant_steps,
            wall_s,
            core_s: record.cost.map_or(f64::NAN, |cost| wall_s * f64::from(cost.threads)),
        }
    }

    /// Whether a level that was read can be one.
    #[must_use]
    pub fn is_in_range(self) -> bool {
        match self {
            Self::Below(level) => level > 0.0 && level.is_finite(),
            Self::Target => true,
        }
    }
}

impl fmt::Display for Success {
    /// As it is written on the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Below(level) => level.fmt(f),
            Self::Target => f.write_str("target"),
        }
    }
}

impl FromStr for Success {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "target" {
            return Ok(Self::Target);
        }
        let level = text.parse::<f64>().ok().map(Self::Below);
        let level = level.filter(|level| level.is_in_range());
        level.ok_or_else(|| "it must be a positive number, or `target`".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::milestones::Milestone;
    use crate::training_record::CostToTarget;
    use crate::training_record::tests::record;

    fn milestone(evaluations: u64, error: f64) -> Milestone {
        Milestone { evaluations, validation_error: 0.5, error }
    }

    #[test]
    fn a_success_counts_from_the_milestone_after_the_last_failed_one() {
        let milestones = vec![
            milestone(10, 1.2),
            milestone(20, 0.05),
            milestone(30, 0.3),
            milestone(40, 0.04),
            milestone(50, 0.02),
        ];
        let record = TrainingRecord { error: 0.02, milestones, ..record() };
        let at = |level| Success::Below(level).evaluations(&record);
        assert_eq!([at(0.1), at(0.03), at(2.0)], [Some(40), Some(50), Some(10)]);
        // Not below it.
        assert_eq!(at(0.02), None);
        let failed = TrainingRecord { error: f64::INFINITY, ..record.clone() };
        assert_eq!(Success::Below(0.1).evaluations(&failed), None);
    }

    #[test]
    fn the_target_counts_by_the_reason_that_ended_the_training() {
        let reached = TrainingRecord { stop_reason: StopReason::Target, error: 3.0, ..record() };
        assert_eq!(Success::Target.evaluations(&reached), Some(reached.evaluations));
        let late = TrainingRecord { stop_reason: StopReason::Evaluations, error: 0.0, ..reached };
        assert_eq!(Success::Target.evaluations(&late), None);
    }

    #[test]
    fn what_follows_the_target_is_no_cost_of_reaching_it() {
        let to_target = Some(CostToTarget { wall_s: 0.5, plant_steps: 1000 });
        let refined = TrainingRecord {
            stop_reason: StopReason::Target,
            error: 0.01,
            evaluations: 300,
            evaluations_to_target: Some(100),
            cost: Some(TrainingCost { wall_s: 2.0, threads: 2, plant_steps: 4000, to_target }),
            ..record()
        };
        let facts = Success::Target.facts(&refined);
        assert_eq!((facts.success_at, facts.evaluations), (Some(100), 100));
        assert_eq!((facts.plant_steps, facts.wall_s, facts.core_s), (1000.0, 0.5, 1.0));
        // By another level, the whole training is what it cost.
        let facts = Success::Below(0.1).facts(&refined);
        assert_eq!((facts.evaluations, facts.plant_steps, facts.wall_s), (300, 4000.0, 2.0));
    }

    #[test]
    fn a_level_and_the_word_are_read_as_they_are_written() {
        for success in [Success::Below(0.1), Success::Below(1e-7), Success::Target] {
            assert_eq!(success.to_string().parse(), Ok(success));
            let json = serde_json::to_string(&success).unwrap();
            assert_eq!(serde_json::from_str::<Success>(&json).unwrap(), success);
        }
        for wrong in ["0", "-1", "nan", "inf", "Target", ""] {
            assert!(wrong.parse::<Success>().is_err(), "{wrong}");
        }
    }
}
