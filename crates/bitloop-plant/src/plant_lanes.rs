//! The arguments of a call on a plant: the buffers of a batch of lanes, and the stretch of time.

use crate::contract::MESSAGE_BYTES;
use crate::description::Sizes;
use crate::float_mode::FloatMode;
use crate::instances::Instances;
use crate::integrator::Integrator;
use crate::lane_matrix::LaneMatrix;

/// Values of guard rows, which a plant is unlikely to write.
const GUARD: f64 = f64::from_bits(0x5ca1_ab1e_0ddb_a115);
const GUARD_STEP: u32 = 0x5ca1_ab1e;

/// The buffers of a batch of lanes, made by [`PlantHandle::lanes`](crate::PlantHandle::lanes) to fit the plant.
#[derive(Clone, Debug)]
pub struct PlantLanes {
    pub(crate) sizes: Sizes,
    n_lanes: usize,
    /// p: `[n_parameters][n_lanes]`.
    pub parameters: LaneMatrix,
    /// x: `[n_states][n_lanes]`.
    pub state: LaneMatrix,
    /// u: `[n_controls][n_lanes]`.
    pub control: LaneMatrix,
    /// y: `[n_observations][n_lanes]`.
    pub observation: LaneMatrix,
    /// Stage costs summed so far: `[1][n_lanes]`.
    pub cost: LaneMatrix,
    /// The stage cost at which a lane ended, or what `terminal_cost` or `failure_cost` wrote: `[1][n_lanes]`.
    pub end_cost: LaneMatrix,
    /// What chance depends on in a plant that owns its state, one for each episode: `[n_lanes]`.
    pub seeds: Vec<u64>,
    pub(crate) end_step: Vec<u32>,
    /// As many bytes as the plant asked for, rounded up.
    pub(crate) scratch: LaneMatrix,
    /// Those of a plant that owns its state.
    pub(crate) instances: Instances,
    /// Lanes from here on are padding.
    pub(crate) n_live: usize,
    /// Where a plant writes why a call has failed. Made once: to zero it takes longer than many a call.
    pub(crate) message: [u8; MESSAGE_BYTES],
    /// While calls are [watched](crate::PlantHandle::watch), the floating-point mode that they must leave.
    pub(crate) watched_mode: Option<FloatMode>,
}

impl PlantLanes {
    /// Zeroed buffers for a plant of these sizes and bytes of scratch, for `n_lanes` lanes or a little more.
    pub(crate) fn zeros(sizes: Sizes, scratch_bytes: usize, n_lanes: usize) -> Self {
        let n_lanes = LaneMatrix::padded(n_lanes);
        let Sizes { n_states, n_controls, n_observations, n_parameters } = sizes;
        Self {
            sizes,
            n_lanes,
            parameters: LaneMatrix::zeros(n_parameters, n_lanes),
            state: LaneMatrix::zeros(n_states, n_lanes),
            control: LaneMatrix::zeros(n_controls, n_lanes),
            observation: LaneMatrix::zeros(n_observations, n_lanes),
            cost: LaneMatrix::zeros(1, n_lanes),
            end_cost: LaneMatrix::zeros(1, n_lanes),
            seeds: vec![0; n_lanes],
            end_step: vec![0; n_lanes],
            scratch: LaneMatrix::zeros(1, LaneMatrix::padded(scratch_bytes.div_ceil(8))),
            instances: Instances::default(),
            n_live: usize::MAX,
            message: [0; MESSAGE_BYTES],
            watched_mode: None,
        }
    }

    /// The lengths of the vectors that the buffers are for.
    #[must_use]
    pub const fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// How many lanes there are, padding included.
    #[must_use]
    pub const fn n_lanes(&self) -> usize {
        self.n_lanes
    }

