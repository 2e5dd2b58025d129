//! Drawing a [`Picture`] as SVG.

use plotters::backend::SVGBackend;
use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::prelude::Cartesian2d;
use plotters::style::{
    BLACK, Color, IntoFont, RGBColor, ShapeStyle, TRANSPARENT, TextStyle, WHITE,
};

use crate::axis::Axis;
use crate::error::LookError;
use crate::picture::{LEVEL_COLOR, Mark, Panel, Picture};
use crate::plain_text::shown;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Colors that the color-blind can tell apart, after Okabe and Ito (Color Universal Design, 2008), the yellow left out, which
/// is pale on white.
const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(80, 80, 80),
];

/// Shades from light to dark, which stay in order without color.
const SHADES: [(f64, f64, f64); 4] =
    [(240.0, 228.0, 120.0), (94.0, 190.0, 150.0), (40.0, 110.0, 150.0), (60.0, 10.0, 90.0)];

const FONT: &str = "sans-serif";
const TITLE_HEIGHT: u32 = 34;
const SUBTITLE_HEIGHT: u32 = 18;
/// Of the fill of a band over white.
const PALE: f64 = 0.22;
const LEGEND_HEIGHT: u32 = 20;
const MARGIN: i32 = 12;
/// Of a letter, about, as a part of the size of its font.
const LETTER_WIDTH: f64 = 0.56;

impl Picture {
    /// The picture as text in SVG.
    ///
    /// # Errors
    /// [`LookError`] if no panel has anything to draw.
    pub fn svg(&self) -> Result<String, LookError> {
        let n_panels = u32::try_from(self.panels.len()).unwrap_or(u32::MAX);
        let has_subtitle = !self.subtitle.is_empty();
        let above = TITLE_HEIGHT + if has_subtitle { SUBTITLE_HEIGHT } else { 0 };
        let height = above.saturating_add(n_panels.saturating_mul(self.panel_height));
        let mut text = String::new();
        {
            let root = SVGBackend::with_string(&mut text, (self.width, height)).into_drawing_area();
            root.fill(&WHITE).map_err(refused)?;
            let room = self.width.saturating_sub(2 * MARGIN.unsigned_abs());
            let title = Text::new(fitting(&self.title, 17, room), (MARGIN, 10), style(17));
            root.draw(&title).map_err(refused)?;
            let subtitle = Text::new(fitting(&self.subtitle, 13, room), (MARGIN, 34), style(13));
            if has_subtitle {
                root.draw(&subtitle).map_err(refused)?;
            }
            let (_, below) = root.split_vertically(above);
            for (panel, area) in self.panels.iter().zip(below.split_evenly((self.panels.len(), 1)))
            {
                draw_panel(panel, &area)?;
            }
            root.present().map_err(refused)?;
        }
        Ok(text)
    }
}

fn draw_panel(panel: &Panel, area: &Area<'_>) -> Result<(), LookError> {
    let xs = panel.marks.iter().flat_map(Mark::xs);
    let ys = panel.marks.iter().flat_map(Mark::ys);
    let nothing = LookError::Nothing("no number of it has a place on the axes");
    let (left, right) = panel.x.ends(xs).ok_or(nothing.clone())?;
    let (bottom, top) = panel.y.ends(ys).ok_or(nothing)?;
    let (legend, area) = area.split_vertically(LEGEND_HEIGHT);
    draw_legend(panel, &legend)?;
    let mut chart = ChartBuilder::on(&area)
        .margin_top(4)
        .margin_right(24)
        .margin_left(MARGIN)
        .margin_bottom(4)
        .x_label_area_size(40)
        .y_label_area_size(64)
        .build_cartesian_2d(left..right, bottom..top)
        .map_err(refused)?;
    let tick = |axis: &Axis, span: f64| {
        let axis = axis.clone();
        move |place: &f64| axis.tick(*place, span)
    };
    let (x_tick, y_tick) = (tick(&panel.x, right - left), tick(&panel.y, top - bottom));
    chart
        .configure_mesh()
        .x_desc(shown(&panel.x.title))
        .y_desc(fitting(&panel.y.title, 13, area.dim_in_pixel().1.saturating_sub(44)))
        .x_labels(9)
        .y_labels(6)
        .x_label_formatter(&x_tick)
        .y_label_formatter(&y_tick)
        .axis_desc_style(style(13))
        .label_style(style(12))
        .bold_line_style(RGBColor(225, 225, 225))
        .light_line_style(TRANSPARENT)
        .draw()
        .map_err(refused)?;
    for mark in &panel.marks {
        draw_mark(mark, panel, &mut chart, (left, right))?;
    }
    Ok(())
}

