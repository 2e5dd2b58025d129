//! Errors of episodes over where they started.

use crate::axis::{Axis, power, short};
use crate::error::LookError;
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
    let scale = Axis::log("error");
    let places = || points.iter().filter_map(|point| scale.place(point.error));
    let (low, high) = places().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), place| {
        (low.min(place), high.max(place))
    });
    if low > high {
        return Err(LookError::Nothing("no episode has a finite error above 0"));
    }
    let span = (high - low).max(1e-12);
    let shades = points.iter().map(|point| {
        // An error that is infinite is darkest, one of 0 lightest.
        let shade = match scale.place(point.error) {
            Some(place) => (place - low) / span,
            None if point.error > 0.0 => 1.0,
            None => 0.0,
        };
        (point.x, point.y, shade)
    });
    let mut shades: Vec<_> = shades.collect();
    // The worst on top.
    shades.sort_by(|a, b| a.2.total_cmp(&b.2));
    let subtitle =
        format!("errors from {} (light) to {} (dark)", short(power(low)), short(power(high)));
    let x = Axis::linear(Axis::titled(x.0, x.1));
    let (y, points) = if let Some((name, unit)) = y {
        (Axis::linear(Axis::titled(name, unit)), shades)
    } else {
        let errors = points.iter().map(|point| (point.x, point.error, 0.7));
        (Axis::log("error"), errors.collect())
    };
    let panels = vec![Panel { x, y, marks: vec![Mark::Shades { points }] }];
    Ok(Picture { title: title.to_owned(), subtitle, panels, width: 680, panel_height: 520 })
}
