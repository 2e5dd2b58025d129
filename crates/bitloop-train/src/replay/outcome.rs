//! The result of a replay.

use std::io;

use bitloop_sim::Evaluation;

use crate::error::TrainError;

/// The result of a replay.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayOutcome {
    /// Episode by episode, and on the mean.
    pub evaluation: Evaluation,
    /// Length of an episode in seconds.
    pub horizon_s: f64,
    /// Root seed of the episodes.
    pub seed: u64,
    /// Digest of all trajectories, if it was asked for.
    pub trajectory_digest: Option<String>,
    /// Seconds that the simulation took.
    pub wall_s: f64,
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
