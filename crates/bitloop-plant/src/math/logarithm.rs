//! The natural logarithm.
//!
//! x = 2^k m with m between sqrt(1/2) and sqrt(2), f = m - 1 (exact), s = f / (2 + f), and
//!
//! ln m = 2 s + s R = f - (f^2/2 - s (f^2/2 + R)), with R = z L(z), z = s^2,
//!
//! as in fdlibm's `e_log.c` (Sun Microsystems, 1993); L has degree 6 and is our own, minimax, 2^-59.5 relative to ln m, by
//! tests/math/coefficients.py.
//!
//! Error: below 1 ULP. The logarithm of 0 is minus infinity, of a negative number NaN.

use super::exponential::{L1, L2};
use super::words::{TWO_52, line};
use crate::real::Real;

/// The bits of sqrt(1/2), where mantissas begin.
const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
/// 2^54.
const TWO_54: f64 = 18_014_398_509_481_984.0;

/// x = 2^k m.
#[derive(Clone, Copy)]
pub(super) struct Decomposed<R: Real> {
    pub(super) k: R,
    pub(super) m: R,
}

/// Splits a positive, finite x, subnormal or not.
#[inline(always)]
pub(super) fn decompose<R: Real>(x: R) -> Decomposed<R> {
    let subnormal = x.lt(R::splat(f64::MIN_POSITIVE));
    let normal = R::select(subnormal, x * TWO_54, x).to_word();
    // k + 1023, as the exponent field of a number whose mantissa wraps at sqrt(1/2) instead of 1.
    let moved = R::word_add(normal, R::word_splat(1.0_f64.to_bits() - SQRT_HALF));
    let biased = R::word_shr::<52>(moved);
    let k = R::from_word(R::word_or(biased, R::word_splat(TWO_52.to_bits())))
        - R::select(subnormal, R::splat(TWO_52 + 1023.0 + 54.0), R::splat(TWO_52 + 1023.0));
    let m = R::word_sub(normal, R::word_shl::<52>(biased));
    let m = R::from_word(R::word_add(m, R::word_splat(1.0_f64.to_bits())));
    Decomposed { k, m }
}

/// The natural logarithm.
#[inline(always)]
pub(crate) fn ln<R: Real>(x: R) -> R {
    let c = R::splat;
    let Decomposed { k, m } = decompose(x);
    let f = m - 1.0;
    let s = f / (f + 2.0);
    let z = s * s;
    let z2 = z * z;
    let l01 = line(z, 6.666_666_666_666_734e-1, 3.999_999_999_941_705e-1);
    let l23 = line(z, 2.857_142_874_189_075e-1, 2.222_219_862_184_254_8e-1);
    let l45 = line(z, 1.818_356_189_471_657_4e-1, 1.531_411_064_503_383_5e-1);
    let l6 = c(1.479_536_694_177_879e-1);
    let r = z * z2.mul_add(z2.mul_add(z2.mul_add(l6, l45), l23), l01);
    let half_square = f * f * 0.5;
    let correction = half_square - s.mul_add(half_square + r, k * L2);
    let finite = k.mul_add(c(L1), f - correction);

    let zero = c(0.0);
    let of_zero = R::select(x.eq(zero), c(f64::NEG_INFINITY), c(f64::NAN));
    let of_extreme = R::select(x.eq(c(f64::INFINITY)), x, of_zero);
    R::select(x.gt(zero) & x.lt(c(f64::INFINITY)), finite, of_extreme)
}
