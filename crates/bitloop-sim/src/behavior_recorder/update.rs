//! [`Update`]: what queries add to the running sums.

use std::ops::ControlFlow;

use bitloop_plant::{Kernel, LANE_STEP, LANE_UNIT, LaneWork, Real, for_each_block};

use super::measure::{
    BAND, CONTROL_ROWS, COST_ROWS, ControlRow, ControlScale, CostRow, Measure, STATE_ROWS, StateRow,
};
use super::pending::{MOST_PENDING, PendingQueries, Period, Signal};

/// What pending queries add to the sums.
pub(super) struct Update<'a> {
    pub(super) measure: &'a mut Measure,
    pub(super) scales: &'a [ControlScale],
    pub(super) pending: &'a PendingQueries,
}

impl Kernel for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Real>(self) {
        let Self { measure, scales, pending } = self;
        let (n_lanes, n_states) = (pending.n_lanes(), measure.n_states);
        let periods = pending.periods();
        let n = periods.len();
        let firsts = (0..n_lanes).step_by(LANE_UNIT);
        for (first, (unit, signals)) in firsts.zip(measure.units().zip(pending.units())) {
            let is_whole = first + LANE_UNIT <= n_lanes;
            let (signals, _) = signals.as_chunks::<{ MOST_PENDING * LANE_UNIT }>();
            let (controls, others) = signals.split_at(scales.len());
            let (states, costs) = others.split_at(n_states);
            let mut rest = unit;
            for (u, &scale) in controls.iter().zip(scales) {
                let (rows, others) = take::<{ CONTROL_ROWS * LANE_UNIT }>(rest);
                rest = others;
                each::<R>(&mut ControlUpdate { u, n, rows, scale }, is_whole);
            }
            for x in states {
                let (rows, others) = take::<{ STATE_ROWS * LANE_UNIT }>(rest);
                rest = others;
                each::<R>(&mut StateUpdate { x, n, rows }, is_whole);
            }
            for sum in costs {
                let (rows, others) = take::<{ COST_ROWS * LANE_UNIT }>(rest);
                rest = others;
                each::<R>(&mut CostUpdate { sum, periods, rows }, is_whole);
            }
        }
    }
}

/// Does `work` in all lanes of a unit, or in those of its first step.
#[inline(always)]
fn each<R: Real>(work: &mut impl LaneWork, is_whole: bool) {
    let _ = if is_whole {
        for_each_block::<R>(work, 0..LANE_UNIT)
    } else {
        for_each_block::<R>(work, 0..LANE_STEP)
    };
}

/// The rows of a variable, and those after them.
#[inline(always)]
fn take<const N: usize>(rows: &mut [f64]) -> (&mut [f64; N], &mut [f64]) {
    rows.split_first_chunk_mut().expect("the rows of a variable")
}

/// A signal at the first `n` pending queries, in the lanes from `lane` on.
#[inline(always)]
fn values<R: Real>(signal: &Signal, n: usize, lane: usize) -> impl Iterator<Item = R> {
    signal.as_chunks::<LANE_UNIT>().0.iter().take(n).map(move |lanes| R::load(&lanes[lane..]))
}

/// The sums of a row from a lane of a unit on.
macro_rules! from {
    ($rows:expr, $row:expr, $lane:expr) => {
        $rows[$row as usize * LANE_UNIT + $lane..]
    };
}

/// The rows of a control.
struct ControlUpdate<'a> {
    u: &'a Signal,
    n: usize,
    rows: &'a mut [f64; CONTROL_ROWS * LANE_UNIT],
    scale: ControlScale,
}

