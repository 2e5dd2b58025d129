//! [`Workspace`]: the lanes of a worker, and which episode is in which of them.

use bitloop_net::SignalLanes;
use bitloop_plant::{LaneMatrix, PlantLanes};
use serde::{Deserialize, Serialize};

use crate::closed_loop::ClosedLoop;
use crate::controller::Controller;
use crate::outcome::{EpisodeEnd, EpisodeResult};
use crate::uncertainty::UncertainLanes;

/// The buffers of one worker, to be used again and again.
#[derive(Debug)]
pub struct Workspace {
    pub(crate) lanes: PlantLanes,
    pub(crate) signals: SignalLanes,
    /// Of a loop with uncertainty.
    pub(crate) uncertain: Option<UncertainLanes>,
    /// What a loop with penalties keeps of each lane; no rows without.
    pub(crate) penalty: LaneMatrix,
    /// The episode in each live lane, as a position in `results`.
    pub(crate) lane_episode: Vec<usize>,
    pub(crate) results: Vec<EpisodeResult>,
    /// Integration steps taken so far by live episodes: the work done, dropped rollouts included.
    pub plant_steps: u64,
    /// Episodes of the rollout that ended in a fault of the plant.
    pub(crate) n_faults: u64,
}

impl Workspace {
    /// Buffers for up to `n_episodes` episodes of a loop under controllers of the shape of `controller`.
    #[must_use]
    pub fn new(closed_loop: &ClosedLoop, controller: &dyn Controller, n_episodes: usize) -> Self {
        let lanes = closed_loop.plant().lanes(n_episodes);
        let (uncertainty, timing) = (closed_loop.uncertainty(), closed_loop.timing());
        let uncertain = (!uncertainty.is_none())
            .then(|| UncertainLanes::new(uncertainty, timing, lanes.n_lanes()));
        Self {
            lanes,
            uncertain,
            penalty: LaneMatrix::zeros(
                closed_loop.penalties.n_rows(),
                LaneMatrix::padded(n_episodes),
            ),
            signals: controller.signals(n_episodes),
            lane_episode: Vec::with_capacity(n_episodes),
            results: Vec::with_capacity(n_episodes),
            plant_steps: 0,
            n_faults: 0,
        }
    }

    /// Room for the results of `n_episodes` episodes, all 0 so far and without faults.
    pub(crate) fn expect_results(&mut self, n_episodes: usize) {
        self.results.clear();
        self.results.resize(n_episodes, EpisodeResult { error: 0.0, end: EpisodeEnd::Horizon });
        self.n_faults = 0;
    }

    /// Gives away all live lanes but the first `n_kept`, as they are at `tick`.
    pub(crate) fn split_off(&mut self, n_kept: usize, tick: u64) -> EpisodeBatch {
        let batch = self.batch_from(n_kept, tick);
        self.lane_episode.truncate(n_kept);
        batch
    }

    /// All live lanes from `first` on, as they are at `tick`.
    pub(crate) fn batch_from(&mut self, first: usize, tick: u64) -> EpisodeBatch {
        let episodes = self.lane_episode[first..].to_vec();
        let mut numbers = Vec::new();
        for matrix in self.episode_numbers() {
            for row in 0..matrix.n_rows() {
                numbers.extend_from_slice(&matrix.row(row)[first..][..episodes.len()]);
            }
        }
        EpisodeBatch { tick, episodes, numbers }
    }

    /// How many numbers of an episode a batch has.
    pub(crate) fn n_episode_rows(&mut self) -> usize {
        self.episode_numbers().map(|matrix| matrix.n_rows()).sum()
    }

    /// Makes lanes given away the only live ones, and returns the tick that they are at; padding lanes hold copies of the
    /// first.
    ///
    /// # Panics
    /// If they are those of another loop or controller, or too many.
    pub(crate) fn take_on(&mut self, batch: &EpisodeBatch) -> u64 {
        let n = batch.episodes.len();
        let room = self.lanes.n_lanes();
        assert!(n <= room, "a workspace of {room} lanes for {n} episodes");
        let mut rows = batch.numbers.chunks_exact(n);
        for matrix in self.episode_numbers() {
            for row in 0..matrix.n_rows() {
                let (from, to) =
                    (rows.next().expect("lanes of the same loop"), matrix.row_mut(row));
                to[..n].copy_from_slice(from);
                to[n..].fill(from[0]);
            }
        }
        assert!(rows.next().is_none(), "lanes of the same loop");
        self.lane_episode.clone_from(&batch.episodes);
        batch.tick
    }

    /// All numbers of an episode between two control periods.
    fn episode_numbers(&mut self) -> impl Iterator<Item = &mut LaneMatrix> {
        let PlantLanes { state, parameters, cost, .. } = &mut self.lanes;
        let uncertain = self.uncertain.as_mut();
        [state, parameters, cost, &mut self.signals.memory, &mut self.penalty]
            .into_iter()
            .chain(uncertain.into_iter().flat_map(UncertainLanes::matrices))
    }

    pub(crate) fn copy_lane(&mut self, from: usize, to: usize) {
        self.lanes.copy_lane(from, to);
        self.signals.copy_lane(from, to);
        self.penalty.copy_lane(from, to);
        if let Some(uncertain) = &mut self.uncertain {
            uncertain.copy_lane(from, to);
        }
    }

    pub(crate) fn state_of(&self, lane: usize) -> Vec<f64> {
        column(&self.lanes.state, lane)
    }
}

/// Episodes on their way from one workspace to another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct EpisodeBatch {
    /// The integration step that they are at, the start of a control period.
    pub tick: u64,
    /// Which they are.
    pub episodes: Vec<usize>,
    /// Row after row of state, parameters, cost, all memory and penalty, a number for each.
    pub numbers: Vec<f64>,
}

/// One lane of every row.
pub(crate) fn column(matrix: &LaneMatrix, lane: usize) -> Vec<f64> {
    (0..matrix.n_rows()).map(|row| matrix.row(row)[lane]).collect()
}
