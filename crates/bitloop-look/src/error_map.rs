//! Errors of episodes over where they started.

use crate::axis::{Axis, short};
use crate::error::LookError;
use crate::logarithm::power;
use crate::picture::{Mark, Panel, Picture};

/// An episode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorPoint {
    /// Along x.
    pub x: f64,
    /// Along y.
    pub y: f64,
    /// Its error.
    pub error: f64,
}

/// Shades of errors by their logarithm.
pub(crate) struct Shading {
    axis: Axis,
    low: f64,
    high: f64,
}

impl Shading {
    /// From the smallest to the largest of these errors.
    pub fn of(errors: impl Iterator<Item = f64>) -> Result<Self, LookError> {
        let axis = Axis::log("error");
        let places = errors.filter_map(|error| axis.place(error));
        let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), place| {
            (low.min(place), high.max(place))
        });
        if low > high {
            return Err(LookError::Nothing("no episode has a finite error above 0"));
        }
        Ok(Self { axis, low, high })
    }

    /// From 0, light, to 1, dark. An error that is infinite is darkest, one of 0 lightest.
    pub fn shade(&self, error: f64) -> f64 {
        match self.axis.place(error) {
            Some(place) => (place - self.low) / (self.high - self.low).max(1e-12),
            None if error > 0.0 => 1.0,
            None => 0.0,
        }
    }

    pub fn subtitle(&self) -> String {
        let (low, high) = (short(power(self.low)), short(power(self.high)));
        format!("errors from {low} (yellow) to {high} (purple)")
    }

    fn range(&self) -> String {
        format!("errors from {} to {}", short(power(self.low)), short(power(self.high)))
    }
}

/// Dots where episodes started in the plane of two states or parameters, each a name and a unit, the darker the larger the
/// logarithm of the error; with one of them alone, the error is from bottom to top.
///
/// # Errors
/// [`LookError`] if no error is finite.
pub fn error_map(
    title: &str,
    x: (&str, &str),
    y: Option<(&str, &str)>,
    points: &[ErrorPoint],
) -> Result<Picture, LookError> {
    let scale = Shading::of(points.iter().map(|point| point.error))?;
    let shades = points.iter().map(|point| (point.x, point.y, scale.shade(point.error)));
    let mut shades: Vec<_> = shades.collect();
    // The worst on top.
    shades.sort_by(|a, b| a.2.total_cmp(&b.2));
    let subtitle = match y {
        Some(_) => scale.subtitle(),
        None => scale.range(),
    };
    let x = Axis::linear(Axis::titled(x.0, x.1));
    let (y, points) = if let Some((name, unit)) = y {
        (Axis::linear(Axis::titled(name, unit)), shades)
    } else {
        let errors = points.iter().map(|point| (point.x, point.error, 0.7));
        (Axis::log("error"), errors.collect())
    };
    let panels = vec![Panel { x, y, marks: vec![Mark::Shades { points }] }];
    Ok(Picture {
        title: title.to_owned(),
        subtitle,
        panels,
        width: 680,
        panel_height: 520,
        n_columns: 1,
    })
}
