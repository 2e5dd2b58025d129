//! Sine, cosine and tangent.
//!
//! An angle x is split as x = n pi/2 + r with |r| <= pi/4. Up to [`FAST_LIMIT`], n is below 2^16 and pi/2 in three parts
//! is enough: x - n P1 is exact, and the other two fused steps leave r with a relative error of 2^-53, however near x is to
//! a multiple of pi/2. Larger angles go lane by lane, out of line, through [`large_angle::reduce`], which finds
//! the same n and r with integers; a NaN passes through the fast path.
//!
//! On the reduced angle sine and cosine are polynomials in u = r^2, minimax in relative error (2^-57.9 and 2^-63.9;
//! coefficients by tests/math/coefficients.py), summed in pairs, so that the chain of dependent operations is short. The
//! quadrant swaps and negates them by bit operations.
//!
//! Angles of a plant that is balanced lie within pi/4 of zero, in all lanes: they are not reduced at all.
//!
//! The tangent is sine over cosine, each as a sum of two numbers, so that their roundings do not add up.
//!
//! Error: below 1.6 ULP for sine and cosine, most of it from the rounding of r; below 1 ULP for the tangent.

use super::large_angle::{self, LargeReduced};
use super::words::{ROUNDER, line, negate_by};
use crate::bits::Mask;
use crate::real::Real;

/// Largest magnitude that the fast reduction takes.
const FAST_LIMIT: f64 = 1e5;

/// Below it in magnitude, just under pi/4, n is 0: then r is x itself, whose reduction and quadrant would be a third of the chain.
const SMALL_LIMIT: f64 = 0.785;

/// 2/pi.
const FRAC_2_PI: f64 = std::f64::consts::FRAC_2_PI;
/// pi/2 = `P1` + `P2` + `P3`. The second part is rounded down, so that all are positive: then 0 times any of them, taken
/// from -0, leaves -0.
const P1: f64 = std::f64::consts::FRAC_PI_2;
const P2: f64 = 6.123_233_995_736_765e-17;
const P3: f64 = 1.082_856_673_921_914e-32;

/// A reduced angle: x = n pi/2 + r.
#[derive(Clone, Copy)]
struct Reduced<R: Real> {
    r: R,
    /// A word whose two lowest bits are those of n.
    quadrant: R::Word,
}

/// The fast reduction, for |x| <= [`FAST_LIMIT`].
#[inline(always)]
fn reduce<R: Real>(x: R) -> Reduced<R> {
    let shifted = x.mul_add(R::splat(FRAC_2_PI), R::splat(ROUNDER));
    let n = shifted - ROUNDER;
    let r = n.mul_add(R::splat(-P1), x);
    let r = n.mul_add(R::splat(-P2), r);
    let r = n.mul_add(R::splat(-P3), r);
    Reduced { r, quadrant: shifted.to_word() }
}

/// S(u) of sin r = r + r u S(u).
#[inline(always)]
fn sin_polynomial<R: Real>(u: R) -> R {
    let u2 = u * u;
    let s01 = line(u, -1.666_666_666_666_663e-1, 8.333_333_333_321_84e-3);
    let s23 = line(u, -1.984_126_982_935_853_6e-4, 2.755_731_353_852_125e-6);
    let s45 = line(u, -2.505_073_439_077_702_7e-8, 1.589_543_337_625_277e-10);
    u2.mul_add(u2.mul_add(s45, s23), s01)
}

/// C(u) of cos r = 1 - u/2 + u^2 C(u).
#[inline(always)]
fn cos_polynomial<R: Real>(u: R) -> R {
    let u2 = u * u;
    let c01 = line(u, 4.166_666_666_666_659_5e-2, -1.388_888_888_887_334_2e-3);
    let c23 = line(u, 2.480_158_728_900_210_3e-5, -2.755_731_421_705_648_4e-7);
    let c45 = line(u, 2.087_570_540_021_482_7e-9, -1.135_874_955_801_835_2e-11);
    u2.mul_add(u2.mul_add(c45, c23), c01)
}

/// Sine and cosine of a reduced angle, before the quadrant is applied.
#[inline(always)]
fn sin_cos_polynomials<R: Real>(r: R) -> (R, R) {
    let c = R::splat;
    let u = r * r;
    // Adding zero turns a product of -0 into +0, so that the sine of -0 is -0.
    let sin = r.mul_add(u.mul_add(sin_polynomial(u), c(0.0)), r);
    let cos = u.mul_add(u.mul_add(cos_polynomial(u), c(-0.5)), c(1.0));
    (sin, cos)
}

/// Sine and cosine of r + n pi/2.
#[inline(always)]
fn sin_cos_of_reduced<R: Real>(reduced: Reduced<R>) -> (R, R) {
    let (sin, cos) = sin_cos_polynomials(reduced.r);
    let bit0_on_top = R::word_shl::<63>(reduced.quadrant);
    let bit1_on_top = R::word_shl::<62>(reduced.quadrant);
    let odd = R::word_sign(bit0_on_top);
    // n mod 4 = 0, 1, 2, 3: sine is sin, cos, -sin, -cos of r, and cosine is cos, -sin, -cos, sin of r.
    let sine = negate_by(R::select(odd, cos, sin), bit1_on_top);
    let cosine = negate_by(R::select(odd, sin, cos), R::word_xor(bit0_on_top, bit1_on_top));
    (sine, cosine)
}

