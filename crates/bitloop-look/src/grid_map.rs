//! Errors over a grid.

use crate::axis::Axis;
use crate::error::LookError;
use crate::error_map::Shading;
use crate::picture::{Mark, Panel, Picture, Tile};

/// The number of shades that are drawn; neighbors of the same shade are one rectangle.
const N_SHADES: f64 = 48.0;

/// One side of a grid, with its ends and how many values it has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridAxis<'a> {
    /// What varies.
    pub name: &'a str,
    /// Its unit.
    pub unit: &'a str,
    /// The least value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
    /// How many values there are, at least 2.
    pub n: usize,
}

impl GridAxis<'_> {
    /// The edge below the value at a position.
    fn edge(&self, position: usize) -> f64 {
        let step = (self.high - self.low) / (self.n.max(2) - 1) as f64;
        self.low + (position as f64 - 0.5) * step
    }

    pub(crate) fn axis(&self) -> Axis {
        Axis::linear(Axis::titled(self.name, self.unit)).over(self.edge(0), self.edge(self.n))
    }
}

/// Cells of a grid, row by row from the bottom, each from left to right: the darker the larger the logarithm of the error.
/// Cells that are missing at the end are left white. `summary` stands below the title, before the range of the errors.
///
/// # Errors
/// [`LookError`] if no error is finite.
pub fn grid_map(
    title: &str,
    summary: &str,
    x: GridAxis<'_>,
    y: GridAxis<'_>,
    errors: &[f64],
) -> Result<Picture, LookError> {
    let scale = Shading::of(errors.iter().copied())?;
    let shade = |error: f64| (scale.shade(error) * N_SHADES).round() / N_SHADES;
    let tiles = tiles(x, y, errors, shade);
    let subtitle = format!("{summary}; {}", scale.subtitle());
    let panels = vec![Panel { x: x.axis(), y: y.axis(), marks: vec![Mark::Tiles { tiles }] }];
    Ok(Picture {
        title: title.to_owned(),
        subtitle,
        panels,
        width: 680,
        panel_height: 560,
        n_columns: 1,
    })
}

/// The cells of a grid, row by row from the bottom; neighbors of the same shade are one rectangle.
pub(crate) fn tiles(
    x: GridAxis<'_>,
    y: GridAxis<'_>,
    values: &[f64],
    shade: impl Fn(f64) -> f64,
) -> Vec<Tile> {
    let mut tiles: Vec<Tile> = Vec::new();
    for (row, values) in values.chunks(x.n.max(1)).enumerate() {
        let mut column = 0;
        for run in values.chunk_by(|a, b| shade(*a) == shade(*b)) {
            let end = column + run.len();
            let (from, to) = ((x.edge(column), y.edge(row)), (x.edge(end), y.edge(row + 1)));
            tiles.push((from, to, shade(run[0])));
            column = end;
        }
    }
    tiles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_of_the_same_shade_are_one_rectangle_and_missing_cells_none() {
        let axis = |name| GridAxis { name, unit: "", low: 0.0, high: 2.0, n: 3 };
        let errors = [1.0, 1.0, f64::INFINITY, 1e-3, 1.0];
        let picture = grid_map("t", "s", axis("x"), axis("y"), &errors).unwrap();
        let Mark::Tiles { tiles } = &picture.panels[0].marks[0] else { panic!("tiles") };
        let expected = [
            ((-0.5, -0.5), (2.5, 0.5), 1.0),
            ((-0.5, 0.5), (0.5, 1.5), 0.0),
            ((0.5, 0.5), (1.5, 1.5), 1.0),
        ];
        assert_eq!(tiles[..], expected);
        assert!(picture.svg().unwrap().starts_with("<svg"));
        assert!(grid_map("t", "s", axis("x"), axis("y"), &[f64::INFINITY]).is_err());
    }
}