fn draw_mark(
    mark: &Mark,
    panel: &Panel,
    chart: &mut Chart<'_, '_>,
    (left, right): (f64, f64),
) -> Result<(), LookError> {
    let place = |x: f64, y: f64| Some((panel.x.place(x)?, panel.y.place(y)?));
    match mark {
        Mark::Line { color, points, .. } => {
            let line = ShapeStyle { stroke_width: 2, ..ShapeStyle::from(color_at(*color)) };
            let places: Vec<_> = points.iter().map(|&(x, y)| place(x, y)).collect();
            let pieces = places.split(Option::is_none).filter(|piece| !piece.is_empty());
            let paths = pieces.map(|piece| match *piece {
                // A point alone is a line of no length, which nobody sees.
                [Some(point)] => vec![point, point],
                _ => piece.iter().flatten().copied().collect(),
            });
            chart.draw_series(paths.map(|path| PathElement::new(path, line))).map_err(refused)?;
        }
        Mark::Band { color, points, .. } => {
            let lows = points.iter().filter_map(|&(x, low, _)| place(x, low));
            let highs = points.iter().rev().filter_map(|&(x, _, high)| place(x, high));
            let outline: Vec<_> = lows.chain(highs).collect();
            let fill = color_at(*color).mix(PALE).filled();
            chart.draw_series([Polygon::new(outline, fill)]).map_err(refused)?;
        }
        Mark::Level { value, .. } => {
            let Some(y) = panel.y.place(*value) else { return Ok(()) };
            let line = ShapeStyle::from(color_at(LEVEL_COLOR));
            chart
                .draw_series([PathElement::new(vec![(left, y), (right, y)], line)])
                .map_err(refused)?;
        }
        Mark::Dots { color, points, .. } => {
            let dots = points.iter().filter_map(|&(x, y)| {
                Some(Circle::new(place(x, y)?, 3, color_at(*color).filled()))
            });
            chart.draw_series(dots).map_err(refused)?;
        }
        Mark::Shades { points } => {
            let dots = points.iter().filter_map(|&(x, y, shade)| {
                Some(Circle::new(place(x, y)?, 4, shade_at(shade).filled()))
            });
            chart.draw_series(dots).map_err(refused)?;
        }
        Mark::Tiles { tiles } => {
            let rectangles = tiles
                .iter()
                .map(|&(from, to, shade)| Rectangle::new([from, to], shade_at(shade).filled()));
            chart.draw_series(rectangles).map_err(refused)?;
        }
        Mark::Cells { cells } => {
            let squares = cells.iter().map(|&(x, y, shade)| {
                let corners = [(x - 0.48, y - 0.48), (x + 0.48, y + 0.48)];
                Rectangle::new(corners, shade_at(shade).filled())
            });
            chart.draw_series(squares).map_err(refused)?;
        }
    }
    Ok(())
}

/// Names with their colors side by side above the axes, as many as there is room for.
fn draw_legend(panel: &Panel, area: &Area<'_>) -> Result<(), LookError> {
    let width = i32::try_from(area.dim_in_pixel().0).unwrap_or(i32::MAX);
    let mut at = 76;
    let mut named: Vec<(&str, usize, bool)> = Vec::new();
    for (name, color, is_pale) in panel.marks.iter().filter_map(Mark::legend) {
        // Both limits of a control have one entry.
        if named.contains(&(name, color, is_pale)) {
            continue;
        }
        named.push((name, color, is_pale));
        let name = fitting(name, 12, 300);
        let end = at + 30 + text_width(&name, 12) + 16;
        if end > width {
            let more = Text::new("...", (at, 4), style(12));
            area.draw(&more).map_err(refused)?;
            break;
        }
        let (sample, opacity) = if is_pale {
            ([(at, 4), (at + 22, 16)], PALE)
        } else {
            ([(at, 9), (at + 22, 11)], 1.0)
        };
        let fill = color_at(color).mix(opacity).filled();
        area.draw(&Rectangle::new(sample, fill)).map_err(refused)?;
        area.draw(&Text::new(name, (at + 28, 4), style(12))).map_err(refused)?;
        at = end;
    }
    Ok(())
}

