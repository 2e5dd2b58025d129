//! [`Axis`]: a range of numbers, linear or logarithmic, with its title.

use crate::logarithm::{log10, power};
use crate::ticks;

/// An axis of a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it shows, with the unit.
    pub title: String,
    /// Whether powers of ten are evenly spaced.
    pub is_log: bool,
    /// The range; that of the data where there is none.
    pub range: Option<(f64, f64)>,
    /// Whether numbers stand along it.
    pub has_ticks: bool,
}

/// The least range of an axis, as a part of the largest magnitude on it: rounding cannot be told from data below.
const LEAST: f64 = 1e-9;

impl Axis {
    /// A linear axis over the data.
    pub fn linear(title: impl Into<String>) -> Self {
        Self { title: title.into(), is_log: false, range: None, has_ticks: true }
    }

    /// A logarithmic axis over the data.
    pub fn log(title: impl Into<String>) -> Self {
        Self { title: title.into(), is_log: true, range: None, has_ticks: true }
    }

    /// An axis on which only the order counts.
    pub fn bare(title: impl Into<String>) -> Self {
        Self { has_ticks: false, ..Self::linear(title) }
    }

    /// The same axis over a range.
    #[must_use]
    pub fn over(mut self, low: f64, high: f64) -> Self {
        self.range = Some((low, high));
        self
    }

    /// The title of a quantity with its unit.
    pub fn titled(name: &str, unit: &str) -> String {
        if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") }
    }

    /// Where a value is along the axis; none for one that has no place: NaN, infinite, or not positive on a logarithmic axis.
    pub(crate) fn place(&self, value: f64) -> Option<f64> {
        let place = if self.is_log { log10(value) } else { value };
        place.is_finite().then_some(place)
    }

    /// The ends of the axis, in places, around all `values`; some room is left on either side.
    pub(crate) fn ends(&self, values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
        if let Some((low, high)) = self.range {
            return Some((self.place(low)?, self.place(high)?));
        }
        let places = values.filter_map(|value| self.place(value));
        let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), place| {
            (low.min(place), high.max(place))
        });
        if low > high {
            return None;
        }
        let least = LEAST * low.abs().max(high.abs()).max(f64::MIN_POSITIVE / LEAST);
        // A constant is shown in the middle of a range of its own size.
        let room = if high - low <= least {
            if self.is_log { 0.5 } else { (0.1 * high.abs()).max(1e-3) }
        } else {
            0.04 * (high - low)
        };
        let (low, high) = (low - room, high + room);
        (low.is_finite() && high.is_finite()).then_some((low, high))
    }

    /// Where ticks are, in places from `low` to `high`: about `most` of them.
    pub(crate) fn ticks(&self, (low, high): (f64, f64), most: usize) -> Vec<f64> {
        match (self.has_ticks, self.is_log) {
            (false, _) => Vec::new(),
            (true, false) => ticks::linear(low, high, most),
            (true, true) => ticks::logarithmic(low, high, most),
        }
    }

    /// The text of a tick.
    pub(crate) fn tick(&self, place: f64, span: f64) -> String {
        if !self.is_log {
            return number(place, span);
        }
        let (value, exponent) = (power(place), place.round());
        let is_whole = (place - exponent).abs() < 1e-6;
        if is_whole && !(-2.0..=3.0).contains(&exponent) {
            return format!("1e{exponent}");
        }
        short(value)
    }
}

/// A tick on an axis of such a span: as many digits as tell it from its neighbors.
fn number(place: f64, span: f64) -> String {
    if place.abs() < 1e-9 * span {
        return "0".to_owned();
    }
    let lost = log10(place.abs() / span).max(0.0).ceil();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 9")]
    let lost = lost.min(9.0) as usize;
    rounded(place, 3 + lost)
}

/// At most four digits.
pub(crate) fn short(value: f64) -> String {
    rounded(value, 3)
}

/// A number with so many digits after the first.
fn rounded(value: f64, n_digits: usize) -> String {
    let rounded: f64 = format!("{value:.n_digits$e}").parse().unwrap_or(value);
    match rounded.abs() {
        0.0 | 1e-3..1e5 => format!("{rounded}"),
        _ => format!("{rounded:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_all_that_has_a_place() {
        let linear = Axis::linear("x [m]");
        let (low, high) = linear.ends([1.0, f64::NAN, 3.0, f64::INFINITY].into_iter()).unwrap();
        assert!(low < 1.0 && high > 3.0 && low > 0.5 && high < 3.5);
        assert_eq!(linear.ends([f64::NAN].into_iter()), None);
        let (low, high) = linear.ends([5.0, 5.0].into_iter()).unwrap();
        assert!(low < 5.0 && high > 5.0);
        let log = Axis::log("error");
        let (low, high) = log.ends([0.0, -1.0, 1e-3, 10.0].into_iter()).unwrap();
        assert!((-3.5..-3.0).contains(&low) && (1.0..1.5).contains(&high));
        assert!(linear.ends([-f64::MAX, f64::MAX].into_iter()).is_none());
    }

    #[test]
    fn ticks_are_short() {
        let (linear, log) = (Axis::linear(""), Axis::log(""));
        assert_eq!(linear.tick(0.1 + 0.2, 1.0), "0.3");
        assert_eq!(linear.tick(1e-17, 1.0), "0");
        assert_eq!(linear.tick(250_000.0, 1e6), "2.5e5");
        assert_eq!(linear.tick(1_000_003.0, 3.0), "1.000003e6");
        assert_eq!(log.tick(-2.0, 4.0), "0.01");
        assert_eq!(log.tick(-5.0, 4.0), "1e-5");
        assert_eq!(log.tick(log10(2e-5), 1.0), "2e-5");
        assert_eq!(log.tick(log10(0.012), 0.7), "0.012");
    }
}
