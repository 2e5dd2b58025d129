//! [`Measure`]: the running sums of the figures, a lane for each episode that still runs.

use std::ops::ControlFlow;

use bitloop_plant::{Kernel, LaneMatrix, LaneWork, Real, for_each_block};

use crate::interface::Channel;
use crate::trajectory::Query;

/// A control is at a limit within this part of its range of a bound.
const AT_LIMIT: f64 = 1e-3;

/// The band in which a stage cost counts as settled, as a part of its largest value.
const BAND: f64 = 0.01;

/// Rows of each control.
#[derive(Clone, Copy)]
pub(super) enum ControlRow {
    Previous,
    /// The last change that was not 0.
    LastChange,
    Variation,
    Reversals,
    AtLimit,
    Squares,
    Least,
    Most,
    /// The sum of the variation when the steady part began.
    VariationBefore,
    /// The reversals when the steady part began.
    ReversalsBefore,
}

const CONTROL_ROWS: usize = ControlRow::ReversalsBefore as usize + 1;

/// Rows of each state.
#[derive(Clone, Copy)]
pub(super) enum StateRow {
    Start,
    Least,
    Most,
}

const STATE_ROWS: usize = StateRow::Most as usize + 1;

/// Rows of the stage cost.
#[derive(Clone, Copy)]
pub(super) enum CostRow {
    /// The sum of the costs up to the query before.
    Previous,
    /// The largest mean of a period.
    Largest,
    /// The tick at the end of the last period outside the band.
    LastOutside,
    /// The sum of the costs when the steady part began.
    Before,
}

const COST_ROWS: usize = CostRow::Before as usize + 1;

/// A control's bounds and scale.
#[derive(Clone, Copy, Debug)]
pub(super) struct ControlScale {
    center: f64,
    scale: f64,
    /// The distance of the bounds, infinite where one is missing.
    pub(super) range: f64,
    /// From where on it is at a limit.
    limits: (f64, f64),
}

impl ControlScale {
    pub(super) fn of(channel: &Channel) -> Self {
        let Channel { center, scale, bounds: (low, high), .. } = *channel;
        let range = high - low;
        let margin = AT_LIMIT * if range.is_finite() { range } else { scale };
        Self { center, scale, range, limits: (low + margin, high - margin) }
    }
}

/// The running sums: controls, states, cost, each with its rows.
#[derive(Debug)]
pub(super) struct Measure {
    rows: LaneMatrix,
    n_controls: usize,
    n_states: usize,
}

impl Measure {
    pub(super) fn new(n_controls: usize, n_states: usize, n_lanes: usize) -> Self {
        let n_rows = n_controls * CONTROL_ROWS + n_states * STATE_ROWS + COST_ROWS;
        Self { rows: LaneMatrix::zeros(n_rows, LaneMatrix::padded(n_lanes)), n_controls, n_states }
    }

    pub(super) const fn n_lanes(&self) -> usize {
        self.rows.n_lanes()
    }

    pub(super) fn control(&self, control: usize, row: ControlRow, lane: usize) -> f64 {
        self.rows.row(control * CONTROL_ROWS + row as usize)[lane]
    }

    pub(super) fn state(&self, state: usize, row: StateRow, lane: usize) -> f64 {
        self.rows.row(self.of_state(state, row))[lane]
    }

    pub(super) fn cost(&self, row: CostRow, lane: usize) -> f64 {
        self.rows.row(self.of_cost(row))[lane]
    }

    fn of_state(&self, state: usize, row: StateRow) -> usize {
        self.n_controls * CONTROL_ROWS + state * STATE_ROWS + row as usize
    }

    fn of_cost(&self, row: CostRow) -> usize {
        self.n_controls * CONTROL_ROWS + self.n_states * STATE_ROWS + row as usize
    }

    /// Begins with the lanes of a first query.
    pub(super) fn begin(&mut self, query: &Query<'_>) {
        self.rows.fill(0.0);
        let n = LaneMatrix::covered(query.episodes.len());
        for control in 0..self.n_controls {
            for row in [ControlRow::Previous, ControlRow::Least, ControlRow::Most] {
                let row = self.rows.row_mut(control * CONTROL_ROWS + row as usize);
                row[..n].copy_from_slice(&query.control.row(control)[..n]);
            }
        }
        for state in 0..self.n_states {
            for row in [StateRow::Start, StateRow::Least, StateRow::Most] {
                let row = self.of_state(state, row);
                self.rows.row_mut(row)[..n].copy_from_slice(&query.state.row(state)[..n]);
            }
        }
    }

    /// Keeps the sums at the start of the steady part.
    pub(super) fn begin_steady_part(&mut self, query: &Query<'_>) {
        for control in 0..self.n_controls {
            for (from, to) in [
                (ControlRow::Variation, ControlRow::VariationBefore),
                (ControlRow::Reversals, ControlRow::ReversalsBefore),
            ] {
                let row = |row: ControlRow| control * CONTROL_ROWS + row as usize;
                let sums = self.rows.row(row(from)).to_vec();
                self.rows.row_mut(row(to)).copy_from_slice(&sums);
            }
        }
        let (row, costs) = (self.of_cost(CostRow::Before), query.cost.row(0));
        let n = query.episodes.len();
        self.rows.row_mut(row)[..n].copy_from_slice(&costs[..n]);
    }

