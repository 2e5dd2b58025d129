//! Errors against the true values.

use std::fmt::Write;

use bitloop_plant::{Isa, Real};

use crate::double_double::Double;
use crate::functions::{Function, Width, evaluate};
use crate::points::{self, Random};
use crate::reference::{TrueValue, true_value};

/// Points of each range; the bits are the same on all paths, so the fastest stands for all.
fn n_points() -> usize {
    std::env::var("BITLOOP_MATH_POINTS")
        .map_or(200_000, |text| text.parse().expect("BITLOOP_MATH_POINTS is a number of points"))
}

/// The worst error so far, and where.
#[derive(Default)]
struct Worst {
    error: f64,
    x: f64,
    y: f64,
    n_compared: usize,
}

fn sweep(function: Function) {
    let mut all = 0;
    let mut report = String::new();
    let mut failed = false;
    for (name, draw) in points::ranges(function) {
        let mut random = Random(1);
        let mut worst = Worst::default();
        let mut left = n_points();
        while left > 0 {
            let count = left.min(10_000);
            left -= count;
            let points: Vec<_> = (0..count).map(|_| draw(&mut random)).collect();
            let values = evaluate(function, Isa::best(), Width::Pair, &points);
            for (&(x, y), value) in points.iter().zip(values) {
                let Some(truth) = true_value(function, x, y) else { continue };
                worst.n_compared += 1;
                let error = truth.error_in_ulp(value);
                assert!(!error.is_nan(), "{function:?}({x:e}, {y:e}) = {value:e}");
                if error > worst.error {
                    worst = Worst { error, x, y, ..worst };
                }
            }
        }
        all += worst.n_compared;
        failed |= worst.error > function.bound();
        let Worst { error, x, y, .. } = worst;
        write!(report, "\n  {name}: {error:.3} ULP at ({x:e}, {y:e})").expect("to memory");
    }
    println!("{function:?}, {all} points compared:{report}");
    assert!(!failed, "{function:?}: more than {} ULP:{report}", function.bound());
}

macro_rules! sweeps {
    ($($name:ident: $function:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                sweep(Function::$function);
            }
        )*
    };
}

sweeps! {
    sine_is_within_its_bound: Sin,
    cosine_is_within_its_bound: Cos,
    tangent_is_within_its_bound: Tan,
    hyperbolic_tangent_is_within_its_bound: Tanh,
    exponential_is_within_its_bound: Exp,
    exponential_minus_one_is_within_its_bound: Expm1,
    logistic_is_within_its_bound: Logistic,
    logarithm_is_within_its_bound: Ln,
    power_is_within_its_bound: Pow,
    angle_of_a_point_is_within_its_bound: Atan2,
}

/// Every multiple of pi/2 that the fast reduction meets, with the doubles around it: the reduced angle is tiny there.
#[test]
fn multiples_of_half_pi_are_within_bounds() {
    let points: Vec<_> = (1..=63_663)
        .flat_map(|n| {
            let nearest = f64::from(n) * std::f64::consts::FRAC_PI_2;
            (0..5).map(move |step| (f64::from_bits(nearest.to_bits() + step - 2), 1.0))
        })
        .collect();
    for function in [Function::Sin, Function::Cos, Function::Tan] {
        let values = evaluate(function, Isa::best(), Width::Pair, &points);
        for (&(x, y), value) in points.iter().zip(values) {
            let error = true_value(function, x, y).expect("within reach").error_in_ulp(value);
            assert!(error <= function.bound(), "{function:?}({x:e}): {error} ULP");
        }
    }
}

/// A line of `reference_table.txt`.
struct Row {
    function: Function,
    x: f64,
    y: f64,
    truth: TrueValue,
}

fn table() -> Vec<Row> {
    let double = |text: &str| f64::from_bits(u64::from_str_radix(text, 16).expect("bits"));
    include_str!("reference_table.txt")
        .lines()
        .map(|line| {
            let words: Vec<_> = line.split(' ').collect();
            let [name, x, y, exponent, high, low] = words[..] else { panic!("six words: {line}") };
            Row {
                function: Function::named(name).expect("known function"),
                x: double(x),
                y: double(y),
                truth: TrueValue {
                    mantissa: Double::new(double(high), double(low)),
                    exponent: exponent.parse().expect("a number"),
                },
            }
        })
        .collect()
}

/// Includes angles of all sizes and the hardest one, 6381956970095103 * 2^797.
#[test]
fn values_by_mpmath_are_met() {
    let mut worst = [0.0_f64; Function::ALL.len()];
    for Row { function, x, y, truth } in table() {
        let value = function.apply(x, y);
        let error = truth.error_in_ulp(value);
        assert!(error <= function.bound(), "{function:?}({x:e}, {y:e}) = {value:e}: {error} ULP");
        let index = Function::ALL.iter().position(|&f| f == function).expect("listed");
        worst[index] = worst[index].max(error);
    }
    assert!(worst.iter().all(|&error| error > 0.0), "all functions have rows: {worst:?}");
}

/// The reference of the sweeps is good to a billionth of a unit in the last place.
#[test]
fn the_reference_agrees_with_mpmath() {
    let mut n_compared = 0;
    for Row { function, x, y, truth } in table() {
        let Some(reference) = true_value(function, x, y) else { continue };
        let shift = reference.exponent - truth.exponent;
        let power = f64::from_bits(u64::try_from(shift + 1023).expect("near") << 52);
        let difference = reference.mantissa.scaled(power) - truth.mantissa;
        let error = difference.high.abs() / f64::EPSILON;
        assert!(error < 1e-9, "{function:?}({x:e}, {y:e}): reference off by {error} ULP");
        n_compared += 1;
    }
    assert!(n_compared > 1000, "only {n_compared} rows within reach");
}

#[test]
fn tiny_arguments_come_back() {
    for x in [1e-300, -1e-300, 5e-324, -5e-324, 2.3e-308, -1.1e-200] {
        for function in [Function::Sin, Function::Tan, Function::Tanh, Function::Expm1] {
            assert_eq!(function.apply(x, 1.0).to_bits(), x.to_bits(), "{function:?}({x:e})");
        }
        assert_eq!((Real::cos(x), Real::exp(x), Real::logistic(x)), (1.0, 1.0, 0.5), "{x:e}");
    }
}
