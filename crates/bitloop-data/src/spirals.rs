//! The two spirals, from their formula.

use std::fmt::Write as _;

use bitloop_plant::Real;
use serde::{Deserialize, Serialize};

use crate::format::Format;
use crate::read::Limits;
use crate::table::Table;

/// Which of the sets of the two spirals (Lang and Witbrock 1988; CMU Neural Networks Benchmark).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Spirals {
    /// 97 points on each spiral, 194 rows.
    Cmu194,
    /// The paper's 193 + 193 points: a set of density two, whose even points are for training, the odd ones for the test;
    /// of the last pair the point of class 1 is for training, that of class 0 for the test. The first 193 rows are those
    /// for training.
    Halves193,
}

impl Spirals {
    /// How many rows are for training: all but the second half of [`Spirals::Halves193`].
    #[must_use]
    pub const fn n_training(self) -> usize {
        match self {
            Self::Cmu194 => 194,
            Self::Halves193 => 193,
        }
    }

    /// The points, as a table of columns `x`, `y` and `class`.
    ///
    /// Point i of n + 1 on the spiral of class 1, at density d = n / 96:
    /// ```text
    /// angle = i pi / (16 d)    radius = 6.5 (104 d - i) / (104 d)    x = radius cos angle    y = radius sin angle
    /// ```
    /// The spiral of class 0 is its mirror image in the origin.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "the rows that are written here are a table")]
    pub fn table(self) -> Table {
        let (density, n) = match self {
            Self::Cmu194 => (1.0, 96),
            Self::Halves193 => (2.0, 192),
        };
        let (mut training, mut test) = (String::new(), String::new());
        for i in 0..=n {
            let along = f64::from(i);
            let angle = along * std::f64::consts::PI / (16.0 * density);
            let radius = 6.5 * (104.0 * density - along) / (104.0 * density);
            let (sin, cos) = Real::sin_cos(angle);
            let (x, y) = (radius * cos, radius * sin);
            let mut point = |is_training: bool, x: f64, y: f64, class: u8| {
                let rows = if is_training { &mut training } else { &mut test };
                // The shortest decimal that reads back as the same number.
                writeln!(rows, "{x:?} {y:?} {class}").expect("a string takes all text");
            };
            let is_half = self == Self::Halves193;
            let is_even = !is_half || i % 2 == 0;
            point(is_even, x, y, 1);
            point(is_even && !(is_half && i == n), -x, -y, 0);
        }
        let text = format!("x y class\n{training}{test}");
        Table::parse("two spirals", &text, Format::Whitespace, true, &Limits::default())
            .expect("numbers in three columns")
    }
}
