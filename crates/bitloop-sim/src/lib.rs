//! The closed loop: a plant, sampled and held, under a controller, over a set of episodes.
//!
//! This crate owns time (integer ticks), the stages of the loop, episodes and how they end, the error functional with its
//! exact early abort, how a rollout is divided among threads, trajectories, and what a controller's behavior is in numbers. It must not know where a controller's weights come from, nor files; random numbers
//! come in as arguments.

#![forbid(unsafe_code)]

mod aggregate;
mod behavior;
mod behavior_recorder;
mod bounded;
mod closed_loop;
mod controller;
mod diagnosis;
mod distribution;
mod division;
mod episodes;
mod error;
mod evaluation;
mod failure_charge;
mod fixed_episode;
mod hash_tree;
mod interface;
mod outcome;
mod paused;
mod penalty;
mod plant_fault;
mod progress;
mod quantile;
mod recording;
mod run;
mod timing;
mod trajectory;
mod trajectory_digest;
mod uncertainty;
mod work_queue;
mod workspace;

pub use aggregate::Aggregate;
pub use behavior::{BehaviorShape, BehaviorWarning, Behaviors, Figure, FigureSummary, Subject};
pub use behavior_recorder::{BehaviorRecorder, PausedBehavior};
pub use closed_loop::ClosedLoop;
pub use controller::{Controller, LinearFeedback, NetworkController};
pub use distribution::{Distribution, DistributionError};
pub use episodes::{EpisodeRanges, EpisodeSet, MAX_EPISODES, MAX_NUMBERS};
pub use error::SimError;
pub use failure_charge::FailureCharge;
pub use fixed_episode::FixedEpisode;
pub use interface::{Channel, Interface};
pub use outcome::{
    BoundedEvaluation, EpisodeEnd, EpisodeResult, Evaluation, Rollout, UnfinishedEpisode, n_failed,
};
pub use paused::Paused;
pub use penalty::Penalties;
pub use plant_fault::{FaultCause, PlantFault};
pub use quantile::{quantile, sorted};
pub use recording::Recording;
pub use timing::{MAX_TICKS, Timing};
pub use trajectory::{End, Query, Recorder};
pub use trajectory_digest::{EpisodeDigest, EpisodeDigests, PausedDigests, TrajectoryDigest};
pub use uncertainty::{
    Actuator, Course, Disturbance, MAX_POINTS, Noise, Profile, Sensor, Target, Uncertainty,
};
pub use work_queue::{EpisodeTask, WorkQueue};
pub use workspace::Workspace;
