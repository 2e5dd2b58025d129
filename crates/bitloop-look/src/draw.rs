//! Drawing a [`Picture`], as SVG and as PNG.

use plotters::chart::ChartBuilder;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::Text;
use plotters::style::{RGBColor, TRANSPARENT, WHITE};

use crate::canvas::Canvas;
use crate::caption::{fitting, style};
use crate::error::{LookError, refused};
use crate::legend::{draw_legend, legend_height};
use crate::marks::{Chart, draw_mark};
use crate::picture::{Mark, Panel, Picture};
use crate::pixels::Pixels;
use crate::plain_text::shown;
use crate::scale::Scale;
use crate::svg::Svg;

const TITLE_HEIGHT: u32 = 34;
const SUBTITLE_HEIGHT: u32 = 18;
/// Of a legend of one row.
const LEGEND_HEIGHT: u32 = 20;
const MARGIN: i32 = 12;

impl Picture {
    /// The picture as text in SVG.
    ///
    /// # Errors
    /// [`LookError`] if no panel has anything to draw.
    pub fn svg(&self) -> Result<String, LookError> {
        let mut text = String::new();
        self.draw_on(Svg::begin(&mut text, self.size()))?;
        Ok(text)
    }

    /// The picture as a file in PNG, with two pixels for each one of the SVG.
    ///
    /// # Errors
    /// [`LookError`] if no panel has anything to draw, or the picture is too large for memory.
    pub fn png(&self) -> Result<Vec<u8>, LookError> {
        let mut map = Pixels::map(self.size()).ok_or(LookError::TooLarge)?;
        self.draw_on(Pixels::on(&mut map, self.size()))?;
        map.encode_png().map_err(refused)
    }

    /// Width and height in pixels.
    fn size(&self) -> (u32, u32) {
        let n_rows = u32::try_from(self.n_rows()).unwrap_or(u32::MAX);
        // A legend of several rows takes nothing away from the axes.
        let legends = self.panels.iter().map(|panel| legend_height(panel, self.panel_width()));
        let more = legends.max().unwrap_or(0).saturating_sub(LEGEND_HEIGHT);
        let row = self.panel_height.saturating_add(more);
        (self.width, self.above().saturating_add(n_rows.saturating_mul(row)))
    }

    fn panel_width(&self) -> u32 {
        self.width / u32::try_from(self.n_columns.max(1)).unwrap_or(u32::MAX)
    }

    fn n_rows(&self) -> usize {
        self.panels.len().div_ceil(self.n_columns.max(1))
    }

    /// The height of what is above the panels.
    const fn above(&self) -> u32 {
        TITLE_HEIGHT + if self.subtitle.is_empty() { 0 } else { SUBTITLE_HEIGHT }
    }

    fn draw_on(&self, backend: impl Canvas) -> Result<(), LookError> {
        let root = backend.into_drawing_area();
        root.fill(&WHITE).map_err(refused)?;
        let room = self.width.saturating_sub(2 * MARGIN.unsigned_abs());
        let title = Text::new(fitting(&self.title, 17, room), (MARGIN, 10), style(17));
        root.draw(&title).map_err(refused)?;
        if !self.subtitle.is_empty() {
            let subtitle = Text::new(fitting(&self.subtitle, 13, room), (MARGIN, 34), style(13));
            root.draw(&subtitle).map_err(refused)?;
        }
        let (_, below) = root.split_vertically(self.above());
        for (panel, area) in
            self.panels.iter().zip(below.split_evenly((self.n_rows(), self.n_columns.max(1))))
        {
            draw_panel(panel, &area)?;
        }
        root.present().map_err(refused)
    }
}

