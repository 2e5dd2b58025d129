//! Settings of random search, the least that a search must beat.

use bitloop_blm::Initialization;
use serde::{Deserialize, Serialize};

/// Independent random weights, of which the best are kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RandomSearch {
    /// Bits of a weight, from 2 to 24. Default: 16.
    pub bits: u32,
    /// Largest weight, above 0: weights are multiples of epsilon = `max_weight` / (2^(bits-1) - 1).
    /// Default: 10.
    pub max_weight: f64,
    /// Distribution of the candidates, `Full` or `Bounded`; there is no coarse grid. Default: `Full`.
    pub initialization: Initialization,
    /// Improvements (candidates better than all before) between two validations, at least 1.
    /// Default: 1.
    pub validate_every: u32,
}

impl Default for RandomSearch {
    fn default() -> Self {
        RandomSearch {
            bits: 16,
            max_weight: 10.0,
            initialization: Initialization::Full,
            validate_every: 1,
        }
    }
}
