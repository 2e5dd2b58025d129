//! [`Preset`]: which values telescopic BLM has where a file leaves them out.

use std::num::NonZeroUsize;

use bitloop_blm::{Candidates, Growth, Initialization, Kicks, MoveRule, WeightGrid};
use serde::{Deserialize, Serialize};

use crate::stop::Patience;

/// Values for what a file leaves out. A value that the file has wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Preset {
    /// Those that reach a target soonest on plants, by campaigns.
    Measured,
    /// Those of the paper.
    Paper,
    /// Those on examples where layers and outputs have scales of their own, by the ten sets of EXPERIMENTS.md.
    #[serde(skip)]
    Scaled,
}

impl Preset {
    /// Bits that are free at first, of `bits`.
    pub(crate) fn start_bits(self, bits: u32) -> u32 {
        match self {
            // Finer than signs and halves from the start, and coarse enough for first steps to matter.
            Self::Measured => bits.min(4),
            Self::Paper => 2,
            Self::Scaled => bits,
        }
    }

    /// Random weights within a bound, which is raised to the step of the grid where that is wider: below it, all weights
    /// would start at zero.
    pub(crate) fn initialization(self, bits: u32, max_weight: f64) -> Initialization {
        let bound: f64 = match self {
            // The first moves go far on their coarse grid, whatever is below it.
            Self::Measured | Self::Paper => 0.01,
            // Mostly zeros at few bits: what is not needed stays small.
            Self::Scaled => 0.15,
        };
        Initialization::Bounded(match WeightGrid::new(bits, max_weight) {
            Ok(grid) => bound.min(max_weight).max(grid.epsilon()),
            // Refused with its reason by the check of the grid.
            Err(_) => bound,
        })
    }

    /// The largest weight.
    pub(crate) const fn max_weight(self) -> f64 {
        match self {
            Self::Measured | Self::Paper => 10.0,
            Self::Scaled => 1.0,
        }
    }

    /// When one more bit becomes free.
    pub(crate) fn growth(self) -> Growth {
        match self {
            Self::Measured | Self::Paper => Growth::default(),
            Self::Scaled => Growth::Fixed,
        }
    }

    /// What follows a local minimum.
    pub(crate) const fn kicks(self) -> Option<Kicks> {
        match self {
            Self::Measured | Self::Paper => None,
            // Few bits have local minima after a few hundred moves.
            Self::Scaled => Some(Kicks { count: 30, flips: 3 }),
        }
    }

    /// Accepted moves between two validations.
    pub(crate) const fn validate_every(self) -> u32 {
        match self {
            Self::Measured | Self::Paper => 100,
            Self::Scaled => 10,
        }
    }

    /// Which improving move is taken.
    pub(crate) fn moves(self) -> MoveRule {
        match self {
            Self::Measured => MoveRule::BestOf(const { NonZeroUsize::new(40).expect("not 0") }),
            Self::Paper | Self::Scaled => MoveRule::FirstImproving,
        }
    }

    /// What a candidate is: by campaigns over thirteen plants, ten flips on average take fewer steps to a success than two, four
    /// or seven.
    pub(crate) const fn candidates(self) -> Candidates {
        match self {
            Self::Measured => Candidates::SeveralFlips { extra: 0.9 },
            Self::Paper | Self::Scaled => Candidates::SingleFlips,
        }
    }

    /// Whether weights are validated as soon as their training error is at or below the target.
    pub(crate) const fn validates_at_target(self) -> bool {
        match self {
            Self::Measured => true,
            Self::Paper | Self::Scaled => false,
        }
    }

    /// The progress that a run must make.
    pub(crate) const fn patience(self) -> Option<Patience> {
        match self {
            Self::Measured => Some(Patience { evaluations: 1000, improvement: 0.1 }),
            Self::Paper | Self::Scaled => None,
        }
    }
}
