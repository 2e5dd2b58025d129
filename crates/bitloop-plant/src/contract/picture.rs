//! The optional part [`PICTURE_PART`]: what a plant looks like.
//!
//! Comments become those of the C header, so they are written for authors of plants in either language.

use std::ffi::{CStr, c_char};

/// The id of the optional part that is a `BitloopPicturePart`.
pub const PICTURE_PART: &CStr = c"bitloop.picture.1";

/// What a term of a picture multiplies: a state.
pub const PICTURE_STATE: u32 = 1;
/// What a term of a picture multiplies: an observation.
pub const PICTURE_OBSERVATION: u32 = 2;
/// What a term of a picture multiplies: a control, as the plant gets it.
pub const PICTURE_CONTROL: u32 = 3;
/// What a term of a picture multiplies: a parameter.
pub const PICTURE_PARAMETER: u32 = 4;

/// Shape: a line, `x1, y1, x2, y2`.
pub const SHAPE_LINE: u32 = 1;
/// Shape: a circle, `x, y` of its center and the radius.
pub const SHAPE_CIRCLE: u32 = 2;
/// Shape: a rectangle, `x, y` of its lower left corner, width and height.
pub const SHAPE_RECT: u32 = 3;
/// Shape: a line through 2 to 64 points, `x1, y1, x2, y2, ...`.
pub const SHAPE_POLYLINE: u32 = 4;
/// Shape: a text, `x, y` of its middle and the height of its letters.
pub const SHAPE_TEXT: u32 = 5;

/// Role: what stays where it is, such as rails, walls, pivots.
pub const ROLE_GROUND: u32 = 1;
/// Role: a body that is carried along.
pub const ROLE_BODY: u32 = 2;
/// Role: what is to be watched.
pub const ROLE_MOVING: u32 = 3;
/// Role: where it is to be.
pub const ROLE_TARGET: u32 = 4;
/// Role: what the controller does; lines are arrows.
pub const ROLE_FORCE: u32 = 5;

/// A value of the plant times a factor; all zeros where there is none.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct RawTerm {
    /// What the value is multiplied by.
    pub factor: f64,
    /// `BITLOOP_PICTURE_...`, or 0, after which no more terms follow.
    pub kind: u32,
    /// The position of the value in its vector.
    pub index: u32,
}

/// A number of a picture: `offset` and the sum of the terms.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct RawNumber {
    /// The number where all values are 0.
    pub offset: f64,
    /// Those that are used come first.
    pub terms: [RawTerm; 4],
}

/// A moving system of coordinates: turned by `angle` about its origin.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawFrame {
    /// The frame that it moves in, which comes before it: frames count from 1, and 0 is the plane.
    pub parent: u64,
    /// Of the origin, in the parent.
    pub x: RawNumber,
    /// Of the origin, in the parent; upward.
    pub y: RawNumber,
    /// Counterclockwise, in radians.
    pub angle: RawNumber,
}

/// Something that is drawn.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawShape {
    /// The frame that it moves with: frames count from 1, and 0 is the plane.
    pub frame: u32,
    /// `BITLOOP_SHAPE_...`
    pub kind: u32,
    /// `BITLOOP_ROLE_...`
    pub role: u32,
    /// As many as its kind has.
    pub n_numbers: u32,
    /// `[n_numbers]`
    pub numbers: *const RawNumber,
    /// Of `BITLOOP_SHAPE_TEXT`, at most `BITLOOP_MAX_NAME_BYTES`; null for others.
    pub text: *const c_char,
}

/// What a plant looks like. Lengths are in a unit of the author's choice, x to the right and y upward.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawPicture {
    /// `sizeof(BitloopPicture)`.
    pub struct_size: u32,
    /// Number of frames, at most 64.
    pub n_frames: u32,
    /// Number of shapes, from 1 to 256, with at most 4096 numbers in all.
    pub n_shapes: u32,
    /// The frame whose origin stays in the middle of the view; 0 where the view does not move.
    pub follow: u32,
    /// The left edge of what is shown, relative to the frame that is followed.
    pub left: f64,
    /// The right edge.
    pub right: f64,
    /// The lower edge.
    pub bottom: f64,
    /// The upper edge.
    pub top: f64,
    /// `[n_frames]`, each after its parent.
    pub frames: *const RawFrame,
    /// `[n_shapes]`; later ones are drawn over earlier ones.
    pub shapes: *const RawShape,
}

/// The optional part "bitloop.picture.1", which stays as long as the program runs.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct PicturePart {
    /// `sizeof(BitloopPicturePart)`.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// The picture of the plant with these structural parameters; called and answered as `describe`, but null with an empty
    /// message where there is none.
    pub picture: Option<
        unsafe extern "C" fn(
            structure: *const u64,
            n_structure: u32,
            message: *mut c_char,
            message_size: u32,
        ) -> *const RawPicture,
    >,
    /// Takes back a picture, once for each that `picture` returned. May be null where there is nothing to free.
    pub release_picture: Option<unsafe extern "C" fn(picture: *const RawPicture)>,
}
