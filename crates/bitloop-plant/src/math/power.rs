//! Powers with real exponents.
//!
//! x^y = e^(y ln |x|), with the logarithm and the product as unevaluated sums of two doubles: an error in y ln |x|, which
//! goes up to 745, is a relative error of the result. For x = 2^k m as in [`super::logarithm`], s = (m - 1) / (m + 1),
//! z = s^2,
//!
//! ln m = 2 s + s z (2/3 + z Q(z)),
//!
//! where all but Q has twice the precision; Q has degree 7, minimax, by tests/math/coefficients.py. ln m is off by less than
//! 2^-63, relatively.
//!
//! Error: below 1 ULP. Special cases as in C99, annex F.

use super::exponential::{L1, L2, LOG2_E, exponential_tail, scale};
use super::logarithm::{Decomposed, decompose};
use super::words::{ROUNDER, TWO_52, line};
use crate::real::Real;

/// 2/3, and what that double lacks of it.
const TWO_THIRDS: f64 = 2.0 / 3.0;
const TWO_THIRDS_LOW: f64 = 3.700_743_415_417_188e-17;

/// An unevaluated sum of two numbers, the second below the last bit of the first.
#[derive(Clone, Copy)]
struct Double<R> {
    high: R,
    low: R,
}

impl<R: Real> Double<R> {
    /// `a + b`, where `a` is not the smaller in magnitude or is zero, with `low` on top.
    #[inline(always)]
    fn sum(a: R, b: R, low: R) -> Self {
        let high = a + b;
        Self { high, low: ((a - high) + b) + low }
    }

    /// `a * b`, less the product of the low parts.
    #[inline(always)]
    fn product(a: Self, b: Self) -> Self {
        let high = a.high * b.high;
        let rounding = a.high.mul_add(b.high, -high);
        Self { high, low: a.high.mul_add(b.low, a.low.mul_add(b.high, rounding)) }
    }
}

/// ln x of a positive, finite x.
#[inline(always)]
fn ln<R: Real>(x: R) -> Double<R> {
    let c = R::splat;
    let Decomposed { k, m } = decompose(x);

    let f = m - 1.0;
    let divisor = m + 1.0;
    let divisor_low = m - (divisor - 1.0);
    let reciprocal = c(1.0) / divisor;
    let quotient = f * reciprocal;
    let remainder = (-quotient).mul_add(divisor_low, (-quotient).mul_add(divisor, f));
    let s = Double { high: quotient, low: remainder * reciprocal };
    let z = Double::product(s, s);

    let t = z.high;
    let t2 = t * t;
    let q01 = line(t, 3.999_999_999_999_998e-1, 2.857_142_857_144_384e-1);
    let q23 = line(t, 2.222_222_221_778_975_8e-1, 1.818_181_884_398_686_3e-1);
    let q45 = line(t, 1.538_455_842_922_832_6e-1, 1.333_626_446_207_090_1e-1);
    let q67 = line(t, 1.167_578_165_966_070_4e-1, 1.198_174_400_087_692_9e-1);
    let q = t2.mul_add(t2.mul_add(t2.mul_add(q67, q45), q23), q01);
    let zq = Double::product(z, Double { high: q, low: c(0.0) });
    let inner = Double::sum(c(TWO_THIRDS), zq.high, zq.low + TWO_THIRDS_LOW);
    let cubic = Double::product(Double::product(s, z), inner);
    let ln_m = Double::sum(s.high + s.high, cubic.high, cubic.low + (s.low + s.low));

    let k_ln2 = k * L1;
    let k_ln2_low = k.mul_add(c(L2), k.mul_add(c(L1), -k_ln2));
    let unevaluated = Double::sum(k_ln2, ln_m.high, k_ln2_low + ln_m.low);
    Double::sum(unevaluated.high, unevaluated.low, c(0.0))
}

/// e to a number between -800 and 800, `low` being tiny.
#[inline(always)]
fn exp<R: Real>(Double { high, low }: Double<R>) -> R {
    let c = R::splat;
    let shifted = high.mul_add(c(LOG2_E), c(ROUNDER));
    let k = shifted - ROUNDER;
    // high - k L1 is exact.
    let r = Double::sum(k.mul_add(c(-L1), high), k.mul_add(c(-L2), low), c(0.0));
    let (tail, u) = exponential_tail(r.high);
    let sum = Double::sum(c(1.0), r.high, c(0.0));
    let small = u.mul_add(tail, r.low.mul_add(sum.high, sum.low));
    scale(sum.high + small, shifted.to_word())
}

/// Whether a number that is not negative has no fraction.
#[inline(always)]
fn is_integer<R: Real>(magnitude: R) -> R::Mask {
    // From 2^52 on every number is one; below, the sum rounds to one.
    magnitude.ge(R::splat(TWO_52)) | ((magnitude + TWO_52) - TWO_52).eq(magnitude)
}

/// `x^y`.
#[inline(always)]
pub(crate) fn pow<R: Real>(x: R, y: R) -> R {
    let c = R::splat;
    let (zero, one, infinity) = (c(0.0), c(1.0), c(f64::INFINITY));
    let base = x.abs();
    let exponent = y.abs();

    // The logarithms of 0 and infinity are infinite; a NaN stays.
    let logarithm = ln(base);
    let log_high = R::select(base.lt(infinity), logarithm.high, base);
    let log_high = R::select(base.eq(zero), c(f64::NEG_INFINITY), log_high);
    let product = y * log_high;
    // Results beyond these limits are 0 or infinity all the same, and there the low part may be NaN.
    let moderate = product.abs().lt(c(800.0));
    let product_low = y.mul_add(logarithm.low, y.mul_add(log_high, -product));
    let low = R::select(moderate, product_low, zero);
    let magnitude = exp(Double { high: product.clamp(c(-800.0), c(800.0)), low });

    let integer = is_integer(exponent);
    // Doubles from 2^53 on are even.
    let odd = integer & !is_integer(exponent * 0.5);
    let negative = R::word_sign(x.to_word());
    let signed = R::select(negative & odd, -magnitude, magnitude);
    let root_of_negative = x.lt(zero) & base.lt(infinity) & !integer;
    let result = R::select(root_of_negative, c(f64::NAN), signed);
    // 1 to any power, anything to the power 0, and -1 to an infinite power are 1, NaN or not.
    let is_one = x.eq(one) | y.eq(zero) | (base.eq(one) & exponent.eq(infinity));
    R::select(is_one, one, result)
}
