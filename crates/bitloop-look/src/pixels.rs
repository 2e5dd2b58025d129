//! [`Pixels`]: what plotters draws on for pictures in PNG.
//!
//! A backend of our own, since the one of plotters does not smooth edges and brings a codec for each format of pictures. It follows
//! [`Svg`](crate::svg::Svg) in all sizes and places, so that both formats show the same.

use std::convert::Infallible;

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontTransform,
};
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform,
};

use plotters::style::ShapeStyle;

use crate::canvas::{Canvas, Place, Shape};
use crate::letters::Letters;

/// Pixels of the file for each one of the layout, as screens of today have them.
const SCALE: f32 = 2.0;

/// Sizes of text of plotters are divided by this, in SVG, too.
pub const TEXT_SCALE: f64 = 1.24;

/// Half the height of an `x`, in sizes of the font.
const HALF_X_HEIGHT: f32 = 0.26;

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// A canvas.
pub struct Pixels<'a> {
    size: (u32, u32),
    pixmap: &'a mut Pixmap,
    letters: Letters,
}

impl<'a> Pixels<'a> {
    /// A map of pixels for a layout of a size; none if that is too large for a file.
    pub fn map(size: (u32, u32)) -> Option<Pixmap> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small integer"
        )]
        let scale = SCALE as u32;
        Pixmap::new(size.0.checked_mul(scale)?, size.1.checked_mul(scale)?)
    }

    /// Draws on `pixmap`, which is one of [`map`](Self::map) for the same size.
    pub fn on(pixmap: &'a mut Pixmap, size: (u32, u32)) -> Self {
        Self { size, pixmap, letters: Letters::new() }
    }

    fn fill(&mut self, path: Option<Path>, color: BackendColor, placed: Transform) {
        let Some(path) = path.filter(|_| color.alpha > 0.0) else { return };
        let placed = placed.post_scale(SCALE, SCALE);
        self.pixmap.fill_path(&path, &paint(color), FillRule::Winding, placed, None);
    }

    fn stroke(&mut self, path: Option<Path>, style: &impl BackendStyle) {
        let (color, width) = (style.color(), style.stroke_width());
        let Some(path) = path.filter(|_| color.alpha > 0.0 && width > 0) else { return };
        let stroke = Stroke {
            width: width as f32,
            line_cap: LineCap::Butt,
            line_join: LineJoin::Bevel,
            ..Stroke::default()
        };
        let placed = Transform::from_scale(SCALE, SCALE);
        self.pixmap.stroke_path(&path, &paint(color), &stroke, placed, None);
    }
}

impl DrawingBackend for Pixels<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Drawn {
        self.draw_rect((x, y), (x + 1, y + 1), &color, true)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        self.stroke(path([from, to], false), style);
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let ((left, top), (right, bottom)) = (place((left, top)), place((right, bottom)));
        let Some(rect) = Rect::from_ltrb(left, top, right, bottom) else { return Ok(()) };
        if fill {
            // Without smoothing, so that rectangles side by side leave no seam.
            let paint = Paint { anti_alias: false, ..paint(style.color()) };
            let scale = Transform::from_scale(SCALE, SCALE);
            self.pixmap.fill_rect(rect, &paint, scale, None);
        } else {
            self.stroke(Some(PathBuilder::from_rect(rect)), style);
        }
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        points: I,
        style: &S,
    ) -> Drawn {
        self.stroke(path(points, false), style);
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let (x, y) = place(center);
        let circle = PathBuilder::from_circle(x, y, radius as f32);
        if fill {
            self.fill(circle, style.color(), Transform::identity());
        } else {
            self.stroke(circle, style);
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        points: I,
        style: &S,
    ) -> Drawn {
        self.fill(path(points, true), style.color(), Transform::identity());
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn {
        #[expect(clippy::cast_possible_truncation, reason = "some pixels")]
        let size = (style.size() / TEXT_SCALE) as f32;
        let left = match style.anchor().h_pos {
            HPos::Left => 0.0,
            HPos::Center => -0.5,
            HPos::Right => -1.0,
        };
        let down = match style.anchor().v_pos {
            VPos::Top => 0.76,
            VPos::Center => HALF_X_HEIGHT,
            VPos::Bottom => -HALF_X_HEIGHT,
        };
        let turn = match style.transform() {
            FontTransform::None => 0.0,
            FontTransform::Rotate90 => 90.0,
            FontTransform::Rotate180 => 180.0,
            FontTransform::Rotate270 => 270.0,
        };
        let (x, y) = place(at);
        let begin = left * size * self.letters.width(text);
        let placed = Transform::from_translate(begin, down * size)
            .post_concat(Transform::from_rotate(turn))
            .post_translate(x, y);
        self.fill(self.letters.outline(text, size), style.color(), placed);
        Ok(())
    }
}

impl Canvas for Pixels<'_> {
    fn draw_fine(&mut self, shape: Shape, places: &[Place], style: ShapeStyle) -> Drawn {
        match shape {
            Shape::Curve => self.stroke(fine_path(places, false), &style),
            Shape::Outline => {
                self.fill(fine_path(places, true), style.color(), Transform::identity());
            }
            Shape::Dots(radius) => {
                for &at in places {
                    let (x, y) = fine(at);
                    let circle = PathBuilder::from_circle(x, y, radius as f32);
                    if style.filled {
                        self.fill(circle, style.color(), Transform::identity());
                    } else {
                        self.stroke(circle, &style);
                    }
                }
            }
        }
        Ok(())
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a place on paper")]
const fn fine((x, y): Place) -> (f32, f32) {
    (x as f32, y as f32)
}

fn fine_path(places: &[Place], is_closed: bool) -> Option<Path> {
    path_through(places.iter().copied().map(fine), is_closed)
}

/// A point of the layout; what is far away stays far away.
fn place((x, y): BackendCoord) -> (f32, f32) {
    (x as f32, y as f32)
}

fn path(points: impl IntoIterator<Item = BackendCoord>, is_closed: bool) -> Option<Path> {
    path_through(points.into_iter().map(place), is_closed)
}

fn path_through(points: impl Iterator<Item = (f32, f32)>, is_closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (at, (x, y)) in points.enumerate() {
        if at == 0 {
            path.move_to(x, y);
        } else {
            path.line_to(x, y);
        }
    }
    if is_closed {
        path.close();
    }
    path.finish()
}

fn paint(color: BackendColor) -> Paint<'static> {
    let (red, green, blue) = color.rgb;
    let mut paint = Paint::default();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
    let alpha = (255.0 * color.alpha.clamp(0.0, 1.0)).round() as u8;
    paint.set_color(Color::from_rgba8(red, green, blue, alpha));
    paint
}
