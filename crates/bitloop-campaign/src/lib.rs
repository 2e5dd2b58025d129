//! Campaigns: many trainings of a scenario and its variants, and their statistics.
//!
//! [`Vary`] is a field with several values, and [`variants`] makes the scenarios. A [`Campaign`] does their trainings, which
//! are saved as [`TrainingRecord`]s, and resumes where an earlier call was interrupted. [`Summary`] holds the statistics of
//! trainings, of which it knows only the numbers in [`TrainingFacts`]. Campaigns can be done in parts, each a [`Shard`], and merged;
//! [`Restarts`] are the runs of one training, done apart, and [`Parts`] are numbered items of any other work. Scenarios of both kinds go the same way. The crate
//! must not print, read the environment, or decide exit codes.

#![forbid(unsafe_code)]

mod campaign;
mod cost_file;
mod error;
mod execute;
mod finished;
mod folder_names;
mod machine;
mod merge;
mod milestones;
mod parts;
mod portable;
mod queue;
mod records;
mod restarts;
mod search_checkpoint;
mod shard;
mod statistics;
mod success;
#[cfg(test)]
mod tests;
mod train;
mod training_record;
mod vary;

pub use campaign::{Campaign, CampaignOptions, CampaignVariant};
pub use error::CampaignError;
pub use finished::{FinishedTrainings, TrainingFinished};
pub use machine::{bits_of_machine, machine_bits};
pub use merge::{MergeError, Merged};
pub use milestones::Milestone;
pub use parts::{FinishedItems, Parts, PartsError, RunItems, WholeItems};
pub use portable::portable_digest;
pub use records::RecordError;
pub use restarts::{
    FinishedRuns, RestartFinished, RestartRecord, RestartWork, Restarts, RestartsEnd, RestartsError,
};
pub use search_checkpoint::CHECKPOINT_PERIOD;
pub use shard::{Shard, shards_with};
pub use statistics::{
    Cutoff, ExpectedCost, Interval, Summary, TrainingFacts, best_cutoff, geometric_mean, wilson,
};
pub use success::Success;
pub use training_record::{CostToTarget, TrainingCost, TrainingRecord};
pub use vary::{Variant, Vary, VaryError, variants};
