//! Where flips of bits lead from a weight.

use crate::axis::Axis;
use crate::error::LookError;
use crate::picture::{Mark, Panel, Picture};

/// Values that are reached in one way.
#[derive(Clone, Debug, PartialEq)]
pub struct NeighborRow {
    /// The way.
    pub name: String,
    /// The values.
    pub values: Vec<f64>,
}

/// Values that one flip leads to, row by row, and below those that any flips of the unlocked bits lead to, around a weight `here` in
/// the range of all.
///
/// # Errors
/// [`LookError`] if there are no rows.
pub fn neighbors(
    title: &str,
    subtitle: &str,
    (here, range): (f64, (f64, f64)),
    flips: &[NeighborRow],
    unlocked: &[NeighborRow],
) -> Result<Picture, LookError> {
    if flips.is_empty() || unlocked.is_empty() {
        return Err(LookError::Nothing("there are no bits"));
    }
    let room = 0.03 * (range.1 - range.0);
    // Names of rows stand left of the values.
    let left = range.0 - 0.16 * (range.1 - range.0);
    let panel = |what: &str, rows: &[NeighborRow]| {
        let n = rows.len() as f64;
        let mut marks = vec![Mark::Line {
            name: Some("the weight".to_owned()),
            color: 1,
            points: vec![(here, -0.5), (here, n - 0.5)],
        }];
        for (at, row) in rows.iter().enumerate() {
            let y = n - 1.0 - at as f64;
            let values = row.values.iter().map(|&value| (value, y)).collect();
            let name = if at == 0 { what } else { "" };
            marks.push(Mark::Dots { name: name.to_owned(), color: 0, points: values });
            marks.push(Mark::Label { y, text: row.name.clone() });
        }
        Panel {
            x: Axis::linear("value").over(left, range.1 + room),
            y: Axis::bare("").over(-0.6, n - 0.4),
            marks,
        }
    };
    let panels = vec![
        panel("after one flip", flips),
        panel("in reach of any flips of the unlocked bits", unlocked),
    ];
    Ok(Picture {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        panels,
        width: 760,
        panel_height: 260,
        n_columns: 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_has_its_name_and_its_dots() {
        let row = |name: &str, n: u32| NeighborRow {
            name: name.to_owned(),
            values: (0..n).map(f64::from).collect(),
        };
        let picture =
            neighbors("t", "s", (1.0, (0.0, 4.0)), &[row("Gray", 2)], &[row("2 bits", 4)]).unwrap();
        let svg = picture.svg().unwrap();
        // Those of both legends, too.
        assert_eq!(svg.matches("<circle").count(), 6 + 2);
        for text in ["Gray", "2 bits", "after one flip", "in reach"] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(neighbors("t", "s", (0.0, (0.0, 1.0)), &[], &[]).is_err());
    }
}
