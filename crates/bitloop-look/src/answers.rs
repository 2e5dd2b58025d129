//! What a network of two inputs answers over the plane, with the rows that it was trained on.

use crate::error::LookError;
use crate::grid_map::{GridAxis, tiles};
use crate::picture::{Mark, Panel, Picture};

/// The number of shades that are drawn.
const N_SHADES: f64 = 32.0;

/// The darkest shade, on which dots can still be seen.
const DARKEST: f64 = 0.45;

/// Colors of dots, of the list of seven.
const DOT_COLORS: [usize; 5] = [6, 1, 0, 3, 2];

/// Rows of one kind, which are dots of one color.
#[derive(Clone, Debug, PartialEq)]
pub struct RowKind {
    /// In the legend.
    pub name: String,
    /// Where they are.
    pub places: Vec<(f64, f64)>,
}

/// Answers on a grid, row by row from the bottom, each from left to right, pale where they are low; and the rows of each
/// kind.
///
/// # Errors
/// [`LookError`] if no answer is finite.
pub fn answers(
    title: &str,
    subtitle: &str,
    x: GridAxis<'_>,
    y: GridAxis<'_>,
    values: &[f64],
    rows: Vec<RowKind>,
) -> Result<Picture, LookError> {
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let low = finite().fold(f64::INFINITY, f64::min);
    let high = finite().fold(f64::NEG_INFINITY, f64::max);
    if low > high {
        return Err(LookError::Nothing("the network answers no number"));
    }
    let span = (high - low).max(f64::MIN_POSITIVE);
    let shade = |value: f64| {
        let share = if value.is_finite() { (value - low) / span } else { 0.0 };
        (share * N_SHADES).round() / N_SHADES * DARKEST
    };
    let tiles = tiles(x, y, values, shade);
    let dots = rows.into_iter().enumerate().map(|(index, kind)| Mark::Dots {
        name: kind.name,
        color: DOT_COLORS[index % DOT_COLORS.len()],
        points: kind.places,
    });
    let marks = [Mark::Tiles { tiles }].into_iter().chain(dots).collect();
    let panels = vec![Panel { x: x.axis(), y: y.axis(), marks }];
    Ok(Picture {
        title: title.to_owned(),
        subtitle: format!("{subtitle}, from {low:.3} (yellow) to {high:.3} (green)"),
        panels,
        width: 680,
        panel_height: 600,
        n_columns: 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_answers_are_pale_and_rows_are_dots_with_a_legend() {
        let axis = |name| GridAxis { name, unit: "", low: 0.0, high: 1.0, n: 2 };
        let kind = |name: &str, place| RowKind { name: name.to_owned(), places: vec![place] };
        let rows = vec![kind("a", (0.0, 0.0)), kind("b", (1.0, 1.0))];
        let values = [0.0, 0.0, 0.0, 1.0];
        let picture = answers("t", "s", axis("x"), axis("y"), &values, rows).unwrap();
        let marks = &picture.panels[0].marks;
        let Mark::Tiles { tiles } = &marks[0] else { panic!("tiles") };
        let shades: Vec<f64> = tiles.iter().map(|tile| tile.2).collect();
        assert_eq!(shades, [0.0, 0.0, DARKEST]);
        let names: Vec<&str> = marks.iter().filter_map(|mark| Some(mark.legend()?.0)).collect();
        assert_eq!(names, ["a", "b"]);
        let svg = picture.svg().unwrap();
        // Those of the legend, too.
        assert_eq!(svg.matches("<circle").count(), 4, "{svg}");
        let nothing = answers("t", "s", axis("x"), axis("y"), &[f64::NAN], vec![]);
        assert!(nothing.is_err());
    }
}
