//! The bits of a weight: Gray or binary coding, and which of them telescoping freezes.
//!
//! Owns what a single bit flip does to an integer code. Knows nothing of real values (see
//! [`WeightGrid`](crate::WeightGrid)) or of several weights (see
//! [`Neighborhood`](crate::Neighborhood)).

use serde::{Deserialize, Serialize};

/// How the integer multiplier of a weight becomes bits (TBLM, Sec. III-A2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Coding {
    /// Gray code of the two's-complement number: h - 1 and h + 1 are one flip from h. The code is
    /// cyclic: the largest and the smallest code, `w_max` and -`w_max` - epsilon, are one flip apart
    /// too, and so are -1 and 0. All of it holds down to n = 2.
    #[default]
    Gray,
    /// The two's-complement number itself, for comparison: -1 and 0 are n flips apart.
    Binary,
}

/// What stays frozen while only n' of n bits are unlocked (TBLM, Sec. III-E; two readings).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Freezing {
    /// The low n - n' bits of the *number* are frozen, and its n'-bit prefix is coded. The reachable
    /// weights form a regular coarse grid, offset by the frozen part: from 0 with n = 16, n' = 2
    /// they are {-32768, -16384, 0, 16384}. "Reading B" of the notes; the paper's figure of
    /// the grid and its "multiples of 2^(n-n') epsilon" fit this one alone.
    #[default]
    CoarseGrid,
    /// The low n - n' bits of the *code word* are frozen: from 0 the same flips reach
    /// {-32768, -1, 0, 32767} under Gray coding. "Reading A". Binary coding makes no difference.
    GrayBits,
}

/// The code of one weight: n bits, a coding, and a reading of what is frozen.
///
/// Both codings and both readings turn a flip into an exclusive or of the number with a mask. The
/// Gray decoder is linear over GF(2), and sends bit j alone to the j + 1 low bits; so flipping bit
/// j of the word inverts bits 0..=j of the number (code word frozen), or those of them that belong
/// to the prefix (number frozen). Binary coding inverts bit j.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeightCode {
    bits_per_weight: u32,
    coding: Coding,
    freezing: Freezing,
}

impl WeightCode {
    /// The code of `bits_per_weight` bits, which the caller takes from a valid
    /// [`WeightGrid`](crate::WeightGrid).
    ///
    /// # Panics
    /// If the bits lie outside 2..=24.
    pub fn new(bits_per_weight: u32, coding: Coding, freezing: Freezing) -> Self {
        assert!((2..=24).contains(&bits_per_weight), "bits per weight outside 2..=24");
        Self { bits_per_weight, coding, freezing }
    }

    /// The code after flipping one bit, `bit` in 0..`unlocked_bits`, 0 the most significant.
    ///
    /// Flipping the same bit again gives the first code back.
    #[inline]
    pub fn flip(&self, code: i32, bit: u32, unlocked_bits: u32) -> i32 {
        debug_assert!(bit < unlocked_bits && unlocked_bits <= self.bits_per_weight);
        let flipped = 1_i32 << (self.bits_per_weight - 1 - bit);
        let mask = match (self.coding, self.freezing) {
            (Coding::Binary, _) => flipped,
            (Coding::Gray, Freezing::GrayBits) => 2 * flipped - 1,
            (Coding::Gray, Freezing::CoarseGrid) => {
                2 * flipped - (1 << (self.bits_per_weight - unlocked_bits))
            }
        };
        self.sign_extend(code ^ mask)
    }

    /// The bits of a code, as the low n bits of a word: g = h xor (h >> 1) under Gray coding.
    pub fn word(&self, code: i32) -> u32 {
        let number = code.cast_unsigned() & self.word_mask();
        match self.coding {
            Coding::Gray => number ^ (number >> 1),
            Coding::Binary => number,
        }
    }

    /// The code of a word of n bits; higher bits are ignored. The inverse of [`WeightCode::word`].
    pub fn code(&self, word: u32) -> i32 {
        let mut number = word & self.word_mask();
        if self.coding == Coding::Gray {
            // The exclusive or of each bit with all bits above it.
            for shift in [1, 2, 4, 8, 16] {
                number ^= number >> shift;
            }
        }
        self.sign_extend(number.cast_signed())
    }

    fn word_mask(self) -> u32 {
        (1 << self.bits_per_weight) - 1
    }

