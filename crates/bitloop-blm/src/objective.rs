//! What the search minimizes, as it sees it: set, probe, commit.
//!
//! Closed loops and supervised learning both implement [`Objective`], the second with delta
//! evaluation (TBLM, Sec. III-B). A probe gets shared state and a scratch, so that several can run
//! at once; it gets a bound, so that it can give up early; and it never changes the state.

use crate::ProbeControl;

/// One weight takes a new value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// Which weight.
    pub weight_index: usize,
    /// What it becomes.
    pub value: f64,
}

/// The answer of a probe.
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use]
pub enum Probe {
    /// The exact cost of the candidate, which is below the bound.
    Below(f64),
    /// The cost is certainly not below the bound, or is NaN.
    NotBelow,
    /// The candidate is worse than any other, since evaluating it met an error or a number that is no cost. The search
    /// takes it as `NotBelow`, and counts it.
    Faulty,
    /// The probe was called off before the answer was certain.
    CalledOff,
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

    /// Makes `weights: [n_weights]` current and gives their cost, evaluated in full; or `None` if the evaluation was called
    /// off from outside, and the current weights stay as they were.
    fn set(&mut self, weights: &[f64]) -> Option<f64>;

    /// The cost of the current weights with `changes` applied, or `NotBelow` as soon as it is
    /// certain that the cost is not below the bound of `control`.
    ///
    /// `changes` holds each weight at most once, and mostly a single one. A probe that takes long asks `control` now and then
    /// whether it is called off, and answers `CalledOff` if so.
    fn probe(
        &self,
        scratch: &mut Self::Scratch,
        changes: &[Change],
        control: ProbeControl<'_>,
    ) -> Probe;

    /// Makes `changes` current; `cost` is what the probe of the same changes answered.
    fn commit(&mut self, changes: &[Change], cost: f64);

    /// Whether probes can be divided, so that threads which have nothing left to probe should call
    /// [`help`](Self::help). The default is false.
    fn divides_probes(&self) -> bool {
        false
    }

    /// Does a part of the work of a probe that runs on another thread, if one is waiting to be done; says whether it did.
    /// Called again and again by idle threads until no probe is left that is needed.
    ///
    /// Nothing that a probe answers may depend on whether it was helped.
    fn help(&self, scratch: &mut Self::Scratch) -> bool {
        let _ = scratch;
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

    fn set(&mut self, weights: &[f64]) -> Option<f64> {
        (**self).set(weights)
    }

    #[inline]
    fn probe(
        &self,
        scratch: &mut Self::Scratch,
        changes: &[Change],
        control: ProbeControl<'_>,
    ) -> Probe {
        (**self).probe(scratch, changes, control)
    }

    fn commit(&mut self, changes: &[Change], cost: f64) {
        (**self).commit(changes, cost);
    }

    fn divides_probes(&self) -> bool {
        (**self).divides_probes()
    }

    fn help(&self, scratch: &mut Self::Scratch) -> bool {
        (**self).help(scratch)
    }
}

/// The cost that the search keeps: a NaN becomes infinite, so that every number is below it.
pub(crate) fn canonical_cost(cost: f64) -> f64 {
    if cost.is_nan() { f64::INFINITY } else { cost }
}
