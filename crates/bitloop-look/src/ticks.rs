//! Where an axis has ticks: at numbers that are short, as many as there is room for.

use crate::logarithm::{log10, power};

/// Multiples of powers of ten at which ticks of a logarithmic axis are, where whole powers are too few.
const BETWEEN: [f64; 3] = [1.0, 2.0, 5.0];

/// Ticks of a linear axis from `low` to `high`: multiples of 1, 2 or 5 times a power of ten, at most `most` and a few.
pub fn linear(low: f64, high: f64, most: usize) -> Vec<f64> {
    let least = (high - low) / most.max(1) as f64;
    if !(least.is_finite() && least > 0.0) {
        return Vec::new();
    }
    let decade = power(log10(least).floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * decade);
    let step = steps.into_iter().find(|&step| step >= least * (1.0 - 1e-9)).unwrap_or(least);
    let first = (low / step).ceil();
    let at = |index: usize| {
        let multiple = first + index as f64;
        // A division by a whole number rounds once, where a multiplication by 0.1 would leave a tail.
        if step < 1.0 { multiple / (1.0 / step).round() } else { multiple * step }
    };
    (0..=2 * most + 2).map(at).take_while(|&tick| tick <= high).collect()
}

/// Ticks of a logarithmic axis, as logarithms: whole powers, or numbers between them where these are too few.
pub fn logarithmic(low: f64, high: f64, most: usize) -> Vec<f64> {
    let whole = linear_in_steps(low, high, ((high - low) / most.max(1) as f64).ceil().max(1.0));
    if whole.len() > 2 {
        return whole;
    }
    let decades = linear_in_steps(low.floor(), high, 1.0);
    let between = decades.iter().flat_map(|&decade| BETWEEN.map(|factor| decade + log10(factor)));
    let between: Vec<f64> = between.filter(|tick| (low..=high).contains(tick)).collect();
    if between.len() > 2 {
        return between;
    }
    linear(power(low), power(high), most).into_iter().map(log10).collect()
}

/// Whole multiples of a step.
fn linear_in_steps(low: f64, high: f64, step: f64) -> Vec<f64> {
    let first = (low / step).ceil();
    let n = ((high / step).floor() - first).clamp(-1.0, 1000.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1001")]
    let n = (n + 1.0) as usize;
    (0..n).map(|index| (first + index as f64) * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_ticks_are_short_numbers_within_the_ends() {
        assert_eq!(linear(-0.4, 0.4, 6), [-0.4, -0.2, 0.0, 0.2, 0.4]);
        assert_eq!(linear(0.0, 1.0, 10).len(), 11);
        assert_eq!(linear(0.1, 0.7, 6), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
        assert_eq!(linear(3.0, 996.0, 4), [500.0]);
        assert_eq!(linear(1e6, 1e6 + 3.0, 4), [1_000_000.0, 1_000_001.0, 1_000_002.0, 1_000_003.0]);
        for (low, high) in [(0.0, 0.0), (0.0, f64::INFINITY), (f64::NAN, 1.0), (1.0, 0.0)] {
            assert!(linear(low, high, 5).is_empty());
        }
    }

    #[test]
    fn logarithmic_ticks_are_powers_or_short_numbers_between() {
        assert_eq!(logarithmic(-5.3, -0.2, 6), [-5.0, -4.0, -3.0, -2.0, -1.0]);
        assert_eq!(logarithmic(-20.0, 0.0, 5), [-20.0, -16.0, -12.0, -8.0, -4.0, 0.0]);
        let values = |low, high| -> Vec<f64> {
            let ticks = logarithmic(log10(low), log10(high), 6).into_iter();
            ticks.map(|tick| (1e6 * power(tick)).round() / 1e6).collect()
        };
        assert_eq!(values(0.015, 0.8), [0.02, 0.05, 0.1, 0.2, 0.5]);
        assert_eq!(values(0.011, 0.0165), [0.011, 0.012, 0.013, 0.014, 0.015, 0.016]);
    }
}
