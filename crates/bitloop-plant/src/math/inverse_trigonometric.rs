//! The angle of a point, `atan2`.
//!
//! q is the smaller magnitude of the two coordinates over the larger, one division; atan q = q + q z A(z) with z = q^2 and A
//! of degree 19 on all of [0, 1], minimax, 2^-56.6 relative to atan q, by tests/math/coefficients.py. The angle is
//! then 0, pi/2 or pi, plus or minus atan q. The constant takes q first, the rounding of that sum is kept, and all small
//! terms follow in one last addition.
//!
//! Error: below 1.8 ULP, most of it from the rounding of q where q is above 1/2 and the angle below. Signed zeros and infinities as in C99, annex F.

use super::words::{line, negate_by};
use crate::real::Real;

const PI: f64 = std::f64::consts::PI;
/// What [`PI`] lacks of pi.
const PI_LOW: f64 = 1.224_646_799_147_353_2e-16;

/// (atan q / q - 1) / z for 0 <= z = q^2 <= 1.
#[inline(always)]
fn atan_tail<R: Real>(z: R) -> R {
    let z2 = z * z;
    let z4 = z2 * z2;
    let a0 = line(z, -3.333_333_333_333_307e-1, 1.999_999_999_995_174_8e-1);
    let a1 = line(z, -1.428_571_428_258_773_6e-1, 1.111_111_100_732_109_4e-1);
    let a2 = line(z, -9.090_907_007_222_23e-2, 7.692_279_879_762_565e-2);
    let a3 = line(z, -6.666_404_329_572_699e-2, 5.880_529_144_052_477e-2);
    let a4 = line(z, -5.253_523_390_559_114_4e-2, 4.722_335_563_336_161_5e-2);
    let a5 = line(z, -4.219_207_396_009_354e-2, 3.664_239_098_815_1e-2);
    let a6 = line(z, -2.990_452_412_377_516_6e-2, 2.198_564_198_196_085e-2);
    let a7 = line(z, -1.390_137_026_417_058_8e-2, 7.197_199_697_630_096e-3);
    let a8 = line(z, -2.885_382_669_620_409_6e-3, 8.315_392_004_135_587e-4);
    let a9 = line(z, -1.522_231_905_280_922_7e-4, 1.323_322_598_866_142_2e-5);
    let b0 = z2.mul_add(a1, a0);
    let b1 = z2.mul_add(a3, a2);
    let b2 = z2.mul_add(a5, a4);
    let b3 = z2.mul_add(a7, a6);
    let b4 = z2.mul_add(a9, a8);
    let high = z4.mul_add(b4, b3);
    z4.mul_add(z4.mul_add(z4.mul_add(high, b2), b1), b0)
}

/// The angle of the point (x, y), between -pi and pi.
#[inline(always)]
pub(crate) fn atan2<R: Real>(y: R, x: R) -> R {
    let c = R::splat;
    let (height, width) = (y.abs(), x.abs());
    let steep = height.gt(width);
    let smaller = R::select(steep, width, height);
    let larger = R::select(steep, height, width);
    // Equal coordinates have ratio 1, be they infinite; two zeros, 0. NaN equals nothing, and stays.
    let of_equal = R::select(larger.eq(c(0.0)), c(0.0), c(1.0));
    let q = R::select(smaller.eq(larger), of_equal, smaller / larger);

    // Flat: 0 + atan q to the right, pi - atan q to the left. Steep: pi/2 - atan q, pi/2 + atan q.
    let left = R::word_sign(x.to_word());
    let (zero, steep_sign) = (c(0.0), R::select(steep, c(-0.0), c(0.0)));
    let base = R::select(steep, c(0.5 * PI), R::select(left, c(PI), zero));
    let base_low = R::select(steep, c(0.5 * PI_LOW), R::select(left, c(PI_LOW), zero));
    let signed_q = negate_by(negate_by(q, x.to_word()), steep_sign.to_word());

    let z = q * q;
    let tail = (signed_q * z).mul_add(atan_tail(z), base_low);
    let sum = base + signed_q;
    let rounding = (base - sum) + signed_q;
    (sum + (rounding + tail)).copysign(y)
}
