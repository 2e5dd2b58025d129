//! A plant at some moments, side by side.

use crate::axis::Axis;
use crate::error::LookError;
use crate::picture::{Mark, Panel, Picture};
use crate::report::{Scene, SceneKind, SceneNumber, SceneShape, SceneValue};

/// Moments side by side.
const N_COLUMNS: usize = 6;

/// Width of a moment in pixels, without its margins.
const WIDTH: f64 = 160.0;

/// A moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// What stands above it.
    pub caption: String,
    /// Of the signals of the scene.
    pub signals: Vec<f64>,
    /// Of the episode.
    pub parameters: Vec<f64>,
}

/// Where a frame is: its origin, and how far it is turned.
#[derive(Clone, Copy, Debug, Default)]
struct Pose {
    x: f64,
    y: f64,
    angle: f64,
}

impl Pose {
    #[expect(clippy::disallowed_methods, reason = "places on paper, which enter no result")]
    fn place(self, (x, y): (f64, f64)) -> (f64, f64) {
        let (sin, cos) = self.angle.sin_cos();
        (self.x + cos * x - sin * y, self.y + sin * x + cos * y)
    }
}

/// The picture of a plant at each of some moments, as the page of a report plays it.
///
/// # Errors
/// [`LookError`] if there is no moment.
pub fn still(
    title: &str,
    subtitle: &str,
    scene: &Scene,
    moments: &[Moment],
) -> Result<Picture, LookError> {
    if moments.is_empty() {
        return Err(LookError::Nothing("no moment is within the episode"));
    }
    let [left, right, bottom, top] = scene.view;
    let panels = moments.iter().map(|moment| {
        let mut marks = drawn(scene, moment);
        marks.push(Mark::Label { y: top, text: moment.caption.clone() });
        let room = 0.08 * (top - bottom);
        Panel {
            x: Axis::bare("").over(left, right),
            y: Axis::bare("").over(bottom - room, top + room),
            marks,
        }
    });
    let panels: Vec<Panel> = panels.collect();
    let n_columns = N_COLUMNS.min(panels.len());
    // Lengths are the same in both directions.
    let height = 1.16 * WIDTH * ((top - bottom) / (right - left)).clamp(0.2, 4.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "some hundred pixels"
    )]
    let (width, panel_height) = ((WIDTH + 44.0) as u32 * n_columns as u32, height as u32 + 14);
    Ok(Picture {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        panels,
        width,
        panel_height,
        n_columns,
    })
}

/// All shapes at a moment; those that are nowhere are left out.
fn drawn(scene: &Scene, moment: &Moment) -> Vec<Mark> {
    let value = |number: &SceneNumber| {
        let term = |&(factor, list, index): &(f64, SceneValue, usize)| {
            let list = match list {
                SceneValue::Signal => &moment.signals,
                SceneValue::Parameter => &moment.parameters,
            };
            factor * list.get(index).copied().unwrap_or(f64::NAN)
        };
        number.offset + number.terms.iter().map(term).sum::<f64>()
    };
    let mut poses: Vec<Pose> = Vec::new();
    for frame in &scene.frames {
        let parent = frame.parent.and_then(|at| poses.get(at)).copied().unwrap_or_default();
        let (x, y) = parent.place((value(&frame.x), value(&frame.y)));
        poses.push(Pose { x, y, angle: parent.angle + value(&frame.angle) });
    }
    let pose = |at: Option<usize>| at.and_then(|at| poses.get(at)).copied().unwrap_or_default();
    let middle = pose(scene.follow);
    let mut marks = Vec::new();
    for shape in &scene.shapes {
        let numbers: Vec<f64> = shape.numbers.iter().map(value).collect();
        let pose = pose(shape.frame);
        let place = |point: (f64, f64)| {
            let (x, y) = pose.place(point);
            (x - middle.x, y - middle.y)
        };
        let is_sound = numbers.iter().chain([&pose.x, &pose.y, &pose.angle]).all(|n| n.is_finite());
        if is_sound {
            let head = 0.05 * (scene.view[1] - scene.view[0]);
            marks.extend(mark(shape, &numbers, head, place));
        }
    }
    marks
}

