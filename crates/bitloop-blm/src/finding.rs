//! [`Finding`]: the improving moves found in part of a neighborhood.
//!
//! Owns the rule that says which of several improving moves is taken, and how far one has to look
//! for it. The rule depends on costs, positions and move indices alone, never on the order in which
//! probes end, so that findings of several threads merge to what one thread would have found.

use crate::state::float_bits;
use serde::{Deserialize, Serialize};

/// An improving move.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// Its position in the exploration order.
    pub position: usize,
    /// Which move of the neighborhood it is.
    pub move_index: usize,
    /// Its cost, below the current one.
    #[serde(with = "float_bits")]
    pub cost: f64,
}

impl Candidate {
    /// Whether this one is taken rather than the other, when `min_probes` positions are probed in
    /// any case: among those the lowest cost, ties to the lowest move index; else the first.
    fn is_taken_before(&self, other: &Self, min_probes: usize) -> bool {
        match (self.position < min_probes, other.position < min_probes) {
            (true, true) => {
                self.cost < other.cost
                    || (self.cost == other.cost && self.move_index < other.move_index)
            }
            (false, false) => self.position < other.position,
            (inside, _) => inside,
        }
    }
}

/// The improving moves of the positions probed so far, as far as they matter.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The first position that improves on the current cost; so many probes failed before it.
    pub first_improving: Option<usize>,
    /// The move to take, of those known so far.
    pub best: Option<Candidate>,
}

impl Finding {
    /// Records an improving move.
    pub(crate) fn record(&mut self, candidate: Candidate, min_probes: usize) {
        let first = self.first_improving.map_or(candidate.position, |p| p.min(candidate.position));
        self.first_improving = Some(first);
        if self.best.is_none_or(|best| candidate.is_taken_before(&best, min_probes)) {
            self.best = Some(candidate);
        }
    }

    /// Adds what another thread found in the same neighborhood.
    pub(crate) fn merge(&mut self, other: &Self, min_probes: usize) {
        if let Some(best) = other.best {
            self.record(best, min_probes);
        }
        // The best move of the other need not be its first improving one.
        if let (Some(own), Some(first)) = (self.first_improving, other.first_improving) {
            self.first_improving = Some(own.min(first));
        }
    }

    /// The finding of the positions before `end` alone, which began as `so_far`; `None` if it is not known any more, since
    /// a later position is the best.
    pub(crate) fn up_to(&self, end: usize, so_far: &Self) -> Option<Self> {
        match (self.first_improving, self.best) {
            (Some(first), Some(_)) if first >= end => Some(*so_far),
            (Some(_), Some(best)) if best.position >= end => None,
            _ => Some(*self),
        }
    }

    /// The number of positions that decide which move is taken: all, while none improves.
    #[inline]
    pub(crate) fn n_needed(&self, min_probes: usize) -> usize {
        self.first_improving.map_or(usize::MAX, |first| min_probes.max(first + 1))
    }

    /// The bound of the next probe: below the current cost, and not above the best known cost.
    ///
    /// Equal cost is still below the bound, since a tie goes to the lowest move index. Only costs of
    /// earlier positions may tighten the bound, so that the first improving move is always seen.
    #[inline]
    pub(crate) fn bound(&self, current_cost: f64) -> f64 {
        self.best.map_or(current_cost, |best| best.cost.next_up())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(position: usize, move_index: usize, cost: f64) -> Candidate {
        Candidate { position, move_index, cost }
    }

    #[test]
    fn order_of_recording_and_merging_does_not_matter() {
        let all = [
            candidate(1, 30, 5.0),
            candidate(2, 20, 3.0),
            candidate(3, 10, 3.0),
            candidate(5, 1, 1.0),
            candidate(6, 2, 0.5),
        ];
        for (min_probes, taken) in [(1, 1), (2, 1), (3, 2), (4, 3), (5, 3), (6, 5), (7, 6)] {
            for split in 0..=all.len() {
                let (mut left, mut right) = (Finding::default(), Finding::default());
                for c in all[..split].iter().rev() {
                    left.record(*c, min_probes);
                }
                for c in &all[split..] {
                    right.record(*c, min_probes);
                }
                right.merge(&left, min_probes);
                assert_eq!(right.best.map(|c| c.position), Some(taken), "{min_probes}");
                assert_eq!(right.first_improving, Some(1));
                assert_eq!(right.n_needed(min_probes), min_probes.max(2));
            }
        }
    }
}
