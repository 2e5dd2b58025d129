//! Numbers for tests: arbitrary ones, and how far apart two states are.

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
