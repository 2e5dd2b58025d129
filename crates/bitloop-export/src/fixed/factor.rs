//! [`Factor`]: a real factor as shifts and one product of 32 bits.

use super::arithmetic;

/// `value * factor`, rounded: `value` is moved right by `before` and saturated to 32 bits, multiplied, moved right by
/// `after`, and saturated again. For a result within 32 bits its error is one unit of the result or, for factors above 1,
/// 2^-30 of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor {
    pub before: u32,
    pub multiplier: i32,
    pub after: u32,
}

impl Factor {
    /// A positive factor, or nothing if 64 bits cannot apply it.
    #[expect(clippy::cast_possible_truncation, reason = "from 2^30 to 2^31")]
    pub fn of(factor: f64) -> Option<Self> {
        if !(factor.is_normal() && factor > 0.0) {
            return None;
        }
        // factor = multiplier * 2^-shift, with a multiplier of 31 bits.
        let mut shift = 30 - floor_log2(factor);
        let mut multiplier = scaled(factor, shift).round();
        if multiplier >= 2_147_483_648.0 {
            multiplier /= 2.0;
            shift -= 1;
        }
        let shift = u32::try_from(shift).ok()?;
        let (before, after) = (shift.saturating_sub(30), shift.min(30));
        (before <= 60).then_some(Self { before, multiplier: multiplier as i32, after })
    }

    /// The same of a factor that may be negative.
    pub fn signed(factor: f64) -> Option<Self> {
        let of_size = Self::of(factor.abs())?;
        let multiplier = of_size.multiplier * if factor < 0.0 { -1 } else { 1 };
        Some(Self { multiplier, ..of_size })
    }

    pub fn apply(self, value: i64) -> i32 {
        arithmetic::scaled(value, self.before, self.multiplier, self.after)
    }
}

/// The exponent of a positive normal number.
pub(super) fn floor_log2(value: f64) -> i32 {
    i32::try_from(value.to_bits() >> 52).expect("eleven bits of a positive number") - 1023
}

/// `value * 2^exponent`.
pub(super) fn scaled(value: f64, exponent: i32) -> f64 {
    // In two halves, since the power alone may be out of range.
    let half = exponent / 2;
    let power = |n: i32| f64::from_bits(u64::try_from(1023 + n).expect("within range") << 52);
    value * power(half) * power(exponent - half)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_factor_is_applied_to_within_a_unit(exponent in -55..25_i32, mantissa in 1.0..2.0_f64, value: i64, by in 2..63_u32) {
            let factor = scaled(mantissa, exponent);
            let value = value >> by;
            let exact = value as f64 * factor;
            let applied = f64::from(Factor::of(factor).unwrap().apply(value));
            let negative = f64::from(Factor::signed(-factor).unwrap().apply(value));
            prop_assert!((negative + applied).abs() <= 1.0, "{negative}, and {applied}");
            let held = exact.clamp(-2_147_483_648.0, 2_147_483_647.0);
            // Beside the unit: the multiplier has 31 bits, and a double 53.
            prop_assert!((applied - held).abs() <= 1.5 + held.abs() * 1e-9, "{applied}, not {held}");
        }
    }

    #[test]
    fn factors_that_64_bits_cannot_apply_are_none() {
        for factor in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-300, 1e30] {
            assert_eq!(Factor::of(factor), None, "{factor}");
        }
    }
}
