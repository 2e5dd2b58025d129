//! What trainings have reached after so many evaluations, variant by variant.

use crate::axis::Axis;
use crate::error::LookError;
use crate::logarithm::{log10, power};
use crate::picture::{Mark, Panel, Picture};

/// Places along the evaluations at which trainings are compared.
const N_PLACES: u32 = 240;

/// A variant of a campaign.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvergenceVariant {
    /// Its name.
    pub name: String,
    /// Of each training, the error of its best candidate from so many evaluations on, in order of evaluations.
    pub trainings: Vec<Vec<(u64, f64)>>,
    /// The most evaluations of a training.
    pub most_evaluations: u64,
}

/// The median over the trainings of each variant, and the half of them in the middle, over evaluations.
///
/// # Errors
/// [`LookError`] if fewer than half of the trainings of each variant have a finite error.
pub fn convergence(
    title: &str,
    subtitle: &str,
    variants: &[ConvergenceVariant],
) -> Result<Picture, LookError> {
    let all = || variants.iter().flat_map(|variant| &variant.trainings);
    let first = all().filter_map(|training| Some(training.first()?.0)).min().unwrap_or(1).max(1);
    let last = variants.iter().map(|variant| variant.most_evaluations).max().unwrap_or(0);
    let (low, high) = (log10(first as f64), log10((last as f64).max(2.0 * first as f64)));
    let place = |index: u32| power(low + f64::from(index) * (high - low) / f64::from(N_PLACES));
    let (mut marks, mut lines) = (Vec::new(), Vec::new());
    for (color, variant) in variants.iter().enumerate() {
        let (mut bands, mut medians) = (Vec::new(), Vec::new());
        for evaluations in (0..=N_PLACES).map(place) {
            // Rounding must not hide what was found at the very place.
            let reached = |training: &Vec<(u64, f64)>| {
                let found = training.iter().take_while(|point| point.0 as f64 <= evaluations + 0.5);
                found.last().map_or(f64::INFINITY, |point| point.1)
            };
            let mut errors: Vec<f64> = variant.trainings.iter().map(reached).collect();
            errors.sort_by(f64::total_cmp);
            let [lower, median, upper] = [0.25, 0.5, 0.75].map(|share| quantile(&errors, share));
            medians.push((evaluations, median));
            bands.push((evaluations, lower, upper));
        }
        if medians.iter().all(|point| !point.1.is_finite()) {
            continue;
        }
        marks.push(Mark::Band { name: None, color, points: bands });
        let n = variant.trainings.len();
        lines.push(Mark::Line {
            name: Some(format!("{} ({n})", variant.name)),
            color,
            points: medians,
        });
    }
    // Bands cover no line.
    marks.extend(lines);
    if marks.is_empty() {
        return Err(LookError::Nothing("not half of the trainings have found anything"));
    }
    let x = Axis::log("evaluations").over(power(low), power(high));
    let panels = vec![Panel { x, y: Axis::log("error of the best so far"), marks }];
    Ok(Picture {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        panels,
        width: 760,
        panel_height: 440,
        n_columns: 1,
    })
}

/// A value of a sorted list, with so large a share below it: one of the list, so that what is not finite does not spread.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::INFINITY };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to last")]
    let at = (share * last as f64).round() as usize;
    sorted[at]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_falls_as_trainings_find_better_ones() {
        let variant = |trainings: Vec<Vec<(u64, f64)>>| ConvergenceVariant {
            name: "v".to_owned(),
            trainings,
            most_evaluations: 1000,
        };
        let three = variant(vec![
            vec![(10, 1.0), (100, 0.1)],
            vec![(10, 2.0)],
            vec![(10, 3.0), (500, 0.2)],
        ]);
        let picture = convergence("t", "s", &[three]).unwrap();
        let [_, Mark::Line { name, points, .. }] = &picture.panels[0].marks[..] else {
            panic!("a band and a line")
        };
        assert_eq!(name.as_deref(), Some("v (3)"));
        let at = |evaluations: f64| {
            points.iter().rfind(|point| point.0 <= evaluations * 1.001).map(|point| point.1)
        };
        assert_eq!([at(10.0), at(400.0), at(1000.0)], [Some(2.0), Some(2.0), Some(0.2)]);
        assert!(picture.svg().unwrap().contains("error of the best so far"));
        let nothing = convergence("t", "s", &[variant(vec![vec![], vec![]])]);
        assert!(matches!(nothing, Err(LookError::Nothing(_))));
    }
}
