//! Drawing of the marks of a panel.

use plotters::backend::DrawingBackend;
use plotters::chart::ChartContext;
use plotters::element::{Circle, EmptyElement, PathElement, Polygon, Rectangle, Text};
use plotters::prelude::Cartesian2d;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, ShapeStyle};

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
pub fn draw_mark<DB: DrawingBackend>(
    mark: &Mark,
    panel: &Panel,
    chart: &mut Chart<'_, DB>,
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
        Mark::Pale { color, points } => {
            let dots = points.iter().filter_map(|&(x, y)| {
                Some(Circle::new(place(x, y)?, 3, color_at(*color).mix(HALF).filled()))
            });
            chart.draw_series(dots).map_err(refused)?;
        }
        Mark::Stroke { color, opacity, points } => {
            let stroke = color_at(*color).mix(*opacity).stroke_width(2);
            let places: Vec<_> = points.iter().filter_map(|&(x, y)| place(x, y)).collect();
            chart.draw_series([PathElement::new(places, stroke)]).map_err(refused)?;
        }
        Mark::Area { color, points } => {
            let places: Vec<_> = points.iter().filter_map(|&(x, y)| place(x, y)).collect();
            let fill = color_at(*color).mix(HALF).filled();
            let outline = [places.clone(), places.first().copied().into_iter().collect()].concat();
            chart.draw_series([Polygon::new(places, fill)]).map_err(refused)?;
            let stroke = color_at(*color).stroke_width(2);
            chart.draw_series([PathElement::new(outline, stroke)]).map_err(refused)?;
        }
        Mark::Disc { color, at, radius } => {
            let pixels = f64::from(chart.plotting_area().dim_in_pixel().0) / (right - left);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "at most the width of the picture"
            )]
            let radius = (radius.abs() * pixels).round().clamp(1.0, 4000.0) as u32;
            let at: Vec<_> = place(at.0, at.1).into_iter().collect();
            let (fill, stroke) =
                (color_at(*color).mix(HALF).filled(), color_at(*color).stroke_width(2));
            for style in [fill, stroke] {
                let discs = at.iter().map(|&at| Circle::new(at, radius, style));
                chart.draw_series(discs).map_err(refused)?;
            }
        }
        Mark::Text { x, y, text } => draw_text(text, place(*x, *y), chart)?,
        Mark::Label { y, text } => {
            draw_text(text, panel.y.place(*y).map(|y| (left, y)), chart)?;
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
