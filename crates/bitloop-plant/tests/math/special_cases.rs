//! Signed zeros, infinities, NaN, and the edges of the range, as IEEE 754 and C99 annex F say.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use bitloop_plant::Real;

use crate::functions::Function;

const INFINITY: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// Bit for bit, but any NaN will do for NaN.
#[track_caller]
fn assert_same(value: f64, expected: f64, what: &str) {
    let same = value.to_bits() == expected.to_bits() || value.is_nan() && expected.is_nan();
    assert!(same, "{what} = {value:e}, not {expected:e}");
}

#[track_caller]
fn check(function: Function, cases: &[(f64, f64)]) {
    for &(x, expected) in cases {
        assert_same(function.apply(x, 1.0), expected, &format!("{function:?}({x:e})"));
    }
}

#[track_caller]
fn check2(function: Function, cases: &[(f64, f64, f64)]) {
    for &(x, y, expected) in cases {
        assert_same(function.apply(x, y), expected, &format!("{function:?}({x:e}, {y:e})"));
    }
}

#[test]
fn trigonometric() {
    let odd = [(0.0, 0.0), (-0.0, -0.0), (INFINITY, NAN), (-INFINITY, NAN), (NAN, NAN)];
    check(Function::Sin, &odd);
    check(Function::Tan, &odd);
    check(Function::Cos, &[(0.0, 1.0), (-0.0, 1.0), (INFINITY, NAN), (-INFINITY, NAN), (NAN, NAN)]);
}

#[test]
fn exponential() {
    check(
        Function::Exp,
        &[
            (0.0, 1.0),
            (-0.0, 1.0),
            (1.0, std::f64::consts::E),
            (INFINITY, INFINITY),
            (-INFINITY, 0.0),
            (NAN, NAN),
            (709.782_712_893_384_1, INFINITY),
            (f64::MAX, INFINITY),
            (f64::MIN, 0.0),
            // The smallest subnormal, and what rounds to zero.
            (-745.133_219_101_941_1, 5e-324),
            (-745.133_219_101_941_2, 0.0),
        ],
    );
    assert!(Real::exp(709.782_712_893_384) < INFINITY);
    check(
        Function::Expm1,
        &[
            (0.0, 0.0),
            (-0.0, -0.0),
            (INFINITY, INFINITY),
            (-INFINITY, -1.0),
            (-100.0, -1.0),
            (709.782_712_893_384_1, INFINITY),
            (NAN, NAN),
        ],
    );
    assert!(Real::expm1(709.782_712_893_384) < INFINITY);
    check(
        Function::Logistic,
        &[
            (0.0, 0.5),
            (-0.0, 0.5),
            (INFINITY, 1.0),
            (-INFINITY, 0.0),
            (NAN, NAN),
            (f64::MAX, 1.0),
            (f64::MIN, 0.0),
            (-745.133_219_101_941_1, 5e-324),
        ],
    );
    check(
        Function::Tanh,
        &[
            (0.0, 0.0),
            (-0.0, -0.0),
            (INFINITY, 1.0),
            (-INFINITY, -1.0),
            (f64::MAX, 1.0),
            (NAN, NAN),
        ],
    );
}

#[test]
fn logarithm() {
    check(
        Function::Ln,
        &[
            (0.0, -INFINITY),
            (-0.0, -INFINITY),
            (1.0, 0.0),
            (-1.0, NAN),
            (-5e-324, NAN),
            (-INFINITY, NAN),
            (INFINITY, INFINITY),
            (NAN, NAN),
        ],
    );
}

