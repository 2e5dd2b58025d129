//! The one order in which losses are summed, and what a part of them proves.
//!
//! Samples are cut into blocks of [`BLOCK`] lanes. A block sums its losses in eight columns and the columns in a tree; the
//! sum over blocks runs in block order. Losses are 0 or positive, and rounding is monotone, so whatever blocks are left
//! out, the sum of the others is no larger.

use bitloop_plant::{LaneMatrix, Pair, Real};

/// Samples in a block: two pairs of AVX-512 vectors, small enough that a hopeless candidate is dropped soon.
pub(super) const BLOCK: usize = 32;

/// An evaluation that gives the losses of a few samples at a time.
pub(super) trait LaneLosses {
    /// How many samples there are.
    fn n_samples(&self) -> usize;

    /// The losses of the samples from `lane` on, as many as `V` has lanes. Every reached neuron is computed for them.
    fn lanes<V: Real>(&mut self, lane: usize) -> V;
}

/// The sum of the losses of a block, by pairs of vectors as long as they fill up.
#[inline(always)]
pub(super) fn block_loss<R: Real, L: LaneLosses>(evaluation: &mut L, block: usize) -> f64 {
    let start = block * BLOCK;
    let end = (start + BLOCK).min(LaneMatrix::padded(evaluation.n_samples()));
    let mut losses = [0.0; BLOCK];
    let mut lane = start;
    while lane + Pair::<R>::LANES <= end {
        evaluation.lanes::<Pair<R>>(lane).store(&mut losses[lane - start..]);
        lane += Pair::<R>::LANES;
    }
    while lane < end {
        evaluation.lanes::<R>(lane).store(&mut losses[lane - start..]);
        lane += R::LANES;
    }
    block_sum(&mut losses, (evaluation.n_samples() - start).min(BLOCK))
}

/// The sum of the losses of a block; lanes from `n_valid` on are padding.
#[inline(always)]
fn block_sum(losses: &mut [f64; BLOCK], n_valid: usize) -> f64 {
    if n_valid < BLOCK {
        losses[n_valid..].fill(0.0);
    }
    let mut columns = [0.0; 8];
    for eight in losses.chunks_exact(8) {
        for (column, loss) in columns.iter_mut().zip(eight) {
            *column += loss;
        }
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
    /// The cost of all blocks.
    #[inline(always)]
    pub fn cost(self, block_losses: &[f64]) -> f64 {
        let mut sum = 0.0;
        for loss in block_losses {
            sum += loss;
        }
        self.cost_of_sum(sum)
    }

    #[inline(always)]
    fn cost_of_sum(self, sum: f64) -> f64 {
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
