//! Whether samples have a distribution.

/// The largest distance between the share of values below each value and `share_below` (Kolmogorov and Smirnov), times the
/// square root of their number: above 1.95 in one of a thousand samples.
pub fn distance(mut values: Vec<f64>, share_below: impl Fn(f64) -> f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let gaps = values.iter().enumerate().map(|(rank, &value)| {
        let share = share_below(value);
        (share - rank as f64 / n).abs().max((share - (rank + 1) as f64 / n).abs())
    });
    gaps.fold(0.0, f64::max) * n.sqrt()
}

/// The share of standard normal numbers below a value.
pub fn normal_share_below(value: f64) -> f64 {
    0.5 * libm::erfc(-value / std::f64::consts::SQRT_2)
}