#[test]
fn power_as_c99_annex_f_9_4_4() {
    let (odd, even) = (9_007_199_254_740_991.0, 9_007_199_254_740_992.0);
    check2(
        Function::Pow,
        &[
            // Zeros.
            (0.0, -3.0, INFINITY),
            (-0.0, -3.0, -INFINITY),
            (-0.0, -odd, -INFINITY),
            (0.0, -2.0, INFINITY),
            (-0.0, -2.0, INFINITY),
            (-0.0, -even, INFINITY),
            (-0.0, -0.5, INFINITY),
            (0.0, -INFINITY, INFINITY),
            (-0.0, -INFINITY, INFINITY),
            (0.0, 3.0, 0.0),
            (-0.0, 3.0, -0.0),
            (-0.0, 2.0, 0.0),
            (-0.0, 2.5, 0.0),
            (-0.0, INFINITY, 0.0),
            // One.
            (-1.0, INFINITY, 1.0),
            (-1.0, -INFINITY, 1.0),
            (1.0, NAN, 1.0),
            (1.0, INFINITY, 1.0),
            (NAN, 0.0, 1.0),
            (NAN, -0.0, 1.0),
            (INFINITY, 0.0, 1.0),
            (0.0, 0.0, 1.0),
            // Negative bases.
            (-2.0, 0.5, NAN),
            (-f64::MAX, 1e-300, NAN),
            (-2.0, 3.0, -8.0),
            (-2.0, 2.0, 4.0),
            (-2.0, -1.0, -0.5),
            (-1.0, odd, -1.0),
            (-1.0, even, 1.0),
            (-1.0, 4_503_599_627_370_495.5, NAN),
            (-1.0, 4_503_599_627_370_497.0, -1.0),
            (-2.0, 1025.0, -INFINITY),
            (-2.0, -1077.0, -0.0),
            // Infinite exponents.
            (0.5, -INFINITY, INFINITY),
            (-0.5, -INFINITY, INFINITY),
            (1.5, -INFINITY, 0.0),
            (-1.5, -INFINITY, 0.0),
            (0.5, INFINITY, 0.0),
            (1.5, INFINITY, INFINITY),
            (-1.5, INFINITY, INFINITY),
            // Infinite bases.
            (-INFINITY, -3.0, -0.0),
            (-INFINITY, -2.0, 0.0),
            (-INFINITY, -0.5, 0.0),
            (-INFINITY, 3.0, -INFINITY),
            (-INFINITY, 2.0, INFINITY),
            (-INFINITY, 0.5, INFINITY),
            (INFINITY, -1.0, 0.0),
            (INFINITY, 1e-300, INFINITY),
            // NaN otherwise.
            (NAN, 1.0, NAN),
            (2.0, NAN, NAN),
            (0.0, NAN, NAN),
            (-INFINITY, NAN, NAN),
            (NAN, INFINITY, NAN),
            // Edges of the range, and exact results.
            (2.0, 1024.0, INFINITY),
            (2.0, -1074.0, 5e-324),
            (2.0, -1075.0, 0.0),
            (2.0, 1023.0, 8.988_465_674_311_58e307),
            (5e-324, 1.0, 5e-324),
            (f64::MAX, 1.0, f64::MAX),
            (f64::MAX, f64::MAX, INFINITY),
            (f64::MAX, f64::MIN, 0.0),
            (f64::MAX, 5e-324, 1.0),
            (10.0, 2.0, 100.0),
            (9.0, 0.5, 3.0),
        ],
    );
}

#[test]
fn angle_of_a_point_as_c99_annex_f_9_1_4() {
    check2(
        Function::Atan2,
        &[
            // y and x.
            (0.0, -0.0, PI),
            (-0.0, -0.0, -PI),
            (0.0, 0.0, 0.0),
            (-0.0, 0.0, -0.0),
            (0.0, -1.0, PI),
            (-0.0, -1.0, -PI),
            (0.0, 1.0, 0.0),
            (-0.0, 1.0, -0.0),
            (-1.0, 0.0, -FRAC_PI_2),
            (-1.0, -0.0, -FRAC_PI_2),
            (1.0, 0.0, FRAC_PI_2),
            (1.0, -0.0, FRAC_PI_2),
            (1.0, -INFINITY, PI),
            (-1.0, -INFINITY, -PI),
            (1.0, INFINITY, 0.0),
            (-1.0, INFINITY, -0.0),
            (INFINITY, 1.0, FRAC_PI_2),
            (-INFINITY, -1.0, -FRAC_PI_2),
            (INFINITY, -INFINITY, 3.0 * FRAC_PI_4),
            (-INFINITY, -INFINITY, -3.0 * FRAC_PI_4),
            (INFINITY, INFINITY, FRAC_PI_4),
            (-INFINITY, INFINITY, -FRAC_PI_4),
            (NAN, 1.0, NAN),
            (1.0, NAN, NAN),
            (0.0, NAN, NAN),
            (NAN, 0.0, NAN),
            (INFINITY, NAN, NAN),
            (NAN, INFINITY, NAN),
            // Far apart: no ratio is too small or too large.
            (5e-324, 1.0, 5e-324),
            (-5e-324, f64::MAX, -0.0),
            (f64::MAX, 5e-324, FRAC_PI_2),
            (5e-324, -f64::MAX, PI),
            (5e-324, 5e-324, FRAC_PI_4),
            (f64::MAX, -f64::MAX, 3.0 * FRAC_PI_4),
            (1e-310, 4.0, 2.5e-311),
        ],
    );
}
