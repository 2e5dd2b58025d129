//! What the search minimizes, as it sees it: set, probe, commit.
//!
//! Closed loops and supervised learning both implement [`Objective`], the second with delta
//! evaluation (TBLM, Sec. III-B). A probe gets shared state and a scratch, so that several can run
//! at once; it gets a bound, so that it can give up early; and it never changes the state.

use crate::{Cancel, Idle};

/// One weight takes a new value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// Which weight.
    pub weight_index: usize,
    /// What it becomes.
    pub value: f64,
}

/// What a probe found out.
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use]
pub enum Probe {
    /// The exact cost of the candidate, which is below the bound.
    Below(f64),
    /// The cost is certainly not below the bound, or is NaN, or the probe was canceled.
    NotBelow,
}

impl Probe {
    /// The outcome of a cost that is known in full; NaN is not below any bound.
    pub fn from_cost(cost: f64, bound: f64) -> Self {
        if cost < bound { Self::Below(cost) } else { Self::NotBelow }
    }
}

/// A cost function of a weight vector, always minimized.
///
/// Costs may be any number; NaN counts as infinite. The search promises that `set` and `commit` are
/// called only while no probe runs.
///
/// # What an implementation promises
/// * Probes are pure: the same current weights, changes and bound give the same bits, whatever ran
///   on the scratch before, and whatever other probes run at the same time.
/// * A cost does not depend on the bound: with any bound above it, the probe answers `Below` with
///   the same bits.
/// * After `commit` the objective answers later probes with the same bits as after `set` of the
///   same weights. Otherwise a resumed run is not the run that was stopped.
pub trait Objective: Send + Sync {
    /// The working memory of one probe at a time.
    type Scratch: Send;

    /// The number of weights, which stays the same.
    fn n_weights(&self) -> usize;

    /// A new scratch; the search asks once for each thread.
    fn scratch(&self) -> Self::Scratch;

    /// Makes `weights: [n_weights]` current and gives their cost, evaluated in full.
    fn set(&mut self, weights: &[f64]) -> f64;

    /// The cost of the current weights with `changes` applied, or `NotBelow` as soon as it is
    /// certain that the cost is not below `bound`.
    ///
    /// `changes` holds each weight at most once, and mostly a single one. If `cancel` says so, the
    /// answer is no longer needed: give up with `NotBelow`; it also tells a lower bound, as soon as
    /// another probe has found one. To ask costs a relaxed atomic load or two.
    fn probe(
        &self,
        scratch: &mut Self::Scratch,
        changes: &[Change],
        bound: f64,
        cancel: Cancel<'_>,
    ) -> Probe;

    /// Makes `changes` current; `cost` is what the probe of the same changes answered.
    fn commit(&mut self, changes: &[Change], cost: f64);

    /// Lends a thread that has nothing left to probe, and its scratch, to the probes that still run
    /// on others, the oldest first; returns as soon as `idle` says that none does.
    ///
    /// Nothing that a probe answers may depend on whether it was helped. Without any means to
    /// divide a probe, return at once; the default does.
    fn help(&self, scratch: &mut Self::Scratch, idle: Idle<'_>) {
        let _ = (scratch, idle);
    }

    /// Whether the cost function can no longer be evaluated, so that answers since then mean nothing. Once true, it stays
    /// true. The search asks after each evaluation and before it uses the answer; it then stops where it stood.
    fn is_lost(&self) -> bool {
        false
    }
}

impl<O: Objective> Objective for &mut O {
    type Scratch = O::Scratch;

    fn n_weights(&self) -> usize {
        (**self).n_weights()
    }

    fn scratch(&self) -> Self::Scratch {
        (**self).scratch()
    }

    fn set(&mut self, weights: &[f64]) -> f64 {
        (**self).set(weights)
    }

    #[inline]
    fn probe(
        &self,
        scratch: &mut Self::Scratch,
        changes: &[Change],
        bound: f64,
        cancel: Cancel<'_>,
    ) -> Probe {
        (**self).probe(scratch, changes, bound, cancel)
    }

    fn commit(&mut self, changes: &[Change], cost: f64) {
        (**self).commit(changes, cost);
    }

    fn help(&self, scratch: &mut Self::Scratch, idle: Idle<'_>) {
        (**self).help(scratch, idle);
    }

    fn is_lost(&self) -> bool {
        (**self).is_lost()
    }
}

/// The cost that the search keeps: a NaN becomes infinite, so that every number is below it.
pub(crate) fn canonical_cost(cost: f64) -> f64 {
    if cost.is_nan() { f64::INFINITY } else { cost }
}
