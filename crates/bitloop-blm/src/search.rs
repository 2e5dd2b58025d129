//! The local search itself: explore, move, unlock, until a local minimum at full precision.
//!
//! Owns the order of events and the state. The explorer carries out probes, the neighborhood defines moves, the growth decides
//! when to unlock a bit. Restarts, budgets and validation belong to the caller, which gets control back after each event, or
//! after as many probes as it allows.

use crate::objective::canonical_cost;
use crate::state::check_codes;
use bitloop_random::{Purpose, Stream};

use crate::{
    AnyExplorer, BitFlips, BlmError, Candidate, Explored, Finding, Home, PermutationKey, Phase,
    Plan, SearchOptions, SearchState,
};

/// What one call of [`LocalSearch::step`] did.
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use]
pub enum Step {
    /// An improving move was accepted; the weights changed.
    Moved {
        /// The new current cost.
        cost: f64,
        /// c, the probes that failed before the first improving one of this neighborhood.
        n_failed: usize,
    },
    /// A bit of each weight was unlocked; the weights are the same.
    BitUnlocked {
        /// n', the bits that may flip now.
        unlocked_bits: u32,
    },
    /// The allowed probes are used up; the next step continues where this one stopped.
    Paused,
    /// The objective called an evaluation off; the next step continues with that one.
    CalledOff,
    /// No move improves and no bit is left to unlock, but the next step kicks.
    KickDue,
    /// Bits of the best local minimum so far were flipped at random; the search continues from there.
    Kicked {
        /// The new current cost.
        cost: f64,
    },
    /// No move improves, no bit is left to unlock, and no kick either. The run is over, and stays
    /// so; with kicks, the current weights are those of its best local minimum.
    LocalMinimum,
}

/// A run, from random weights to a local minimum, with telescoping.
#[derive(Debug, Clone)]
pub struct LocalSearch {
    options: SearchOptions,
    state: SearchState,
    /// Room for the accepted move.
    flips: BitFlips,
}

impl LocalSearch {
    /// Starts a run from random weights, and evaluates them.
    ///
    /// # Errors
    /// Options that [`SearchOptions::check`] refuses, an objective with no weights or too many, or an evaluation that was
    /// called off.
    pub fn begin(
        options: SearchOptions,
        seed: u64,
        run: u64,
        explorer: &mut dyn AnyExplorer,
    ) -> Result<Self, BlmError> {
        let n_weights = explorer.n_weights();
        options.check_for(n_weights)?;
        let codes = options.initial_codes(n_weights, seed, run)?;
        Self::begin_at(options, codes, seed, run, explorer)
    }

    /// Starts a run from given codes, and evaluates them.
    ///
    /// # Errors
    /// As [`LocalSearch::begin`]; also codes of another number of weights, or outside the grid.
    pub fn begin_at(
        options: SearchOptions,
        codes: Vec<i32>,
        seed: u64,
        run: u64,
        explorer: &mut dyn AnyExplorer,
    ) -> Result<Self, BlmError> {
        let n_weights = explorer.n_weights();
        options.check_for(n_weights)?;
        check_codes(&codes, &options, n_weights)?;
        let current_cost = evaluate(&options, &codes, explorer).ok_or(BlmError::CalledOff)?;
        let state = SearchState {
            seed,
            run,
            current_cost,
            codes,
            unlocked_bits: options.start_bits,
            mean_failures: 0.0,
            n_evaluations: 1,
            n_faulty: u64::from(current_cost == f64::INFINITY),
            n_moves: 0,
            neighborhood_index: 0,
            position: 0,
            finding: Finding::default(),
            phase: Phase::Exploring,
            home: None,
            n_kicks: 0,
            n_failed_kicks: 0,
        };
        Ok(Self { options, state, flips: BitFlips::default() })
    }

    /// Resumes from a saved state, with the options and the objective that it was saved with.
    ///
    /// The weights are set, which evaluates them once more; this is not counted. The saved cost
    /// stays, since an objective with delta evaluation may round `set` and `probe` differently.
    ///
    /// # Errors
    /// As [`LocalSearch::begin`]; also a state that does not fit the options, or a cost that is off
    /// by more than such rounding, 1e-6 relative plus 1e-12, so that the objective must be another.
    pub fn resume(
        options: SearchOptions,
        state: SearchState,
        explorer: &mut dyn AnyExplorer,
    ) -> Result<Self, BlmError> {
        let n_weights = explorer.n_weights();
        options.check_for(n_weights)?;
        state.check(&options, n_weights)?;
        let recomputed = evaluate(&options, &state.codes, explorer).ok_or(BlmError::CalledOff)?;
        let saved = state.current_cost;
        let tolerance = 1e-6 * saved.abs().min(recomputed.abs()) + 1e-12;
        if saved == recomputed || (saved - recomputed).abs() <= tolerance {
            Ok(Self { options, state, flips: BitFlips::default() })
        } else {
            Err(BlmError::CostMoved { saved, recomputed })
        }
    }

