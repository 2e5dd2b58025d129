//! Probing part of a neighborhood: the search says which positions, an explorer probes them.
//!
//! Explorers own the objective, the scratch and the threads, but decide nothing: whatever the
//! explorer, a plan gives the same finding.

use crate::finding::{Candidate, Finding};
use crate::sparsity::nonzero_first;
use crate::{
    BitFlips, Change, Neighborhood, Objective, Permutation, PermutationKey, Probe, ProbeControl,
};

/// Which part of a neighborhood to explore, and what is taken.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// The moves.
    pub neighborhood: Neighborhood,
    /// The order in which they are tried.
    pub order: PermutationKey,
    /// How many moves, those of weights other than zero, come before all others; all of them without [`Sparsity`](crate::Sparsity).
    pub n_first: usize,
    /// How many zeros a candidate may have fewer than the current weights; none where they are not [held](crate::Sparsity::is_held).
    pub spare_zeros: Option<usize>,
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

/// The result of a plan: what one thread finds that probes its positions in order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Explored {
    /// The improving moves.
    pub finding: Finding,
    /// The position that sequential probing reaches: where it was settled which move is taken, the end of the plan, or the
    /// first probe that was called off.
    pub end: usize,
    /// How many probes were faulty, of those up to the first improving one. Beyond it the bound depends on what other
    /// threads have found, and with it whether a probe gets as far as its fault.
    pub n_faulty: u64,
    /// Whether a probe was called off before it was settled which move is taken.
    pub is_called_off: bool,
}

impl Explored {
    /// The result of probes whose needed positions were all decided but those from `first_called_off` on. `faulty` holds the
    /// positions of faulty probes.
    pub(crate) fn new(
        plan: &Plan,
        finding: Finding,
        faulty: impl Iterator<Item = usize>,
        first_called_off: Option<usize>,
    ) -> Self {
        let reached = plan.reached(&finding);
        let (finding, end, is_called_off) = match first_called_off {
            Some(position) if position < reached => match finding.up_to(position, &plan.so_far) {
                Some(finding) => (finding, position, true),
                // What was found before is not known any more; it will be found again.
                None => (plan.so_far, plan.start, true),
            },
            _ => (finding, reached, false),
        };
        let n_counted = finding.first_improving.map_or(end, |first| end.min(first + 1));
        let n_faulty = faulty.filter(|&position| position < n_counted).count() as u64;
        Self { finding, end, n_faulty, is_called_off }
    }
}

/// Carries out plans on an objective that it holds.
pub trait Explorer {
    /// The cost function.
    type Objective: Objective;

    /// Probes the positions of a plan; `codes: [n_weights]` are those of the current weights.
    fn explore(&mut self, plan: &Plan, codes: &[i32]) -> Explored;

    /// Lends the objective while no probe runs, to set or commit weights, or to read counters.
    /// Changing its current weights in the middle of a search makes the search wrong.
    fn with_objective<R>(&mut self, action: impl FnOnce(&mut Self::Objective) -> R) -> R;
}

/// An [`Explorer`] as the search calls it, whatever its objective is: the search is compiled once, in this crate.
///
/// Every explorer is one.
pub trait AnyExplorer {
    /// The number of weights of the objective.
    fn n_weights(&mut self) -> usize;

    /// Makes weights current; see [`Objective::set`].
    fn set(&mut self, weights: &[f64]) -> Option<f64>;

    /// Probes the positions of a plan; see [`Explorer::explore`].
    fn explore(&mut self, plan: &Plan, codes: &[i32]) -> Explored;

    /// Makes changes current; see [`Objective::commit`].
    fn commit(&mut self, changes: &[Change], cost: f64);
}

impl<E: Explorer> AnyExplorer for E {
    fn n_weights(&mut self) -> usize {
        self.with_objective(|objective| objective.n_weights())
    }

    fn set(&mut self, weights: &[f64]) -> Option<f64> {
        self.with_objective(|objective| objective.set(weights))
    }

    fn explore(&mut self, plan: &Plan, codes: &[i32]) -> Explored {
        Explorer::explore(self, plan, codes)
    }

    fn commit(&mut self, changes: &[Change], cost: f64) {
        self.with_objective(|objective| objective.commit(changes, cost));
    }
}

/// One probe after another, on the calling thread.
#[derive(Debug)]
pub struct Sequential<O: Objective> {
    objective: O,
    scratch: O::Scratch,
    hand: Hand,
}

