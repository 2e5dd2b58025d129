//! [`Scene`]: the picture of a plant, with numbers of the page in the place of the plant's.

use serde::Serialize;

/// Frames, and shapes in them; x to the right, y upward, angles counterclockwise in radians.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scene {
    /// Left, right, lower and upper edge.
    pub view: [f64; 4],
    /// The frame that stays in the middle.
    pub follow: Option<usize>,
    /// Each after its parent.
    pub frames: Vec<SceneFrame>,
    /// In the order in which they are drawn.
    pub shapes: Vec<SceneShape>,
}

/// A moving system of coordinates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SceneFrame {
    /// An earlier frame, or the plane.
    pub parent: Option<usize>,
    /// Of its origin.
    pub x: SceneNumber,
    /// Of its origin.
    pub y: SceneNumber,
    /// How far it is turned.
    pub angle: SceneNumber,
}

/// Something that is drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SceneShape {
    /// The frame that it is in, or the plane.
    pub frame: Option<usize>,
    /// What it is.
    pub kind: SceneKind,
    /// The class of its colors: `ground`, `body`, `moving`, `target` or `force`.
    pub role: &'static str,
    /// As many as the kind has.
    pub numbers: Vec<SceneNumber>,
    /// Of a text.
    pub text: String,
}

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SceneKind {
    /// `x1, y1, x2, y2`
    Line,
    /// `x, y, radius`
    Circle,
    /// `x, y, width, height`
    Rect,
    /// `x1, y1, x2, y2, ...`
    Polyline,
    /// `x, y, height`
    Text,
}

/// `offset + sum of factor * value`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SceneNumber {
    /// Where all values are 0.
    pub offset: f64,
    /// Factor, list and position of each value.
    pub terms: Vec<(f64, SceneValue, usize)>,
}

/// A list of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SceneValue {
    /// Of the signals of the page.
    Signal,
    /// Of the parameters of the episode.
    Parameter,
}