/// Text of a size in pixels.
fn style(size: i32) -> TextStyle<'static> {
    (FONT, size).into_font().color(&BLACK)
}

fn color_at(position: usize) -> RGBColor {
    COLORS[position % COLORS.len()]
}

/// The color of a shade from 0 to 1.
fn shade_at(shade: f64) -> RGBColor {
    let place = shade.clamp(0.0, 1.0) * (SHADES.len() - 1) as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 3; NaN is 0")]
    let below = (place as usize).min(SHADES.len() - 2);
    let part = if place.is_nan() { 0.0 } else { place - below as f64 };
    let (from, to) = (SHADES[below], SHADES[below + 1]);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
    let mix = |from: f64, to: f64| (from + part * (to - from)).round() as u8;
    RGBColor(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

/// The width of a text, about.
fn text_width(text: &str, size: i32) -> i32 {
    let letters = i32::try_from(text.chars().count()).unwrap_or(i32::MAX);
    #[expect(clippy::cast_possible_truncation, reason = "a width in pixels")]
    let width = (f64::from(letters) * f64::from(size) * LETTER_WIDTH) as i32;
    width
}

/// The text, cut off where it would be wider than `room` pixels, and without what cannot be printed.
fn fitting(text: &str, size: i32, room: u32) -> String {
    let text = shown(text);
    let room = i32::try_from(room).unwrap_or(i32::MAX);
    if text_width(&text, size) <= room {
        return text;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few letters")]
    let n_letters = (f64::from(room) / (f64::from(size) * LETTER_WIDTH)) as usize;
    let mut cut: String = text.chars().take(n_letters.saturating_sub(3)).collect();
    cut.push_str("...");
    cut
}

fn refused(error: impl std::fmt::Display) -> LookError {
    LookError::Draw(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(points: Vec<(f64, f64)>, title: &str) -> Picture {
        let line = Mark::Line { name: Some(title.to_owned()), color: 0, points };
        let (x, y) = (Axis::linear(title), Axis::linear(Axis::titled("theta", "rad")));
        let panels = vec![Panel { x, y, marks: vec![line] }];
        let (title, subtitle) = (title.to_owned(), title.to_owned());
        Picture { title, subtitle, panels, width: 600, panel_height: 300 }
    }

    #[test]
    fn the_same_picture_has_the_same_bytes() {
        let one = picture(vec![(0.0, 1.0), (1.0, 3.0)], "a");
        let svg = one.svg().unwrap();
        assert_eq!(one.svg().unwrap(), svg);
        assert!(svg.contains("theta [rad]"));
    }

    #[test]
    fn names_are_text_and_never_markup() {
        let svg = picture(vec![(0.0, 1.0), (1.0, 3.0)], "</text><script>x&y\u{7}\n").svg().unwrap();
        assert!(!svg.contains("<script") && svg.contains("&lt;script&gt;x&amp;y"), "{svg}");
    }

    #[test]
    fn a_line_is_interrupted_where_a_number_has_no_place() {
        let whole = vec![(0.0, 1.0), (1.0, 3.0), (2.0, 2.0), (3.0, 0.0), (4.0, 1.0)];
        let mut broken = whole.clone();
        broken[2].1 = f64::NAN;
        let n_lines = |points| picture(points, "a").svg().unwrap().matches("<polyline").count();
        assert_eq!(n_lines(broken) - n_lines(whole), 1);
    }

    #[test]
    fn nothing_to_draw_is_an_error() {
        for points in [Vec::new(), vec![(0.0, f64::NAN)], vec![(f64::INFINITY, 1.0)]] {
            assert!(matches!(picture(points, "a").svg(), Err(LookError::Nothing(_))));
        }
        // A constant is no empty range, nor are numbers of any size.
        for value in [0.0, -5.0, 1e300, 5e-324] {
            let svg = picture(vec![(0.0, value), (1.0, value)], "a").svg();
            assert!(svg.is_ok(), "{value}: {svg:?}");
        }
    }
}
