//! True values of the functions to about 2^-90, by methods other than those of the library: Taylor series, and inverse
//! functions by one Newton step from the library's own result, however wrong.

use std::sync::LazyLock;

use bitloop_plant::Real;

use crate::double_double::Double;
use crate::functions::Function;

/// A true value, `mantissa * 2^exponent`, so that what is out of the range of doubles can be said as well.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrueValue {
    pub(crate) mantissa: Double,
    pub(crate) exponent: i32,
}

/// 2^`exponent`, for normal results.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(u64::try_from(exponent + 1023).expect("in range") << 52)
}

impl TrueValue {
    /// How far `computed` is from it, in units of its last place.
    pub(crate) fn error_in_ulp(self, computed: f64) -> f64 {
        // Everything is scaled so that the mantissa is near 1; each step is exact.
        let magnitude = (self.mantissa.high.to_bits() >> 52 & 0x7ff) as i32 - 1023;
        let exponent = self.exponent + magnitude;
        if exponent >= 1024 {
            // Beyond the largest double by far, or by so little that it could still be meant.
            return if computed.abs() >= f64::MAX { 0.0 } else { f64::INFINITY };
        }
        let mantissa = self.mantissa.scaled(power_of_two(-magnitude));
        let last_place = if exponent < -1022 { -1074 - exponent.max(-1200) } else { -52 };
        let computed = if computed.is_infinite() {
            power_of_two(1024 - exponent).copysign(computed)
        } else {
            let half = -exponent.max(-1200) / 2;
            computed * power_of_two(half) * power_of_two(-exponent.max(-1200) - half)
        };
        (((computed - mantissa.high) - mantissa.low) / power_of_two(last_place.min(1000))).abs()
    }
}

const LN_2: [f64; 3] =
    [std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17, 5.707_708_438_416_212e-34];
const HALF_PI: [f64; 3] =
    [std::f64::consts::FRAC_PI_2, 6.123_233_995_736_766e-17, -1.497_384_904_859_169_8e-33];

/// 1 / n!
static INVERSE_FACTORIALS: LazyLock<[Double; 30]> = LazyLock::new(|| {
    let mut factorial = Double::from(1.0);
    std::array::from_fn(|n| {
        factorial = factorial * Double::from(n.max(1) as f64);
        Double::from(1.0) / factorial
    })
});

/// The sum of x^n / n! for n = `first`, `first` + `step`, ..., below 30, over x^`first`; `x_step` is x^step.
fn series(x_step: Double, first: usize, step: usize, terms: usize) -> Double {
    (0..terms)
        .rev()
        .map(|i| INVERSE_FACTORIALS[first + i * step])
        .reduce(|sum, coefficient| sum * x_step + coefficient)
        .expect("at least one term")
}

/// x - n c, where c is a sum of three doubles.
fn reduced(x: Double, n: f64, constant: &[f64; 3]) -> Double {
    constant.iter().fold(x, |rest, &part| rest - Double::product(n, part))
}

/// e^x - 1 = 2^k (m + 1) - 1: m and k.
fn exponential_parts(x: Double) -> (Double, i32) {
    let k = (x.high / LN_2[0]).round_ties_even();
    let r = reduced(x, k, &LN_2).scaled(1.0 / 64.0);
    let mut m = r * series(r, 1, 1, 14);
    for _ in 0..6 {
        m = m * (m + Double::from(2.0));
    }
    #[expect(clippy::cast_possible_truncation, reason = "an integer of few digits")]
    let exponent = k as i32;
    (m, exponent)
}

fn exp(x: Double) -> TrueValue {
    let (m, exponent) = exponential_parts(x);
    TrueValue { mantissa: m + Double::from(1.0), exponent }
}

fn expm1(x: Double) -> TrueValue {
    let (m, exponent) = exponential_parts(x);
    // From 2^200 on, the one does not show.
    let one = if exponent > 200 { 0.0 } else { power_of_two(-exponent.max(-200)) };
    let mantissa = if exponent < -200 {
        return TrueValue { mantissa: Double::from(-1.0), exponent: 0 };
    } else if exponent == 0 {
        m
    } else {
        m + (Double::from(1.0) - Double::from(one))
    };
    TrueValue { mantissa, exponent }
}

fn tanh(x: f64) -> TrueValue {
    let expm1 = expm1(Double::from(2.0 * x.abs().min(100.0)));
    let p = expm1.mantissa;
    // p 2^k / (p 2^k + 2).
    let two = 2.0 * power_of_two(-expm1.exponent);
    let mantissa = p / (p + Double::from(two));
    TrueValue { mantissa: if x < 0.0 { -mantissa } else { mantissa }, exponent: 0 }
}

