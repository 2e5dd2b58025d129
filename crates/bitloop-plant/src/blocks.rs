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
    for_each_block_within::<R>(work, lanes, usize::MAX, false)
}

/// As [`for_each_block`], with blocks of at most `most` lanes, or of [`LANE_STEP`] if that is more: what is kept of a wide
/// block may not fit into the cache. Work on few values takes three vectors of [`LANE_STEP`] lanes side by side, if
/// `in_threes`: on the inverted pendulum by Euler's method it is 7 % faster than pairs. With six states and the four vectors of
/// Runge and Kutta it would be 5 % slower, for want of registers.
#[inline(always)]
pub(crate) fn for_each_block_within<R: Real>(
    work: &mut impl LaneWork,
    lanes: Range<usize>,
    most: usize,
    in_threes: bool,
) -> ControlFlow<()> {
    let (full, half) = (R::LANES, R::Half::LANES);
    let most = most.max(LANE_STEP);
    let mut lane = lanes.start;
    // Constants in `if` keep blocks that no lanes need from being compiled at all.
    if const { R::LANES == LANE_STEP } && in_threes && 3 * full <= most {
        // Four vectors are two pairs, so that none is left alone.
        while lane + 3 * full <= lanes.end && lane + 4 * full != lanes.end {
            work.block::<Pair<Pair<R>, R>>(lane)?;
            lane += 3 * full;
        }
    }
    while lane + 2 * full <= lanes.end && 2 * full <= most {
        if const { has_half::<R>() }
            && lane + 2 * full + half == lanes.end
            && 2 * full + half <= most
        {
            return work.block::<Pair<Pair<R>, R::Half>>(lane);
        }
        work.block::<Pair<R>>(lane)?;
        lane += 2 * full;
    }
    if const { LANE_STEP.is_multiple_of(2 * R::LANES) } {
        return ControlFlow::Continue(());
    }
    if const { has_half::<R>() } && lane + full + half == lanes.end && full + half <= most {
        return work.block::<Pair<R, R::Half>>(lane);
    }
    while lane + full <= lanes.end && (const { !has_half::<R>() } || full <= most) {
        work.block::<R>(lane)?;
        lane += full;
    }
    while const { has_half::<R>() } && lane + half <= lanes.end {
        work.block::<R::Half>(lane)?;
        lane += half;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::{Kernel, dispatch};
    use crate::isa::Isa;

    /// How often each lane was in a block, and the widest block.
    struct Visits {
        n: Vec<u32>,
        widest: usize,
    }

    impl LaneWork for Visits {
        fn block<R: Real>(&mut self, first_lane: usize) -> ControlFlow<()> {
            self.widest = self.widest.max(R::LANES);
            self.n[first_lane..][..R::LANES].iter_mut().for_each(|n| *n += 1);
            ControlFlow::Continue(())
        }
    }

    struct Visit<'a> {
        visits: &'a mut Visits,
        most: usize,
        in_threes: bool,
    }

    impl Kernel for Visit<'_> {
        type Output = ();

        #[inline(always)]
        fn run<R: Real>(self) {
            let lanes = 0..self.visits.n.len();
            let Self { visits, most, in_threes } = self;
            let _ = for_each_block_within::<R>(visits, lanes, most, in_threes);
        }
    }

    #[test]
    fn every_lane_is_in_one_block_however_narrow_they_are() {
        for isa in Isa::available() {
            for n_lanes in (LANE_STEP..=60).step_by(LANE_STEP) {
                for most in [1, 4, 8, 12, 16, 20, usize::MAX] {
                    for in_threes in [false, true] {
                        let mut visits = Visits { n: vec![0; n_lanes], widest: 0 };
                        dispatch(isa, Visit { visits: &mut visits, most, in_threes });
                        assert_eq!(visits.n, vec![1; n_lanes], "{isa:?} {n_lanes} {most}");
                        assert!(visits.widest <= most.max(LANE_STEP), "{isa:?} {n_lanes} {most}");
                    }
                }
            }
        }
    }
}
