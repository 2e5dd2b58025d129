//! [`Track`]: numbers as the page holds them, rounded to what a pixel shows.

use std::fmt::Write as _;

use serde::Serialize;

/// Steps from the least to the largest value; one more stands for what is no finite number.
const LAST: f64 = 65_534.0;

/// Numbers between two ends in steps of 1 / 65534 of the distance, four hexadecimal digits each.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Track {
    low: f64,
    high: f64,
    hex: String,
}

impl Track {
    /// Of these numbers.
    #[must_use]
    pub fn of(values: &[f64]) -> Self {
        // Numbers whose distance would be infinite are as good as infinite.
        let is_kept = |value: &f64| value.abs() <= 0.25 * f64::MAX;
        let kept = || values.iter().copied().filter(is_kept);
        let low = kept().fold(f64::INFINITY, f64::min);
        let high = kept().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = if low <= high { (low, high) } else { (0.0, 0.0) };
        let mut hex = String::with_capacity(4 * values.len());
        for value in values {
            let part = if high > low { (value - low) / (high - low) } else { 0.0 };
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "0 to LAST"
            )]
            let step = if is_kept(value) { (LAST * part).round() as u16 } else { u16::MAX };
            // Writing to a string cannot fail.
            let _ = write!(hex, "{step:04x}");
        }
        Self { low, high, hex }
    }

    /// Bytes that it takes in the page, about.
    pub(super) const fn n_bytes(&self) -> usize {
        self.hex.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_exact_and_what_is_no_number_is_marked() {
        let track = Track::of(&[1.0, f64::NAN, 3.0, 2.0, f64::INFINITY, f64::MAX]);
        assert_eq!((track.low, track.high, &*track.hex), (1.0, 3.0, "0000fffffffe7fffffffffff"));
        assert_eq!(Track::of(&[5.0; 2]), Track { low: 5.0, high: 5.0, hex: "0".repeat(8) });
        assert_eq!(Track::of(&[f64::NAN]), Track { low: 0.0, high: 0.0, hex: "ffff".to_owned() });
        assert_eq!(Track::of(&[]).n_bytes(), 0);
    }
}
