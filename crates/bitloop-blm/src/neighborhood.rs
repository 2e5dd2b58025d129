//! The neighborhood: which candidates are one move away, by index.
//!
//! A move is an index here, and its effect a list of changed codes, so that other kinds of moves
//! (several flips at once, other orders) only need another map from index to list. The search loop
//! and the explorers never look inside.

use crate::{Change, WeightCode, WeightGrid};

/// A move written out: the codes and values that some weights take. Reused from probe to probe.
#[derive(Debug, Clone, Default)]
pub struct BitFlips {
    codes: Vec<i32>,
    changes: Vec<Change>,
}

impl BitFlips {
    /// The changes as the objective sees them.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Makes the changes in a code vector.
    pub fn apply(&self, codes: &mut [i32]) {
        for (change, &code) in self.changes.iter().zip(&self.codes) {
            codes[change.weight_index] = code;
        }
    }
}

/// All candidates one flip of an unlocked bit away: N = `n_weights` * n' moves (TBLM, Sec. III-E1,
/// where the print has 2^(`n_weights` n')).
///
/// Move i flips bit i mod n' of weight i div n', bit 0 the most significant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighborhood {
    grid: WeightGrid,
    code: WeightCode,
    n_weights: usize,
    unlocked_bits: u32,
}

impl Neighborhood {
    /// The neighborhood of `n_weights` weights of which the upper `unlocked_bits` bits may flip.
    ///
    /// # Panics
    /// If the unlocked bits lie outside 1..=n.
    pub fn new(grid: WeightGrid, code: WeightCode, n_weights: usize, unlocked_bits: u32) -> Self {
        assert!(
            (1..=grid.bits_per_weight()).contains(&unlocked_bits),
            "unlocked bits outside 1..=n"
        );
        Self { grid, code, n_weights, unlocked_bits }
    }

    /// N, the number of moves.
    #[inline]
    pub fn n_moves(&self) -> usize {
        self.n_weights * self.unlocked_bits as usize
    }

    /// Writes out what move `move_index`, in 0..N, changes in `codes: [n_weights]`.
    #[inline]
    pub fn write_move(&self, move_index: usize, codes: &[i32], flips: &mut BitFlips) {
        let n_bits = self.unlocked_bits as usize;
        let weight_index = move_index / n_bits;
        #[expect(clippy::cast_possible_truncation, reason = "below the unlocked bits")]
        let bit = (move_index % n_bits) as u32;
        let code = self.code.flip(codes[weight_index], bit, self.unlocked_bits);
        flips.codes.clear();
        flips.changes.clear();
        flips.codes.push(code);
        flips.changes.push(Change { weight_index, value: self.grid.weight(code) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Coding, Freezing};

    #[test]
    fn moves_cover_each_unlocked_bit_of_each_weight_once() {
        let grid = WeightGrid::new(5, 15.0).expect("valid");
        let code = WeightCode::new(5, Coding::Gray, Freezing::Number);
        let neighborhood = Neighborhood::new(grid, code, 2, 3);
        let mut flips = BitFlips::default();
        let candidates: Vec<Vec<i32>> = (0..neighborhood.n_moves())
            .map(|move_index| {
                let mut codes = vec![1, -7];
                neighborhood.write_move(move_index, &codes, &mut flips);
                flips.apply(&mut codes);
                assert_eq!(flips.changes()[0].value, f64::from(codes[move_index / 3]));
                codes
            })
            .collect();
        assert_eq!(candidates, [[-3, -7], [13, -7], [5, -7], [1, 5], [1, -11], [1, -3]]);
    }
}
