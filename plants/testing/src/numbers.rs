//! Numbers for tests: arbitrary ones, how far apart two states are, a rate of change by differences.

/// Numbers in [-1, 1) from a linear congruence: no test depends on their quality.
pub fn numbers() -> impl FnMut() -> f64 {
    let mut state = 12345_u64;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// The Euclidean distance of two states.
///
/// # Panics
/// If they are not equally long.
#[must_use]
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len(), "states of the same plant");
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// How fast `value` changes as the state moves by `rates` in a unit of time, by the central difference over `2 h`.
///
/// # Panics
/// If there are fewer rates than states.
#[must_use]
pub fn rate_along(value: impl Fn(&[f64]) -> f64, state: &[f64], rates: &[f64], h: f64) -> f64 {
    let moved =
        |by: f64| -> Vec<f64> { (0..state.len()).map(|i| state[i] + by * rates[i]).collect() };
    (value(&moved(h)) - value(&moved(-h))) / (2.0 * h)
}