/// Where the fast reduction of sine, cosine and tangent does not hold.
#[inline(always)]
fn is_large_angle<R: Real>(x: R) -> R::Mask {
    x.abs().gt(R::splat(FAST_LIMIT))
}

/// Whether no angle needs reduction.
#[inline(always)]
fn are_small<R: Real>(x: R) -> bool {
    !x.abs().not_lt(R::splat(SMALL_LIMIT)).any()
}

/// Sine and cosine of angles that are not large.
#[inline(always)]
fn sin_cos_of_moderate<R: Real>(x: R) -> (R, R) {
    sin_cos_of_reduced(reduce(x))
}

/// Sine and cosine without a call; none where an angle is large.
#[inline(always)]
pub(crate) fn sin_cos_unless_large<R: Real>(x: R) -> Option<(R, R)> {
    if are_small(x) {
        return Some(sin_cos_polynomials(x));
    }
    if is_large_angle(x).any() { None } else { Some(sin_cos_of_moderate(x)) }
}

/// Sine and cosine.
#[inline(always)]
pub(crate) fn sin_cos<R: Real>(x: R) -> (R, R) {
    if are_small(x) {
        return sin_cos_polynomials(x);
    }
    let (sin, cos) = sin_cos_of_moderate(x);
    let large = is_large_angle(x);
    if large.any() {
        return (
            sin.replace_lanes(large, x, |x| sin_cos_of_large(x).0),
            cos.replace_lanes(large, x, |x| sin_cos_of_large(x).1),
        );
    }
    (sin, cos)
}

/// The slow path of sine and cosine: any |x| that is too large for the fast one.
#[cold]
fn sin_cos_of_large(x: f64) -> (f64, f64) {
    let LargeReduced { r, quadrant, .. } = large_angle::reduce(x);
    sin_cos_of_reduced(Reduced { r, quadrant })
}

/// Tangent.
#[inline(always)]
pub(crate) fn tan<R: Real>(x: R) -> R {
    let shifted = x.mul_add(R::splat(FRAC_2_PI), R::splat(ROUNDER));
    let n = shifted - ROUNDER;
    // r + low, with what the rounding of x - n P1 - n P2 lost; x - n P1 is exact.
    let exact = n.mul_add(R::splat(-P1), x);
    let second = n * P2;
    let second_low = n.mul_add(R::splat(P2), -second);
    let r = exact - second;
    let taken = exact - r;
    let rounding = (exact - (r + taken)) + (taken - second);
    let low = n.mul_add(R::splat(-P3), rounding - second_low);

    let tan = tan_of_reduced(Reduced { r, quadrant: shifted.to_word() }, low);
    let large = is_large_angle(x);
    let tan = if large.any() { tan.replace_lanes(large, x, tan_of_large) } else { tan };
    // A zero keeps its sign.
    R::select(x.eq(R::splat(0.0)), x, tan)
}

/// Tangent of r + `low` + n pi/2: sine over cosine or the negative inverse, each as a sum of two numbers.
#[inline(always)]
fn tan_of_reduced<R: Real>(Reduced { r, quadrant }: Reduced<R>, low: R) -> R {
    let c = R::splat;
    let u = r * r;
    let u_low = r.mul_add(r, -u);
    let (s, q) = (sin_polynomial(u), cos_polynomial(u));

    let half = u.mul_add(c(-0.5), c(1.0));
    let half_low = (c(1.0) - half) - u * 0.5;

    let sin_tail = (r * u).mul_add(s, low * half);
    let sin = r + sin_tail;
    let sin_low = sin_tail - (sin - r);
    let cos_tail = (u * u).mul_add(q, half_low - r.mul_add(low, u_low * 0.5));
    let cos = half + cos_tail;
    let cos_low = cos_tail - (cos - half);

    let bit0_on_top = R::word_shl::<63>(quadrant);
    let odd = R::word_sign(bit0_on_top);
    let numerator = R::select(odd, cos, sin);
    let numerator_low = R::select(odd, cos_low, sin_low);
    let denominator = R::select(odd, sin, cos);
    let denominator_low = R::select(odd, sin_low, cos_low);

    let reciprocal = c(1.0) / denominator;
    let ratio = numerator * reciprocal;
    let remainder = (-ratio).mul_add(denominator, numerator);
    let remainder = (-ratio).mul_add(denominator_low, remainder + numerator_low);
    let tan = remainder.mul_add(reciprocal, ratio);
    // In odd quadrants the tangent is minus the ratio; bit 0 of n is its sign.
    negate_by(tan, bit0_on_top)
}

/// The slow path of the tangent.
#[cold]
fn tan_of_large(x: f64) -> f64 {
    let LargeReduced { r, r_low, quadrant } = large_angle::reduce(x);
    tan_of_reduced(Reduced { r, quadrant }, r_low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_angles_have_the_bits_of_those_that_are_reduced() {
        let bits = |(sin, cos): (f64, f64)| (sin.to_bits(), cos.to_bits());
        let edges = [0.0, 5e-324, 1e-300, 1e-8, SMALL_LIMIT, SMALL_LIMIT.next_down(), 0.786];
        let evenly = (0..20_000).map(|step| f64::from(step) * 5e-5);
        for x in edges.into_iter().chain(evenly) {
            for x in [x, -x] {
                assert_eq!(bits(sin_cos(x)), bits(sin_cos_of_moderate(x)), "{x:e}");
            }
        }
    }
}
