//! Where the functions are tried: ranges that plants use, all of the doubles, and neighborhoods of hard cases.

use std::f64::consts::{FRAC_PI_2, LN_2, SQRT_2};

use crate::functions::Function;

/// splitmix64 (Steele, Lea, Flood 2014): enough to scatter points, and in four lines.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, count: u64) -> u64 {
        self.bits() % count
    }

    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        low + (high - low) * unit
    }

    /// Any sign and mantissa, exponents from `low` to `high`, both included.
    fn spread(&mut self, low: i64, high: i64) -> f64 {
        let span = (high - low + 1).unsigned_abs();
        let exponent = (low + 1023).unsigned_abs() + self.below(span);
        f64::from_bits(self.bits() & !(0x7ff << 52) | exponent << 52)
    }

    /// `x`, or a double few steps from it.
    fn near(&mut self, x: f64) -> f64 {
        f64::from_bits(x.to_bits().wrapping_add(self.below(9)).wrapping_sub(4))
    }
}

/// Draws a point (x, y).
pub(crate) type Draw = fn(&mut Random) -> (f64, f64);

/// The ranges that `function` is swept over, by name.
pub(crate) fn ranges(function: Function) -> &'static [(&'static str, Draw)] {
    match function {
        Function::Sin | Function::Cos | Function::Tan => &[
            ("within pi/4", |r| (r.uniform(-0.8, 0.8), 1.0)),
            ("a few turns", |r| (r.uniform(-20.0, 20.0), 1.0)),
            ("up to 1e5", |r| (r.uniform(-1e5, 1e5), 1.0)),
            ("all exponents up to 1e5", |r| (r.spread(-1022, 15), 1.0)),
            ("around 1e5", |r| (r.uniform(0.9e5, 1.1e5), 1.0)),
            ("near multiples of pi/4", |r| {
                let n = r.below(130_000) as f64;
                (r.near(n * (0.5 * FRAC_PI_2)), 1.0)
            }),
            ("all doubles", |r| (f64::from_bits(r.bits()), 1.0)),
        ],
        Function::Tanh | Function::Exp | Function::Expm1 | Function::Logistic => &[
            ("small", |r| (r.uniform(-0.6, 0.6), 1.0)),
            ("middle", |r| (r.uniform(-4.0, 4.0), 1.0)),
            ("saturating", |r| (r.uniform(-40.0, 40.0), 1.0)),
            ("up to overflow", |r| (r.uniform(-750.0, 715.0), 1.0)),
            ("subnormal results", |r| (r.uniform(-746.0, -707.0), 1.0)),
            ("all exponents", |r| (r.spread(-600, 9), 1.0)),
            ("between powers of two", |r| {
                let odd = r.below(300) as f64 - 150.0;
                (r.near(odd * (0.25 * LN_2)), 1.0)
            }),
            ("all doubles", |r| (f64::from_bits(r.bits()), 1.0)),
        ],
        Function::Ln => &[
            ("around 1", |r| (r.uniform(0.5, 2.0), 1.0)),
            ("near 1", |r| (1.0 + r.spread(-52, -2), 1.0)),
            ("near sqrt 2 times powers of two", |r| {
                let power = r.spread(-1000, 1000).abs().to_bits() & 0x7ff << 52;
                (r.near(f64::from_bits(power) * SQRT_2), 1.0)
            }),
            ("subnormal", |r| (f64::from_bits(r.bits() >> 12 >> r.below(50)), 1.0)),
            ("all doubles", |r| (f64::from_bits(r.bits()), 1.0)),
        ],
        Function::Pow => &[
            ("small", |r| (r.uniform(0.0, 10.0), r.uniform(-10.0, 10.0))),
            ("any result", |r| {
                let x = r.spread(-1022, 1023).abs();
                (x, r.uniform(-750.0, 715.0) / bitloop_plant::Real::ln(x))
            }),
            ("near 1", |r| {
                let x = 1.0 + r.spread(-50, -2);
                (x, r.uniform(-750.0, 715.0) / bitloop_plant::Real::ln(x))
            }),
            ("subnormal results", |r| {
                let x = r.spread(-1022, 1023).abs();
                (x, r.uniform(-746.0, -707.0) / bitloop_plant::Real::ln(x))
            }),
            ("integer powers", |r| (r.spread(-20, 20), r.below(41) as f64 - 20.0)),
            ("all doubles", |r| (f64::from_bits(r.bits()), f64::from_bits(r.bits()))),
        ],
        Function::Atan2 => &[
            ("square", |r| (r.uniform(-1.0, 1.0), r.uniform(-1.0, 1.0))),
            ("all directions", |r| (r.spread(-30, 30), r.spread(-30, 30))),
            ("near diagonals", |r| {
                let x = r.spread(-5, 5);
                (r.near(x), x)
            }),
            ("all doubles", |r| (f64::from_bits(r.bits()), f64::from_bits(r.bits()))),
        ],
    }
}

/// What special cases are made of.
pub(crate) const SPECIAL: [f64; 41] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    -1.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    5e-324,
    -5e-324,
    1e-310,
    -1e-310,
    f64::MIN_POSITIVE,
    -f64::MIN_POSITIVE,
    f64::MAX,
    f64::MIN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    -f64::NAN,
    1e5,
    -1e5,
    100_000.000_000_000_01,
    0.55,
    -0.55,
    20.0,
    -20.0,
    709.782_712_893_384,
    709.782_712_893_384_1,
    -745.133_219_101_941_1,
    -745.133_219_101_941_2,
    9_007_199_254_740_991.0,
    -9_007_199_254_740_991.0,
    -9_007_199_254_740_992.0,
    -4_503_599_627_370_497.0,
    -4_503_599_627_370_495.5,
    1e308,
];

/// `count` points of each range, and all pairs of special values.
pub(crate) fn all(function: Function, count: usize, seed: u64) -> Vec<(f64, f64)> {
    let mut random = Random(seed);
    let mut points = Vec::new();
    for (_, draw) in ranges(function) {
        points.extend((0..count).map(|_| draw(&mut random)));
    }
    points.extend(SPECIAL.iter().flat_map(|&x| SPECIAL.iter().map(move |&y| (x, y))));
    points
}
