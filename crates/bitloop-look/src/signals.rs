//! Signals over time, and two of them against each other.

use crate::axis::Axis;
use crate::error::LookError;
use crate::picture::{Mark, Panel, Picture};
use crate::thin::Thinned;

/// A signal of a closed loop over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// Its name.
    pub name: String,
    /// Its unit, or nothing.
    pub unit: String,
    /// Of one episode.
    pub episode: Thinned,
    /// Of all episodes, if they are shown.
    pub all: Option<Thinned>,
    /// Whether a value is held until the next one.
    pub is_held: bool,
    /// Bounds of actuation that are shown.
    pub bounds: Vec<f64>,
}

/// A panel for each signal, over time.
///
/// # Errors
/// [`LookError`] if there is no signal.
pub fn signals(
    title: &str,
    episode: &str,
    all: &str,
    signals: &[Signal],
) -> Result<Picture, LookError> {
    if signals.iter().all(|signal| signal.episode.is_empty()) {
        return Err(LookError::Nothing("no sample is a finite number"));
    }
    // A signal without numbers has no axis.
    let shown: Vec<_> = signals.iter().filter(|signal| !signal.episode.is_empty()).collect();
    let panels = shown.iter().enumerate().map(|(position, signal)| {
        let first = position == 0;
        let mut marks = Vec::new();
        if let Some(band) = &signal.all {
            let name = first.then(|| all.to_owned());
            marks.push(Mark::Band { name, color: 0, points: band.bands() });
        }
        let name = first.then(|| episode.to_owned());
        let line = signal.episode.line();
        let points = if signal.is_held { held(&line) } else { line };
        marks.push(Mark::Line { name, color: 0, points });
        let bounds = signal.bounds.iter().filter(|bound| bound.is_finite());
        marks.extend(bounds.map(|&value| Mark::Level { name: "limit".to_owned(), value }));
        let y = Axis::linear(Axis::titled(&signal.name, &signal.unit));
        // The time is the same for all.
        let x = if position + 1 == shown.len() { "time [s]" } else { "" };
        let x = Axis::linear(x).over(0.0, signal.episode.end());
        Panel { x, y, marks }
    });
    let panels = panels.collect();
    Ok(Picture {
        title: title.to_owned(),
        subtitle: String::new(),
        panels,
        width: 860,
        panel_height: 190,
        n_columns: 1,
    })
}

/// A line that keeps each value until the next one.
fn held(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut steps: Vec<(f64, f64)> = Vec::with_capacity(2 * points.len());
    for &(time, value) in points {
        let before = steps.last().map(|last| (time, last.1));
        steps.extend(before);
        steps.push((time, value));
    }
    steps
}

/// The path of an episode in the plane of two signals.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseEpisode {
    /// Its name.
    pub name: String,
    /// `(x, y)`, in order of time.
    pub points: Vec<(f64, f64)>,
}

/// Least distance between two points of a path, as a part of the plane: less than a pixel.
const LEAST: f64 = 1e-3;

/// Paths in the plane of two signals, each a name and a unit.
///
/// # Errors
/// [`LookError`] if there is no path.
pub fn phase(
    title: &str,
    x: (&str, &str),
    y: (&str, &str),
    episodes: &[PhaseEpisode],
) -> Result<Picture, LookError> {
    if episodes.iter().all(|episode| episode.points.is_empty()) {
        return Err(LookError::Nothing("no episode has a sample"));
    }
    let axes = [Axis::linear(Axis::titled(x.0, x.1)), Axis::linear(Axis::titled(y.0, y.1))];
    let points = || episodes.iter().flat_map(|episode| &episode.points);
    let spans =
        [axes[0].ends(points().map(|point| point.0)), axes[1].ends(points().map(|point| point.1))];
    let [Some(x_ends), Some(y_ends)] = spans else {
        return Err(LookError::Nothing("no sample is a finite number"));
    };
    let (width, height) = (x_ends.1 - x_ends.0, y_ends.1 - y_ends.0);
    let marks = episodes.iter().enumerate().map(|(color, episode)| {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for &(x, y) in &episode.points {
            let is_far = points.last().is_none_or(|last| {
                let near =
                    (x - last.0).abs() < LEAST * width && (y - last.1).abs() < LEAST * height;
                !near
            });
            if is_far {
                points.push((x, y));
            }
        }
        Mark::Line { name: Some(episode.name.clone()), color, points }
    });
    let marks = marks.collect();
    let [x, y] = axes;
    let panels = vec![Panel { x, y, marks }];
    Ok(Picture {
        title: title.to_owned(),
        subtitle: String::new(),
        panels,
        width: 680,
        panel_height: 520,
        n_columns: 1,
    })
}
