//! [`Measure`]: the running sums of the figures, a lane for each episode that still runs.

use bitloop_plant::{LANE_UNIT, LaneMatrix};

use crate::interface::Channel;
use crate::trajectory::Query;

/// The band in which a stage cost counts as settled, as a part of its largest value.
pub(super) const BAND: f64 = 0.01;

/// Rows of each control. Those up to [`Most`](ControlRow::Most) change at each query.
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

pub(super) const CONTROL_ROWS: usize = ControlRow::ReversalsBefore as usize + 1;

/// Rows of each state.
#[derive(Clone, Copy)]
pub(super) enum StateRow {
    Start,
    Least,
    Most,
}

pub(super) const STATE_ROWS: usize = StateRow::Most as usize + 1;

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

pub(super) const COST_ROWS: usize = CostRow::Before as usize + 1;

/// A control's bounds and scale.
#[derive(Clone, Copy, Debug)]
pub(super) struct ControlScale {
    pub(super) center: f64,
    pub(super) scale: f64,
    /// The distance of the bounds, infinite where one is missing.
    pub(super) range: f64,
    /// From where on it is at a limit.
    pub(super) limits: (f64, f64),
}

impl ControlScale {
    pub(super) fn of(channel: &Channel) -> Self {
        let Channel { center, scale, .. } = *channel;
        Self { center, scale, range: channel.range(), limits: channel.limits() }
    }
}

/// The running sums: of each control, of each state, of the cost, each with its rows.
///
/// A few lanes lie together with all their rows, so that a query finds what it changes in one piece, and rows of it at places
/// that the compiler knows: found row by row, with checks for each, they took three times as long.
#[derive(Debug)]
pub(super) struct Measure {
    /// `[n_units][n_rows][LANE_UNIT]`
    sums: LaneMatrix,
    n_rows: usize,
    pub(super) n_controls: usize,
    pub(super) n_states: usize,
}

impl Measure {
    pub(super) fn new(n_controls: usize, n_states: usize, n_lanes: usize) -> Self {
        let n_rows = n_controls * CONTROL_ROWS + n_states * STATE_ROWS + COST_ROWS;
        let n_units = n_lanes.div_ceil(LANE_UNIT);
        let sums = LaneMatrix::zeros(n_units * n_rows, LANE_UNIT);
        Self { sums, n_rows, n_controls, n_states }
    }

    pub(super) const fn n_lanes(&self) -> usize {
        self.sums.n_rows() / self.n_rows * LANE_UNIT
    }

    /// All sums of the first `n` lanes, row after row.
    pub(super) fn sums(&self, n: usize) -> Vec<f64> {
        (0..self.n_rows).flat_map(|row| (0..n).map(move |lane| self.sum(row, lane))).collect()
    }

    /// Sets all sums of the first `n` lanes; false if there are others than these.
    pub(super) fn set_sums(&mut self, n: usize, sums: &[f64]) -> bool {
        if n > self.n_lanes() || sums.len() != n * self.n_rows {
            return false;
        }
        for (row, sums) in sums.chunks(n.max(1)).enumerate() {
            for (lane, &sum) in sums.iter().enumerate() {
                *self.sum_mut(row, lane) = sum;
            }
        }
        true
    }

    /// All rows of each few lanes.
    #[inline(always)]
    pub(super) fn units(&mut self) -> impl Iterator<Item = &mut [f64]> {
        self.sums.as_mut_slice().chunks_exact_mut(self.n_rows * LANE_UNIT)
    }

    fn sum(&self, row: usize, lane: usize) -> f64 {
        self.sums.row(lane / LANE_UNIT * self.n_rows + row)[lane % LANE_UNIT]
    }

    fn sum_mut(&mut self, row: usize, lane: usize) -> &mut f64 {
        &mut self.sums.row_mut(lane / LANE_UNIT * self.n_rows + row)[lane % LANE_UNIT]
    }

    pub(super) fn control(&self, control: usize, row: ControlRow, lane: usize) -> f64 {
        self.sum(Self::of_control(control, row), lane)
    }

    pub(super) fn state(&self, state: usize, row: StateRow, lane: usize) -> f64 {
        self.sum(self.of_state(state, row), lane)
    }

    pub(super) fn cost(&self, row: CostRow, lane: usize) -> f64 {
        self.sum(self.of_cost(row), lane)
    }

    const fn of_control(control: usize, row: ControlRow) -> usize {
        control * CONTROL_ROWS + row as usize
    }

    const fn of_state(&self, state: usize, row: StateRow) -> usize {
        self.n_controls * CONTROL_ROWS + state * STATE_ROWS + row as usize
    }

    const fn of_cost(&self, row: CostRow) -> usize {
        self.n_controls * CONTROL_ROWS + self.n_states * STATE_ROWS + row as usize
    }

    /// Begins with the lanes of a first query.
    pub(super) fn begin(&mut self, query: &Query<'_>) {
        self.sums.fill(0.0);
        for lane in 0..LaneMatrix::covered(query.episodes.len()) {
            for control in 0..self.n_controls {
                for row in [ControlRow::Previous, ControlRow::Least, ControlRow::Most] {
                    let u = query.control.row(control)[lane];
                    *self.sum_mut(Self::of_control(control, row), lane) = u;
                }
            }
            for state in 0..self.n_states {
                for row in [StateRow::Start, StateRow::Least, StateRow::Most] {
                    *self.sum_mut(self.of_state(state, row), lane) = query.state.row(state)[lane];
                }
            }
        }
    }

    /// Keeps the sums at the start of the steady part.
    pub(super) fn begin_steady_part(&mut self, query: &Query<'_>) {
        for lane in 0..query.episodes.len() {
            for control in 0..self.n_controls {
                for (from, to) in [
                    (ControlRow::Variation, ControlRow::VariationBefore),
                    (ControlRow::Reversals, ControlRow::ReversalsBefore),
                ] {
                    let sum = self.control(control, from, lane);
                    *self.sum_mut(Self::of_control(control, to), lane) = sum;
                }
            }
            *self.sum_mut(self.of_cost(CostRow::Before), lane) = query.cost.row(0)[lane];
        }
    }

    /// Moves the lanes of episodes that still run to where they are now: `from[lane]` is where lane `lane` was.
    pub(super) fn rearrange(&mut self, from: &[usize]) {
        let mut moved = Vec::with_capacity(from.len());
        for row in 0..self.n_rows {
            moved.clear();
            moved.extend(from.iter().map(|&lane| self.sum(row, lane)));
            for (lane, &sum) in moved.iter().enumerate() {
                *self.sum_mut(row, lane) = sum;
            }
        }
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
