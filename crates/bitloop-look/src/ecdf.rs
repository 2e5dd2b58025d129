//! How many trainings of a campaign have succeeded after so many evaluations.

use crate::axis::Axis;
use crate::error::LookError;
use crate::picture::{Mark, Panel, Picture};

/// A variant of a campaign.
#[derive(Clone, Debug, PartialEq)]
pub struct EcdfVariant {
    /// Its name.
    pub name: String,
    /// Evaluations to each success.
    pub successes_at: Vec<u64>,
    /// Successes or not.
    pub n_trainings: usize,
    /// The most evaluations of a training.
    pub most_evaluations: u64,
}

/// The share of successful trainings over evaluations, with its interval: `interval` gives that of `(successes, trainings)`.
///
/// # Errors
/// [`LookError`] if no training is finished.
pub fn ecdf(
    title: &str,
    subtitle: &str,
    variants: &[EcdfVariant],
    interval: impl Fn(usize, usize) -> [f64; 2],
) -> Result<Picture, LookError> {
    if variants.iter().all(|variant| variant.n_trainings == 0) {
        return Err(LookError::Nothing("no training is finished"));
    }
    let all = variants.iter().flat_map(|variant| &variant.successes_at);
    let first = all.min().copied();
    let most = variants.iter().map(|variant| variant.most_evaluations).max().unwrap_or(0).max(1);
    // Without any success the axis has nothing to begin with.
    let start = first.map_or(1.0, |first| (0.5 * first as f64).max(1.0));
    let end = (most as f64).max(2.0 * start);
    let (mut marks, mut lines) = (Vec::new(), Vec::new());
    for (color, variant) in variants.iter().enumerate().filter(|(_, one)| one.n_trainings > 0) {
        let mut times: Vec<f64> = variant.successes_at.iter().map(|&at| at as f64).collect();
        times.sort_by(f64::total_cmp);
        let n = variant.n_trainings;
        let mut steps = vec![(start, 0)];
        for (position, &time) in times.iter().enumerate() {
            steps.push((time.max(start), position));
            steps.push((time.max(start), position + 1));
        }
        steps.push((end, times.len()));
        let bands = steps.iter().map(|&(time, successes)| {
            let [low, high] = interval(successes, n);
            (time, low, high)
        });
        marks.push(Mark::Band { name: None, color, points: bands.collect() });
        let points = steps.iter().map(|&(time, successes)| (time, successes as f64 / n as f64));
        let name = format!("{} ({} of {n})", variant.name, times.len());
        lines.push(Mark::Line { name: Some(name), color, points: points.collect() });
    }
    // Bands cover no line.
    marks.extend(lines);
    let x = Axis::log("evaluations").over(start, end);
    let y = Axis::linear("share of trainings").over(0.0, 1.02);
    let panels = vec![Panel { x, y, marks }];
    Ok(Picture {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        panels,
        width: 760,
        panel_height: 420,
        n_columns: 1,
    })
}
