//! The interval of a success probability.

/// Two-sided 95 % point of the normal distribution.
const Z_95: f64 = 1.959_963_984_540_054;

/// An interval, its ends included.
pub type Interval = [f64; 2];

/// The 95 % interval of a probability after Wilson (JASA 22, 1927): the probabilities that a normal test does not reject,
/// `(p + z²/2n ± z sqrt(p (1 - p) / n + z²/4n²)) / (1 + z²/n)`. Without any training all is possible.
#[must_use]
pub fn wilson(n_successes: usize, n_trainings: usize) -> Interval {
    if n_trainings == 0 {
        return [0.0, 1.0];
    }
    let n = n_trainings as f64;
    let p = n_successes as f64 / n;
    let z2 = Z_95 * Z_95;
    let center = p + z2 / (2.0 * n);
    let half = Z_95 * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    // At the ends of the scale the interval touches them, but for rounding.
    let low = if n_successes == 0 { 0.0 } else { (center - half) / scale };
    let high = if n_successes == n_trainings { 1.0 } else { (center + half) / scale };
    [low, high]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_agrees_with_the_literature() {
        // Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3: four digits are printed.
        for (n_successes, n_trainings, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let interval = wilson(n_successes, n_trainings);
            assert_close(interval[0], low, 5e-5);
            assert_close(interval[1], high, 5e-5);
        }
        assert_eq!(wilson(0, 0), [0.0, 1.0]);
        assert_eq!(wilson(5, 5)[1], 1.0);
        // By hand: n = 1, p = 0 gives z²/(1 + z²) above.
        assert_close(wilson(0, 1)[1], Z_95 * Z_95 / (1.0 + Z_95 * Z_95), 1e-15);
    }

    fn assert_close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
    }
}
