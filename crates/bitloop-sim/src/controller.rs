//! [`Controller`]: the feedback of the closed loop, over lanes.

use std::ops::ControlFlow;

use bitloop_net::{Network, SignalLanes};
use bitloop_plant::{Isa, Kernel, LANE_STEP, LaneMatrix, LaneWork, Real, dispatch, for_each_block};

/// The feedback of the closed loop. It reads scaled observations and writes outputs that are unscaled afterwards. Its memory lies in the lanes, so that one controller serves any number of episodes and threads.
pub trait Controller: Sync {
    /// How many inputs it reads.
    fn n_inputs(&self) -> usize;

    /// How many outputs it writes.
    fn n_outputs(&self) -> usize;

    /// The numbers that make it differ from other controllers of the same shape; with them another thread can make a copy.
    fn parameters(&self) -> &[f64];

    /// Zeroed buffers for a number of lanes.
    fn signals(&self, n_lanes: usize) -> SignalLanes;

    /// Answers one query in lanes `0..n_lanes`, a multiple of 4.
    fn act(&self, isa: Isa, n_lanes: usize, signals: &mut SignalLanes);

    /// Prepares buffers for queries of a single episode, in the first lane.
    fn prepare_alone(&self, _signals: &mut SignalLanes) {}

    /// Answers a query of a single episode, with the bits of [`act`](Self::act), in buffers that were
    /// [prepared](Self::prepare_alone) for it. The lanes that are computed beside it have the same inputs, and get the same
    /// answer.
    fn act_alone(&self, isa: Isa, signals: &mut SignalLanes) {
        self.act(isa, LANE_STEP, signals);
    }
}

/// A network with its weights.
#[derive(Clone, Copy, Debug)]
pub struct NetworkController<'a> {
    /// The shape.
    pub network: &'a Network,
    /// `[n_weights]`, as [`Network`] lays them out.
    pub weights: &'a [f64],
}

impl Controller for NetworkController<'_> {
    fn n_inputs(&self) -> usize {
        self.network.n_inputs()
    }

    fn n_outputs(&self) -> usize {
        self.network.n_outputs()
    }

    fn parameters(&self) -> &[f64] {
        self.weights
    }

    fn signals(&self, n_lanes: usize) -> SignalLanes {
        self.network.signals(n_lanes)
    }

    fn act(&self, isa: Isa, n_lanes: usize, signals: &mut SignalLanes) {
        self.network.forward(isa, self.weights, n_lanes, signals);
    }

    fn prepare_alone(&self, signals: &mut SignalLanes) {
        self.network.prepare_alone(self.weights, signals);
    }

    fn act_alone(&self, isa: Isa, signals: &mut SignalLanes) {
        if !self.network.forward_alone(isa, signals) {
            self.act(isa, LANE_STEP, signals);
        }
    }
}

/// Linear feedback of the inputs, u = -K y.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearFeedback {
    n_inputs: usize,
    gains: Vec<f64>,
}

impl LinearFeedback {
    /// The feedback with gains K: `[n_outputs][n_inputs]`, row after row.
    ///
    /// # Panics
    /// If `gains` is no whole number of rows.
    #[must_use]
    pub fn new(n_inputs: usize, gains: Vec<f64>) -> Self {
        assert!(n_inputs > 0 && gains.len().is_multiple_of(n_inputs), "gains are whole rows");
        Self { n_inputs, gains }
    }
}

impl Controller for LinearFeedback {
    fn n_inputs(&self) -> usize {
        self.n_inputs
    }

    fn n_outputs(&self) -> usize {
        self.gains.len() / self.n_inputs
    }

    fn parameters(&self) -> &[f64] {
        &self.gains
    }

    fn signals(&self, n_lanes: usize) -> SignalLanes {
        SignalLanes::zeros(self.n_inputs, self.n_outputs(), 0, 0, n_lanes)
    }

    fn act(&self, isa: Isa, n_lanes: usize, signals: &mut SignalLanes) {
        dispatch(isa, Feedback { controller: self, n_lanes, signals });
    }
}

struct Feedback<'a> {
    controller: &'a LinearFeedback,
    n_lanes: usize,
    signals: &'a mut SignalLanes,
}

impl Kernel for Feedback<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Real>(mut self) {
        let all = 0..LaneMatrix::covered(self.n_lanes);
        let _ = for_each_block::<R>(&mut self, all);
    }
}

impl LaneWork for Feedback<'_> {
    #[inline(always)]
    fn block<R: Real>(&mut self, lane: usize) -> ControlFlow<()> {
        let Self { controller, signals, .. } = self;
        for (row, gains) in controller.gains.chunks_exact(controller.n_inputs).enumerate() {
            let mut sum = R::splat(0.0);
            for (input, &gain) in gains.iter().enumerate() {
                sum = R::load(&signals.input.row(input)[lane..]).mul_add(R::splat(-gain), sum);
            }
            sum.store(&mut signals.output.row_mut(row)[lane..]);
        }
        ControlFlow::Continue(())
    }
}
