//! Cuts through an objective: its value over one weight after another.

use crate::axis::Axis;
use crate::error::LookError;
use crate::picture::{Mark, Panel, Picture};

/// Panels side by side.
const N_COLUMNS: usize = 4;

/// A cut along one weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// What varies.
    pub name: String,
    /// `(weight, error)`, in order of the weight.
    pub points: Vec<(f64, f64)>,
    /// Where the weights are.
    pub at: (f64, f64),
}

/// A panel for each cut, all with the same axis of errors.
///
/// # Errors
/// [`LookError`] if no error is finite and above 0.
pub fn cuts(title: &str, subtitle: &str, what: &str, cuts: &[Cut]) -> Result<Picture, LookError> {
    let y = Axis::log(what);
    let errors = cuts.iter().flat_map(|cut| &cut.points).map(|point| point.1);
    let nothing = LookError::Nothing("no error is finite and above 0");
    let (low, high) = y.ends(errors).ok_or(nothing)?;
    let (low, high) = (crate::logarithm::power(low), crate::logarithm::power(high));
    let panels = cuts.iter().map(|cut| Panel {
        x: Axis::linear(cut.name.as_str()),
        y: y.clone().over(low, high),
        marks: vec![
            Mark::Line { name: None, color: 0, points: cut.points.clone() },
            Mark::Dots { name: String::new(), color: 1, points: vec![cut.at] },
        ],
    });
    Ok(Picture {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        panels: panels.collect(),
        width: 1120,
        panel_height: 210,
        n_columns: N_COLUMNS.min(cuts.len().max(1)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_cuts_have_one_scale_and_panels_are_side_by_side() {
        let cut = |name: &str, error: f64| Cut {
            name: name.to_owned(),
            points: vec![(-1.0, error), (0.0, 0.01), (1.0, f64::INFINITY)],
            at: (0.0, 0.01),
        };
        let all: Vec<Cut> = (0..5).map(|at| cut(&format!("w{at}"), 1.0 + f64::from(at))).collect();
        let picture = cuts("t", "s", "error", &all).unwrap();
        assert!(picture.panels.iter().all(|panel| panel.y == picture.panels[0].y));
        let svg = picture.svg().unwrap();
        assert!((0..5).all(|at| svg.contains(&format!("w{at}"))));
        // Two rows of panels.
        assert!(svg.contains("height=\"472\""), "{}", &svg[..200]);
        assert!(cuts("t", "s", "error", &[cut("w", f64::NAN)]).is_ok());
        assert!(cuts("t", "s", "error", &[]).is_err());
    }
}
