//! The grid of representable weights: integer multiples of a step.
//!
//! Owns the map between integer codes and real weights. Bits and their flips are the business of
//! [`WeightCode`](crate::WeightCode).

use crate::BlmError;

/// The weights h * epsilon for the two's-complement integers h of n bits (TBLM, Eq. 1).
///
/// epsilon = `w_max` / (2^(n-1) - 1), so that `w_max` is representable; the smallest weight is then
/// -`w_max` - epsilon. n is `bits_per_weight`, in 2..=24, and `w_max` is `weight_range`. At n = 2 the
/// weights are -2 `w_max`, -`w_max`, 0 and `w_max`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightGrid {
    bits_per_weight: u32,
    weight_range: f64,
    epsilon: f64,
}

impl WeightGrid {
    /// The grid of `bits_per_weight` bits that includes [-`weight_range`, `weight_range`].
    ///
    /// # Errors
    /// Bits outside 2..=24; a range that is not positive and finite, so small that the step is not
    /// a normal number, or so large that twice the range is not finite.
    pub fn new(bits_per_weight: u32, weight_range: f64) -> Result<Self, BlmError> {
        if !(2..=24).contains(&bits_per_weight) {
            return Err(BlmError::BitsPerWeight { found: bits_per_weight });
        }
        let max_code = (1_i32 << (bits_per_weight - 1)) - 1;
        let epsilon = weight_range / f64::from(max_code);
        let usable = weight_range > 0.0 && (2.0 * weight_range).is_finite() && epsilon.is_normal();
        if !usable {
            return Err(BlmError::WeightRange { found: weight_range });
        }
        Ok(Self { bits_per_weight, weight_range, epsilon })
    }

    /// n, the bits of each weight.
    pub fn bits_per_weight(&self) -> u32 {
        self.bits_per_weight
    }

    /// `w_max`, the largest weight.
    pub fn weight_range(&self) -> f64 {
        self.weight_range
    }

    /// epsilon, the step between neighboring weights.
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// The smallest code, -2^(n-1).
    pub fn min_code(&self) -> i32 {
        -(1 << (self.bits_per_weight - 1))
    }

    /// The largest code, 2^(n-1) - 1.
    pub fn max_code(&self) -> i32 {
        (1 << (self.bits_per_weight - 1)) - 1
    }

    /// Whether the grid has this code.
    pub fn contains(&self, code: i32) -> bool {
        (self.min_code()..=self.max_code()).contains(&code)
    }

    /// The weight of a code: one rounded product h * epsilon.
    #[inline]
    pub fn weight(&self, code: i32) -> f64 {
        f64::from(code) * self.epsilon
    }

    /// The code nearest to a real weight, ties away from zero, clamped to the grid; 0 for NaN.
    #[expect(clippy::cast_possible_truncation, reason = "clamped before, and NaN becomes 0")]
    pub fn nearest_code(&self, weight: f64) -> i32 {
        let multiple = (weight / self.epsilon).round();
        multiple.clamp(f64::from(self.min_code()), f64::from(self.max_code())) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn two_bits_hold_one_positive_and_two_negative_weights() {
        let grid = WeightGrid::new(2, 3.0).expect("valid");
        let weights: Vec<f64> =
            (grid.min_code()..=grid.max_code()).map(|h| grid.weight(h)).collect();
        assert_eq!(weights, [-6.0, -3.0, 0.0, 3.0]);
    }

    #[test]
    fn bad_grids_are_refused() {
        for bits in [0, 1, 25, u32::MAX] {
            assert_eq!(WeightGrid::new(bits, 1.0), Err(BlmError::BitsPerWeight { found: bits }));
        }
        for range in [0.0, -1.0, f64::INFINITY, f64::NAN, f64::MAX, f64::MIN_POSITIVE] {
            assert!(matches!(WeightGrid::new(12, range), Err(BlmError::WeightRange { .. })));
        }
    }

    #[test]
    fn weights_outside_are_clamped_and_nan_is_zero() {
        let grid = WeightGrid::new(5, 15.0).expect("valid");
        assert_eq!(grid.nearest_code(99.0), 15);
        assert_eq!(grid.nearest_code(f64::NEG_INFINITY), -16);
        assert_eq!(grid.nearest_code(f64::NAN), 0);
        assert_eq!((grid.nearest_code(2.5), grid.nearest_code(-2.5)), (3, -3));
    }

    proptest! {
        #[test]
        fn every_code_is_nearest_to_its_own_weight(
            bits in 2_u32..=24, range in 1e-3_f64..1e3, share in 0.0_f64..1.0,
        ) {
            let grid = WeightGrid::new(bits, range).expect("valid");
            #[expect(clippy::cast_possible_truncation, reason = "at most 2^24")]
            let code = grid.min_code() + (share * f64::from(1_i32 << bits)) as i32;
            prop_assert_eq!(grid.nearest_code(grid.weight(code)), code);
            prop_assert!(grid.contains(code));
        }
    }
}
