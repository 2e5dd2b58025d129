//! The options of a local search, checked once before it starts.

use crate::sparsity::n_nonzero;
use crate::{
    BlmError, Coding, Freezing, Growth, Initialization, Neighborhood, Sparsity, WeightCode,
    WeightGrid,
};
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;

/// How much of the neighborhood is explored before moving (TBLM, Sec. III-C).
///
/// In every case the moves are probed in the order of the neighborhood's permutation, and only a
/// strictly lower cost improves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum MoveRule {
    /// The first improving move is taken. The paper's choice.
    #[default]
    FirstImproving,
    /// All moves are probed, and that of lowest cost is taken, ties to the lowest move index.
    BestImproving,
    /// At least so many moves are probed, and that of lowest cost is taken, ties to the lowest move
    /// index; if none of them improves, the first one after them that does. Not in the paper: it
    /// lies between the other two, which it equals at 1 and at N.
    BestOf(NonZeroUsize),
}

impl MoveRule {
    /// How many positions are probed even after an improving one, of a neighborhood of N moves.
    pub fn min_probes(&self, n_moves: usize) -> usize {
        match self {
            Self::FirstImproving => 1,
            Self::BestImproving => n_moves,
            Self::BestOf(n_probes) => n_probes.get().min(n_moves),
        }
    }
}

/// What a candidate is.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Candidates {
    /// The current weights with one bit flipped: the paper's.
    #[default]
    SingleFlips,
    /// One bit flipped and, with it, a geometric number of further bits at random places.
    ///
    /// Such steps cross ridges that no single flip crosses. An exhausted neighborhood is then treated as a local minimum,
    /// although other draws of the further bits might improve.
    SeveralFlips {
        /// The probability of each further flip, in (0, 1); extra / (1 - extra) of them on average.
        extra: f64,
    },
}

/// Iterated local search: what follows a local minimum at full precision.
///
/// Some bits are flipped at random, and the search continues from there. The new minimum is kept if it is lower; if not, the old
/// one is kicked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kicks {
    /// Kicks in a row without success after which the run ends; at least 1.
    pub count: u32,
    /// Bits flipped at once; at least 1.
    pub flips: u32,
}

/// All that a run depends on, apart from the objective, the seed and the index of the run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchOptions {
    /// The representable weights.
    pub grid: WeightGrid,
    /// How they become bits.
    pub coding: Coding,
    /// Which bits the telescope freezes.
    pub freezing: Freezing,
    /// Which improving move is taken.
    pub move_rule: MoveRule,
    /// When a bit is unlocked.
    pub growth: Growth,
    /// n', the bits per weight unlocked at the start, in 1..=n.
    pub start_bits: u32,
    /// The initial weights.
    pub initialization: Initialization,
    /// What a candidate is.
    pub candidates: Candidates,
    /// What follows a local minimum; `None` ends the run there, as in the paper.
    pub kicks: Option<Kicks>,
    /// Whether many weights are to stay at zero; `None` treats all weights alike.
    pub sparsity: Option<Sparsity>,
}

impl SearchOptions {
    /// # Errors
    /// Start bits outside 1..=n, or what [`Growth::check`], [`Sparsity::check`] and
    /// [`Initialization::check`] refuse.
    pub fn check(&self) -> Result<(), BlmError> {
        let bits_per_weight = self.grid.bits_per_weight();
        if !(1..=bits_per_weight).contains(&self.start_bits) {
            return Err(BlmError::StartBits { found: self.start_bits, bits_per_weight });
        }
        self.growth.check()?;
        if let Candidates::SeveralFlips { extra } = self.candidates
            && !(extra > 0.0 && extra < 1.0)
        {
            return Err(BlmError::ExtraFlips { found: extra });
        }
        if self.kicks.is_some_and(|kicks| kicks.count == 0 || kicks.flips == 0) {
            return Err(BlmError::NoKicks);
        }
        if let Some(sparsity) = self.sparsity {
            sparsity.check()?;
        }
        self.initialization.check(&self.grid, self.start_bits)
    }

    /// # Errors
    /// Also an objective with no weights, or with more than can be numbered.
    pub(crate) fn check_for(&self, n_weights: usize) -> Result<(), BlmError> {
        self.check()?;
        if n_weights == 0 {
            return Err(BlmError::NoWeights);
        }
        let bits_per_weight = self.grid.bits_per_weight();
        let n_moves = n_weights.checked_mul(bits_per_weight as usize);
        if n_moves.is_none_or(|n| u32::try_from(n).is_err()) {
            return Err(BlmError::TooManyMoves { n_weights, bits_per_weight });
        }
        Ok(())
    }

    /// The most bits that are ever unlocked.
    pub fn final_bits(&self) -> u32 {
        self.growth.final_bits(self.start_bits, self.grid.bits_per_weight())
    }

    /// How many moves are probed before those of weights at zero: all of them without `sparsity`.
    pub(crate) fn n_first_moves(&self, codes: &[i32], unlocked_bits: u32) -> usize {
        let n_first = if self.sparsity.is_some() { n_nonzero(codes) } else { codes.len() };
        n_first * unlocked_bits as usize
    }

    /// The moves of `n_weights` weights with so many unlocked bits.
    pub fn neighborhood(&self, n_weights: usize, unlocked_bits: u32) -> Neighborhood {
        let code = WeightCode::new(self.grid.bits_per_weight(), self.coding, self.freezing);
        Neighborhood::new(self.grid, code, n_weights, unlocked_bits).of(self.candidates)
    }
}
