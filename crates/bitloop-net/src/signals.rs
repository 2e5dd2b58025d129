//! [`SignalLanes`]: the inputs, outputs and memory of a controller, a lane per episode.

use bitloop_plant::{LANE_UNIT, LaneMatrix};

/// Numbers of neurons that lie side by side.
pub(crate) type Unit = [f64; LANE_UNIT];

/// The weights of a network with neurons side by side, and the signals between its layers, for a single lane.
#[derive(Clone, Debug, Default)]
pub(crate) struct Alone {
    /// Of each layer, of each unit of its neurons: the biases, then the weights of each signal that it is fed; zeros for
    /// neurons that there are not.
    pub weights: Vec<Unit>,
    /// The outputs of each unit.
    pub outputs: Vec<Unit>,
}

/// The buffers of a controller over a batch of lanes.
#[derive(Clone, Debug)]
pub struct SignalLanes {
    /// Inputs of the controller: `[n_inputs][n_lanes]`.
    pub input: LaneMatrix,
    /// Outputs of the controller: `[n_outputs][n_lanes]`.
    pub output: LaneMatrix,
    /// Memory from query to query, zero at the start of an episode: `[n_memory][n_lanes]`.
    pub memory: LaneMatrix,
    /// Working memory, undefined between queries: `[n_scratch][n_lanes]`.
    pub scratch: LaneMatrix,
    /// What a single lane is answered by.
    pub(crate) alone: Alone,
}

impl SignalLanes {
    /// Zeroed buffers.
    #[must_use]
    pub fn zeros(
        n_inputs: usize,
        n_outputs: usize,
        n_memory: usize,
        n_scratch: usize,
        n_lanes: usize,
    ) -> Self {
        let n_lanes = LaneMatrix::padded(n_lanes);
        Self {
            input: LaneMatrix::zeros(n_inputs, n_lanes),
            output: LaneMatrix::zeros(n_outputs, n_lanes),
            memory: LaneMatrix::zeros(n_memory, n_lanes),
            scratch: LaneMatrix::zeros(n_scratch, n_lanes),
            alone: Alone::default(),
        }
    }

    /// Copies the memory, which is all that an episode keeps here, from one lane over another.
    pub fn copy_lane(&mut self, from: usize, to: usize) {
        self.memory.copy_lane(from, to);
    }
}
