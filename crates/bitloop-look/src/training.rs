//! A training over its evaluations, from the lines of its log.

use serde::Deserialize;

use crate::axis::Axis;
use crate::error::LookError;
use crate::picture::{Mark, Panel, Picture};

/// What is drawn of a line of the log.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct LogLine {
    event: String,
    run: u64,
    evaluations: u64,
    bits: u32,
    error: Option<f64>,
    validation_error: Option<f64>,
}

impl LogLine {
    /// Reads a line; none if it is none, as the last one of a training that was killed.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }
}

/// Training error and validation error over evaluations with the target, and the bits of a weight below.
///
/// # Errors
/// [`LookError`] if the log has no error yet.
pub fn training(title: &str, lines: &[LogLine], target: Option<f64>) -> Result<Picture, LookError> {
    if lines.iter().all(|line| line.error.is_none()) {
        return Err(LookError::Nothing("the training has no error yet"));
    }
    let at = |line: &LogLine| line.evaluations as f64;
    let positive = |error: Option<f64>| error.filter(|error| *error > 0.0).unwrap_or(f64::NAN);
    let mut errors: Vec<(f64, f64)> = Vec::new();
    let mut bits: Vec<(f64, f64)> = Vec::new();
    let mut last: Option<&LogLine> = None;
    for line in lines {
        if last.is_some_and(|last| last.run != line.run) {
            // A run begins anew.
            errors.push((at(line), f64::NAN));
            bits.push((at(line), f64::NAN));
        }
        // After the end of a run, a line is about the best run of all.
        if line.event == "run_finished" {
            continue;
        }
        errors.push((at(line), positive(line.error)));
        if let Some(last) = last.filter(|last| last.run == line.run && last.bits != line.bits) {
            bits.push((at(line), f64::from(last.bits)));
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
    let panels = vec![
        Panel { x: Axis::linear("evaluations"), y: Axis::log("error"), marks },
        Panel {
            x: Axis::linear("evaluations"),
            y: Axis::linear("bits of a weight"),
            marks: vec![Mark::Line { name: None, color: 2, points: bits }],
        },
    ];
    Ok(Picture {
        title: title.to_owned(),
        subtitle: String::new(),
        panels,
        width: 860,
        panel_height: 280,
    })
}
