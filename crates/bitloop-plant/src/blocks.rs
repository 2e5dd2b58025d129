//! Cutting a batch of lanes into blocks that keep the machine busy.

use std::ops::{ControlFlow, Range};

use crate::lanes::Pair;
use crate::real::Real;

/// Lanes are computed in multiples of this many: half an AVX-512 vector, so that little is spent on padding.
pub const LANE_STEP: usize = 4;

/// Work that is done block by block of lanes, each lane on its own.
pub trait LaneWork {
    /// Does the work in lanes `first_lane..first_lane + R::LANES`; a break leaves out the blocks after it.
    ///
    /// Mark the implementation `#[inline(always)]`, as that of [`Kernel::run`](crate::Kernel::run).
    fn block<R: Real>(&mut self, first_lane: usize) -> ControlFlow<()>;
}

/// Whether there are vectors of half the size.
const fn has_half<R: Real>() -> bool {
    R::Half::LANES < R::LANES
}

/// Does `work` in `lanes`, whose bounds are multiples of [`LANE_STEP`], with vectors of `R`.
///
/// An integration step is a chain of dependent operations, so that a single vector is bound by latency. Blocks are
/// therefore pairs of vectors as long as lanes are left, and half a vector at the end joins the last pair: on the inverted
/// pendulum it then costs a third of what it costs alone. How lanes are cut moves no bit.
#[inline(always)]
pub fn for_each_block<R: Real>(work: &mut impl LaneWork, lanes: Range<usize>) -> ControlFlow<()> {
    let (full, half) = (R::LANES, R::Half::LANES);
    let mut lane = lanes.start;
    // Constants in `if` keep blocks that no lanes need from being compiled at all.
    while lane + 2 * full <= lanes.end {
        if const { has_half::<R>() } && lane + 2 * full + half == lanes.end {
            return work.block::<Pair<Pair<R>, R::Half>>(lane);
        }
        work.block::<Pair<R>>(lane)?;
        lane += 2 * full;
    }
    if const { LANE_STEP.is_multiple_of(2 * R::LANES) } {
        return ControlFlow::Continue(());
    }
    if const { has_half::<R>() } && lane + full + half == lanes.end {
        return work.block::<Pair<R, R::Half>>(lane);
    }
    if lane + full <= lanes.end {
        work.block::<R>(lane)?;
        lane += full;
    }
    if const { has_half::<R>() } && lane + half <= lanes.end {
        return work.block::<R::Half>(lane);
    }
    ControlFlow::Continue(())
}

/// As [`for_each_block`], with one vector at a time: less code, and half the room for a block's values.
#[inline(always)]
pub(crate) fn for_each_vector<R: Real>(
    work: &mut impl LaneWork,
    lanes: Range<usize>,
) -> ControlFlow<()> {
    let mut lane = lanes.start;
    while lane + R::LANES <= lanes.end {
        work.block::<R>(lane)?;
        lane += R::LANES;
    }
    if const { has_half::<R>() } && lane + R::Half::LANES <= lanes.end {
        return work.block::<R::Half>(lane);
    }
    ControlFlow::Continue(())
}
