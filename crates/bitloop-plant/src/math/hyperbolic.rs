//! The hyperbolic tangent.
//!
//! Below 0.55 in magnitude, tanh x = x + x u P(u) / Q(u) with u = x^2; above, tanh |x| = 1 - 2 / (e^2|x| + 1), which is free
//! of cancellation there because tanh is more than 1/2. Both have the shape base + numerator / denominator, so that lanes
//! of both kinds share one division. (The textbook form with expm1 rounds three times in a row where e^2|x| is near 1, and
//! came out at 2.6 ULP.)
//!
//! P and Q interpolate (tanh x / x - 1) / u at Chebyshev nodes, 2^-58 relative to tanh; coefficients by
//! tests/math/coefficients.py.
//!
//! Error: below 1.4 ULP. tanh -0 is -0, tanh of infinity 1.

use super::exponential::{expm1_and_power, reduce};
use super::words::line;
use crate::bits::Mask;
use crate::real::Real;

/// Where the two forms meet: tanh of it is just above 1/2.
const MEETING_POINT: f64 = 0.55;
/// From 19.1 on the result rounds to 1.
const SATURATION: f64 = 20.0;

/// The hyperbolic tangent.
#[inline(always)]
pub(crate) fn tanh<R: Real>(x: R) -> R {
    let c = R::splat;
    let magnitude = x.abs();

    // The lanes of a neuron mostly lie on one side, and one form alone takes about half the time of both.
    if !magnitude.not_lt(c(MEETING_POINT)).any() {
        let (numerator, denominator) = rational(magnitude);
        return (magnitude + numerator / denominator).copysign(x);
    }
    let small = magnitude.lt(c(MEETING_POINT));
    let saturating = saturating(magnitude);
    if !small.any() {
        return (c(1.0) + c(-2.0) / saturating).copysign(x);
    }
    let (numerator, denominator) = rational(magnitude);
    let base = R::select(small, magnitude, c(1.0));
    let numerator = R::select(small, numerator, c(-2.0));
    let denominator = R::select(small, denominator, saturating);
    (base + numerator / denominator).copysign(x)
}

/// |x| u P(u) and Q(u).
#[inline(always)]
fn rational<R: Real>(magnitude: R) -> (R, R) {
    let c = R::splat;
    let u = magnitude * magnitude;
    let p_of_u = u.mul_add(
        line(u, -99.194_742_437_944_53, -9.643_626_794_774_502e-1),
        c(-1_612.768_054_397_400_4),
    );
    let q_of_u = u.mul_add(
        u.mul_add(u + 112.710_961_510_447_18, c(2_232.905_892_590_709_3)),
        c(4_838.304_163_192_201_5),
    );
    (magnitude * u * p_of_u, q_of_u)
}

/// e^2|x| + 1 = s p + (s + 1) with s = 2^k and p = e^r - 1.
#[inline(always)]
fn saturating<R: Real>(magnitude: R) -> R {
    let limit = R::splat(SATURATION);
    // A NaN is not above the limit, and stays.
    let a = R::select(magnitude.gt(limit), limit, magnitude);
    let (p, s) = expm1_and_power(reduce(a + a), 1.0);
    s.mul_add(p, s + 1.0)
}
