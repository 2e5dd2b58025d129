//! [`Penalties`]: costs on what a controller does, added to the plant's own stage cost.
//!
//! They are charged by the loop, so that any plant has them. From the query `k` on, at each integration step that counts,
//! ```text
//! p_k = 1 / n_u sum_i (effort v_k^2 + rate (v_k - v_(k-1))^2 + saturation [u_k at a limit])
//! ```
//! over the controls i, where v = (u - center) / scale is the control after saturation, scaled as the controller gives it, and the
//! change at the first query is 0. An episode sums its penalties in order of time beside its stage costs; its error is that of
//! the sum of both. Both sums only grow, so that early abort stays exact. A failed episode is charged the penalty of its last
//! query up to its horizon: failing is never cheaper.

use std::ops::ControlFlow;

use bitloop_plant::{Isa, Kernel, LaneMatrix, LaneWork, Real, dispatch, for_each_block};
use serde::{Deserialize, Serialize};

use crate::interface::{Channel, Interface};

/// Costs on controls, per integration step; all 0 by default, which is off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Penalties {
    /// Of the squared control, as its mean over the controls, each scaled.
    #[serde(default)]
    pub effort: f64,
    /// Of the squared change of the control since the query before, as its mean over the controls, each scaled.
    #[serde(default)]
    pub rate: f64,
    /// Of the share of the controls that are at a limit.
    #[serde(default)]
    pub saturation: f64,
}

impl Penalties {
    /// Whether nothing is charged.
    #[must_use]
    pub fn is_off(&self) -> bool {
        *self == Self::default()
    }

    /// The penalties by their names, in order.
    #[must_use]
    pub const fn named(&self) -> [(&'static str, f64); 3] {
        [("effort", self.effort), ("rate", self.rate), ("saturation", self.saturation)]
    }
}

/// Penalties on controls of known scales and bounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PenaltyTerms {
    pub(crate) penalties: Penalties,
    controls: Vec<Channel>,
}

impl PenaltyTerms {
    pub(crate) fn new(penalties: Penalties, interface: &Interface) -> Self {
        Self { penalties, controls: interface.outputs.clone() }
    }

    pub(crate) fn is_off(&self) -> bool {
        self.penalties.is_off()
    }

    /// Rows that a lane needs: the scaled controls of the query before, the present penalty, and its sum so far.
    pub(crate) fn n_rows(&self) -> usize {
        if self.is_off() { 0 } else { self.controls.len() + 2 }
    }

    /// Charges the controls of a query over the `n_counted` steps of its period that count.
    pub(crate) fn charge(
        &self,
        isa: Isa,
        n_lanes: usize,
        control: &LaneMatrix,
        rows: &mut LaneMatrix,
        (is_first, n_counted): (bool, u64),
    ) {
        let n_counted = n_counted as f64;
        dispatch(isa, Charge { terms: self, control, rows, n_lanes, is_first, n_counted });
    }

    /// The penalties of a lane so far, which ends with `n_left` steps that count still before it.
    pub(crate) fn sum(&self, rows: &LaneMatrix, lane: usize, n_left: u64) -> f64 {
        if self.is_off() {
            return 0.0;
        }
        let at = self.controls.len();
        let (present, sum) = (rows.row(at)[lane], rows.row(at + 1)[lane]);
        // An infinite penalty of no step would be NaN.
        if n_left == 0 { sum } else { sum + n_left as f64 * present }
    }
}

struct Charge<'a> {
    terms: &'a PenaltyTerms,
    control: &'a LaneMatrix,
    rows: &'a mut LaneMatrix,
    n_lanes: usize,
    is_first: bool,
    n_counted: f64,
}

impl Kernel for Charge<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Real>(mut self) {
        let all = 0..LaneMatrix::covered(self.n_lanes);
        let _ = for_each_block::<R>(&mut self, all);
    }
}

impl LaneWork for Charge<'_> {
    #[inline(always)]
    fn block<R: Real>(&mut self, lane: usize) -> ControlFlow<()> {
        let Self { terms, control, rows, is_first, n_counted, .. } = self;
        let Penalties { effort, rate, saturation } = terms.penalties;
        let (zero, n_controls) = (R::splat(0.0), terms.controls.len());
        let mut sum = zero;
        for (index, channel) in terms.controls.iter().enumerate() {
            let u = R::load(&control.row(index)[lane..]);
            let v = (u - channel.center) / channel.scale;
            let before = R::load(&rows.row(index)[lane..]);
            let change = if *is_first { zero } else { v - before };
            v.store(&mut rows.row_mut(index)[lane..]);
            let (low, high) = channel.limits();
            let is_high = R::select(u.ge(R::splat(high)), R::splat(saturation), zero);
            let at_limit = R::select(u.le(R::splat(low)), R::splat(saturation), is_high);
            sum = sum + v * v * effort + change * change * rate + at_limit;
        }
        let penalty = sum / n_controls as f64;
        // What is no number is charged without end, so that sums stay numbers that can be compared.
        let penalty = R::select(penalty.ge(zero), penalty, R::splat(f64::INFINITY));
        penalty.store(&mut rows.row_mut(n_controls)[lane..]);
        if *n_counted > 0.0 {
            let sum = R::load(&rows.row(n_controls + 1)[lane..]) + penalty * *n_counted;
            sum.store(&mut rows.row_mut(n_controls + 1)[lane..]);
        }
        ControlFlow::Continue(())
    }
}