fn mark(
    shape: &SceneShape,
    numbers: &[f64],
    head: f64,
    place: impl Fn((f64, f64)) -> (f64, f64),
) -> Option<Mark> {
    let color = color_of(shape.role);
    let line = |points: Vec<(f64, f64)>| Mark::Stroke {
        color,
        opacity: 1.0,
        points: points.into_iter().map(&place).collect(),
    };
    let area = |points: Vec<(f64, f64)>| Mark::Area {
        color,
        points: points.into_iter().map(&place).collect(),
    };
    Some(match (shape.kind, numbers) {
        (SceneKind::Line, &[x1, y1, x2, y2]) if shape.role == "force" => {
            line(arrow((x1, y1), (x2, y2), head))
        }
        (SceneKind::Line, &[x1, y1, x2, y2]) => line(vec![(x1, y1), (x2, y2)]),
        (SceneKind::Polyline, numbers) => {
            line(numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
        }
        (SceneKind::Circle, &[x, y, radius]) => Mark::Disc { color, at: place((x, y)), radius },
        (SceneKind::Rect, &[x, y, width, height]) => {
            area(vec![(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
        }
        (SceneKind::Text, &[x, y, _]) => {
            let (x, y) = place((x, y));
            Mark::Text { x, y, text: shape.text.clone() }
        }
        _ => return None,
    })
}

/// A line with a head at its end; one that is too short to have a direction has none.
fn arrow(from: (f64, f64), to: (f64, f64), size: f64) -> Vec<(f64, f64)> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = (dx * dx + dy * dy).sqrt();
    if length < 0.1 * size {
        return vec![from, to];
    }
    let head = size.min(0.6 * length) / length;
    let (dx, dy) = (head * dx, head * dy);
    let left = (to.0 - dx - 0.6 * dy, to.1 - dy + 0.6 * dx);
    let right = (to.0 - dx + 0.6 * dy, to.1 - dy - 0.6 * dx);
    vec![from, to, left, to, right]
}

/// Positions in the list of colors.
fn color_of(role: &str) -> usize {
    match role {
        "moving" => 0,
        "target" => 2,
        "force" => 1,
        _ => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::SceneFrame;

    fn number(offset: f64, terms: &[(f64, usize)]) -> SceneNumber {
        let terms = terms.iter().map(|&(factor, at)| (factor, SceneValue::Signal, at)).collect();
        SceneNumber { offset, terms }
    }

    #[test]
    fn a_turned_frame_turns_what_is_in_it_and_the_view_follows() {
        let scene = Scene {
            view: [-2.0, 2.0, -1.0, 1.0],
            follow: Some(0),
            frames: vec![
                SceneFrame {
                    parent: None,
                    x: number(0.0, &[(1.0, 0)]),
                    y: number(0.0, &[]),
                    angle: number(0.0, &[]),
                },
                SceneFrame {
                    parent: Some(0),
                    x: number(0.0, &[]),
                    y: number(0.5, &[]),
                    angle: number(0.0, &[(1.0, 1)]),
                },
            ],
            shapes: vec![SceneShape {
                frame: Some(1),
                kind: SceneKind::Line,
                role: "moving",
                numbers: vec![
                    number(0.0, &[]),
                    number(0.0, &[]),
                    number(1.0, &[]),
                    number(0.0, &[]),
                ],
                text: String::new(),
            }],
        };
        let moment = |angle: f64| Moment {
            caption: "0 s".to_owned(),
            signals: vec![7.0, angle],
            parameters: vec![],
        };
        let marks = drawn(&scene, &moment(std::f64::consts::FRAC_PI_2));
        let [Mark::Stroke { points, .. }] = &marks[..] else { panic!("a line") };
        let [from, to] = points[..] else { panic!("two points") };
        assert_eq!(from, (0.0, 0.5));
        assert!(to.0.abs() < 1e-12 && (to.1 - 1.5).abs() < 1e-12, "{to:?}");
        assert_eq!(drawn(&scene, &moment(f64::NAN)), []);
        let picture = still("t", "s", &scene, &[moment(0.0), moment(1.0)]).unwrap();
        assert!(picture.svg().unwrap().contains("0 s") && picture.png().is_ok());
        assert!(still("t", "s", &scene, &[]).is_err());
    }
}
