//! What the probes of a round tell each other while they run: [`Cancel`], [`Idle`], and what both look at.
//!
//! Owns what is known of a round before it ends. All of it only ever narrows what is needed (positions) or wanted (costs),
//! so that it may be read late, or in any order: whoever knows less does more work, to the same finding.

use crate::{Finding, Plan};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// No position at all.
const NONE: usize = usize::MAX;

/// How a round stands.
#[derive(Debug)]
pub(crate) struct Round {
    /// The last position that can still matter.
    last_needed: AtomicUsize,
    /// The lowest position known to improve on the current cost.
    first_improving: AtomicUsize,
    /// The lowest cost known of a position that is probed in any case, as bits.
    lowest_cost: AtomicU64,
    /// The position that each thread probes.
    probing: Vec<Slot>,
}

/// A cache line of its own for each thread, since each claim of a position writes there.
#[derive(Debug)]
#[repr(align(64))]
struct Slot(AtomicUsize);

impl Round {
    /// Of one thread, in which everything is needed and nothing known.
    const fn of_one() -> Self {
        Self {
            last_needed: AtomicUsize::new(NONE),
            first_improving: AtomicUsize::new(NONE),
            lowest_cost: AtomicU64::new(f64::INFINITY.to_bits()),
            probing: Vec::new(),
        }
    }

    pub(crate) fn new(n_threads: usize) -> Self {
        let probing = (0..n_threads).map(|_| Slot(AtomicUsize::new(NONE))).collect();
        Self { probing, ..Self::of_one() }
    }

    /// Begins another round, while no probe runs.
    pub(crate) fn open(&self, plan: &Plan) {
        self.last_needed.store(NONE, Ordering::Relaxed);
        self.first_improving.store(NONE, Ordering::Relaxed);
        self.lowest_cost.store(f64::INFINITY.to_bits(), Ordering::Relaxed);
        self.narrow(&plan.so_far, plan.min_probes);
    }

    /// Takes note of what a thread has found.
    pub(crate) fn narrow(&self, finding: &Finding, min_probes: usize) {
        let (Some(first), Some(best)) = (finding.first_improving, finding.best) else { return };
        self.last_needed.fetch_min(finding.n_needed(min_probes) - 1, Ordering::Relaxed);
        self.first_improving.fetch_min(first, Ordering::Relaxed);
        if best.position < min_probes {
            let lower = |known| (best.cost < f64::from_bits(known)).then(|| best.cost.to_bits());
            // Refused where it is not lower.
            let _ = self.lowest_cost.fetch_update(Ordering::Relaxed, Ordering::Relaxed, lower);
        }
    }

    /// Ends all probes but that of the first position, since nothing comes of this round.
    pub(crate) fn call_off(&self) {
        self.last_needed.store(0, Ordering::Relaxed);
    }

    /// Thread `slot` probes `position` from now on.
    pub(crate) fn enter(&self, slot: usize, position: usize) {
        self.probing[slot].0.store(position, Ordering::Relaxed);
    }

    /// Thread `slot` probes nothing any more.
    pub(crate) fn leave(&self, slot: usize) {
        self.probing[slot].0.store(NONE, Ordering::Relaxed);
    }

    /// The lowest position that is probed right now.
    fn oldest(&self) -> usize {
        let positions = self.probing.iter().map(|slot| slot.0.load(Ordering::Relaxed));
        positions.min().unwrap_or(NONE)
    }
}

/// Tells a probe whether its answer is still needed, and how low a cost must be by now.
///
/// A probe stands at a position of the exploration order. It is canceled once a probe at an
/// earlier position has settled which move is taken; then its answer is thrown away, so a canceled
/// probe may answer anything.
#[derive(Debug, Clone, Copy)]
pub struct Cancel<'a> {
    position: usize,
    round: &'a Round,
}

impl<'a> Cancel<'a> {
    pub(crate) fn new(position: usize, round: &'a Round) -> Self {
        Self { position, round }
    }

