//! Carrying out probes: the search says which positions to look at, an explorer looks.
//!
//! Explorers own the objective, the scratch and the threads, but decide nothing: whatever the
//! explorer, a plan gives the same finding.

use crate::finding::{Candidate, Finding};
use crate::sparsity::nonzero_first;
use crate::{BitFlips, Cancel, Idle, Neighborhood, Objective, Permutation, PermutationKey, Probe};

/// Which part of a neighborhood to explore, and what is taken.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// The moves.
    pub neighborhood: Neighborhood,
    /// The order in which they are tried.
    pub order: PermutationKey,
    /// How many moves, those of weights other than zero, come before all others; all of them where zeros are no matter.
    pub n_first: usize,
    /// The first position to probe.
    pub start: usize,
    /// The position to stop before, if no move is taken earlier.
    pub end: usize,
    /// How many positions are probed even after an improving one.
    pub min_probes: usize,
    /// The cost to be below.
    pub current_cost: f64,
    /// What the positions before `start` gave.
    pub so_far: Finding,
}

impl Plan {
    /// The position that sequential probing reaches if `finding` is what it finds.
    pub fn reached(&self, finding: &Finding) -> usize {
        finding.n_needed(self.min_probes).min(self.end)
    }
}

/// Carries out plans on an objective that it holds.
pub trait Explorer {
    /// The cost function.
    type Objective: Objective;

    /// Probes the positions of a plan; `codes: [n_weights]` are those of the current weights.
    fn explore(&mut self, plan: &Plan, codes: &[i32]) -> Finding;

    /// Lends the objective while no probe runs, to set or commit weights, or to read counters.
    /// Whoever changes its current weights behind a search's back spoils that search.
    fn with_objective<R>(&mut self, action: impl FnOnce(&mut Self::Objective) -> R) -> R;
}

/// One probe after another, on the calling thread.
#[derive(Debug)]
pub struct Sequential<O: Objective> {
    objective: O,
    hand: Hand<O::Scratch>,
}

impl<O: Objective> Sequential<O> {
    /// An explorer of an objective, or of a `&mut` to one.
    pub fn new(objective: O) -> Self {
        let hand = Hand::new(objective.scratch());
        Self { objective, hand }
    }
}

impl<O: Objective> Explorer for Sequential<O> {
    type Objective = O;

    fn explore(&mut self, plan: &Plan, codes: &[i32]) -> Finding {
        scan(&mut self.hand, &self.objective, plan, codes)
    }

    fn with_objective<R>(&mut self, action: impl FnOnce(&mut O) -> R) -> R {
        action(&mut self.objective)
    }
}

/// Probes the positions of a plan in order, until it is settled which move is taken.
pub(crate) fn scan<O: Objective>(
    hand: &mut Hand<O::Scratch>,
    objective: &O,
    plan: &Plan,
    codes: &[i32],
) -> Finding {
    hand.turn_to(plan, codes);
    let mut finding = plan.so_far;
    for position in plan.start..plan.end {
        if position >= finding.n_needed(plan.min_probes) {
            break;
        }
        let cancel = Cancel::never(position);
        if let Some(improving) = hand.probe(objective, plan, codes, &finding, cancel) {
            finding.record(improving, plan.min_probes);
        }
    }
    finding
}

/// What a thread needs to probe: scratch, its own copy of the order, and room for a move.
///
/// Each thread draws the whole permutation up to where it stands, which takes less time than
/// sharing it.
#[derive(Debug)]
pub(crate) struct Hand<S> {
    scratch: S,
    order: Permutation,
    /// The weights whose moves the permutation is of, in its order; empty where that is the order of the weights.
    weights: Vec<u32>,
    flips: BitFlips,
}

impl<S> Hand<S> {
    pub(crate) fn new(scratch: S) -> Self {
        let nothing = PermutationKey { seed: 0, run: 0, neighborhood_index: 0, n_moves: 0 };
        let order = Permutation::new(nothing);
        Self { scratch, order, weights: Vec::new(), flips: BitFlips::default() }
    }

    /// Gets ready for the neighborhood of a plan.
    pub(crate) fn turn_to(&mut self, plan: &Plan, codes: &[i32]) {
        self.order.restart(plan.order, plan.n_first);
        self.weights.clear();
        if plan.n_first < plan.order.n_moves {
            nonzero_first(codes, &mut self.weights);
        }
    }

    /// Lends its scratch to the probes that still run.
    pub(crate) fn help<O: Objective<Scratch = S>>(&mut self, objective: &O, idle: Idle<'_>) {
        objective.help(&mut self.scratch, idle);
    }

    /// Probes the move at the position of `cancel`; gives it if it improves on the bound.
    #[inline]
    pub(crate) fn probe<O: Objective<Scratch = S>>(
        &mut self,
        objective: &O,
        plan: &Plan,
        codes: &[i32],
        so_far: &Finding,
        cancel: Cancel<'_>,
    ) -> Option<Candidate> {
        let position = cancel.position();
        let mut move_index = self.order.get(position);
        if !self.weights.is_empty() {
            let n_bits = plan.neighborhood.unlocked_bits();
            move_index = self.weights[move_index / n_bits] as usize * n_bits + move_index % n_bits;
        }
        plan.neighborhood.write_move(&plan.order, move_index, codes, &mut self.flips);
        let bound = cancel.bound(so_far.bound(plan.current_cost));
        match objective.probe(&mut self.scratch, self.flips.changes(), bound, cancel) {
            // Compared again, so that no objective can make the search accept a tie or a NaN.
            Probe::Below(cost) if cost < bound => Some(Candidate { position, move_index, cost }),
            Probe::Below(_) | Probe::NotBelow => None,
        }
    }
}
