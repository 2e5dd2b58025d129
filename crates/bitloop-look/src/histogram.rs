//! How values are distributed.

use crate::axis::Axis;
use crate::error::LookError;
use crate::picture::{Mark, Panel, Picture, Tile};

/// Bars between the least and the largest value.
const N_BARS: usize = 41;

/// The shade of the bars.
const SHADE: f64 = 0.66;

/// The number of values in each of 41 intervals of the same width, between `-range` and `range`.
///
/// # Errors
/// [`LookError`] if no value is in the range.
pub fn histogram(
    title: &str,
    subtitle: &str,
    what: &str,
    values: &[f64],
    range: f64,
) -> Result<Picture, LookError> {
    let width = 2.0 * range / N_BARS as f64;
    let mut counts = [0_u32; N_BARS];
    for value in values.iter().filter(|value| value.abs() <= range) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within the range"
        )]
        let bar = ((value + range) / width) as usize;
        counts[bar.min(N_BARS - 1)] += 1;
    }
    if counts.iter().all(|&count| count == 0) {
        return Err(LookError::Nothing("no value is within the range"));
    }
    let tile = |(bar, &count): (usize, &u32)| -> Tile {
        let left = -range + bar as f64 * width;
        ((left, 0.0), (left + width, f64::from(count)), SHADE)
    };
    let tiles = counts.iter().enumerate().map(tile).filter(|tile| tile.1.1 > 0.0).collect();
    let most = counts.iter().copied().max().map_or(1.0, f64::from);
    let panel = Panel {
        x: Axis::linear(what).over(-range, range),
        y: Axis::linear("how many").over(0.0, 1.05 * most),
        marks: vec![Mark::Tiles { tiles }],
    };
    Ok(Picture {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        panels: vec![panel],
        width: 760,
        panel_height: 320,
        n_columns: 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_in_one_bar() {
        let values = [-1.0, 1.0, 0.0, 0.0, 0.001, 2.0];
        let picture = histogram("t", "s", "weight", &values, 1.0).unwrap();
        let Mark::Tiles { tiles } = &picture.panels[0].marks[0] else { panic!("tiles") };
        let heights: Vec<f64> = tiles.iter().map(|tile| tile.1.1).collect();
        // One at either end, three in the middle, and the one outside in none.
        assert_eq!(heights, [1.0, 3.0, 1.0]);
        assert!(picture.svg().unwrap().starts_with("<svg"));
        assert!(histogram("t", "s", "weight", &[2.0], 1.0).is_err());
    }
}