    /// Goes on to the next event, by at most `probe_limit` probes.
    ///
    /// The limit changes only how often [`Step::Paused`] comes in between, not the path.
    pub fn step(&mut self, explorer: &mut dyn AnyExplorer, probe_limit: u64) -> Step {
        match self.state.phase {
            Phase::LocalMinimum => return Step::LocalMinimum,
            Phase::UnlockDue => return self.unlock_bit(),
            Phase::KickDue => return self.kick(explorer),
            Phase::Exploring => {}
        }

        // Explore the neighborhood in random order, until it is settled which move is taken.
        let plan = self.plan(probe_limit);
        let explored = explorer.explore(&plan, &self.state.codes);
        self.account(&plan, explored);
        if explored.is_called_off {
            return Step::CalledOff;
        }
        let finding = explored.finding;
        let is_settled = self.state.position >= finding.n_needed(plan.min_probes);
        let is_exhausted = self.state.position == plan.order.n_moves;

        match finding.best {
            // Move, and see whether improving moves have become rare.
            Some(improving) if is_settled => {
                let n_failed = finding.first_improving.unwrap_or(improving.position);
                self.accept(improving, &plan, explorer);
                self.update_growth(n_failed, plan.order.n_moves);
                Step::Moved { cost: improving.cost, n_failed }
            }
            // A local minimum: of this neighborhood only, as long as bits are locked.
            None if is_exhausted && self.is_full_precision() => self.local_minimum(explorer),
            None if is_exhausted => self.unlock_bit(),
            _ => Step::Paused,
        }
    }

    /// Evaluates the current weights anew, since the objective changed; what was known of the neighborhood
    /// and of other minima is forgotten. Gives the new cost; or `None` if the evaluation was called off, and nothing changed.
    pub fn reevaluate(&mut self, explorer: &mut dyn AnyExplorer) -> Option<f64> {
        let cost = evaluate(&self.options, &self.state.codes, explorer)?;
        self.state.current_cost = cost;
        self.state.count_evaluation(cost);
        self.state.home = None;
        self.state.n_failed_kicks = 0;
        self.state.phase = Phase::Exploring;
        self.state.enter_next_neighborhood();
        Some(cost)
    }

    /// The state of the search; serialize it to save the run.
    pub fn state(&self) -> &SearchState {
        &self.state
    }

    /// What the search was started with.
    pub fn options(&self) -> &SearchOptions {
        &self.options
    }

    /// The current weights, in weight order.
    pub fn weights(&self) -> Vec<f64> {
        weights(&self.options, &self.state.codes)
    }

    /// The neighborhood of the current weights, and the part of it that may be probed now.
    fn plan(&self, probe_limit: u64) -> Plan {
        let SearchState { seed, run, neighborhood_index, position, .. } = self.state;
        let neighborhood =
            self.options.neighborhood(self.state.codes.len(), self.state.unlocked_bits);
        let n_moves = neighborhood.n_moves();
        let n_first = self.options.n_first_moves(&self.state.codes, self.state.unlocked_bits);
        let probe_limit = usize::try_from(probe_limit).unwrap_or(usize::MAX);
        Plan {
            neighborhood,
            order: PermutationKey { seed, run, neighborhood_index, n_moves },
            start: position,
            end: position.saturating_add(probe_limit).min(n_moves),
            n_first,
            spare_zeros: self.options.spare_zeros(&self.state.codes),
            min_probes: self.options.move_rule.min_probes(n_first.max(1)),
            current_cost: self.state.current_cost,
            so_far: self.state.finding,
        }
    }

    /// Counts the probes of sequential exploring, whatever was probed beyond.
    fn account(&mut self, plan: &Plan, explored: Explored) {
        self.state.position = explored.end;
        self.state.n_evaluations += (explored.end - plan.start) as u64;
        self.state.n_faulty += explored.n_faulty;
        self.state.finding = explored.finding;
    }

