//! [`PendingQueries`]: the last queries, which the running sums do not hold yet.

use bitloop_plant::{LANE_UNIT, LaneMatrix};

use super::measure::Measure;
use crate::trajectory::Query;

/// Queries that are added to the sums together. The sums are loaded and stored once for all of them, which takes more time than
/// to add to them.
pub(super) const MOST_PENDING: usize = 8;

/// A signal at the pending queries, in the lanes of a unit: `[MOST_PENDING][LANE_UNIT]`.
pub(super) type Signal = [f64; MOST_PENDING * LANE_UNIT];

/// The control period before a query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Period {
    /// Its end, which is the query.
    pub(super) tick: u64,
    /// Its integration steps that count in the error.
    pub(super) n_counted: f64,
}

/// Queries of the same lanes. Signals are the controls, the states, and the sum of the stage costs.
#[derive(Debug)]
pub(super) struct PendingQueries {
    /// `[n_units][n_signals]`, of each a [`Signal`].
    signals: LaneMatrix,
    n_signals: usize,
    periods: Vec<Period>,
    n_lanes: usize,
}

impl PendingQueries {
    /// Room for the queries that `measure` sums up.
    pub(super) fn new(measure: &Measure) -> Self {
        let n_signals = measure.n_controls + measure.n_states + 1;
        let n_units = measure.n_lanes() / LANE_UNIT;
        Self {
            signals: LaneMatrix::zeros(n_units * n_signals * MOST_PENDING, LANE_UNIT),
            n_signals,
            periods: Vec::with_capacity(MOST_PENDING),
            n_lanes: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.periods.clear();
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.periods.is_empty()
    }

    pub(super) const fn is_full(&self) -> bool {
        self.periods.len() == MOST_PENDING
    }

    /// The control periods before the queries.
    pub(super) fn periods(&self) -> &[Period] {
        &self.periods
    }

    /// Lanes that the queries have, padded to whole steps.
    pub(super) const fn n_lanes(&self) -> usize {
        self.n_lanes
    }

    /// The signals of each few lanes.
    #[inline(always)]
    pub(super) fn units(&self) -> impl Iterator<Item = &[f64]> {
        self.signals.as_slice().chunks_exact(self.n_signals * MOST_PENDING * LANE_UNIT)
    }

    /// Adds a query of the same lanes as those before.
    pub(super) fn push(&mut self, query: &Query<'_>, n_counted: f64) {
        let place = self.periods.len() * LANE_UNIT;
        self.n_lanes = LaneMatrix::covered(query.episodes.len());
        self.periods.push(Period { tick: query.tick, n_counted });
        let firsts = (0..self.n_lanes).step_by(LANE_UNIT);
        let width = self.n_signals * MOST_PENDING * LANE_UNIT;
        for (first, unit) in firsts.zip(self.signals.as_mut_slice().chunks_exact_mut(width)) {
            let mut signals = unit.as_chunks_mut::<{ MOST_PENDING * LANE_UNIT }>().0.iter_mut();
            for matrix in [query.control, query.state, query.cost] {
                for (row, signal) in (0..matrix.n_rows()).zip(&mut signals) {
                    let lanes = &matrix.row(row)[first..][..LANE_UNIT];
                    signal[place..][..LANE_UNIT].copy_from_slice(lanes);
                }
            }
        }
    }
}
