//! Where the shapes of a picture are.

use super::{Affine, Kind, Picture, ShapeKind};
use crate::real::Real;

/// The values of a plant at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    /// x
    pub state: &'a [f64],
    /// y
    pub observation: &'a [f64],
    /// u
    pub control: &'a [f64],
    /// p
    pub parameters: &'a [f64],
}

/// Where a shape is.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// Its points in the plane: the ends of a line, the center of a circle or a text, the corners of a rectangle one after
    /// the other, the points of a polyline.
    pub points: Vec<[f64; 2]>,
    /// The radius of a circle, or the height of a text.
    pub size: Option<f64>,
    /// The angle of its frame, counterclockwise.
    pub angle: f64,
}

/// The origin of a frame in the plane, and its angle with sine and cosine.
#[derive(Clone, Copy)]
struct Pose {
    origin: [f64; 2],
    angle: f64,
    sin_cos: (f64, f64),
}

const PLANE: Pose = Pose { origin: [0.0; 2], angle: 0.0, sin_cos: (0.0, 1.0) };

impl Pose {
    fn point(&self, x: f64, y: f64) -> [f64; 2] {
        let (sin, cos) = self.sin_cos;
        [self.origin[0] + cos * x - sin * y, self.origin[1] + sin * x + cos * y]
    }
}

impl Affine {
    /// The number at these values.
    ///
    /// # Panics
    /// If it uses a value that is not there, which [`Picture::check`] excludes.
    #[must_use]
    pub fn at(&self, values: Values<'_>) -> f64 {
        let value = |kind, index: usize| match kind {
            Kind::State => values.state[index],
            Kind::Observation => values.observation[index],
            Kind::Control => values.control[index],
            Kind::Parameter => values.parameters[index],
        };
        let add = |sum, term: &super::Term| sum + term.factor * value(term.kind, term.index);
        self.terms.iter().fold(self.offset, add)
    }
}

impl Picture {
    /// Where each shape is at these values of the plant, in the order of the shapes; relative to the frame that the view
    /// follows, if it follows one.
    ///
    /// # Panics
    /// If the picture was not [checked](Self::check) for a plant of these sizes.
    #[must_use]
    pub fn place(&self, values: Values<'_>) -> Vec<Placed> {
        let mut poses: Vec<Pose> = Vec::with_capacity(self.frames.len());
        for frame in &self.frames {
            let parent = frame.parent.map_or(PLANE, |parent| poses[parent]);
            let angle = parent.angle + frame.angle.at(values);
            let origin = parent.point(frame.x.at(values), frame.y.at(values));
            poses.push(Pose { origin, angle, sin_cos: Real::sin_cos(angle) });
        }
        let middle = self.follow.map_or([0.0; 2], |follow| poses[follow].origin);
        let place = |shape: &super::Shape| {
            let pose = shape.frame.map_or(PLANE, |frame| poses[frame]);
            let numbers: Vec<f64> = shape.numbers.iter().map(|number| number.at(values)).collect();
            let (locals, size) = match (shape.kind, &numbers[..]) {
                (ShapeKind::Circle | ShapeKind::Text, &[x, y, size]) => (vec![[x, y]], Some(size)),
                (ShapeKind::Rect, &[x, y, width, height]) => {
                    let (right, top) = (x + width, y + height);
                    (vec![[x, y], [right, y], [right, top], [x, top]], None)
                }
                (_, points) => (points.chunks_exact(2).map(|p| [p[0], p[1]]).collect(), None),
            };
            let points = locals.into_iter().map(|[x, y]| {
                let [x, y] = pose.point(x, y);
                [x - middle[0], y - middle[1]]
            });
            Placed { points: points.collect(), size, angle: pose.angle }
        };
        self.shapes.iter().map(place).collect()
    }
}
