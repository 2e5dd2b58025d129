//! Exponentials: `exp`, `expm1`, and the logistic function.
//!
//! x = k ln 2 + r with |r| <= ln(2)/2. With ln 2 in two parts, x - k L1 is exact and the second fused step rounds once.
//! e^r - 1 = r + r^2 P(r) with P of degree 9, minimax in relative error (2^-58; coefficients by
//! tests/math/coefficients.py, even and odd part of P apart). Then e^x = 2^k (1 + (e^r - 1)). The power of two is applied
//! in two halves, so that subnormal results are rounded once, at the end, and large ones overflow to infinity.
//!
//! Error: `exp` below 0.9 ULP, `expm1` below 1.4 ULP, `logistic` below 1.8 ULP.

use super::words::{ROUNDER, line};
use crate::real::Real;

/// log2 e.
pub(super) const LOG2_E: f64 = std::f64::consts::LOG2_E;
/// ln 2 = `L1` + `L2`, each as near as a double can be.
pub(super) const L1: f64 = std::f64::consts::LN_2;
pub(super) const L2: f64 = 2.319_046_813_846_299_6e-17;

/// 2^-64.
const LOGISTIC_UNIT: f64 = f64::from_bits((1023 - 64) << 52);

/// x = k ln 2 + r.
#[derive(Clone, Copy)]
pub(super) struct Reduced<R: Real> {
    r: R,
    /// The bits of `ROUNDER` + k.
    shifted: R::Word,
}

#[inline(always)]
pub(super) fn reduce<R: Real>(x: R) -> Reduced<R> {
    let shifted = x.mul_add(R::splat(LOG2_E), R::splat(ROUNDER));
    let k = shifted - ROUNDER;
    let r = k.mul_add(R::splat(-L2), k.mul_add(R::splat(-L1), x));
    Reduced { r, shifted: shifted.to_word() }
}

/// (e^r - 1 - r) / r^2 and r^2, for |r| <= ln(2)/2.
#[inline(always)]
pub(super) fn exponential_tail<R: Real>(r: R) -> (R, R) {
    let u = r * r;
    let u2 = u * u;
    let p01 = line(r, 5.000_000_000_000_013e-1, 1.666_666_666_666_667_7e-1);
    let p23 = line(r, 4.166_666_666_651_047e-2, 8.333_333_333_321_386e-3);
    let p45 = line(r, 1.388_888_894_835_545_5e-3, 1.984_126_988_681_470_3e-4);
    let p67 = line(r, 2.480_148_850_667_218_5e-5, 2.755_724_345_506_222e-6);
    let p89 = line(r, 2.763_180_996_511_194_3e-7, 2.510_931_910_336_872_7e-8);
    let high = u2.mul_add(p89, u.mul_add(p67, p45));
    (u2.mul_add(high, u.mul_add(p23, p01)), u)
}

/// e^r - 1 for |r| <= ln(2)/2.
#[inline(always)]
fn expm1_of_reduced<R: Real>(r: R) -> R {
    let (tail, u) = exponential_tail(r);
    u.mul_add(tail, r)
}

/// `unit * 2^k`, where `unit` is a power of two and the product neither overflows nor is subnormal.
#[inline(always)]
fn power_of_two<R: Real>(shifted: R::Word, unit: f64) -> R {
    // The low twelve bits of the shifted word are those of k.
    R::from_word(R::word_add(R::word_shl::<52>(shifted), R::word_splat(unit.to_bits())))
}

/// e^r - 1, and `unit * 2^k` as of [`power_of_two`].
#[inline(always)]
pub(super) fn expm1_and_power<R: Real>(reduced: Reduced<R>, unit: f64) -> (R, R) {
    (expm1_of_reduced(reduced.r), power_of_two(reduced.shifted, unit))
}

/// `value * 2^k` for k in [-2000, 2000], rounded once.
#[inline(always)]
pub(super) fn scale<R: Real>(value: R, shifted: R::Word) -> R {
    // Both halves of k carry the bias of the exponent, 1023.
    let biased = R::word_sub(shifted, R::word_splat(ROUNDER.to_bits() - 2 * 1023));
    let half = R::word_shr::<1>(biased);
    let other = R::word_sub(biased, half);
    value * R::from_word(R::word_shl::<52>(half)) * R::from_word(R::word_shl::<52>(other))
}

/// `e^x`.
#[inline(always)]
pub(crate) fn exp<R: Real>(x: R) -> R {
    // Beyond these limits the result is 0 or infinity all the same.
    let x = x.clamp(R::splat(-746.0), R::splat(710.0));
    let Reduced { r, shifted } = reduce(x);
    let (tail, u) = exponential_tail(r);
    // 1 + r, and what its rounding lost.
    let sum = r + 1.0;
    let lost = r - (sum - 1.0);
    scale(sum + u.mul_add(tail, lost), shifted)
}

/// `1 / (1 + e^-x)`.
#[inline(always)]
pub(crate) fn logistic<R: Real>(x: R) -> R {
    // Beyond these limits the result is 1 or 0 all the same.
    let a = (-x).clamp(R::splat(-40.0), R::splat(746.0));
    // With numerator and denominator both times 2^-64 the denominator does not overflow, and the division alone rounds
    // the subnormal results.
    let unit = R::splat(LOGISTIC_UNIT);
    let (p, s) = expm1_and_power(reduce(a), LOGISTIC_UNIT);
    // s p + (s + 1), where the one may fall off the end of s.
    let sum = s + unit;
    let fallen = (s - sum) + unit;
    unit / (sum + s.mul_add(p, fallen))
}

/// `e^x - 1`.
#[inline(always)]
pub(crate) fn expm1<R: Real>(x: R) -> R {
    let c = R::splat;
    // Beyond these limits the result is -1 or infinity all the same.
    let a = x.clamp(c(-40.0), c(710.0));
    let shifted = a.mul_add(c(LOG2_E), c(ROUNDER));
    let k = shifted - ROUNDER;
    // x - k L1 is exact. What L1 lacks of ln 2 goes to the small part of e^r - 1 = r + delta: where e^x is near 1 a
    // rounding of r would show.
    let r = k.mul_add(c(-L1), a);
    let r_low = k * -L2;
    let (tail, u) = exponential_tail(r);
    let delta = u.mul_add(tail, r_low);
    let delta = r_low.mul_add(r + delta, delta);
    // 2^1024 is out of range: large results are made at half their size.
    let half_power = power_of_two::<R>(shifted.to_word(), 0.5);
    let large = a.gt(c(700.0));
    let power = half_power + R::select(large, c(0.0), half_power);
    let small_or_half = power.mul_add(delta, power.mul_add(r, power - 1.0));
    // The sign of x is that of the result, zeros included.
    (small_or_half * R::select(large, c(2.0), c(1.0))).copysign(x)
}
