//! [`Svg`]: what plotters draws on for pictures in SVG.
//!
//! A backend of our own, since the one of plotters writes whole pixels alone.

use std::convert::Infallible;
use std::fmt::Write as _;

use plotters::style::ShapeStyle;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontTransform,
};

use crate::canvas::{Canvas, Place, Shape};
use crate::pixels::TEXT_SCALE;

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// A canvas.
pub struct Svg<'a> {
    size: (u32, u32),
    text: &'a mut String,
}

impl<'a> Svg<'a> {
    /// Begins a picture of a size, which has its end when it is presented.
    pub fn begin(text: &'a mut String, size @ (width, height): (u32, u32)) -> Self {
        let _ = writeln!(
            text,
            r#"<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">"#
        );
        Self { size, text }
    }

    /// Writes an element, unless nobody would see it. Writing to a string cannot fail.
    fn element(&mut self, color: BackendColor, attributes: std::fmt::Arguments<'_>) {
        if color.alpha > 0.0 {
            let _ = writeln!(self.text, r#"<{attributes} opacity="{}"/>"#, color.alpha);
        }
    }

    fn line_through(&mut self, points: &str, style: &impl BackendStyle) {
        let (color, width) = (style.color(), style.stroke_width());
        let stroke = hex(color);
        self.element(
            color,
            format_args!(
                r#"polyline fill="none" stroke="{stroke}" stroke-width="{width}" points="{points}""#
            ),
        );
    }

    fn outline(&mut self, points: &str, color: BackendColor) {
        self.element(color, format_args!(r#"polygon fill="{}" points="{points}""#, hex(color)));
    }

    fn circle(&mut self, (x, y): Place, radius: u32, style: &impl BackendStyle, fill: bool) {
        let color = style.color();
        let paint = painted(color, fill);
        let (x, y, width) = (short(x), short(y), style.stroke_width());
        self.element(
            color,
            format_args!(r#"circle cx="{x}" cy="{y}" r="{radius}" {paint} stroke-width="{width}""#),
        );
    }
}

impl DrawingBackend for Svg<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        self.text.push_str("</svg>\n");
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Drawn {
        self.draw_rect((x, y), (x + 1, y + 1), &color, true)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        (x1, y1): BackendCoord,
        (x2, y2): BackendCoord,
        style: &S,
    ) -> Drawn {
        let (color, width) = (style.color(), style.stroke_width());
        let stroke = hex(color);
        self.element(
            color,
            format_args!(
                r#"line stroke="{stroke}" stroke-width="{width}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}""#
            ),
        );
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let (width, height) = (right - left, bottom - top);
        let color = style.color();
        let paint = painted(color, fill);
        self.element(
            color,
            format_args!(r#"rect x="{left}" y="{top}" width="{width}" height="{height}" {paint}"#),
        );
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        points: I,
        style: &S,
    ) -> Drawn {
        self.line_through(&list(points.into_iter().map(whole)), style);
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.circle(whole(center), radius, style, fill);
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        points: I,
        style: &S,
    ) -> Drawn {
        self.outline(&list(points.into_iter().map(whole)), style.color());
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> Drawn {
        let color = style.color();
        if color.alpha == 0.0 {
            return Ok(());
        }
        let anchor = match style.anchor().h_pos {
            HPos::Left => "start",
            HPos::Center => "middle",
            HPos::Right => "end",
        };
        let down = match style.anchor().v_pos {
            VPos::Top => "0.76em",
            VPos::Center => "0.5ex",
            VPos::Bottom => "-0.5ex",
        };
        let turn = match style.transform() {
            FontTransform::None => String::new(),
            FontTransform::Rotate90 => format!(r#" transform="rotate(90, {x}, {y})""#),
            FontTransform::Rotate180 => format!(r#" transform="rotate(180, {x}, {y})""#),
            FontTransform::Rotate270 => format!(r#" transform="rotate(270, {x}, {y})""#),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            self.text,
            r#"<text x="{x}" y="{y}" dy="{down}" text-anchor="{anchor}" font-family="{}" font-size="{}" opacity="{}" fill="{}"{turn}>"#,
            style.family().as_str(),
            style.size() / TEXT_SCALE,
            color.alpha,
            hex(color),
        );
        for letter in text.chars() {
            match letter {
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '&' => self.text.push_str("&amp;"),
                '"' => self.text.push_str("&quot;"),
                '\'' => self.text.push_str("&apos;"),
                other => self.text.push(other),
            }
        }
        self.text.push_str("\n</text>\n");
        Ok(())
    }
}

impl Canvas for Svg<'_> {
    fn draw_fine(&mut self, shape: Shape, places: &[Place], style: ShapeStyle) -> Drawn {
        match shape {
            Shape::Curve => self.line_through(&list(places.iter().copied()), &style),
            Shape::Outline => self.outline(&list(places.iter().copied()), style.color()),
            Shape::Dots(radius) => {
                for &at in places {
                    self.circle(at, radius, &style, style.filled);
                }
            }
        }
        Ok(())
    }
}

const fn whole((x, y): BackendCoord) -> Place {
    (x as f64, y as f64)
}

/// A tenth of a pixel is less than anybody sees.
fn short(value: f64) -> f64 {
    // Without the sign of a zero.
    (10.0 * value).round() / 10.0 + 0.0
}

fn list(places: impl Iterator<Item = Place>) -> String {
    let mut text = String::new();
    for (x, y) in places {
        // Writing to a string cannot fail.
        let _ = write!(text, "{},{} ", short(x), short(y));
    }
    text
}

fn hex(color: BackendColor) -> String {
    let (red, green, blue) = color.rgb;
    format!("#{red:02X}{green:02X}{blue:02X}")
}

/// What is filled has no line around it, and what has one is not filled.
fn painted(color: BackendColor, fill: bool) -> String {
    let color = hex(color);
    let (fill, stroke) = if fill { (&*color, "none") } else { ("none", &*color) };
    format!(r#"fill="{fill}" stroke="{stroke}""#)
}