fn draw_panel<DB: Canvas>(panel: &Panel, area: &DrawingArea<DB, Shift>) -> Result<(), LookError> {
    let xs = panel.marks.iter().flat_map(Mark::xs);
    let ys = panel.marks.iter().flat_map(Mark::ys);
    let nothing = LookError::Nothing("no number of it has a place on the axes");
    let (left, right) = panel.x.ends(xs).ok_or(nothing.clone())?;
    let (bottom, top) = panel.y.ends(ys).ok_or(nothing)?;
    let (legend, area) = area.split_vertically(legend_height(panel, area.dim_in_pixel().0));
    draw_legend(panel, &legend)?;
    let is_bare = !(panel.x.has_ticks || panel.y.has_ticks);
    let mut chart = ChartBuilder::on(&area)
        .margin_top(4)
        .margin_right(24)
        .margin_left(MARGIN)
        .margin_bottom(4)
        .x_label_area_size(if is_bare { 4 } else { 40 })
        .y_label_area_size(if panel.y.has_ticks { 64 } else { 8 })
        .build_cartesian_2d(
            Scale::new(panel.x.clone(), (left, right)),
            Scale::new(panel.y.clone(), (bottom, top)),
        )
        .map_err(refused)?;
    if is_bare {
        return draw_marks(panel, &mut chart, left, right);
    }
    chart
        .configure_mesh()
        .x_desc(shown(&panel.x.title))
        .y_desc(fitting(&panel.y.title, 13, area.dim_in_pixel().1.saturating_sub(44)))
        .x_labels(9)
        .y_labels(6)
        .axis_desc_style(style(13))
        .label_style(style(12))
        .bold_line_style(RGBColor(225, 225, 225))
        .light_line_style(TRANSPARENT)
        .draw()
        .map_err(refused)?;
    draw_marks(panel, &mut chart, left, right)
}

fn draw_marks<DB: Canvas>(
    panel: &Panel,
    chart: &mut Chart<'_, DB>,
    left: f64,
    right: f64,
) -> Result<(), LookError> {
    panel.marks.iter().try_for_each(|mark| draw_mark(mark, panel, chart, (left, right)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::Axis;

    fn picture(points: Vec<(f64, f64)>, title: &str) -> Picture {
        let line = Mark::Line { name: Some(title.to_owned()), color: 0, points };
        let (x, y) = (Axis::linear(title), Axis::linear(Axis::titled("theta", "rad")));
        let panels = vec![Panel { x, y, marks: vec![line] }];
        let (title, subtitle) = (title.to_owned(), title.to_owned());
        Picture { title, subtitle, panels, width: 600, panel_height: 300, n_columns: 1 }
    }

    #[test]
    fn the_same_picture_has_the_same_bytes() {
        let one = picture(vec![(0.0, 1.0), (1.0, 3.0)], "a");
        let svg = one.svg().unwrap();
        assert_eq!(one.svg().unwrap(), svg);
        assert!(svg.contains("theta [rad]"));
    }

    /// The same layout in pixels: two for each of the SVG, ink where there are letters and lines, and none beside them.
    #[test]
    fn pixels_repeat_their_bytes_and_have_ink_where_the_svg_has() {
        let one = picture(vec![(0.0, 1.0), (1.0, 3.0)], "a");
        let png = one.png().unwrap();
        assert_eq!(one.png().unwrap(), png);
        let map = tiny_skia::Pixmap::decode_png(&png).unwrap();
        assert_eq!((map.width(), map.height()), (1200, 704));
        let ink = |left: u32, top: u32, right: u32, bottom: u32| {
            let rows = (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
            let dark = rows.filter(|&(x, y)| map.pixel(x, y).is_some_and(|p| p.green() < 160));
            dark.count()
        };
        // The title; the margin; the middle of the line, in its color.
        assert!(ink(24, 20, 60, 60) > 20 && ink(0, 0, 20, 704) == 0);
        assert!(ink(500, 200, 700, 500) > 100);
        let large = Picture { width: u32::MAX, ..one };
        assert_eq!(large.png(), Err(LookError::TooLarge));
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

    /// Less than a pixel is seen, in both formats.
    #[test]
    fn curves_go_between_pixels() {
        let curves = [2.0, 2.003, 2.006, 2.009]
            .map(|middle| picture(vec![(0.0, 0.0), (1.0, middle), (2.0, 3.0)], "a"));
        let n_different = |mut drawn: Vec<Vec<u8>>| {
            drawn.sort();
            drawn.dedup();
            drawn.len()
        };
        let svgs = curves.iter().map(|curve| curve.svg().unwrap().into_bytes());
        assert_eq!(n_different(svgs.collect()), curves.len());
        let pngs = curves.iter().map(|curve| curve.png().unwrap());
        assert_eq!(n_different(pngs.collect()), curves.len());
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
