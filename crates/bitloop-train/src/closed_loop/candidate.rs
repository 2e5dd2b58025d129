//! Candidates in messages.

use bitloop_blm::WeightGrid;

/// Names weights by the seed of their training and their codes, so that they can be run again.
pub(super) fn candidate(seed: u64, grid: &WeightGrid, weights: &[f64]) -> String {
    let codes: Vec<i32> = weights.iter().map(|&weight| grid.nearest_code(weight)).collect();
    format!("seed {seed} and codes {codes:?}")
}
