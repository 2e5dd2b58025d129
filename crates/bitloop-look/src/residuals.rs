//! What a model answers beside what is so.

use crate::axis::Axis;
use crate::error::LookError;
use crate::picture::{LEVEL_COLOR, Mark, Panel, Picture};

/// The most rows that are drawn.
const MOST_DOTS: usize = 1500;

/// Answers over true values, and what they are off by over the answers: `(true value, answer)` of each row.
///
/// # Errors
/// [`LookError`] if no row has two finite numbers.
pub fn residuals(title: &str, rows: &[(f64, f64)]) -> Result<Picture, LookError> {
    let finite: Vec<(f64, f64)> =
        rows.iter().copied().filter(|row| row.0.is_finite() && row.1.is_finite()).collect();
    let nothing = LookError::Nothing("no row has a finite answer");
    let both = finite.iter().flat_map(|row| [row.0, row.1]);
    let (low, high) = Axis::linear("").ends(both).ok_or(nothing)?;
    let every = finite.len().div_ceil(MOST_DOTS);
    let mut shown: Vec<(f64, f64)> = finite.iter().copied().step_by(every).collect();
    // Whatever is left out, the worst is there.
    let off = |row: &(f64, f64)| (row.1 - row.0).abs();
    shown.extend(finite.iter().copied().max_by(|a, b| off(a).total_cmp(&off(b))));
    let which = if every > 1 {
        format!("{} of {} rows, and the worst", shown.len() - 1, rows.len())
    } else {
        format!("{} rows", rows.len())
    };
    let equal =
        Mark::Line { name: None, color: LEVEL_COLOR, points: vec![(low, low), (high, high)] };
    let residuals = shown.iter().map(|row| (row.1, row.1 - row.0)).collect();
    let level =
        Mark::Line { name: None, color: LEVEL_COLOR, points: vec![(low, 0.0), (high, 0.0)] };
    let panels = vec![
        Panel {
            x: Axis::linear("value").over(low, high),
            y: Axis::linear("answer").over(low, high),
            marks: vec![equal, Mark::Pale { color: 0, points: shown }],
        },
        Panel {
            x: Axis::linear("answer").over(low, high),
            y: Axis::linear("answer - value"),
            marks: vec![level, Mark::Pale { color: 0, points: residuals }],
        },
    ];
    Ok(Picture {
        title: title.to_owned(),
        subtitle: which,
        panels,
        width: 860,
        panel_height: 380,
        n_columns: 2,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_rows_are_thinned_and_keep_the_worst() {
        let mut rows: Vec<(f64, f64)> =
            (0..10_000).map(|row| (f64::from(row), f64::from(row % 7) + f64::from(row))).collect();
        rows[4321].1 = 1e6;
        rows.push((f64::NAN, 1.0));
        let picture = residuals("y", &rows).unwrap();
        assert_eq!(picture.subtitle, "1429 of 10001 rows, and the worst");
        let Mark::Pale { points, .. } = &picture.panels[1].marks[1] else { panic!("dots") };
        assert!(points.contains(&(1e6, 1e6 - 4321.0)));
        assert!(picture.svg().unwrap().contains("answer - value"));
        assert!(residuals("y", &[(f64::NAN, 1.0)]).is_err());
    }
}