impl<O: Objective> Sequential<O> {
    /// An explorer of an objective, or of a `&mut` to one.
    pub fn new(objective: O) -> Self {
        let scratch = objective.scratch();
        Self { objective, scratch, hand: Hand::new() }
    }
}

impl<O: Objective> Explorer for Sequential<O> {
    type Objective = O;

    fn explore(&mut self, plan: &Plan, codes: &[i32]) -> Explored {
        let Self { objective, scratch, hand } = self;
        let mut probe = |changes: &[Change], control: ProbeControl<'_>| {
            objective.probe(scratch, changes, control)
        };
        scan(hand, plan, codes, &mut probe)
    }

    fn with_objective<R>(&mut self, action: impl FnOnce(&mut O) -> R) -> R {
        action(&mut self.objective)
    }
}

/// [`Objective::probe`] of some objective, with the scratch of this thread.
pub(crate) type ProbeFn<'a> = dyn FnMut(&[Change], ProbeControl<'_>) -> Probe + 'a;

/// Probes the positions of a plan in order, until it is settled which move is taken.
pub(crate) fn scan(
    hand: &mut Hand,
    plan: &Plan,
    codes: &[i32],
    probe: &mut ProbeFn<'_>,
) -> Explored {
    hand.turn_to(plan, codes);
    let (mut finding, mut first_called_off) = (plan.so_far, None);
    for position in plan.start..plan.end {
        if position >= finding.n_needed(plan.min_probes) {
            break;
        }
        let control = ProbeControl::at(position, finding.bound(plan.current_cost));
        match hand.probe(plan, codes, position, control, probe) {
            Outcome::Improves(candidate) => finding.record(candidate, plan.min_probes),
            Outcome::Fails => {}
            Outcome::CalledOff => {
                first_called_off = Some(position);
                break;
            }
        }
    }
    Explored::new(plan, finding, hand.faulty.iter().copied(), first_called_off)
}

/// What the search makes of a probe.
pub(crate) enum Outcome {
    Improves(Candidate),
    Fails,
    CalledOff,
}

/// What a thread needs to probe besides its scratch: its own copy of the order, and room for a move.
///
/// Each thread draws the whole permutation up to its position, which takes less time than
/// sharing it.
#[derive(Debug)]
pub(crate) struct Hand {
    order: Permutation,
    /// The weights whose moves the permutation is of, in its order; empty where that is the order of the weights.
    weights: Vec<u32>,
    flips: BitFlips,
    /// The positions of the probes of this plan that were faulty.
    pub(crate) faulty: Vec<usize>,
}

impl Hand {
    pub(crate) fn new() -> Self {
        let nothing = PermutationKey { seed: 0, run: 0, neighborhood_index: 0, n_moves: 0 };
        let order = Permutation::new(nothing);
        let (weights, faulty) = (Vec::new(), Vec::new());
        Self { order, weights, flips: BitFlips::default(), faulty }
    }

    /// Gets ready for the neighborhood of a plan.
    pub(crate) fn turn_to(&mut self, plan: &Plan, codes: &[i32]) {
        self.order.restart(plan.order, plan.n_first);
        self.faulty.clear();
        self.weights.clear();
        if plan.n_first < plan.order.n_moves {
            nonzero_first(codes, &mut self.weights);
        }
    }

    /// Probes the move at a position.
    #[inline]
    pub(crate) fn probe(
        &mut self,
        plan: &Plan,
        codes: &[i32],
        position: usize,
        control: ProbeControl<'_>,
        probe: &mut ProbeFn<'_>,
    ) -> Outcome {
        let mut move_index = self.order.get(position);
        if !self.weights.is_empty() {
            let n_bits = plan.neighborhood.unlocked_bits();
            move_index = self.weights[move_index / n_bits] as usize * n_bits + move_index % n_bits;
        }
        plan.neighborhood.write_move(&plan.order, move_index, codes, &mut self.flips);
        if plan.spare_zeros.is_some_and(|spare| self.flips.lost_zeros(codes) > spare) {
            return Outcome::Fails;
        }
        let bound = control.bound();
        match probe(self.flips.changes(), control) {
            // Compared again, so that no objective can make the search accept a tie or a NaN.
            Probe::Below(cost) if cost < bound => {
                Outcome::Improves(Candidate { position, move_index, cost })
            }
            Probe::Below(_) | Probe::NotBelow => Outcome::Fails,
            Probe::Faulty => {
                self.faulty.push(position);
                Outcome::Fails
            }
            Probe::CalledOff => Outcome::CalledOff,
        }
    }
}
