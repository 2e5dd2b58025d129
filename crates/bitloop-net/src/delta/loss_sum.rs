//! The order in which losses are summed, and the bound that a partial sum proves.
//!
//! Samples are cut into blocks of [`BLOCK`] lanes. A block sums its losses in eight columns and the columns in a tree; the
//! sum over blocks runs in block order. Losses are 0 or positive, and rounding is monotone, so whatever blocks are left
//! out, the sum of the others is no larger.

use bitloop_plant::Real;

/// Samples in a block. Costs to the last bit depend on it.
pub(super) const BLOCK: usize = 32;

/// As many as the longest vectors have lanes.
const COLUMNS: usize = 8;

/// The sum of the losses of a block; lanes from `n_valid` on are padding.
#[inline(always)]
pub(super) fn block_sum<R: Real>(losses: &mut [f64; BLOCK], n_valid: usize) -> f64 {
    if n_valid < BLOCK {
        losses[n_valid..].fill(0.0);
    }
    let mut columns = [0.0; COLUMNS];
    for first in (0..COLUMNS).step_by(R::LANES) {
        let mut sum = R::splat(0.0);
        for start in (first..BLOCK).step_by(COLUMNS) {
            sum += R::load(&losses[start..]);
        }
        sum.store(&mut columns[first..]);
    }
    let [a, b, c, d, e, f, g, h] = columns;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// Turns a sum of losses and a sum of squared weights into a cost: `losses / divisor + penalty`.
#[derive(Debug, Clone, Copy)]
pub(super) struct CostScale {
    pub divisor: f64,
    pub penalty: f64,
}

impl CostScale {
    /// The cost of all blocks, from the sum of their losses.
    #[inline(always)]
    pub fn cost_of_sum(self, sum: f64) -> f64 {
        sum / self.divisor + self.penalty
    }

    /// What a sum of losses should come to before it is worth asking whether it is hopeless.
    #[inline(always)]
    pub fn sum_of_cost(self, cost: f64) -> f64 {
        (cost - self.penalty) * self.divisor
    }

    /// Whether a sum of the losses of some blocks, in any order, proves that the cost of all is at least `bound`.
    ///
    /// The same numbers summed in another order round differently, by at most a part in 2^53 for each block on either
    /// side, and there are fewer than 2^22 blocks: a hundredth of the margin. All else is monotone.
    #[inline(always)]
    pub fn is_hopeless(self, sum_of_some: f64, bound: f64) -> bool {
        const MARGIN: f64 = 1e-7;
        self.cost_of_sum(sum_of_some * (1.0 - MARGIN)) >= bound
    }
}
