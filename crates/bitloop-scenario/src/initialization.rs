//! The grid of weights, and where on it a search starts.

use serde::{Deserialize, Serialize};

/// Random weights (TBLM, Sec. III-F): those at the start of a descent, or the candidates of a random
/// search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Initialization {
    /// All codes alike: from about `-max_weight` to `max_weight`.
    Full,
    /// Uniform within plus and minus this bound, which is not below epsilon.
    Bounded(f64),
    /// Uniform over the multiples of the coarse step, 2^(bits-start_bits) epsilon, within plus and
    /// minus this bound, which is not below that step.
    BoundedOnCoarseGrid(f64),
}

/// Distance of neighboring weights, epsilon = `max_weight` / (2^(bits-1) - 1).
pub(crate) fn epsilon(bits: u32, max_weight: f64) -> f64 {
    max_weight / (two_to(bits - 1) - 1.0)
}

/// Distance of neighboring weights while only `start_bits` are free, 2^(bits-start_bits) epsilon.
pub(crate) fn coarse_step(bits: u32, start_bits: u32, max_weight: f64) -> f64 {
    two_to(bits - start_bits) * epsilon(bits, max_weight)
}

/// 2^n for n below 64.
fn two_to(n: u32) -> f64 {
    (1u64 << n) as f64
}
