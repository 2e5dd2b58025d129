//! The weights of a network as a map of their bits.

use crate::axis::Axis;
use crate::error::LookError;
use crate::picture::{Mark, Panel, Picture};

/// A weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightRow {
    /// Its bits, the highest first: the Gray code of its integer.
    pub code: u64,
}

/// The most weights that a map can show.
const MOST_WEIGHTS: usize = 2000;

/// The bits of each weight, the highest on top: dark where they are 1.
///
/// # Errors
/// [`LookError`] if there are no weights, or too many to be seen.
pub fn weights(
    title: &str,
    subtitle: &str,
    n_bits: u32,
    rows: &[WeightRow],
) -> Result<Picture, LookError> {
    if rows.is_empty() || n_bits == 0 {
        return Err(LookError::Nothing("the network has no weights"));
    }
    if rows.len() > MOST_WEIGHTS {
        return Err(LookError::Nothing("more than 2000 weights cannot be told apart"));
    }
    let cells = rows.iter().enumerate().flat_map(|(weight, row)| {
        (0..n_bits).map(move |bit| {
            let is_set = row.code >> bit & 1 == 1;
            (weight as f64, f64::from(bit), if is_set { 0.85 } else { 0.05 })
        })
    });
    let x = Axis::linear("weight, in the order of the file").over(-0.5, rows.len() as f64 - 0.5);
    let y = Axis::linear("bit of its Gray code").over(-0.5, f64::from(n_bits) - 0.5);
    let panels = vec![Panel { x, y, marks: vec![Mark::Cells { cells: cells.collect() }] }];
    let n = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    let width = (120 + 14 * n).clamp(480, 1400);
    Ok(Picture {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        panels,
        width,
        panel_height: 120 + 16 * n_bits,
        n_columns: 1,
    })
}
