//! The sum of squared weights, kept exact while weights change.
//!
//! Adding and taking away squares would drift. So the sum has a fixed tree: weights in blocks, squares summed in weight
//! order within a block, blocks in block order. A changed weight sums its own block anew, and the blocks.

use super::place::PlacedChange;

const WEIGHTS_IN_BLOCK: usize = 64;

#[derive(Debug, Default)]
pub(super) struct SquareSum {
    blocks: Vec<f64>,
}

impl SquareSum {
    pub fn of(weights: &[f64]) -> Self {
        Self { blocks: weights.chunks(WEIGHTS_IN_BLOCK).map(|block| sum(block, 0, &[])).collect() }
    }

    /// The sum of squares of all weights.
    pub fn total(&self) -> f64 {
        self.blocks.iter().fold(0.0, |total, block| total + block)
    }

    /// The same with `changes`, sorted by weight, applied to `weights`.
    pub fn total_with(&self, weights: &[f64], changes: &[PlacedChange]) -> f64 {
        let (mut total, mut rest) = (0.0, changes);
        for (index, &block) in self.blocks.iter().enumerate() {
            let first = index * WEIGHTS_IN_BLOCK;
            let in_block = rest
                .iter()
                .take_while(|change| change.weight_index < first + WEIGHTS_IN_BLOCK)
                .count();
            let (own, others) = rest.split_at(in_block);
            rest = others;
            total += if own.is_empty() { block } else { sum(block_of(weights, first), first, own) };
        }
        total
    }

    /// Updates the sum after `changes` of `weights`.
    pub fn commit(&mut self, weights: &[f64], changes: &[PlacedChange]) {
        for change in changes {
            let index = change.weight_index / WEIGHTS_IN_BLOCK;
            let first = index * WEIGHTS_IN_BLOCK;
            self.blocks[index] = sum(block_of(weights, first), first, &[]);
        }
    }
}

fn block_of(weights: &[f64], first: usize) -> &[f64] {
    &weights[first..weights.len().min(first + WEIGHTS_IN_BLOCK)]
}

fn sum(block: &[f64], first: usize, changes: &[PlacedChange]) -> f64 {
    let mut changes = changes.iter().peekable();
    let mut sum = 0.0;
    for (index, &weight) in (first..).zip(block) {
        let changed = changes.next_if(|change| change.weight_index == index);
        let weight = changed.map_or(weight, |change| change.value);
        sum += weight * weight;
    }
    sum
}
