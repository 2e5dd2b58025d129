//! The loops over blocks of lanes behind each entry of the plant table.
//!
//! Within a block the state stays in registers for the whole call. Kernels of plants that are not vectorized go lane by
//! lane.

mod advance;
mod end_lanes;
mod lanes;
mod maps;

use advance::Advance;
use end_lanes::EndLanes;
pub(crate) use lanes::{Lanes, LanesSource};
pub(crate) use maps::{FailureCost, Observe, TerminalCost};

use crate::dispatch::dispatch;
use crate::integrator::Integrator;
use crate::isa::Isa;
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

/// Advances all lanes by an integrator that the plant is compiled for.
pub(crate) fn advance_lanes<P: Plant>(
    plant: &P,
    isa: Isa,
    integrator: Integrator,
    lanes: &mut impl LanesSource,
) {
    let mut first_lane = 0;
    // The hot kernel knows nothing of lanes that end: it stops at a block with one, and a second kernel, which masks them,
    // takes that block to the end of the call.
    while let Some(block) = dispatch(isa, Advance { plant, integrator, lanes, first_lane }) {
        dispatch(isa, EndLanes { plant, integrator, lanes, block });
        first_lane = block.first_lane + block.n_lanes;
    }
}

/// Where a lane ends: in the failure set, or at a stage cost that is negative or NaN.
#[inline(always)]
fn ends<R: Real, P: Plant>(plant: &P, t_s: f64, x: &[R], p: &[R], cost: R) -> R::Mask {
    plant.failed(t_s, x, p) | R::splat(0.0).not_le(cost)
}

/// Time of an integration step, in seconds. Ticks are far below 2^53.
#[inline(always)]
fn time_s(tick: u64, step_s: f64) -> f64 {
    tick as f64 * step_s
}
