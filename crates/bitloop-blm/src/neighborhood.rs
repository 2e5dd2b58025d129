//! The neighborhood: which candidates are one move away, by index.
//!
//! A move is an index here, and its effect a list of changed codes, so that other kinds of moves
//! (several flips at once, other orders) only need another map from index to list. The search loop
//! and the explorers never look inside.

use bitloop_random::{Purpose, Stream};

use crate::{Candidates, Change, PermutationKey, WeightCode, WeightGrid};

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

    /// Forgets all changes.
    fn clear(&mut self) {
        self.codes.clear();
        self.changes.clear();
    }

    /// Gives a weight a new code, its own or the one that an earlier flip gave it.
    fn set(&mut self, weight_index: usize, code: i32, value: f64) {
        let known = self.changes.iter().position(|change| change.weight_index == weight_index);
        if let Some(known) = known {
            (self.codes[known], self.changes[known].value) = (code, value);
        } else {
            self.codes.push(code);
            self.changes.push(Change { weight_index, value });
        }
    }

    /// The code of a weight after the flips so far.
    fn code_of(&self, weight_index: usize, codes: &[i32]) -> i32 {
        let changed = self.changes.iter().position(|change| change.weight_index == weight_index);
        changed.map_or(codes[weight_index], |known| self.codes[known])
    }

    /// How many zeros there are fewer after the changes.
    pub(crate) fn lost_zeros(&self, codes: &[i32]) -> usize {
        let (mut n_left, mut n_come) = (0_usize, 0);
        for (change, &code) in self.changes.iter().zip(&self.codes) {
            match (codes[change.weight_index], code) {
                (0, 0) => {}
                (0, _) => n_left += 1,
                (_, 0) => n_come += 1,
                _ => {}
            }
        }
        n_left.saturating_sub(n_come)
    }

    /// Leaves out the changes of weights at zero.
    pub(crate) fn leave_zeros(&mut self, codes: &[i32]) {
        let mut changes = self.changes.iter();
        self.codes.retain(|_| changes.next().is_some_and(|it| codes[it.weight_index] != 0));
        self.changes.retain(|change| codes[change.weight_index] != 0);
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
/// Move i flips bit i mod n' of weight i div n', bit 0 the most significant. With
/// [`Candidates::SeveralFlips`] further bits flip with it, which a stream of the neighborhood and the
/// move draws, so that there are as many moves as bits all the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighborhood {
    grid: WeightGrid,
    code: WeightCode,
    n_weights: usize,
    unlocked_bits: u32,
    candidates: Candidates,
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
        Self { grid, code, n_weights, unlocked_bits, candidates: Candidates::SingleFlips }
    }

    /// The same moves, of other kinds of candidates.
    #[must_use]
    pub fn of(self, candidates: Candidates) -> Self {
        Self { candidates, ..self }
    }

    /// N, the number of moves.
    #[inline]
    pub fn n_moves(&self) -> usize {
        self.n_weights * self.unlocked_bits as usize
    }

    /// n', the bits of each weight that may flip.
    #[inline]
    pub(crate) fn unlocked_bits(&self) -> usize {
        self.unlocked_bits as usize
    }

    /// Writes out what move `move_index`, in 0..N, changes in `codes: [n_weights]`. `order` names the
    /// neighborhood, for candidates of several flips.
    #[inline]
    pub fn write_move(
        &self,
        order: &PermutationKey,
        move_index: usize,
        codes: &[i32],
        flips: &mut BitFlips,
    ) {
        flips.clear();
        self.flip(move_index, codes, flips);
        if let Candidates::SeveralFlips { extra } = self.candidates {
            // Moves are at most u32::MAX; neighborhoods stay far below 2^32.
            let index = order.neighborhood_index << 32 ^ move_index as u64;
            let mut stream = Stream::new(order.seed, Purpose::CandidateFlips, order.run, index);
            while stream.uniform_f64() < extra {
                self.flip(stream.index_below(self.n_moves()), codes, flips);
            }
        }
    }

    /// Writes out `n_flips` flips at random places.
    pub fn write_kick(
        &self,
        stream: &mut Stream,
        n_flips: u32,
        codes: &[i32],
        flips: &mut BitFlips,
    ) {
        flips.clear();
        for _ in 0..n_flips {
            self.flip(stream.index_below(self.n_moves()), codes, flips);
        }
    }

    /// Adds a single flip to those before it.
    #[inline]
    fn flip(&self, move_index: usize, codes: &[i32], flips: &mut BitFlips) {
        let n_bits = self.unlocked_bits as usize;
        let weight_index = move_index / n_bits;
        #[expect(clippy::cast_possible_truncation, reason = "below the unlocked bits")]
        let bit = (move_index % n_bits) as u32;
        let before = flips.code_of(weight_index, codes);
        let code = self.code.flip(before, bit, self.unlocked_bits);
        flips.set(weight_index, code, self.grid.weight(code));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Coding, Freezing};

    const KEY: PermutationKey =
        PermutationKey { seed: 1, run: 0, neighborhood_index: 3, n_moves: 6 };

    #[test]
    fn moves_cover_each_unlocked_bit_of_each_weight_once() {
        let grid = WeightGrid::new(5, 15.0).expect("valid");
        let code = WeightCode::new(5, Coding::Gray, Freezing::CoarseGrid);
        let neighborhood = Neighborhood::new(grid, code, 2, 3);
        let mut flips = BitFlips::default();
        let candidates: Vec<Vec<i32>> = (0..neighborhood.n_moves())
            .map(|move_index| {
                let mut codes = vec![1, -7];
                neighborhood.write_move(&KEY, move_index, &codes, &mut flips);
                flips.apply(&mut codes);
                assert_eq!(flips.changes()[0].value, f64::from(codes[move_index / 3]));
                codes
            })
            .collect();
        assert_eq!(candidates, [[-3, -7], [13, -7], [5, -7], [1, 5], [1, -11], [1, -3]]);
    }

    #[test]
    fn further_flips_are_geometric_and_the_same_each_time() {
        let grid = WeightGrid::new(12, 15.0).expect("valid");
        let code = WeightCode::new(12, Coding::Gray, Freezing::CoarseGrid);
        let neighborhood =
            Neighborhood::new(grid, code, 2000, 12).of(Candidates::SeveralFlips { extra: 0.5 });
        let codes = vec![0; 2000];
        let (mut flips, mut again) = (BitFlips::default(), BitFlips::default());
        let mut counts = [0_u32; 4];
        for move_index in 0..neighborhood.n_moves() {
            neighborhood.write_move(&KEY, move_index, &codes, &mut flips);
            neighborhood.write_move(&KEY, move_index, &codes, &mut again);
            assert_eq!(flips.changes(), again.changes());
            assert_eq!(flips.changes()[0].weight_index, move_index / 12);
            counts[(flips.changes().len() - 1).min(3)] += 1;
        }
        // 24000 draws of 1/2, 1/4, 1/8, 1/8; five standard deviations, and few that meet again.
        for (count, expected) in counts.into_iter().zip([12_000, 6_000, 3_000, 3_000]) {
            assert!(count.abs_diff(expected) < 400, "{counts:?}");
        }
    }

    #[test]
    fn flips_of_one_weight_are_one_change() {
        let grid = WeightGrid::new(5, 15.0).expect("valid");
        let code = WeightCode::new(5, Coding::Binary, Freezing::CoarseGrid);
        let neighborhood = Neighborhood::new(grid, code, 1, 5);
        let mut stream = Stream::new(1, Purpose::Kick, 0, 0);
        let mut flips = BitFlips::default();
        neighborhood.write_kick(&mut stream, 7, &[5], &mut flips);
        assert_eq!(flips.changes().len(), 1);
        // Seven flips of single bits change the parity of the number of ones.
        let mut codes = [5];
        flips.apply(&mut codes);
        assert_eq!((codes[0] & 31).count_ones() % 2, 1);
    }
}
