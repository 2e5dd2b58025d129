//! Operations on the bits of a double that several functions share.
//!
//! Functions rather than closures: a closure need not be inlined, and what is not inlined into
//! [`dispatch`](crate::dispatch()) is compiled without the vector instructions.

use std::f64::consts::{FRAC_1_PI, PI};

use crate::real::Real;

/// 1.5 * 2^52: added to a number below 2^51 in magnitude, leaves it rounded to an integer in the low bits of the sum.
pub(super) const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// 2^52: as [`ROUNDER`] for numbers that are not negative.
pub(super) const TWO_52: f64 = 4_503_599_627_370_496.0;

pub(super) const SIGN_BIT: u64 = 1 << 63;

/// `value`, negated where the top bit of `word` is set.
#[inline(always)]
pub(super) fn negate_by<R: Real>(value: R, word: R::Word) -> R {
    let sign = R::word_and(word, R::word_splat(SIGN_BIT));
    R::from_word(R::word_xor(value.to_word(), sign))
}

/// `low + high * x`, rounded once.
#[inline(always)]
pub(super) fn line<R: Real>(x: R, low: f64, high: f64) -> R {
    x.mul_add(R::splat(high), R::splat(low))
}

/// The nearest integer, ties to the even one.
#[inline(always)]
pub(crate) fn round_ties_even<R: Real>(x: R) -> R {
    let magnitude = x.abs();
    let rounded = (magnitude + TWO_52) - TWO_52;
    // From 2^52 on there are no fractions; infinity and NaN stay what they are.
    R::select(magnitude.lt(R::splat(TWO_52)), rounded.copysign(x), x)
}

/// The same angle in [-pi, pi]: x - 2 pi round(x / (2 pi)).
#[inline(always)]
pub(crate) fn wrap_angle<R: Real>(angle: R) -> R {
    let turns = round_ties_even(angle * (0.5 * FRAC_1_PI));
    turns.mul_add(R::splat(-2.0 * PI), angle)
}
