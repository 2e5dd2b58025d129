//! Drawing of the marks of a panel.

use plotters::backend::DrawingBackend;
use plotters::chart::ChartContext;
use plotters::element::{EmptyElement, Rectangle, Text};
use plotters::prelude::Cartesian2d;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, ShapeStyle};

use crate::canvas::{Canvas, Fine, Shape};
use crate::caption::{fitting, style};
use crate::error::{LookError, refused};
use crate::palette::{color_at, shade_at};
use crate::picture::{LEVEL_COLOR, Mark, Panel};
use crate::scale::Scale;

/// The axes of a panel, on which is drawn.
pub type Chart<'a, DB> = ChartContext<'a, DB, Cartesian2d<Scale, Scale>>;

/// Opacity of dots, areas and discs that let others shine through.
const HALF: f64 = 0.4;

/// Of the fill of a band over white.
pub const PALE: f64 = 0.22;

/// Draws a mark between the left and the right end of its panel.
pub fn draw_mark<DB: Canvas>(
    mark: &Mark,
    panel: &Panel,
    chart: &mut Chart<'_, DB>,
    (left, right): (f64, f64),
) -> Result<(), LookError> {
    let place = |x: f64, y: f64| Some((panel.x.place(x)?, panel.y.place(y)?));
    let (x_range, y_range) = (chart.x_range(), chart.y_range());
    let ends = [(x_range.start, y_range.start), (x_range.end, y_range.end)];
    let placed = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
        points.iter().filter_map(|&(x, y)| place(x, y)).collect()
    };
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
            let curve = |path| Fine::new(ends, Shape::Curve, path, line);
            chart.draw_series(paths.map(curve)).map_err(refused)?;
        }
        Mark::Band { color, points, .. } => {
            let lows = points.iter().filter_map(|&(x, low, _)| place(x, low));
            let highs = points.iter().rev().filter_map(|&(x, _, high)| place(x, high));
            let outline: Vec<_> = lows.chain(highs).collect();
            let fill = color_at(*color).mix(PALE).filled();
            chart.draw_series([Fine::new(ends, Shape::Outline, outline, fill)]).map_err(refused)?;
        }
        Mark::Level { value, .. } => {
            let Some(y) = panel.y.place(*value) else { return Ok(()) };
            let line = ShapeStyle::from(color_at(LEVEL_COLOR));
            let points = vec![(left, y), (right, y)];
            chart.draw_series([Fine::new(ends, Shape::Curve, points, line)]).map_err(refused)?;
        }
        Mark::Dots { color, points, .. } => {
            let fill = color_at(*color).filled();
            let dots = Fine::new(ends, Shape::Dots(3), placed(points), fill);
            chart.draw_series([dots]).map_err(refused)?;
        }
        Mark::Pale { color, points } => {
            let fill = color_at(*color).mix(HALF).filled();
            let dots = Fine::new(ends, Shape::Dots(3), placed(points), fill);
            chart.draw_series([dots]).map_err(refused)?;
        }
        Mark::Stroke { color, opacity, points } => {
            let stroke = color_at(*color).mix(*opacity).stroke_width(2);
            let curve = Fine::new(ends, Shape::Curve, placed(points), stroke);
            chart.draw_series([curve]).map_err(refused)?;
        }
        Mark::Area { color, points } => {
            let places = placed(points);
            let fill = color_at(*color).mix(HALF).filled();
            let outline = [places.clone(), places.first().copied().into_iter().collect()].concat();
            chart.draw_series([Fine::new(ends, Shape::Outline, places, fill)]).map_err(refused)?;
            let stroke = color_at(*color).stroke_width(2);
            chart.draw_series([Fine::new(ends, Shape::Curve, outline, stroke)]).map_err(refused)?;
        }
        Mark::Disc { color, at, radius } => {
            let pixels = f64::from(chart.plotting_area().dim_in_pixel().0) / (right - left);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "at most the width of the picture"
            )]
            let radius = (radius.abs() * pixels).round().clamp(1.0, 4000.0) as u32;
            let at = placed(&[*at]);
            let (fill, stroke) =
                (color_at(*color).mix(HALF).filled(), color_at(*color).stroke_width(2));
            for style in [fill, stroke] {
                let disc = Fine::new(ends, Shape::Dots(radius), at.clone(), style);
                chart.draw_series([disc]).map_err(refused)?;
            }
        }
        Mark::Text { x, y, text } => draw_text(text, place(*x, *y), chart)?,
        Mark::Label { y, text } => {
            draw_text(text, panel.y.place(*y).map(|y| (left, y)), chart)?;
        }
        Mark::Shades { points } => {
            let dots = points.iter().filter_map(|&(x, y, shade)| {
                let fill = shade_at(shade).filled();
                Some(Fine::new(ends, Shape::Dots(4), vec![place(x, y)?], fill))
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
                let corners = [(x - 0.46, y - 0.46), (x + 0.46, y + 0.46)];
                Rectangle::new(corners, shade_at(shade).filled())
            });
            chart.draw_series(squares).map_err(refused)?;
        }
    }
    Ok(())
}

/// Draws a line of text that begins at a place, if there is one.
fn draw_text<DB: DrawingBackend>(
    text: &str,
    at: Option<(f64, f64)>,
    chart: &Chart<'_, DB>,
) -> Result<(), LookError> {
    let Some(at) = at else { return Ok(()) };
    let area = chart.plotting_area();
    let text = fitting(text, 13, area.dim_in_pixel().0.saturating_sub(8));
    let left_middle = Pos::new(HPos::Left, VPos::Center);
    let text = EmptyElement::at(at) + Text::new(text, (6, 0), style(13).pos(left_middle));
    area.draw(&text).map_err(refused)
}