impl LaneWork for ControlUpdate<'_> {
    #[inline(always)]
    fn block<R: Real>(&mut self, lane: usize) -> ControlFlow<()> {
        let Self { u, n, rows, scale } = self;
        let (zero, one) = (R::splat(0.0), R::splat(1.0));
        let (low, high) = (R::splat(scale.limits.0), R::splat(scale.limits.1));
        let mut previous = R::load(&from!(rows, ControlRow::Previous, lane));
        let mut last = R::load(&from!(rows, ControlRow::LastChange, lane));
        let mut least = R::load(&from!(rows, ControlRow::Least, lane));
        let mut most = R::load(&from!(rows, ControlRow::Most, lane));
        let mut variation = R::load(&from!(rows, ControlRow::Variation, lane));
        let mut reversals = R::load(&from!(rows, ControlRow::Reversals, lane));
        let mut at_limit = R::load(&from!(rows, ControlRow::AtLimit, lane));
        let mut squares = R::load(&from!(rows, ControlRow::Squares, lane));
        for u in values::<R>(u, *n, lane) {
            let change = u - previous;
            previous = u;
            variation += change.abs();
            reversals += R::select((change * last).lt(zero), one, zero);
            last = R::select(change.eq(zero), last, change);
            at_limit += R::select(u.le(low), one, R::select(u.ge(high), one, zero));
            let v = (u - scale.center) / scale.scale;
            squares += v * v;
            least = u.min(least);
            most = u.max(most);
        }
        previous.store(&mut from!(rows, ControlRow::Previous, lane));
        last.store(&mut from!(rows, ControlRow::LastChange, lane));
        least.store(&mut from!(rows, ControlRow::Least, lane));
        most.store(&mut from!(rows, ControlRow::Most, lane));
        variation.store(&mut from!(rows, ControlRow::Variation, lane));
        reversals.store(&mut from!(rows, ControlRow::Reversals, lane));
        at_limit.store(&mut from!(rows, ControlRow::AtLimit, lane));
        squares.store(&mut from!(rows, ControlRow::Squares, lane));
        ControlFlow::Continue(())
    }
}

/// The rows of a state.
struct StateUpdate<'a> {
    x: &'a Signal,
    n: usize,
    rows: &'a mut [f64; STATE_ROWS * LANE_UNIT],
}

impl LaneWork for StateUpdate<'_> {
    #[inline(always)]
    fn block<R: Real>(&mut self, lane: usize) -> ControlFlow<()> {
        let Self { x, n, rows } = self;
        let mut least = R::load(&from!(rows, StateRow::Least, lane));
        let mut most = R::load(&from!(rows, StateRow::Most, lane));
        for x in values::<R>(x, *n, lane) {
            least = x.min(least);
            most = x.max(most);
        }
        least.store(&mut from!(rows, StateRow::Least, lane));
        most.store(&mut from!(rows, StateRow::Most, lane));
        ControlFlow::Continue(())
    }
}

/// The rows of the cost.
struct CostUpdate<'a> {
    sum: &'a Signal,
    periods: &'a [Period],
    rows: &'a mut [f64; COST_ROWS * LANE_UNIT],
}

impl LaneWork for CostUpdate<'_> {
    #[inline(always)]
    fn block<R: Real>(&mut self, lane: usize) -> ControlFlow<()> {
        let Self { sum, periods, rows } = self;
        let mut previous = R::load(&from!(rows, CostRow::Previous, lane));
        let mut most = R::load(&from!(rows, CostRow::Largest, lane));
        let mut last = R::load(&from!(rows, CostRow::LastOutside, lane));
        for (period, sum) in periods.iter().zip(values::<R>(sum, periods.len(), lane)) {
            if period.n_counted > 0.0 {
                let mean = (sum - previous) / period.n_counted;
                previous = sum;
                most = mean.max(most);
                last = R::select(mean.gt(most * BAND), R::splat(period.tick as f64), last);
            }
        }
        previous.store(&mut from!(rows, CostRow::Previous, lane));
        most.store(&mut from!(rows, CostRow::Largest, lane));
        last.store(&mut from!(rows, CostRow::LastOutside, lane));
        ControlFlow::Continue(())
    }
}