    /// Makes a candidate current.
    fn accept(&mut self, improving: Candidate, plan: &Plan, explorer: &mut dyn AnyExplorer) {
        let Self { state, flips, .. } = self;
        plan.neighborhood.write_move(&plan.order, improving.move_index, &state.codes, flips);
        flips.apply(&mut state.codes);
        explorer.commit(flips.changes(), improving.cost);
        state.current_cost = improving.cost;
        state.n_moves += 1;
        state.enter_next_neighborhood();
    }

    /// Updates the average of failed probes, and decides whether the next step unlocks a bit.
    fn update_growth(&mut self, n_failed: usize, n_moves: usize) {
        let growth = self.options.growth;
        self.state.mean_failures = growth.updated_mean(self.state.mean_failures, n_failed);
        if !self.is_full_precision() && growth.is_due(self.state.mean_failures, n_moves) {
            self.state.phase = Phase::UnlockDue;
        }
    }

    fn unlock_bit(&mut self) -> Step {
        self.state.unlocked_bits += 1;
        self.state.mean_failures = 0.0;
        self.state.phase = Phase::Exploring;
        self.state.enter_next_neighborhood();
        Step::BitUnlocked { unlocked_bits: self.state.unlocked_bits }
    }

    /// A local minimum at full precision: the end, or the best so far to be kicked.
    fn local_minimum(&mut self, explorer: &mut dyn AnyExplorer) -> Step {
        let Self { options, state, .. } = self;
        let Some(kicks) = options.kicks else {
            state.phase = Phase::LocalMinimum;
            return Step::LocalMinimum;
        };
        match &state.home {
            Some(home) if home.cost <= state.current_cost => {
                if state.n_failed_kicks + 1 >= kicks.count {
                    if evaluate(options, &home.codes, explorer).is_none() {
                        return Step::CalledOff;
                    }
                    state.codes.clone_from(&home.codes);
                    state.current_cost = home.cost;
                    state.n_failed_kicks += 1;
                    state.phase = Phase::LocalMinimum;
                    return Step::LocalMinimum;
                }
                state.n_failed_kicks += 1;
            }
            _ => {
                state.n_failed_kicks = 0;
                let (codes, cost) = (state.codes.clone(), state.current_cost);
                state.home = Some(Home { codes, cost });
            }
        }
        state.phase = Phase::KickDue;
        Step::KickDue
    }

    /// Flips random bits of the best local minimum so far, and evaluates the result.
    fn kick(&mut self, explorer: &mut dyn AnyExplorer) -> Step {
        let Self { options, state, flips } = self;
        if let (Some(home), Some(kicks)) = (&state.home, options.kicks) {
            let mut codes = home.codes.clone();
            let neighborhood = options.neighborhood(codes.len(), state.unlocked_bits);
            let mut stream = Stream::new(state.seed, Purpose::Kick, state.run, state.n_kicks);
            // Where zeros are held, what is left of a kick may be nothing: it is drawn again, a few times.
            let spare = options.spare_zeros(&codes);
            for _ in 0..MOST_EMPTY_KICKS {
                neighborhood.write_kick(&mut stream, kicks.flips, &codes, flips);
                if spare.is_some_and(|spare| flips.lost_zeros(&codes) > spare) {
                    flips.leave_zeros(&codes);
                }
                if !flips.changes().is_empty() {
                    break;
                }
            }
            flips.apply(&mut codes);
            let Some(cost) = evaluate(options, &codes, explorer) else { return Step::CalledOff };
            state.codes = codes;
            state.current_cost = cost;
            state.count_evaluation(cost);
            state.n_kicks += 1;
        }
        state.phase = Phase::Exploring;
        state.enter_next_neighborhood();
        Step::Kicked { cost: state.current_cost }
    }

    fn is_full_precision(&self) -> bool {
        self.state.unlocked_bits == self.options.final_bits()
    }
}

/// Kicks that are drawn until one changes something.
const MOST_EMPTY_KICKS: u32 = 64;

/// The cost of codes in full, which become current; `None` if the evaluation was called off, and nothing changed.
fn evaluate(options: &SearchOptions, codes: &[i32], explorer: &mut dyn AnyExplorer) -> Option<f64> {
    let weights = weights(options, codes);
    explorer.set(&weights).map(canonical_cost)
}

fn weights(options: &SearchOptions, codes: &[i32]) -> Vec<f64> {
    codes.iter().map(|&code| options.grid.weight(code)).collect()
}
