//! [`Round`]: which positions the threads of one exploration claim, and what they know of each other while it lasts.
//!
//! What they know only ever narrows what is needed (positions) or accepted (costs). So it may be read late and in any order: a
//! thread that knows less does more work, to the same finding.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::{Finding, Plan};

/// No position at all.
const NONE: usize = usize::MAX;

/// The state of a round.
#[derive(Debug)]
pub(crate) struct Round {
    /// The next position to claim.
    next_position: AtomicUsize,
    /// The last position that can still matter.
    last_needed: AtomicUsize,
    /// The lowest position known to improve on the current cost.
    first_improving: AtomicUsize,
    /// The lowest cost known of a position that is probed in any case, as bits.
    lowest_cost: AtomicU64,
    /// The lowest position whose probe was called off although it was needed.
    first_called_off: AtomicUsize,
    /// The position that each thread probes.
    probing: Vec<Slot>,
    /// Threads without a position of their own, which can help.
    n_idle: AtomicUsize,
}

/// A cache line of its own for each thread, since each claim of a position writes there.
#[derive(Debug)]
#[repr(align(64))]
struct Slot(AtomicUsize);

impl Round {
    /// Of one thread, in which everything is needed and nothing known; beside it `n_idle` threads can help.
    pub(crate) const fn of_one(n_idle: usize) -> Self {
        Self {
            next_position: AtomicUsize::new(0),
            last_needed: AtomicUsize::new(NONE),
            first_improving: AtomicUsize::new(NONE),
            lowest_cost: AtomicU64::new(f64::INFINITY.to_bits()),
            first_called_off: AtomicUsize::new(NONE),
            probing: Vec::new(),
            n_idle: AtomicUsize::new(n_idle),
        }
    }

    pub(crate) fn new(n_threads: usize) -> Self {
        let probing = (0..n_threads).map(|_| Slot(AtomicUsize::new(NONE))).collect();
        Self { probing, ..Self::of_one(0) }
    }

    /// Begins another round, while no probe runs.
    pub(crate) fn open(&self, plan: &Plan) {
        self.next_position.store(plan.start, Ordering::Relaxed);
        self.last_needed.store(NONE, Ordering::Relaxed);
        self.first_improving.store(NONE, Ordering::Relaxed);
        self.lowest_cost.store(f64::INFINITY.to_bits(), Ordering::Relaxed);
        self.first_called_off.store(NONE, Ordering::Relaxed);
        self.n_idle.store(0, Ordering::Relaxed);
        self.narrow(&plan.so_far, plan.min_probes);
    }

    /// The next position of the order, which no other thread claims; perhaps beyond the end of the plan.
    pub(crate) fn claim(&self) -> usize {
        self.next_position.fetch_add(1, Ordering::Relaxed)
    }

    /// Records the finding of a thread.
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

    /// Whether the probe of `position` can still matter.
    #[inline]
    pub(crate) fn needs(&self, position: usize) -> bool {
        position <= self.last_needed.load(Ordering::Relaxed)
    }

    /// What the bound of `position` falls to by what other probes have found; see [`ProbeControl::bound`](crate::ProbeControl::bound).
    #[inline]
    pub(crate) fn lowered(&self, position: usize, bound: f64) -> f64 {
        if self.first_improving.load(Ordering::Relaxed) >= position {
            return bound;
        }
        let lowest = f64::from_bits(self.lowest_cost.load(Ordering::Relaxed));
        bound.min(lowest.next_up())
    }

    /// Ends all probes but that of the first position, since the round has no result.
    pub(crate) fn abandon(&self, plan: &Plan) {
        self.last_needed.store(0, Ordering::Relaxed);
        self.next_position.store(plan.end, Ordering::Relaxed);
    }

    /// Records that the probe of `position` was called off, so that no thread begins another one.
    pub(crate) fn call_off(&self, position: usize) {
        self.first_called_off.fetch_min(position, Ordering::Relaxed);
    }

    /// The lowest position whose probe was called off, if any was.
    pub(crate) fn first_called_off(&self) -> Option<usize> {
        Some(self.first_called_off.load(Ordering::Relaxed)).filter(|&position| position != NONE)
    }

    /// Thread `slot` probes `position` from now on.
    pub(crate) fn enter(&self, slot: usize, position: usize) {
        self.probing[slot].0.store(position, Ordering::Relaxed);
    }

    /// Thread `slot` probes nothing any more.
    pub(crate) fn leave(&self, slot: usize) {
        self.probing[slot].0.store(NONE, Ordering::Relaxed);
    }

    /// One more thread can help, until [`end_idling`](Self::end_idling).
    pub(crate) fn begin_idling(&self) {
        self.n_idle.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn end_idling(&self) {
        self.n_idle.fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether a thread is idle and `position` is the lowest that is probed right now: it is decided first, so it is the
    /// one to be helped.
    pub(crate) fn offers_help(&self, position: usize) -> bool {
        self.n_idle.load(Ordering::Relaxed) > 0 && self.oldest() >= position
    }

    /// Whether no probe runs any more whose answer is needed.
    pub(crate) fn is_over(&self) -> bool {
        let oldest = self.oldest();
        oldest == NONE || !self.needs(oldest)
    }

    /// The lowest position that is probed right now.
    fn oldest(&self) -> usize {
        let positions = self.probing.iter().map(|slot| slot.0.load(Ordering::Relaxed));
        positions.min().unwrap_or(NONE)
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
        let bound = |position| round.lowered(position, 9.0);
        // After those that are probed in any case: its cost bounds no other.
        round.narrow(&finding(7, 1.0), 5);
        assert_eq!([2, 6, 7].map(bound), [9.0; 3]);
        round.narrow(&finding(3, 4.0), 5);
        assert_eq!([2, 3, 4].map(bound), [9.0, 9.0, 4.0_f64.next_up()]);
        round.narrow(&finding(4, -2.0), 5);
        round.narrow(&finding(1, 6.0), 5);
        assert_eq!([0, 1, 2, 3].map(bound), [9.0, 9.0, (-2.0_f64).next_up(), (-2.0_f64).next_up()]);
        assert_eq!(round.lowered(2, -3.0), -3.0);
        assert!(!round.needs(5) && round.needs(4));
    }

    #[test]
    fn the_oldest_probe_that_runs_is_the_one_to_help() {
        let round = Round::new(3);
        assert!(round.is_over());
        round.enter(0, 6);
        round.enter(2, 4);
        assert!(!round.offers_help(4), "no thread is idle");
        round.begin_idling();
        assert!(round.offers_help(4) && !round.offers_help(6) && !round.is_over());
        round.leave(2);
        assert!(round.offers_help(6) && !round.is_over());
        round.narrow(&finding(5, 1.0), 1);
        assert!(round.is_over(), "the only probe that runs is not needed");
        round.end_idling();
        assert!(!round.offers_help(6));
    }
}
