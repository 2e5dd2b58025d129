//! A training over its evaluations, from the lines of its log.

use serde::Deserialize;

use crate::axis::Axis;
use crate::error::LookError;
use crate::logarithm::power;
use crate::picture::{Mark, Panel, Picture};

/// What is drawn of a line of the log.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct LogLine {
    event: String,
    run: u64,
    evaluations: u64,
    #[serde(default)]
    moves: u64,
    bits: u32,
    error: Option<f64>,
    validation_error: Option<f64>,
    #[serde(default)]
    wall_s: f64,
}

impl LogLine {
    /// Reads a line; none if it is none, as the last one of a training that was killed.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }
}

/// What a training is drawn over, and what is known of its network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrainingView {
    /// Seconds in the place of evaluations.
    pub over_seconds: bool,
    /// Whether powers of ten are evenly spaced along them.
    pub is_log: bool,
    /// The weights of the network, if they are known.
    pub n_weights: Option<usize>,
}

/// Training error and validation error over evaluations or seconds with the target; below them the bits of a weight, and how much
/// of the neighborhood the search looks at until it moves.
///
/// # Errors
/// [`LookError`] if the log has no error yet.
pub fn training(
    title: &str,
    lines: &[LogLine],
    target: Option<f64>,
    view: TrainingView,
) -> Result<Picture, LookError> {
    if lines.iter().all(|line| line.error.is_none()) {
        return Err(LookError::Nothing("the training has no error yet"));
    }
    let at = |line: &LogLine| {
        if view.over_seconds { line.wall_s } else { line.evaluations as f64 }
    };
    let positive = |error: Option<f64>| error.filter(|error| *error > 0.0).unwrap_or(f64::NAN);
    let mut errors: Vec<(f64, f64)> = Vec::new();
    let mut bits: Vec<(f64, f64)> = Vec::new();
    let mut looked: Vec<(f64, f64)> = Vec::new();
    let mut last: Option<&LogLine> = None;
    for line in lines {
        if last.is_some_and(|last| last.run != line.run) {
            // A run begins anew.
            errors.push((at(line), f64::NAN));
            bits.push((at(line), f64::NAN));
            looked.push((at(line), f64::NAN));
        }
        // After the end of a run, a line is about the best run of all.
        if line.event == "run_finished" {
            continue;
        }
        errors.push((at(line), positive(line.error)));
        if let Some(last) = last.filter(|last| last.run == line.run) {
            if last.bits != line.bits {
                bits.push((at(line), f64::from(last.bits)));
            }
            looked.extend(last.looked_at(line, view.n_weights).map(|share| (at(line), share)));
        }
        bits.push((at(line), f64::from(line.bits)));
        last = Some(line);
    }
    let validated = lines.iter().filter(|line| line.event == "validated");
    let validation: Vec<_> =
        validated.map(|line| (at(line), positive(line.validation_error))).collect();
    let mut marks = vec![Mark::Line { name: Some("training".into()), color: 0, points: errors }];
    if !validation.is_empty() {
        marks.push(Mark::Line { name: Some("validation".into()), color: 1, points: validation });
    }
    marks.extend(target.map(|value| Mark::Level { name: "target".to_owned(), value }));
    let x = || {
        let title = if view.over_seconds { "time [s]" } else { "evaluations" };
        if view.is_log { Axis::log(title) } else { Axis::linear(title) }
    };
    let below = |y: Axis, color: usize, points: Vec<(f64, f64)>| Panel {
        x: x(),
        y,
        marks: vec![Mark::Line { name: None, color, points }],
    };
    let mut panels = vec![
        Panel { x: x(), y: Axis::log("error"), marks },
        below(Axis::linear("bits of a weight"), 2, bits),
    ];
    if looked.iter().any(|point| point.1 > 0.0) {
        let what = match view.n_weights {
            Some(_) => "neighbors tried [%]",
            None => "evaluations a move",
        };
        panels.push(below(Axis::log(what), 3, looked));
    }
    // All panels begin and end together.
    let ends = panels.iter().flat_map(|panel| &panel.marks).flat_map(Mark::xs);
    if let Some((low, high)) = x().ends(ends) {
        let value = |end: f64| if view.is_log { power(end) } else { end };
        for panel in &mut panels {
            panel.x = x().over(value(low).max(0.0), value(high));
        }
    }
    Ok(Picture {
        title: title.to_owned(),
        subtitle: String::new(),
        panels,
        width: 860,
        panel_height: 250,
        n_columns: 1,
    })
}

impl LogLine {
    /// The share of the neighborhood that was tried for each move up to a later line, in percent, or how many evaluations where the number of
    /// weights is not known; none where nothing moved.
    fn looked_at(&self, later: &Self, n_weights: Option<usize>) -> Option<f64> {
        let (moves, tried) = (
            later.moves.checked_sub(self.moves).filter(|&moves| moves > 0)?,
            later.evaluations.checked_sub(self.evaluations)?,
        );
        let per_move = tried as f64 / moves as f64;
        let neighbors = |n: usize| (n as f64) * f64::from(later.bits);
        Some(n_weights.map_or(per_move, |n| 100.0 * per_move / neighbors(n)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_gives_errors_bits_and_the_neighbors_that_were_tried() {
        let line = |evaluations: u64, moves: u64, error: f64| {
            let text = format!(
                r#"{{"event":"moved","run":1,"evaluations":{evaluations},"moves":{moves},"bits":2,"error":{error},"wall_s":{}}}"#,
                evaluations as f64 / 100.0
            );
            LogLine::parse(&text).unwrap()
        };
        let lines = [line(1, 0, 1.0), line(11, 1, 0.5), line(111, 3, 0.1)];
        let of = |view| training("t", &lines, Some(0.2), view).unwrap();
        let usual = of(TrainingView { n_weights: Some(50), ..TrainingView::default() });
        let [_, _, Panel { marks, y, .. }] = &usual.panels[..] else { panic!("three panels") };
        assert_eq!(y.title, "neighbors tried [%]");
        let [Mark::Line { points, .. }] = &marks[..] else { panic!("a line") };
        // 10 and 50 evaluations a move of 100 neighbors.
        assert_eq!(points[..], [(11.0, 10.0), (111.0, 50.0)]);
        let over_time = of(TrainingView { over_seconds: true, is_log: true, n_weights: None });
        assert!(over_time.panels.iter().all(|panel| panel.x.title == "time [s]" && panel.x.is_log));
        assert_eq!(over_time.panels[2].y.title, "evaluations a move");
        assert!(usual.svg().is_ok() && over_time.svg().is_ok());
        assert!(training("t", &[], None, TrainingView::default()).is_err());
    }
}
