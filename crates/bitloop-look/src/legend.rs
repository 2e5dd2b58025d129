//! The legend of a panel: names with their colors, in as many rows as they need.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::element::{Circle, Rectangle, Text};
use plotters::style::Color;
use plotters_backend::DrawingBackend;

use crate::caption::{fitting, style, text_width};
use crate::error::{LookError, refused};
use crate::marks::PALE;
use crate::palette::color_at;
use crate::picture::{Mark, Panel, Sample};

/// Where the first entry of a row begins, and the room on the right.
const LEFT: i32 = 76;
const RIGHT: i32 = 16;

const ROW_HEIGHT: i32 = 18;
const TEXT_SIZE: i32 = 12;

/// The most rows; names beyond these are left out.
const MOST_ROWS: i32 = 16;

/// A name with its place.
struct Entry {
    name: String,
    color: usize,
    sample: Sample,
    at: (i32, i32),
}

/// The height of a panel's legend, of a panel that is so wide.
pub fn legend_height(panel: &Panel, width: u32) -> u32 {
    let last = entries(panel, width).last().map_or(0, |entry| entry.at.1 + ROW_HEIGHT);
    u32::try_from(last).unwrap_or(0) + if last > 0 { 2 } else { 6 }
}

/// All names, each once, in rows.
fn entries(panel: &Panel, width: u32) -> Vec<Entry> {
    let width = i32::try_from(width).unwrap_or(i32::MAX);
    let most = u32::try_from(width - LEFT - 30 - RIGHT).unwrap_or(0);
    let (mut x, mut y) = (LEFT, 0);
    let mut entries: Vec<Entry> = Vec::new();
    for (name, color, sample) in panel.marks.iter().filter_map(Mark::legend) {
        let name = fitting(name, TEXT_SIZE, most);
        // Both limits of a control have one entry.
        let is_same =
            |entry: &Entry| (&entry.name, entry.color, entry.sample) == (&name, color, sample);
        if entries.iter().any(is_same) {
            continue;
        }
        let needed = 30 + text_width(&name, TEXT_SIZE) + 16;
        if x > LEFT && x + needed > width {
            (x, y) = (LEFT, y + ROW_HEIGHT);
        }
        if y >= MOST_ROWS * ROW_HEIGHT {
            break;
        }
        entries.push(Entry { name, color, sample, at: (x, y) });
        x += needed;
    }
    entries
}

/// Draws the legend of a panel.
pub fn draw_legend<DB: DrawingBackend>(
    panel: &Panel,
    area: &DrawingArea<DB, Shift>,
) -> Result<(), LookError> {
    for Entry { name, color, sample, at: (x, y) } in entries(panel, area.dim_in_pixel().0) {
        let color = color_at(color);
        match sample {
            Sample::Line => {
                let line = [(x, y + 9), (x + 22, y + 11)];
                area.draw(&Rectangle::new(line, color.filled())).map_err(refused)?;
            }
            Sample::Band => {
                let band = [(x, y + 4), (x + 22, y + 16)];
                area.draw(&Rectangle::new(band, color.mix(PALE).filled())).map_err(refused)?;
            }
            Sample::Dot => {
                let dot = Circle::new((x + 16, y + 10), 3, color.filled());
                area.draw(&dot).map_err(refused)?;
            }
        }
        area.draw(&Text::new(name, (x + 28, y + 4), style(TEXT_SIZE))).map_err(refused)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::Axis;

    #[test]
    fn names_that_do_not_fit_beside_each_other_have_rows_of_their_own() {
        let line =
            |name: &str| Mark::Line { name: Some(name.to_owned()), color: 0, points: vec![] };
        let panel = |marks| Panel { x: Axis::linear("x"), y: Axis::linear("y"), marks };
        let rows = |marks| {
            let entries = entries(&panel(marks), 600);
            entries.iter().map(|entry| entry.at.1 / ROW_HEIGHT).collect::<Vec<_>>()
        };
        assert_eq!(rows(vec![line("a"), line("b"), line("a")]), [0, 0]);
        let long = "training=TelescopicBlm(bits: 12, start_bits: 2) controller.hidden=[10]";
        assert_eq!(rows(vec![line(long), line("b"), line(&long.replace('2', "3"))]), [0, 0, 1]);
        let many: Vec<Mark> = (0..40).map(|at| line(&format!("{at} {long}"))).collect();
        assert_eq!(rows(many).len(), 16);
        assert_eq!(legend_height(&panel(vec![]), 600), 6);
        assert_eq!(legend_height(&panel(vec![line("a")]), 600), 20);
    }
}
