//! [`Scale`]: an axis of a panel with its ends, as plotters asks for it.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use crate::axis::Axis;

/// An axis, in places: see [`Axis::place`].
#[derive(Clone)]
pub struct Scale {
    axis: Axis,
    low: f64,
    high: f64,
}

impl Scale {
    /// An axis from `low` to `high`.
    pub const fn new(axis: Axis, (low, high): (f64, f64)) -> Self {
        Self { axis, low, high }
    }
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, place: &f64, (from, to): (i32, i32)) -> i32 {
        let part = ((place - self.low) / (self.high - self.low)).clamp(-1.0, 2.0);
        // Half a pixel would fall to either side by the last bit of a sum.
        let pixel = f64::from(from) + f64::from(to - from) * part + 1e-3;
        #[expect(clippy::cast_possible_truncation, reason = "a place on paper")]
        let pixel = pixel.floor() as i32;
        pixel
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        self.axis.ticks((self.low, self.high), hint.max_num_points())
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Scale {
    fn format_ext(&self, place: &f64) -> String {
        self.axis.tick(*place, self.high - self.low)
    }
}
