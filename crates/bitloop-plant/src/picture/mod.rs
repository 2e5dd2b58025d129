//! [`Picture`]: what a plant looks like, as shapes that move with its state.
//!
//! A picture is data, never code: nested frames, and shapes in them, each number of which is [affine](Affine) in states,
//! observations, controls and parameters. Frames rotate, so that a rod needs no sine. Shapes have roles and no colors: who draws
//! them chooses what can be told apart on the background at hand. It is an optional part of the plant contract, and no equation
//! depends on it.

mod affine;
mod check;
mod place;

pub use affine::{Affine, Kind, Term, control, observation, parameter, state};
pub use check::{MAX_PICTURE_FRAMES, MAX_PICTURE_NUMBERS, MAX_PICTURE_SHAPES, MAX_PICTURE_TERMS};
pub use place::{Placed, Values};

/// What a plant looks like. Lengths are in a unit of the author's choice, x to the right and y upward, angles in radians,
/// counterclockwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// What is shown.
    pub view: View,
    /// The frame whose origin stays in the middle of the view, if any: for plants that travel.
    pub follow: Option<usize>,
    /// Each after its parent.
    pub frames: Vec<Frame>,
    /// Later ones are drawn over earlier ones.
    pub shapes: Vec<Shape>,
}

/// The part of the plane that is shown. Where the view follows a frame, it is relative to that frame's origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The left edge.
    pub left: f64,
    /// The right edge.
    pub right: f64,
    /// The lower edge.
    pub bottom: f64,
    /// The upper edge.
    pub top: f64,
}

/// A moving system of coordinates: turned by `angle` about its origin, which is at (`x`, `y`) of its parent.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The position of an earlier frame, or the plane itself.
    pub parent: Option<usize>,
    /// Of the origin, in the parent.
    pub x: Affine,
    /// Of the origin, in the parent.
    pub y: Affine,
    /// Counterclockwise, in radians.
    pub angle: Affine,
}

/// Something that is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The frame that it moves with, or the plane itself.
    pub frame: Option<usize>,
    /// What it is.
    pub kind: ShapeKind,
    /// What it stands for.
    pub role: Role,
    /// As many as its kind has.
    pub numbers: Vec<Affine>,
    /// Of [`ShapeKind::Text`] alone: at most [`MAX_NAME_BYTES`](crate::MAX_NAME_BYTES) bytes.
    pub text: String,
}

/// What is drawn. A number of a shape that comes out negative is a length in the other direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShapeKind {
    /// From one point to another: `x1, y1, x2, y2`.
    Line,
    /// `x, y` of the center, and the radius.
    Circle,
    /// `x, y` of the lower left corner, width and height.
    Rect,
    /// From 2 to 64 points: `x1, y1, x2, y2, ...`.
    Polyline,
    /// A text in the middle of `x, y`, and the height of its letters.
    Text,
}

/// What a shape stands for, which decides how it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// What stays where it is: rails, walls, pivots.
    Ground,
    /// A body of the plant that is carried along.
    Body,
    /// What is to be watched.
    Moving,
    /// Where it is to be.
    Target,
    /// What the controller does; lines are arrows.
    Force,
}

impl Picture {
    /// A picture of this part of the plane, without shapes.
    #[must_use]
    pub fn new(left: f64, right: f64, bottom: f64, top: f64) -> Self {
        let view = View { left, right, bottom, top };
        Self { view, follow: None, frames: Vec::new(), shapes: Vec::new() }
    }

    /// Adds a frame, and returns its position.
    pub fn frame(
        &mut self,
        parent: Option<usize>,
        x: impl Into<Affine>,
        y: impl Into<Affine>,
        angle: impl Into<Affine>,
    ) -> usize {
        self.frames.push(Frame { parent, x: x.into(), y: y.into(), angle: angle.into() });
        self.frames.len() - 1
    }

    /// Adds a shape to a frame, or to the plane.
    pub fn add(&mut self, frame: Option<usize>, shape: Shape) {
        self.shapes.push(Shape { frame, ..shape });
    }
}

impl Shape {
    /// A line from one point to another.
    pub fn line<A: Into<Affine>, B: Into<Affine>, C: Into<Affine>, D: Into<Affine>>(
        role: Role,
        from: (A, B),
        to: (C, D),
    ) -> Self {
        let numbers = vec![from.0.into(), from.1.into(), to.0.into(), to.1.into()];
        Self::of(ShapeKind::Line, role, numbers)
    }

    /// A circle about a point.
    pub fn circle<A: Into<Affine>, B: Into<Affine>>(
        role: Role,
        center: (A, B),
        radius: impl Into<Affine>,
    ) -> Self {
        Self::of(ShapeKind::Circle, role, vec![center.0.into(), center.1.into(), radius.into()])
    }

    /// A rectangle by its lower left corner, its width and its height.
    pub fn rect<A: Into<Affine>, B: Into<Affine>, C: Into<Affine>, D: Into<Affine>>(
        role: Role,
        corner: (A, B),
        size: (C, D),
    ) -> Self {
        let numbers = vec![corner.0.into(), corner.1.into(), size.0.into(), size.1.into()];
        Self::of(ShapeKind::Rect, role, numbers)
    }

    /// A line through points.
    #[must_use]
    pub fn polyline(role: Role, points: Vec<[Affine; 2]>) -> Self {
        Self::of(ShapeKind::Polyline, role, points.into_iter().flatten().collect())
    }

    /// A text in the middle of a point.
    pub fn text<A: Into<Affine>, B: Into<Affine>>(
        role: Role,
        at: (A, B),
        height: impl Into<Affine>,
        text: &str,
    ) -> Self {
        let numbers = vec![at.0.into(), at.1.into(), height.into()];
        Self { text: text.to_owned(), ..Self::of(ShapeKind::Text, role, numbers) }
    }

    const fn of(kind: ShapeKind, role: Role, numbers: Vec<Affine>) -> Self {
        Self { frame: None, kind, role, numbers, text: String::new() }
    }
}

impl ShapeKind {
    /// All kinds, in the order of their codes, which count from 1.
    pub const ALL: [Self; 5] = [Self::Line, Self::Circle, Self::Rect, Self::Polyline, Self::Text];

    /// As the plant contract has it.
    #[must_use]
    pub const fn code(self) -> u32 {
        self as u32 + 1
    }

    /// The kind with a code.
    #[must_use]
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

impl Role {
    /// All roles, in the order of their codes, which count from 1.
    pub const ALL: [Self; 5] = [Self::Ground, Self::Body, Self::Moving, Self::Target, Self::Force];

    /// As the plant contract has it.
    #[must_use]
    pub const fn code(self) -> u32 {
        self as u32 + 1
    }

    /// The role with a code.
    #[must_use]
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.code() == code)
    }

    /// In lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ground => "ground",
            Self::Body => "body",
            Self::Moving => "moving",
            Self::Target => "target",
            Self::Force => "force",
        }
    }
}
