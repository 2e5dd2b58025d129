//! Trajectories, as a rollout shows them: all episodes that run side by side, at each query of the controller.

use bitloop_plant::LaneMatrix;

use crate::outcome::EpisodeResult;

/// The loop at one query: a lane for each episode that still runs.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// Integration steps since the start.
    pub tick: u64,
    /// The episode in each lane, by its position in the set; lanes beyond these hold nothing of meaning.
    pub episodes: &'a [usize],
    /// x: `[n_states][n_lanes]`.
    pub state: &'a LaneMatrix,
    /// y, all of it, as sensors that are not perfect read it: `[n_observations][n_lanes]`.
    pub observation: &'a LaneMatrix,
    /// u, as commanded from now on, before actuators that are not perfect: `[n_controls][n_lanes]`.
    pub control: &'a LaneMatrix,
    /// The sum of the plant's stage costs so far: `[1][n_lanes]`.
    pub cost: &'a LaneMatrix,
}

/// The end of an episode.
#[derive(Clone, Copy, Debug)]
pub struct End<'a> {
    /// Integration steps since the start.
    pub tick: u64,
    /// x: `[n_states]`.
    pub state: &'a [f64],
    /// The sum of the plant's stage costs; what a failure is charged is not in it.
    pub cost: f64,
    /// The error without penalties.
    pub own_error: f64,
    /// How it ended.
    pub result: EpisodeResult,
}

/// Takes the queries of a rollout in order of time, and the end of each episode.
pub trait Recorder {
    /// The controller was queried.
    fn query(&mut self, query: &Query<'_>);

    /// The episode at a position of the set ended.
    fn end(&mut self, episode: usize, end: &End<'_>);
}
