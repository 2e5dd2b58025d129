//! [`SearchState`]: the state of a local search, one value that can be saved and resumed.
//!
//! Between any two probes this state, together with the options and the objective, determines all
//! that follows, bit for bit. It holds no generator: random numbers are drawn again from the seed
//! and the counters. Floats are serialized as their bits, since not every format keeps infinities
//! or the last digit.

use crate::sparsity::n_nonzero;
use crate::{BlmError, Finding, SearchOptions};
use serde::{Deserialize, Serialize};

/// What the next step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Probe the rest of the neighborhood.
    Exploring,
    /// Unlock a bit, since improving moves got rare.
    UnlockDue,
    /// Kick the best local minimum so far: the current one was just reached.
    KickDue,
    /// Nothing: no move improves, no bit is left to unlock, and no kick is left.
    LocalMinimum,
}

/// The best local minimum of a run with kicks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Home {
    /// Its codes.
    pub codes: Vec<i32>,
    /// Its cost.
    #[serde(with = "float_bits")]
    pub cost: f64,
}

/// The state of one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchState {
    /// The root seed.
    pub seed: u64,
    /// The run, which sets its random streams apart from those of other runs of the same seed.
    pub run: u64,
    /// The codes of the current weights, in weight order.
    pub codes: Vec<i32>,
    /// Their cost; infinite where the objective gave NaN.
    #[serde(with = "float_bits")]
    pub current_cost: f64,
    /// n', the bits per weight that may flip.
    pub unlocked_bits: u32,
    /// mu, the moving average of failed probes before an accepted move.
    #[serde(with = "float_bits")]
    pub mean_failures: f64,
    /// Evaluations so far, the initial one included, counted as if probes came one after another.
    pub n_evaluations: u64,
    /// How many of them were faulty: the initial one, kicks and re-evaluations of infinite cost, and faulty probes up to the
    /// first improving one of each neighborhood. The same for any number of threads.
    #[serde(default)]
    pub n_faulty: u64,
    /// Accepted moves so far.
    pub n_moves: u64,
    /// The neighborhoods left so far, by a move or an unlocked bit: names the permutation.
    pub neighborhood_index: u64,
    /// The position in the permutation of the next probe.
    pub position: usize,
    /// What the positions before it gave.
    pub finding: Finding,
    /// What comes next.
    pub phase: Phase,
    /// Where kicks start from; `None` before the first local minimum.
    pub home: Option<Home>,
    /// Kicks so far.
    pub n_kicks: u64,
    /// Kicks in a row that did not lead below `home`.
    pub n_failed_kicks: u32,
}

impl SearchState {
    /// The share of weights that are zero.
    pub fn zero_share(&self) -> f64 {
        1.0 - n_nonzero(&self.codes) as f64 / self.codes.len() as f64
    }

    /// Counts an evaluation in full.
    pub(crate) fn count_evaluation(&mut self, cost: f64) {
        self.n_evaluations += 1;
        self.n_faulty += u64::from(cost == f64::INFINITY);
    }

    /// Moves on to a neighborhood of which nothing is known.
    pub(crate) fn enter_next_neighborhood(&mut self) {
        self.neighborhood_index += 1;
        self.position = 0;
        self.finding = Finding::default();
    }

    /// Checks a state that was saved.
    ///
    /// # Errors
    /// A state that no search with these options over this many weights can have reached.
    pub fn check(&self, options: &SearchOptions, n_weights: usize) -> Result<(), BlmError> {
        check_codes(&self.codes, options, n_weights)?;
        if let Some(home) = &self.home {
            check_codes(&home.codes, options, n_weights)?;
        }
        let (start_bits, final_bits) = (options.start_bits, options.final_bits());
        if !(start_bits..=final_bits).contains(&self.unlocked_bits) {
            let found = self.unlocked_bits;
            return Err(BlmError::UnlockedBits { found, start_bits, final_bits });
        }
        if self.phase == Phase::UnlockDue && self.unlocked_bits == final_bits {
            let found = self.unlocked_bits + 1;
            return Err(BlmError::UnlockedBits { found, start_bits, final_bits });
        }
        let of_home = self.home.as_ref().map(|home| home.cost);
        if let Some(found) = of_home.filter(|cost| cost.is_nan()) {
            return Err(BlmError::SavedNumber { field: "cost of the best minimum", found });
        }
        if self.current_cost.is_nan() {
            return Err(BlmError::SavedNumber { field: "cost", found: self.current_cost });
        }
        if !(self.mean_failures.is_finite() && self.mean_failures >= 0.0) {
            let found = self.mean_failures;
            return Err(BlmError::SavedNumber { field: "mean of failed probes", found });
        }
        let n_moves = options.neighborhood(n_weights, self.unlocked_bits).n_moves();
        let n_first = options.n_first_moves(&self.codes, self.unlocked_bits);
        self.check_position(n_moves, options.move_rule.min_probes(n_first.max(1)))
    }

    /// An improving move is known only as long as the rule demands more probes.
    fn check_position(&self, n_moves: usize, min_probes: usize) -> Result<(), BlmError> {
        let outside = |found| Err(BlmError::Position { found, n_moves });
        if self.position > n_moves {
            return outside(self.position);
        }
        match (self.finding.first_improving, self.finding.best) {
            (None, None) => Ok(()),
            (Some(first), Some(best)) => {
                if self.position >= min_probes {
                    outside(self.position)
                } else if first > best.position || best.position >= self.position {
                    outside(best.position)
                } else if best.move_index >= n_moves {
                    outside(best.move_index)
                } else if best.cost < self.current_cost {
                    Ok(())
                } else {
                    Err(BlmError::SavedNumber { field: "cost of the best move", found: best.cost })
                }
            }
            (Some(found), None) => outside(found),
            (None, Some(best)) => outside(best.position),
        }
    }
}

/// # Errors
/// Not as many codes as weights, or a code outside the grid.
pub(crate) fn check_codes(
    codes: &[i32],
    options: &SearchOptions,
    n_weights: usize,
) -> Result<(), BlmError> {
    if codes.len() != n_weights {
        return Err(BlmError::CodeCount { expected: n_weights, found: codes.len() });
    }
    match codes.iter().position(|&code| !options.grid.contains(code)) {
        None => Ok(()),
        Some(weight_index) => Err(BlmError::CodeOutOfRange {
            weight_index,
            found: codes[weight_index],
            bits_per_weight: options.grid.bits_per_weight(),
        }),
    }
}

/// Serializes an `f64` as the integer of its bits.
pub(crate) mod float_bits {
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
    pub fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(value.to_bits())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        u64::deserialize(deserializer).map(f64::from_bits)
    }
}
