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
    /// y, of the plant, all of it: `[n_observations][n_lanes]`.
    pub observation: &'a LaneMatrix,
    /// u, as applied from now on: `[n_controls][n_lanes]`.
    pub control: &'a LaneMatrix,
}

/// Takes the queries of a rollout in order of time, and the end of each episode.
pub trait Recorder {
    /// The controller was queried.
    fn query(&mut self, query: &Query<'_>);

    /// The episode at a position of the set ended at `tick` in `state`.
    fn end(&mut self, episode: usize, tick: u64, state: &[f64], result: &EpisodeResult);
}
