//! The loops over blocks of lanes behind each entry of the plant table.
//!
//! Within a block the state stays in registers for the whole call. Kernels of plants that are not vectorized go lane by
//! lane.

mod advance;
mod end_lanes;
mod lanes;
mod maps;

pub(crate) use advance::Advance;
pub(crate) use end_lanes::EndLanes;
pub(crate) use lanes::Lanes;
pub(crate) use maps::{FailureCost, Observe, TerminalCost};

use crate::plant::Plant;
use crate::real::Real;

/// A block of lanes in which one ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub first_lane: usize,
    pub n_lanes: usize,
    /// Steps of this call that the block has taken; a lane ended at the last.
    pub n_steps_done: u32,
}

/// Where a lane ends: in the failure set, or at a stage cost that is negative or NaN.
#[inline(always)]
fn ends<R: Real, P: Plant>(plant: &P, t_s: f64, x: &[R], p: &[R], cost: R) -> R::Mask {
    plant.failed(t_s, x, p) | !cost.ge(R::splat(0.0))
}

/// Time of an integration step, in seconds. Ticks are far below 2^53.
#[inline(always)]
fn time_s(tick: u64, step_s: f64) -> f64 {
    tick as f64 * step_s
}
