//! [`Real`]: a number, or a vector of numbers that goes through the same equations.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use crate::bits::Bits;

/// An `f64`, or a vector of `f64` lanes that go through the same equations.
///
/// Every operation is defined lane by lane by IEEE 754 double precision, rounding to nearest, so a lane's bits do not
/// depend on its neighbors, on the width of the vector, or on the instruction set. There is no branching on values:
/// compare, and let [`select`](Real::select) choose. A product and a sum are fused only where
/// [`mul_add`](Real::mul_add) is written. Elementary functions are at most 2 ULP off over the ranges that their docs name.
///
/// The trait is sealed: the vectors are reached through [`dispatch`](crate::dispatch()) alone, which proves that the
/// machine has their instructions.
pub trait Real:
    Bits
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
    + AddAssign
    + SubAssign
{
    /// A vector of half as many lanes, or of as many where there is none smaller.
    type Half: Real;

    /// How many lanes a value has.
    const LANES: usize;

    /// `value` in every lane.
    fn splat(value: f64) -> Self;

    /// The first [`LANES`](Real::LANES) numbers of `source`.
    ///
    /// # Panics
    /// If `source` is shorter.
    fn load(source: &[f64]) -> Self;

    /// Writes the lanes to the first [`LANES`](Real::LANES) places of `target`.
    ///
    /// # Panics
    /// If `target` is shorter.
    fn store(self, target: &mut [f64]);

    /// `self * factor + addend`, rounded once.
    #[must_use]
    fn mul_add(self, factor: Self, addend: Self) -> Self;

    /// The square root, correctly rounded.
    #[must_use]
    fn sqrt(self) -> Self;

    /// The magnitude: the sign bit cleared.
    #[must_use]
    fn abs(self) -> Self;

    /// `self < other`, false where either is NaN.
    fn lt(self, other: Self) -> Self::Mask;

    /// `self <= other`, false where either is NaN.
    fn le(self, other: Self) -> Self::Mask;

    /// `self == other`, false where either is NaN.
    fn eq(self, other: Self) -> Self::Mask;

    /// Not `self < other`: true where either is NaN. Vectors compare so in one instruction, where `!self.lt(other)` takes two.
    #[inline(always)]
    fn not_lt(self, other: Self) -> Self::Mask {
        !self.lt(other)
    }

    /// Not `self <= other`: true where either is NaN.
    #[inline(always)]
    fn not_le(self, other: Self) -> Self::Mask {
        !self.le(other)
    }

    /// `if_true` where the mask holds, else `if_false`.
    #[must_use]
    fn select(mask: Self::Mask, if_true: Self, if_false: Self) -> Self;

    /// `self > other`, false where either is NaN.
    #[inline(always)]
    fn gt(self, other: Self) -> Self::Mask {
        other.lt(self)
    }

    /// `self >= other`, false where either is NaN.
    #[inline(always)]
    fn ge(self, other: Self) -> Self::Mask {
        other.le(self)
    }

    /// The smaller of both; `other` where they are equal or either is NaN.
    #[inline(always)]
    #[must_use]
    fn min(self, other: Self) -> Self {
        Self::select(self.lt(other), self, other)
    }

    /// The larger of both; `other` where they are equal or either is NaN.
    #[inline(always)]
    #[must_use]
    fn max(self, other: Self) -> Self {
        Self::select(self.gt(other), self, other)
    }

    /// `self` held to `[low, high]`; NaN stays NaN, so that it is noticed.
    #[inline(always)]
    #[must_use]
    fn clamp(self, low: Self, high: Self) -> Self {
        let raised = Self::select(self.lt(low), low, self);
        Self::select(raised.gt(high), high, raised)
    }

    /// The magnitude of `self` with the sign bit of `sign`.
    #[inline(always)]
    #[must_use]
    fn copysign(self, sign: Self) -> Self {
        let sign_bit = Self::word_splat(1 << 63);
        let magnitude = Self::word_and(self.abs().to_word(), Self::word_splat(!(1 << 63)));
        Self::from_word(Self::word_or(magnitude, Self::word_and(sign.to_word(), sign_bit)))
    }

    /// The nearest integer, ties to the even one.
    #[must_use]
    fn round_ties_even(self) -> Self;

    /// The same angle in radians, a whole number of turns away, in `[-pi, pi]` but for rounding.
    #[must_use]
    fn wrap_angle(self) -> Self;

    /// Sine and cosine of an angle in radians.
    fn sin_cos(self) -> (Self, Self);

    /// Sine of an angle in radians; where both are needed, [`sin_cos`](Real::sin_cos) costs little more.
    #[must_use]
    fn sin(self) -> Self;

    /// Cosine of an angle in radians; where both are needed, [`sin_cos`](Real::sin_cos) costs little more.
    #[must_use]
    fn cos(self) -> Self;

    /// Tangent of an angle in radians.
    #[must_use]
    fn tan(self) -> Self;

    /// The angle of the point (`other`, `self`), in `[-pi, pi]`, as C's `atan2(self, other)`.
    #[must_use]
    fn atan2(self, other: Self) -> Self;

    /// `e^self`.
    #[must_use]
    fn exp(self) -> Self;

    /// `e^self - 1`, exact near zero.
    #[must_use]
    fn expm1(self) -> Self;

    /// The natural logarithm.
    #[must_use]
    fn ln(self) -> Self;

    /// `self^exponent`, with the special cases of C's `pow`.
    #[must_use]
    fn pow(self, exponent: Self) -> Self;

    /// The hyperbolic tangent.
    #[must_use]
    fn tanh(self) -> Self;

    /// The logistic function, `1 / (1 + e^-self)`.
    #[must_use]
    fn logistic(self) -> Self;
}
