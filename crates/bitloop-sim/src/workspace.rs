//! [`Workspace`]: the lanes of a worker, and which episode is in which of them.

use bitloop_net::SignalLanes;
use bitloop_plant::{LaneMatrix, PlantLanes};

use crate::closed_loop::ClosedLoop;
use crate::controller::Controller;
use crate::outcome::EpisodeResult;

/// The buffers of one worker, to be used again and again.
#[derive(Debug)]
pub struct Workspace {
    pub(crate) lanes: PlantLanes,
    pub(crate) signals: SignalLanes,
    /// The episode in each live lane, as a position in `results`.
    pub(crate) lane_episode: Vec<usize>,
    pub(crate) results: Vec<EpisodeResult>,
    /// Integration steps taken so far by live episodes: the work done, dropped rollouts included.
    pub plant_steps: u64,
    /// Episodes that ended in a fault of the plant, and rollouts in which it broke or whose error became infinite.
    pub n_faults: u64,
}

impl Workspace {
    /// Buffers for up to `n_episodes` episodes of a loop under controllers of the shape of `controller`.
    #[must_use]
    pub fn new<C: Controller + ?Sized>(
        closed_loop: &ClosedLoop,
        controller: &C,
        n_episodes: usize,
    ) -> Self {
        Self {
            lanes: closed_loop.plant().lanes(n_episodes),
            signals: controller.signals(n_episodes),
            lane_episode: Vec::with_capacity(n_episodes),
            results: Vec::with_capacity(n_episodes),
            plant_steps: 0,
            n_faults: 0,
        }
    }

    pub(crate) fn copy_lane(&mut self, from: usize, to: usize) {
        self.lanes.copy_lane(from, to);
        self.signals.copy_lane(from, to);
    }

    pub(crate) fn state_of(&self, lane: usize) -> Vec<f64> {
        column(&self.lanes.state, lane)
    }
}

/// One lane of every row.
pub(crate) fn column(matrix: &LaneMatrix, lane: usize) -> Vec<f64> {
    (0..matrix.n_rows()).map(|row| matrix.row(row)[lane]).collect()
}