    /// A token that is never canceled, for probes one after another.
    #[inline]
    pub fn never(position: usize) -> Cancel<'static> {
        static ALONE: Round = Round::of_one();
        Cancel { position, round: &ALONE }
    }

    /// Whether the answer is no longer needed. Once true, it stays true.
    #[inline]
    pub fn is_canceled(&self) -> bool {
        self.position > self.round.last_needed.load(Ordering::Relaxed)
    }

    /// `bound`, or what other probes have lowered it to meanwhile: a cost that is not below is not
    /// taken, and may be answered with `NotBelow`.
    ///
    /// Once an earlier position improves, this one matters only if its cost is the lowest, or ties
    /// with it, of all those that are probed in any case; what comes after those is canceled. So
    /// the lowest cost is a bound whether its position is earlier or later.
    #[inline]
    pub fn bound(&self, bound: f64) -> f64 {
        if self.round.first_improving.load(Ordering::Relaxed) >= self.position {
            return bound;
        }
        let lowest = f64::from_bits(self.round.lowest_cost.load(Ordering::Relaxed));
        bound.min(lowest.next_up())
    }

    /// The position of the probe in the exploration order.
    #[inline]
    pub fn position(&self) -> usize {
        self.position
    }

    /// Whether no earlier position is being probed: of probes that run at the same time, the oldest
    /// is decided first, so it is the one to be helped.
    pub fn is_oldest(&self) -> bool {
        self.round.oldest() >= self.position
    }
}

/// Tells a thread that has nothing left to probe whether others still do.
#[derive(Debug, Clone, Copy)]
pub struct Idle<'a> {
    round: &'a Round,
}

impl<'a> Idle<'a> {
    pub(crate) fn new(round: &'a Round) -> Self {
        Self { round }
    }

    /// Whether no probe runs any more whose answer is needed.
    pub fn is_over(&self) -> bool {
        let oldest = self.round.oldest();
        oldest == NONE || oldest > self.round.last_needed.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Candidate;

    fn finding(position: usize, cost: f64) -> Finding {
        let mut finding = Finding::default();
        finding.record(Candidate { position, move_index: position, cost }, 5);
        finding
    }

    #[test]
    fn only_an_earlier_improvement_lowers_the_bound() {
        let round = Round::new(1);
        let bound = |position| Cancel::new(position, &round).bound(9.0);
        // After those that are probed in any case: its cost is no bound to anyone.
        round.narrow(&finding(7, 1.0), 5);
        assert_eq!([2, 6, 7].map(bound), [9.0; 3]);
        round.narrow(&finding(3, 4.0), 5);
        assert_eq!([2, 3, 4].map(bound), [9.0, 9.0, 4.0_f64.next_up()]);
        round.narrow(&finding(4, -2.0), 5);
        round.narrow(&finding(1, 6.0), 5);
        assert_eq!([0, 1, 2, 3].map(bound), [9.0, 9.0, (-2.0_f64).next_up(), (-2.0_f64).next_up()]);
        assert_eq!(Cancel::new(2, &round).bound(-3.0), -3.0);
        assert!(Cancel::new(5, &round).is_canceled() && !Cancel::new(4, &round).is_canceled());
    }

    #[test]
    fn the_oldest_probe_that_runs_is_known() {
        let round = Round::new(3);
        let idle = Idle::new(&round);
        assert!(idle.is_over());
        round.enter(0, 6);
        round.enter(2, 4);
        assert!(Cancel::new(4, &round).is_oldest() && !Cancel::new(6, &round).is_oldest());
        assert!(!idle.is_over());
        round.leave(2);
        assert!(Cancel::new(6, &round).is_oldest() && !idle.is_over());
        round.narrow(&finding(5, 1.0), 1);
        assert!(idle.is_over(), "the only probe that runs is canceled");
    }
}