fn logistic(x: f64) -> TrueValue {
    let decay = exp(Double::from(-x.abs()));
    let scale = if decay.exponent < -200 { 0.0 } else { power_of_two(decay.exponent) };
    let divisor = Double::from(1.0) + decay.mantissa.scaled(scale);
    if x < 0.0 {
        TrueValue { mantissa: decay.mantissa / divisor, exponent: decay.exponent }
    } else {
        TrueValue { mantissa: Double::from(1.0) / divisor, exponent: 0 }
    }
}

/// ln x for finite x > 0.
fn ln(x: f64) -> Double {
    let (scaled, offset) = if x < f64::MIN_POSITIVE { (x * power_of_two(54), -54) } else { (x, 0) };
    let mut k = (scaled.to_bits() >> 52) as i32 - 1023;
    let mut m = f64::from_bits(scaled.to_bits() & ((1 << 52) - 1) | 1.0_f64.to_bits());
    if m > 1.4 {
        m *= 0.5;
        k += 1;
    }
    // ln m = guess + ln(m / e^guess) = guess + ln(1 + d).
    let guess = Real::ln(m);
    let (e, exponent) = exponential_parts(Double::from(guess));
    let power = power_of_two(exponent);
    let expm1 = if exponent == 0 { e } else { e.scaled(power) + Double::from(power - 1.0) };
    let d = (Double::from(m - 1.0) - expm1) / (expm1 + Double::from(1.0));
    let ln_m = Double::from(guess) + (d - (d * d).scaled(0.5));
    let k = f64::from(k + offset);
    let high = Double::product(k, LN_2[0]) + Double::product(k, LN_2[1]);
    high + ln_m
}

fn pow(x: f64, y: f64) -> TrueValue {
    let logarithm = ln(x);
    let product = logarithm.high * y;
    if product.abs() > 800.0 {
        let exponent = if product > 0.0 { 1100 } else { -1150 };
        return TrueValue { mantissa: Double::from(1.0), exponent };
    }
    exp(logarithm * Double::from(y))
}

/// Sine and cosine for magnitudes up to 2^20 or so.
fn sin_cos(x: f64) -> (Double, Double) {
    let n = (x / HALF_PI[0]).round_ties_even();
    let r = reduced(Double::from(x), n, &HALF_PI);
    let minus_square = -(r * r);
    // (-r^2)^i / (2 i)! and (-r^2)^i / (2 i + 1)!.
    let cos = series(minus_square, 0, 2, 14);
    let sin = r * series(minus_square, 1, 2, 14);
    #[expect(clippy::cast_possible_truncation, reason = "an integer of few digits")]
    let quadrant = n as i64 & 3;
    match quadrant {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// The angle of (x, y), whose magnitudes are not too far apart.
fn atan2(y: f64, x: f64) -> Double {
    let guess = Real::atan2(y, x);
    // Turned back by the guess, the point is left with a tiny angle.
    let (sin, cos) = sin_cos(guess);
    let (x, y) = (Double::from(x), Double::from(y));
    let rest = (y * cos - x * sin) / (x * cos + y * sin);
    Double::from(guess) + (rest - rest * rest * rest / Double::from(3.0))
}

/// The true value of `function` at a point where it is defined, finite and not zero; `None` where this reference does not
/// reach.
pub(crate) fn true_value(function: Function, x: f64, y: f64) -> Option<TrueValue> {
    let plain = |mantissa| TrueValue { mantissa, exponent: 0 };
    let usable = x.is_finite() && y.is_finite() && x != 0.0 && x.abs() > 1e-200;
    let value = match function {
        Function::Sin | Function::Cos | Function::Tan if x.abs() > 1e6 => return None,
        Function::Ln if x > 0.0 && x.is_finite() && x != 1.0 => return Some(plain(ln(x))),
        Function::Pow if x > 0.0 && x.is_finite() && y.is_finite() => return Some(pow(x, y)),
        Function::Ln | Function::Pow => return None,
        _ if !usable => return None,
        Function::Sin => plain(sin_cos(x).0),
        Function::Cos => plain(sin_cos(x).1),
        Function::Tan => {
            let (sin, cos) = sin_cos(x);
            plain(sin / cos)
        }
        Function::Tanh => tanh(x),
        Function::Exp if x.abs() > 800.0 => return None,
        Function::Expm1 if x > 800.0 => return None,
        Function::Logistic if x.abs() > 760.0 => return None,
        Function::Exp => exp(Double::from(x)),
        Function::Expm1 => expm1(Double::from(x.max(-800.0))),
        Function::Logistic => logistic(x),
        Function::Atan2 => {
            let ratio = (x / y).abs();
            let reachable = ratio > 1e-60 && ratio < 1e60 && x.abs() > 1e-100 && x.abs() < 1e100;
            return reachable.then(|| plain(atan2(x, y)));
        }
    };
    Some(value)
}
