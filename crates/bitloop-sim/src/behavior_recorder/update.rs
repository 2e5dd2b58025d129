//! [`Update`]: what a query adds to the running sums.

use std::ops::ControlFlow;

use bitloop_plant::{Kernel, LANE_STEP, LANE_UNIT, LaneMatrix, LaneWork, Real, for_each_block};

use super::measure::{
    BAND, CONTROL_ROWS, COST_ROWS, ControlRow, ControlScale, CostRow, Measure, STATE_ROWS, StateRow,
};
use crate::trajectory::Query;

/// What a query adds to the sums.
pub(super) struct Update<'a> {
    pub(super) measure: &'a mut Measure,
    pub(super) scales: &'a [ControlScale],
    pub(super) query: &'a Query<'a>,
    /// Integration steps of the period before that count in the error.
    pub(super) n_counted: f64,
}

impl Kernel for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Real>(self) {
        let Self { measure, scales, query, n_counted } = self;
        let n_lanes = LaneMatrix::covered(query.episodes.len());
        let (n_states, tick) = (measure.n_states, query.tick as f64);
        let firsts = (0..n_lanes).step_by(LANE_UNIT);
        for (first, unit) in firsts.zip(measure.units()) {
            let is_whole = first + LANE_UNIT <= n_lanes;
            let mut rest = unit;
            for (control, &scale) in scales.iter().enumerate() {
                let (rows, others) = take::<{ CONTROL_ROWS * LANE_UNIT }>(rest);
                rest = others;
                let u = of_unit(query.control.row(control), first);
                each::<R>(&mut ControlUpdate { u, rows, scale }, is_whole);
            }
            for state in 0..n_states {
                let (rows, others) = take::<{ STATE_ROWS * LANE_UNIT }>(rest);
                rest = others;
                let x = of_unit(query.state.row(state), first);
                each::<R>(&mut StateUpdate { x, rows }, is_whole);
            }
            if n_counted > 0.0 {
                let (rows, _) = take::<{ COST_ROWS * LANE_UNIT }>(rest);
                let sum = of_unit(query.cost.row(0), first);
                each::<R>(&mut CostUpdate { sum, rows, n_counted, tick }, is_whole);
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

/// The lanes of a unit that begins at `first`.
#[inline(always)]
fn of_unit(row: &[f64], first: usize) -> &[f64; LANE_UNIT] {
    row[first..].first_chunk().expect("rows are padded to whole units")
}

/// The sums of a row from a lane of a unit on.
macro_rules! from {
    ($rows:expr, $row:expr, $lane:expr) => {
        $rows[$row as usize * LANE_UNIT + $lane..]
    };
}

/// The rows of a control.
struct ControlUpdate<'a> {
    u: &'a [f64; LANE_UNIT],
    rows: &'a mut [f64; CONTROL_ROWS * LANE_UNIT],
    scale: ControlScale,
}

impl LaneWork for ControlUpdate<'_> {
    #[inline(always)]
    fn block<R: Real>(&mut self, lane: usize) -> ControlFlow<()> {
        let Self { u, rows, scale } = self;
        let (zero, one) = (R::splat(0.0), R::splat(1.0));
        let u = R::load(&u[lane..]);
        let change = u - R::load(&from!(rows, ControlRow::Previous, lane));
        let last = R::load(&from!(rows, ControlRow::LastChange, lane));
        let turns = R::select((change * last).lt(zero), one, zero);
        let (low, high) = scale.limits;
        let is_high = R::select(u.ge(R::splat(high)), one, zero);
        let is_at_limit = R::select(u.le(R::splat(low)), one, is_high);
        let v = (u - scale.center) / scale.scale;
        let least = R::load(&from!(rows, ControlRow::Least, lane));
        let most = R::load(&from!(rows, ControlRow::Most, lane));
        u.store(&mut from!(rows, ControlRow::Previous, lane));
        let last = R::select(change.eq(zero), last, change);
        last.store(&mut from!(rows, ControlRow::LastChange, lane));
        u.min(least).store(&mut from!(rows, ControlRow::Least, lane));
        u.max(most).store(&mut from!(rows, ControlRow::Most, lane));
        add(&mut from!(rows, ControlRow::Variation, lane), change.abs());
        add(&mut from!(rows, ControlRow::Reversals, lane), turns);
        add(&mut from!(rows, ControlRow::AtLimit, lane), is_at_limit);
        add(&mut from!(rows, ControlRow::Squares, lane), v * v);
        ControlFlow::Continue(())
    }
}

/// Adds to some lanes.
#[inline(always)]
fn add<R: Real>(sums: &mut [f64], addend: R) {
    (R::load(sums) + addend).store(sums);
}

/// The rows of a state.
struct StateUpdate<'a> {
    x: &'a [f64; LANE_UNIT],
    rows: &'a mut [f64; STATE_ROWS * LANE_UNIT],
}

impl LaneWork for StateUpdate<'_> {
    #[inline(always)]
    fn block<R: Real>(&mut self, lane: usize) -> ControlFlow<()> {
        let x = R::load(&self.x[lane..]);
        let least = x.min(R::load(&from!(self.rows, StateRow::Least, lane)));
        let most = x.max(R::load(&from!(self.rows, StateRow::Most, lane)));
        least.store(&mut from!(self.rows, StateRow::Least, lane));
        most.store(&mut from!(self.rows, StateRow::Most, lane));
        ControlFlow::Continue(())
    }
}

/// The rows of the cost.
struct CostUpdate<'a> {
    sum: &'a [f64; LANE_UNIT],
    rows: &'a mut [f64; COST_ROWS * LANE_UNIT],
    n_counted: f64,
    tick: f64,
}

impl LaneWork for CostUpdate<'_> {
    #[inline(always)]
    fn block<R: Real>(&mut self, lane: usize) -> ControlFlow<()> {
        let Self { sum, rows, n_counted, tick } = self;
        let sum = R::load(&sum[lane..]);
        let mean = (sum - R::load(&from!(rows, CostRow::Previous, lane))) / *n_counted;
        let most = mean.max(R::load(&from!(rows, CostRow::Largest, lane)));
        let outside = mean.gt(most * BAND);
        let last = R::load(&from!(rows, CostRow::LastOutside, lane));
        let last = R::select(outside, R::splat(*tick), last);
        sum.store(&mut from!(rows, CostRow::Previous, lane));
        most.store(&mut from!(rows, CostRow::Largest, lane));
        last.store(&mut from!(rows, CostRow::LastOutside, lane));
        ControlFlow::Continue(())
    }
}
