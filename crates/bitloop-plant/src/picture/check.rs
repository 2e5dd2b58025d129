//! The check of a picture, before a host draws it: sizes, indices, names and numbers are within their limits.

use super::{Affine, Frame, Kind, Picture, Shape, ShapeKind, View};
use crate::description::{DescriptionError, MAX_NAME_BYTES, Sizes};

/// The most frames of a picture.
pub const MAX_PICTURE_FRAMES: usize = 64;

/// The most shapes of a picture.
pub const MAX_PICTURE_SHAPES: usize = 256;

/// The most numbers that all shapes of a picture have together.
pub const MAX_PICTURE_NUMBERS: usize = 4096;

/// The most terms of a number of a picture.
pub const MAX_PICTURE_TERMS: usize = 4;

/// The most points of a polyline.
const MAX_POINTS: usize = 64;

/// The largest offset or factor, beyond which pixels are no longer told apart from rounding.
const MAX_MAGNITUDE: f64 = 1e12;

impl Picture {
    /// Checks that counts are within their limits, numbers finite, values those of a plant of these sizes, frames after
    /// their parents, and texts short and without control characters.
    ///
    /// # Errors
    /// [`DescriptionError`] names the first fault.
    pub fn check(&self, sizes: Sizes) -> Result<(), DescriptionError> {
        let fault = |what: String| Err(DescriptionError(format!("its picture: {what}")));
        let counts = [
            ("frames", self.frames.len(), MAX_PICTURE_FRAMES),
            ("shapes", self.shapes.len(), MAX_PICTURE_SHAPES),
            (
                "numbers of shapes",
                self.shapes.iter().map(|shape| shape.numbers.len()).sum(),
                MAX_PICTURE_NUMBERS,
            ),
        ];
        if let Some((what, n, limit)) = counts.into_iter().find(|&(_, n, limit)| n > limit) {
            return fault(format!("{n} {what}, of which at most {limit} are allowed"));
        }
        if self.shapes.is_empty() {
            return fault("it has no shapes; leave it out".to_owned());
        }
        let View { left, right, bottom, top } = self.view;
        let is_range = |low: f64, high: f64| {
            low.abs() <= MAX_MAGNITUDE && high.abs() <= MAX_MAGNITUDE && low < high
        };
        if !(is_range(left, right) && is_range(bottom, top)) {
            return fault(format!(
                "its view [{left}, {right}] x [{bottom}, {top}] is empty or not finite"
            ));
        }
        if let Some(follow) = self.follow.filter(|&follow| follow >= self.frames.len()) {
            return fault(format!("it follows frame {follow} of {}", self.frames.len()));
        }
        for (index, frame) in self.frames.iter().enumerate() {
            if let Err(what) = check_frame(frame, index, sizes) {
                return fault(format!("frame {index}: {what}"));
            }
        }
        for (index, shape) in self.shapes.iter().enumerate() {
            if let Err(what) = check_shape(shape, self.frames.len(), sizes) {
                return fault(format!("shape {index}: {what}"));
            }
        }
        Ok(())
    }
}

fn check_frame(frame: &Frame, index: usize, sizes: Sizes) -> Result<(), String> {
    // A parent that comes first makes no circle.
    if let Some(parent) = frame.parent.filter(|&parent| parent >= index) {
        return Err(format!("its parent is frame {parent}, which must be an earlier one"));
    }
    let numbers = [("x", &frame.x), ("y", &frame.y), ("angle", &frame.angle)];
    numbers.into_iter().try_for_each(|(what, number)| check_number(what, number, sizes))
}

fn check_shape(shape: &Shape, n_frames: usize, sizes: Sizes) -> Result<(), String> {
    if let Some(frame) = shape.frame.filter(|&frame| frame >= n_frames) {
        return Err(format!("it is in frame {frame} of {n_frames}"));
    }
    let n = shape.numbers.len();
    let (is_right, wanted) = match shape.kind {
        ShapeKind::Line | ShapeKind::Rect => (n == 4, "4"),
        ShapeKind::Circle | ShapeKind::Text => (n == 3, "3"),
        ShapeKind::Polyline => (
            (4..=2 * MAX_POINTS).contains(&n) && n.is_multiple_of(2),
            "two for each of 2 to 64 points",
        ),
    };
    if !is_right {
        return Err(format!("it has {n} numbers, but its kind takes {wanted}"));
    }
    if shape.text.len() > MAX_NAME_BYTES {
        return Err(format!("its text is longer than {MAX_NAME_BYTES} bytes"));
    }
    if shape.text.chars().any(char::is_control) {
        return Err("its text has control characters".to_owned());
    }
    if (shape.kind == ShapeKind::Text) == shape.text.is_empty() {
        return Err("a text, and nothing else, has letters".to_owned());
    }
    let numbers = shape.numbers.iter().enumerate();
    numbers
        .into_iter()
        .try_for_each(|(at, number)| check_number(&format!("number {at}"), number, sizes))
}

fn check_number(what: &str, number: &Affine, sizes: Sizes) -> Result<(), String> {
    let n = number.terms.len();
    if n > MAX_PICTURE_TERMS {
        return Err(format!(
            "{what} has {n} terms: at most {MAX_PICTURE_TERMS} are allowed (nested frames add theirs up)"
        ));
    }
    let is_good = |number: f64| number.abs() <= MAX_MAGNITUDE;
    let factors = number.terms.iter().map(|term| term.factor);
    if let Some(bad) = factors.chain([number.offset]).find(|&number| !is_good(number)) {
        return Err(format!("{what} has {bad} in it, which is not finite or beyond 1e12"));
    }
    for term in &number.terms {
        let (kind, n_values) = match term.kind {
            Kind::State => ("state", sizes.n_states),
            Kind::Observation => ("observation", sizes.n_observations),
            Kind::Control => ("control", sizes.n_controls),
            Kind::Parameter => ("parameter", sizes.n_parameters),
        };
        if term.index >= n_values {
            let index = term.index;
            return Err(format!(
                "{what} uses {kind} {index}, but the plant has {n_values} of them"
            ));
        }
    }
    Ok(())
}