    /// Moves the lanes of episodes that still run to where they are now: `from[lane]` is where lane `lane` was.
    pub(super) fn rearrange(&mut self, from: &[usize]) {
        let n_lanes = self.n_lanes();
        let mut moved = Vec::with_capacity(from.len());
        for row in self.rows.as_mut_slice().chunks_exact_mut(n_lanes) {
            moved.clear();
            moved.extend(from.iter().map(|&lane| row[lane]));
            row[..moved.len()].copy_from_slice(&moved);
        }
    }
}

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
    fn run<R: Real>(mut self) {
        let all = 0..LaneMatrix::covered(self.query.episodes.len());
        let _ = for_each_block::<R>(&mut self, all);
    }
}

impl LaneWork for Update<'_> {
    #[inline(always)]
    fn block<R: Real>(&mut self, lane: usize) -> ControlFlow<()> {
        for (control, scale) in self.scales.iter().enumerate() {
            self.control::<R>(control, *scale, lane);
        }
        for state in 0..self.measure.n_states {
            let x = R::load(&self.query.state.row(state)[lane..]);
            let [least, most] =
                [StateRow::Least, StateRow::Most].map(|row| self.measure.of_state(state, row));
            let rows = &mut self.measure.rows;
            x.min(R::load(&rows.row(least)[lane..])).store(&mut rows.row_mut(least)[lane..]);
            x.max(R::load(&rows.row(most)[lane..])).store(&mut rows.row_mut(most)[lane..]);
        }
        if self.n_counted > 0.0 {
            self.cost::<R>(lane);
        }
        ControlFlow::Continue(())
    }
}

impl Update<'_> {
    #[inline(always)]
    fn control<R: Real>(&mut self, control: usize, scale: ControlScale, lane: usize) {
        let rows = &mut self.measure.rows;
        let at = |row: ControlRow| control * CONTROL_ROWS + row as usize;
        let (zero, one) = (R::splat(0.0), R::splat(1.0));
        let u = R::load(&self.query.control.row(control)[lane..]);
        let load = |rows: &LaneMatrix, row| R::load(&rows.row(at(row))[lane..]);
        let change = u - load(rows, ControlRow::Previous);
        let last = load(rows, ControlRow::LastChange);
        let turns = R::select((change * last).lt(zero), one, zero);
        let last = R::select(change.eq(zero), last, change);
        let (low, high) = scale.limits;
        let is_high = R::select(u.ge(R::splat(high)), one, zero);
        let at_limit = R::select(u.le(R::splat(low)), one, is_high);
        let v = (u - scale.center) / scale.scale;
        for (row, value) in [
            (ControlRow::Previous, u),
            (ControlRow::LastChange, last),
            (ControlRow::Variation, load(rows, ControlRow::Variation) + change.abs()),
            (ControlRow::Reversals, load(rows, ControlRow::Reversals) + turns),
            (ControlRow::AtLimit, load(rows, ControlRow::AtLimit) + at_limit),
            (ControlRow::Squares, load(rows, ControlRow::Squares) + v * v),
            (ControlRow::Least, u.min(load(rows, ControlRow::Least))),
            (ControlRow::Most, u.max(load(rows, ControlRow::Most))),
        ] {
            value.store(&mut rows.row_mut(at(row))[lane..]);
        }
    }

    #[inline(always)]
    fn cost<R: Real>(&mut self, lane: usize) {
        let [previous, largest, last] = [CostRow::Previous, CostRow::Largest, CostRow::LastOutside]
            .map(|row| self.measure.of_cost(row));
        let rows = &mut self.measure.rows;
        let sum = R::load(&self.query.cost.row(0)[lane..]);
        let mean = (sum - R::load(&rows.row(previous)[lane..])) / self.n_counted;
        let most = mean.max(R::load(&rows.row(largest)[lane..]));
        let outside = mean.gt(most * BAND);
        let tick = R::splat(self.query.tick as f64);
        let last_outside = R::select(outside, tick, R::load(&rows.row(last)[lane..]));
        sum.store(&mut rows.row_mut(previous)[lane..]);
        most.store(&mut rows.row_mut(largest)[lane..]);
        last_outside.store(&mut rows.row_mut(last)[lane..]);
    }
}

impl Measure {
    /// The tick at the end of the last period whose mean stage cost was outside the band, once the last one, with this sum
    /// at its end, is over.
    pub(super) fn last_outside(&self, lane: usize, tick: u64, sum: f64, n_counted: f64) -> f64 {
        let mean = (sum - self.cost(CostRow::Previous, lane)) / n_counted;
        let largest = self.cost(CostRow::Largest, lane);
        let largest = if mean > largest { mean } else { largest };
        if mean > largest * BAND { tick as f64 } else { self.cost(CostRow::LastOutside, lane) }
    }
}
