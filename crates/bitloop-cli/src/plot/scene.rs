//! The picture of a plant as a page has it.

use bitloop_look::{Scene, SceneFrame, SceneKind, SceneNumber, SceneShape, SceneValue};
use bitloop_plant::picture::{Affine, Frame, Picture, Shape, ShapeKind, View};

use super::signals::{Signals, source_of};

/// The picture with positions of signals in the place of those of the plant's vectors.
pub fn scene(picture: &Picture, signals: &Signals) -> Scene {
    let View { left, right, bottom, top } = picture.view;
    let number = |number: &Affine| SceneNumber {
        offset: number.offset,
        terms: number
            .terms
            .iter()
            .filter_map(|term| {
                let (list, index) = match source_of(term.kind, term.index) {
                    Some(source) => (SceneValue::Signal, signals.position(source)?),
                    None => (SceneValue::Parameter, term.index),
                };
                Some((term.factor, list, index))
            })
            .collect(),
    };
    let frame = |frame: &Frame| SceneFrame {
        parent: frame.parent,
        x: number(&frame.x),
        y: number(&frame.y),
        angle: number(&frame.angle),
    };
    let shape = |shape: &Shape| SceneShape {
        frame: shape.frame,
        kind: match shape.kind {
            ShapeKind::Line => SceneKind::Line,
            ShapeKind::Circle => SceneKind::Circle,
            ShapeKind::Rect => SceneKind::Rect,
            ShapeKind::Polyline => SceneKind::Polyline,
            ShapeKind::Text => SceneKind::Text,
        },
        role: shape.role.name(),
        numbers: shape.numbers.iter().map(number).collect(),
        text: shape.text.clone(),
    };
    Scene {
        view: [left, right, bottom, top],
        follow: picture.follow,
        frames: picture.frames.iter().map(frame).collect(),
        shapes: picture.shapes.iter().map(shape).collect(),
    }
}
