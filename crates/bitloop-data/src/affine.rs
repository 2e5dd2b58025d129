//! [`Affine`]: the map of a column onto a range.

use serde::{Deserialize, Serialize};

/// The affine map of `[min, max]`, what a column holds in the training part, onto `[low, high]`:
/// ```text
/// y = low + (high - low) (x - min) / (max - min)
/// ```
/// `min` and `max` land on `low` and `high` exactly; values beyond them, as other parts may hold, land outside. A column
/// that is constant in the training part carries no information: all of it lands in the middle of the range, whatever its value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub struct Affine {
    min: f64,
    max: f64,
    low: f64,
    high: f64,
}

impl Affine {
    /// The map of `[min, max]` onto `[low, high]`; nothing where a bound or a width is not finite, `min > max`, or
    /// `low >= high`.
    #[must_use]
    pub fn new([min, max]: [f64; 2], [low, high]: [f64; 2]) -> Option<Self> {
        let (width, range) = (max - min, high - low);
        let is_sound = width.is_finite() && width >= 0.0 && range.is_finite() && range > 0.0;
        is_sound.then_some(Self { min, max, low, high })
    }

    /// `[min, max]`, and `[low, high]` that it becomes.
    #[must_use]
    pub const fn ranges(&self) -> ([f64; 2], [f64; 2]) {
        ([self.min, self.max], [self.low, self.high])
    }

    /// The scaled value of `x`.
    #[must_use]
    pub fn apply(&self, x: f64) -> f64 {
        let width = self.max - self.min;
        let position = if width > 0.0 { (x - self.min) / width } else { 0.5 };
        self.low + (self.high - self.low) * position
    }

    /// The value whose scaled value is `y`; of a constant column, the constant.
    #[must_use]
    pub fn invert(&self, y: f64) -> f64 {
        self.min + (self.max - self.min) * ((y - self.low) / (self.high - self.low))
    }
}

/// An [`Affine`] as it is saved, before it is checked.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    min: f64,
    max: f64,
    low: f64,
    high: f64,
}

impl From<Affine> for Fields {
    fn from(Affine { min, max, low, high }: Affine) -> Self {
        Self { min, max, low, high }
    }
}

impl TryFrom<Fields> for Affine {
    type Error = &'static str;

    fn try_from(Fields { min, max, low, high }: Fields) -> Result<Self, Self::Error> {
        Self::new([min, max], [low, high])
            .ok_or("a scaling needs finite bounds, min <= max and low < high")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_exact_and_come_back() {
        // Widths whose quotient with the range is no exact number.
        let affine = Affine::new([0.1, 0.7], [-1.0, 1.0]).unwrap();
        assert_eq!([affine.apply(0.1), affine.apply(0.7)], [-1.0, 1.0]);
        assert_eq!([affine.invert(-1.0), affine.invert(1.0)], [0.1, 0.7]);
        assert!((affine.apply(1.0) - 2.0).abs() < 1e-15, "beyond the training part: no clamping");
    }

    #[test]
    fn a_constant_column_lands_in_the_middle_and_comes_back_as_the_constant() {
        let affine = Affine::new([3.0, 3.0], [0.0, 1.0]).unwrap();
        assert_eq!([affine.apply(3.0), affine.apply(7.0)], [0.5, 0.5]);
        assert_eq!([affine.invert(0.5), affine.invert(0.9)], [3.0, 3.0]);
    }

    #[test]
    fn widths_that_overflow_and_ranges_without_width_are_refused() {
        assert_eq!(Affine::new([-f64::MAX, f64::MAX], [0.0, 1.0]), None);
        assert_eq!(Affine::new([f64::NAN, 1.0], [0.0, 1.0]), None);
        assert_eq!(Affine::new([1.0, 0.0], [0.0, 1.0]), None);
        assert_eq!(Affine::new([0.0, 1.0], [1.0, 1.0]), None);
        let saved = r#"{"min":2.0,"max":1.0,"low":0.0,"high":1.0}"#;
        assert!(serde_json::from_str::<Affine>(saved).is_err());
    }
}
