//! [`Canvas`] and [`Fine`]: what is drawn between pixels. Coordinates of plotters are whole pixels, in which a smooth curve
//! would be a staircase.

use plotters::element::{Drawable, PointCollection};
use plotters::style::ShapeStyle;
use plotters_backend::{BackendCoord, DrawingBackend, DrawingErrorKind};

/// A place in pixels from the upper left corner.
pub type Place = (f64, f64);

/// What pictures are drawn on.
pub trait Canvas: DrawingBackend {
    /// Draws a shape with places between pixels.
    fn draw_fine(
        &mut self,
        shape: Shape,
        places: &[Place],
        style: ShapeStyle,
    ) -> Result<(), DrawingErrorKind<Self::ErrorType>>;
}

/// What is made of places.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Joined by lines.
    Curve,
    /// Around what is filled.
    Outline,
    /// The middles of circles of a radius.
    Dots(u32),
}

/// A shape on the axes of a chart.
pub struct Fine {
    /// The lower left and the upper right end of the axes: plotters says which pixels these are.
    ends: [(f64, f64); 2],
    shape: Shape,
    points: Vec<(f64, f64)>,
    style: ShapeStyle,
}

impl Fine {
    /// A shape of points on axes with these lower left and upper right ends.
    pub fn new(
        ends: [(f64, f64); 2],
        shape: Shape,
        points: Vec<(f64, f64)>,
        style: impl Into<ShapeStyle>,
    ) -> Self {
        Self { ends, shape, points, style: style.into() }
    }
}

impl<'a> PointCollection<'a, (f64, f64)> for &'a Fine {
    type Point = &'a (f64, f64);
    type IntoIter = &'a [(f64, f64)];

    fn point_iter(self) -> Self::IntoIter {
        &self.ends
    }
}

impl<C: Canvas> Drawable<C> for Fine {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        mut pixels: I,
        canvas: &mut C,
        _: (u32, u32),
    ) -> Result<(), DrawingErrorKind<C::ErrorType>> {
        let (Some(from), Some(to)) = (pixels.next(), pixels.next()) else { return Ok(()) };
        let [low, high] = self.ends;
        let place = |&(x, y): &(f64, f64)| {
            (
                between((low.0, high.0), x, (from.0, to.0)),
                between((low.1, high.1), y, (from.1, to.1)),
            )
        };
        let places: Vec<Place> = self.points.iter().map(place).collect();
        canvas.draw_fine(self.shape, &places, self.style)
    }
}

/// Where a value is between two pixels, those of the ends of an axis; nothing is drawn beside the axes.
fn between((low, high): (f64, f64), value: f64, (from, to): (i32, i32)) -> f64 {
    let part = ((value - low) / (high - low)).clamp(0.0, 1.0);
    f64::from(from) + f64::from(to - from) * part
}