    /// The two's-complement number in the low n bits.
    #[inline]
    fn sign_extend(self, number: i32) -> i32 {
        let unused_bits = 32 - self.bits_per_weight;
        (number << unused_bits) >> unused_bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const ALL_KINDS: [(Coding, Freezing); 4] = [
        (Coding::Gray, Freezing::CoarseGrid),
        (Coding::Gray, Freezing::GrayBits),
        (Coding::Binary, Freezing::CoarseGrid),
        (Coding::Binary, Freezing::GrayBits),
    ];

    /// All codes that flips of the unlocked bits reach from a start.
    fn reachable(code: WeightCode, start: i32, unlocked_bits: u32) -> Vec<i32> {
        let mut reached = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some(from) = open.pop() {
            for bit in 0..unlocked_bits {
                let to = code.flip(from, bit, unlocked_bits);
                if reached.insert(to) {
                    open.push(to);
                }
            }
        }
        reached.into_iter().collect()
    }

    #[test]
    fn reachable_sets_of_both_readings() {
        let number = |n| WeightCode::new(n, Coding::Gray, Freezing::CoarseGrid);
        let word = |n| WeightCode::new(n, Coding::Gray, Freezing::GrayBits);
        assert_eq!(reachable(number(16), 0, 2), [-32768, -16384, 0, 16384]);
        assert_eq!(reachable(word(16), 0, 2), [-32768, -1, 0, 32767]);
        // The offset grid of the paper's figure: 3 = 0 * 8 + 3, and so on.
        assert_eq!(reachable(number(5), 3, 2), [-13, -5, 3, 11]);
        assert_eq!(reachable(number(5), -2, 2), [-10, -2, 6, 14]);
        assert_eq!(reachable(word(5), 3, 2), [-13, -4, 3, 12]);
        assert_eq!(reachable(word(5), -2, 2), [-15, -2, 1, 14]);
        for (coding, freezing) in ALL_KINDS {
            let all = reachable(WeightCode::new(5, coding, freezing), 9, 5);
            assert_eq!(all, (-16..16).collect::<Vec<_>>());
        }
    }

    #[test]
    fn gray_neighbors_include_both_adjacent_codes_around_the_cycle() {
        for bits in [2, 3, 5, 8, 12] {
            for freezing in [Freezing::CoarseGrid, Freezing::GrayBits] {
                let code = WeightCode::new(bits, Coding::Gray, freezing);
                let (min, max) = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1);
                for h in min..=max {
                    let neighbors: Vec<i32> = (0..bits).map(|b| code.flip(h, b, bits)).collect();
                    let next = if h == max { min } else { h + 1 };
                    let previous = if h == min { max } else { h - 1 };
                    assert!(neighbors.contains(&next) && neighbors.contains(&previous), "{h}");
                }
            }
        }
    }

    #[test]
    fn coarse_gray_neighbors_are_one_coarse_step_away_around_the_cycle() {
        let code = WeightCode::new(6, Coding::Gray, Freezing::CoarseGrid);
        for unlocked_bits in 2..=6 {
            let step = 1 << (6 - unlocked_bits);
            for h in -32..32 {
                let neighbors: Vec<i32> =
                    (0..unlocked_bits).map(|b| code.flip(h, b, unlocked_bits)).collect();
                for adjacent in [h + step, h - step] {
                    let wrapped = (adjacent + 32).rem_euclid(64) - 32;
                    assert!(neighbors.contains(&wrapped), "{h} at {unlocked_bits} bits");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn words_round_trip(bits in 2_u32..=24, word: u32) {
            for (coding, freezing) in ALL_KINDS {
                let code = WeightCode::new(bits, coding, freezing);
                let word = word & code.word_mask();
                prop_assert_eq!(code.word(code.code(word)), word);
            }
        }

        /// The masks agree with coding, flipping a bit of the word and decoding.
        #[test]
        fn a_flip_changes_one_bit_of_the_coded_word(
            bits in 2_u32..=24, word: u32, unlocked in 0_u32..24, bit in 0_u32..24,
        ) {
            let unlocked = 1 + unlocked % bits;
            let bit = bit % unlocked;
            for (coding, freezing) in ALL_KINDS {
                let code = WeightCode::new(bits, coding, freezing);
                let h = code.code(word);
                let flipped = code.flip(h, bit, unlocked);
                prop_assert_eq!(code.flip(flipped, bit, unlocked), h);
                let n_frozen = bits - unlocked;
                let (before, after, low_before, low_after) = match freezing {
                    Freezing::GrayBits => (code.word(h), code.word(flipped), 0, 0),
                    // A code of one bit is its own Gray code; WeightCode starts at two.
                    Freezing::CoarseGrid if unlocked == 1 => {
                        let (a, b) = (h >> n_frozen, flipped >> n_frozen);
                        (a.cast_unsigned() & 1, b.cast_unsigned() & 1, h, flipped)
                    }
                    Freezing::CoarseGrid => {
                        let prefix = WeightCode::new(unlocked, coding, freezing);
                        (prefix.word(h >> n_frozen), prefix.word(flipped >> n_frozen), h, flipped)
                    }
                };
                let top = if freezing == Freezing::GrayBits { bits } else { unlocked };
                prop_assert_eq!(before ^ after, 1 << (top - 1 - bit));
                let low = (1 << n_frozen) - 1;
                prop_assert_eq!(low_before & low, low_after & low);
            }
        }
    }
}
