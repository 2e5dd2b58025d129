//! The result of a replay.

use std::io;

use bitloop_plant::Description;
use bitloop_sim::Evaluation;
use bitloop_train::{BehaviorSummary, TrainError};

/// The result of a replay.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayOutcome {
    /// Episode by episode, and on the mean: of those that have ended.
    pub evaluation: Evaluation,
    /// The index of each episode that has ended.
    pub indices: Vec<usize>,
    /// The episodes that were under way when the replay was interrupted.
    pub unfinished: Vec<Unfinished>,
    /// How many episodes were to be run.
    pub n_episodes: usize,
    /// Length of an episode in seconds.
    pub horizon_s: f64,
    /// Root seed of the episodes.
    pub seed: u64,
    /// Digest of all trajectories, if it was asked for and all episodes have ended.
    pub trajectory_digest: Option<String>,
    /// Seconds that the simulation took.
    pub wall_s: f64,
}

impl ReplayOutcome {
    /// The behavior over the episodes that have ended, if it was measured and any has.
    #[must_use]
    pub fn behavior(&self, plant: &Description) -> Option<BehaviorSummary> {
        let behaviors = self.evaluation.behaviors.as_ref().filter(|all| all.n_episodes() > 0)?;
        Some(BehaviorSummary::of(plant, behaviors, &self.indices))
    }

    /// Whether the replay was interrupted, so that this is the result of a part of it.
    #[must_use]
    pub fn is_part(&self) -> bool {
        self.indices.len() < self.n_episodes
    }
}

/// An episode that was under way when its replay was interrupted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unfinished {
    /// Its index.
    pub episode: usize,
    /// The time that it has reached, in seconds.
    pub time_s: f64,
    /// The mean of its stage costs so far; none during the transient.
    pub error: Option<f64>,
}

/// How far a replay is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReplayProgress {
    /// Episodes whose results are there.
    pub n_finished: usize,
    /// The part of the simulated time of all episodes that is over, from 0 to 1.
    pub part: f64,
}

/// Why a replay has no result.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// It cannot be set up, or its plant broke.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// The file of trajectories could not be written.
    #[error("the trajectories cannot be written: {0}")]
    Trajectories(#[source] io::Error),
}
