//! [`Measure`]: the running sums of the figures, a lane for each episode that still runs.

use std::ops::ControlFlow;

use bitloop_plant::{Kernel, LaneMatrix, LaneWork, Real, for_each_block};

use crate::interface::Channel;
use crate::trajectory::Query;

/// The band in which a stage cost counts as settled, as a part of its largest value.
const BAND: f64 = 0.01;

/// Rows of each control; after the first, the last change that was not 0 has one. Those up to [`Most`](ControlRow::Most) change at each query.
#[derive(Clone, Copy)]
pub(super) enum ControlRow {
    Previous,
    Variation = 2,
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
        let Channel { center, scale, .. } = *channel;
        Self { center, scale, range: channel.range(), limits: channel.limits() }
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

    /// Some rows one after another.
    fn rows_from<const N: usize>(&mut self, first: usize) -> [&mut [f64]; N] {
        let n_lanes = self.n_lanes();
        let mut rows = self.rows.as_mut_slice()[first * n_lanes..].chunks_exact_mut(n_lanes);
        std::array::from_fn(|_| rows.next().expect("rows of one variable"))
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

    /// Rows are found once for all lanes: finding them for each block of lanes would take most of the time.
    #[inline(always)]
    fn run<R: Real>(self) {
        let Self { measure, scales, query, n_counted } = self;
        let lanes = 0..LaneMatrix::covered(query.episodes.len());
        for (control, &scale) in scales.iter().enumerate() {
            let rows = measure.rows_from(control * CONTROL_ROWS + ControlRow::Previous as usize);
            let mut update = ControlUpdate { u: query.control.row(control), rows, scale };
            let _ = for_each_block::<R>(&mut update, lanes.clone());
        }
        for state in 0..measure.n_states {
            let rows = measure.rows_from(measure.of_state(state, StateRow::Least));
            let mut update = StateUpdate { x: query.state.row(state), rows };
            let _ = for_each_block::<R>(&mut update, lanes.clone());
        }
        if n_counted > 0.0 {
            let rows = measure.rows_from(measure.of_cost(CostRow::Previous));
            let tick = query.tick as f64;
            let mut update = CostUpdate { sum: query.cost.row(0), rows, n_counted, tick };
            let _ = for_each_block::<R>(&mut update, lanes);
        }
    }
}

/// The rows of a control, from [`ControlRow::Previous`] to [`ControlRow::Most`].
struct ControlUpdate<'a> {
    u: &'a [f64],
    rows: [&'a mut [f64]; ControlRow::Most as usize + 1],
    scale: ControlScale,
}

impl LaneWork for ControlUpdate<'_> {
    #[inline(always)]
    fn block<R: Real>(&mut self, lane: usize) -> ControlFlow<()> {
        let Self { u, rows, scale } = self;
        let [previous, last_change, variation, reversals, at_limit, squares, least, most] = rows;
        let (zero, one) = (R::splat(0.0), R::splat(1.0));
        let u = R::load(&u[lane..]);
        let change = u - R::load(&previous[lane..]);
        let last = R::load(&last_change[lane..]);
        let turns = R::select((change * last).lt(zero), one, zero);
        let (low, high) = scale.limits;
        let is_high = R::select(u.ge(R::splat(high)), one, zero);
        let is_at_limit = R::select(u.le(R::splat(low)), one, is_high);
        let v = (u - scale.center) / scale.scale;
        u.store(&mut previous[lane..]);
        R::select(change.eq(zero), last, change).store(&mut last_change[lane..]);
        u.min(R::load(&least[lane..])).store(&mut least[lane..]);
        u.max(R::load(&most[lane..])).store(&mut most[lane..]);
        add(variation, lane, change.abs());
        add(reversals, lane, turns);
        add(at_limit, lane, is_at_limit);
        add(squares, lane, v * v);
        ControlFlow::Continue(())
    }
}

/// Adds to some lanes of a row.
#[inline(always)]
fn add<R: Real>(row: &mut [f64], lane: usize, addend: R) {
    (R::load(&row[lane..]) + addend).store(&mut row[lane..]);
}

/// The rows of a state from [`StateRow::Least`] on.
struct StateUpdate<'a> {
    x: &'a [f64],
    rows: [&'a mut [f64]; 2],
}

impl LaneWork for StateUpdate<'_> {
    #[inline(always)]
    fn block<R: Real>(&mut self, lane: usize) -> ControlFlow<()> {
        let x = R::load(&self.x[lane..]);
        let [least, most] = &mut self.rows;
        x.min(R::load(&least[lane..])).store(&mut least[lane..]);
        x.max(R::load(&most[lane..])).store(&mut most[lane..]);
        ControlFlow::Continue(())
    }
}

/// The rows of the cost, from [`CostRow::Previous`] to [`CostRow::LastOutside`].
struct CostUpdate<'a> {
    sum: &'a [f64],
    rows: [&'a mut [f64]; CostRow::LastOutside as usize + 1],
    n_counted: f64,
    tick: f64,
}

impl LaneWork for CostUpdate<'_> {
    #[inline(always)]
    fn block<R: Real>(&mut self, lane: usize) -> ControlFlow<()> {
        let [previous, largest, last_outside] = &mut self.rows;
        let sum = R::load(&self.sum[lane..]);
        let mean = (sum - R::load(&previous[lane..])) / self.n_counted;
        let most = mean.max(R::load(&largest[lane..]));
        let outside = mean.gt(most * BAND);
        let last = R::select(outside, R::splat(self.tick), R::load(&last_outside[lane..]));
        sum.store(&mut previous[lane..]);
        most.store(&mut largest[lane..]);
        last.store(&mut last_outside[lane..]);
        ControlFlow::Continue(())
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