    /// The same buffers, zeroed, with a guarded row behind each, which no call has a right to write to.
    #[must_use]
    pub fn guarded(&self) -> Self {
        let guarded = |matrix: &LaneMatrix| {
            let (n_rows, n_lanes) = (matrix.n_rows(), matrix.n_lanes());
            let mut longer = LaneMatrix::zeros(n_rows + 1, n_lanes);
            longer.row_mut(n_rows).fill(GUARD);
            longer
        };
        let mut end_step = vec![0; self.n_lanes];
        end_step.resize(2 * self.n_lanes, GUARD_STEP);
        Self {
            sizes: self.sizes,
            n_lanes: self.n_lanes,
            parameters: guarded(&self.parameters),
            state: guarded(&self.state),
            control: guarded(&self.control),
            observation: guarded(&self.observation),
            cost: guarded(&self.cost),
            end_cost: guarded(&self.end_cost),
            seeds: self.seeds.clone(),
            end_step,
            scratch: guarded(&self.scratch),
            instances: Instances::default(),
            n_live: self.n_live,
            message: [0; MESSAGE_BYTES],
            watched_mode: None,
        }
    }

    /// The buffer whose guard was written over, if one was; `None` for buffers that are not [`guarded`](Self::guarded).
    #[must_use]
    pub fn broken_guard(&self) -> Option<&'static str> {
        if self.end_step.len() == self.n_lanes {
            return None;
        }
        let is_broken = |matrix: &LaneMatrix| {
            let last = matrix.n_rows() - 1;
            matrix.row(last).iter().any(|number| number.to_bits() != GUARD.to_bits())
        };
        let matrices = [
            ("parameters", &self.parameters),
            ("state", &self.state),
            ("control", &self.control),
            ("observation", &self.observation),
            ("cost", &self.cost),
            ("end_cost", &self.end_cost),
            ("scratch", &self.scratch),
        ];
        let end_step_is_broken = self.end_step[self.n_lanes..].iter().any(|&s| s != GUARD_STEP);
        let broken = matrices.iter().find(|(_, matrix)| is_broken(matrix)).map(|(name, _)| *name);
        broken.or(end_step_is_broken.then_some("end_step"))
    }

    /// The step of the last call at which `lane` ended, 0 while it runs; forgets it.
    pub fn take_end_step(&mut self, lane: usize) -> u32 {
        std::mem::take(&mut self.end_step[lane])
    }

    /// The first `n_live` lanes have episodes; a plant that owns its state leaves the others alone.
    pub const fn set_live(&mut self, n_live: usize) {
        self.n_live = n_live;
    }

    /// The episode in lane `from` continues in lane `to`, whose own has ended, once [`copy_lane`](Self::copy_lane) has copied
    /// the numbers: a plant that owns its state needs its instance there.
    pub fn move_instance(&mut self, from: usize, to: usize) {
        self.instances.swap(from, to);
    }

    /// The buffers that have a column for each lane.
    const fn matrices_mut(&mut self) -> [&mut LaneMatrix; 6] {
        [
            &mut self.parameters,
            &mut self.state,
            &mut self.control,
            &mut self.observation,
            &mut self.cost,
            &mut self.end_cost,
        ]
    }

    /// Two lanes change places, in all buffers, and so do their instances.
    pub fn swap_lanes(&mut self, a: usize, b: usize) {
        for matrix in self.matrices_mut() {
            matrix.swap_lanes(a, b);
        }
        self.seeds.swap(a, b);
        self.end_step.swap(a, b);
        self.move_instance(a, b);
    }

    /// Copies a lane over another one, in all buffers.
    pub fn copy_lane(&mut self, from: usize, to: usize) {
        for matrix in self.matrices_mut() {
            matrix.copy_lane(from, to);
        }
        self.seeds[to] = self.seeds[from];
        self.end_step[to] = self.end_step[from];
    }
}

/// A stretch of simulated time over which the control is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Integration steps since the start of the episode.
    pub tick: u64,
    /// How many integration steps to take.
    pub n_steps: u32,
    /// The integration step in seconds.
    pub step_s: f64,
    /// The method.
    pub integrator: Integrator,
    /// Whether stage costs count.
    pub counts_cost: bool,
}

impl Stretch {
    /// The stretch of calls that do not depend on time.
    pub(crate) const NONE: Self = Self {
        tick: 0,
        n_steps: 0,
        step_s: 0.0,
        integrator: Integrator::Euler,
        counts_cost: false,
    };
}
