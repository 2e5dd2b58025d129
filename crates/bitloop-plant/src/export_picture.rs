//! The picture of a plant written in Rust, as a host reads it.

#![allow(unsafe_code, reason = "raw pointers of the plant boundary")]

use std::ffi::{CStr, CString, c_char, c_void};

use crate::answer::{answer, count};
use crate::contract::{
    PICTURE_PART, PicturePart, RawFrame, RawNumber, RawPicture, RawShape, RawTerm, struct_size_of,
};
use crate::described::described;
use crate::description::DescriptionError;
use crate::picture::{Affine, Frame, MAX_PICTURE_TERMS, Picture, Shape};
use crate::plant::Plant;

/// The optional parts of a plant written in Rust: its picture.
pub(crate) unsafe extern "C" fn optional_part<P: Plant>(id: *const c_char) -> *const c_void {
    // SAFETY: the host lends a text ended by 0.
    if id.is_null() || unsafe { CStr::from_ptr(id) } != PICTURE_PART {
        return std::ptr::null();
    }
    let part: &'static PicturePart = const {
        &PicturePart {
            struct_size: struct_size_of::<PicturePart>(),
            reserved: 0,
            picture: Some(picture::<P>),
            release_picture: Some(release_picture),
        }
    };
    std::ptr::from_ref(part).cast()
}

/// A picture and what it points to. The part that the host sees comes first, so that its address is that of the whole.
#[repr(C)]
struct Owned {
    raw: RawPicture,
    _frames: Vec<RawFrame>,
    _shapes: Vec<RawShape>,
    _numbers: Vec<Vec<RawNumber>>,
    _texts: Vec<CString>,
}

unsafe extern "C" fn picture<P: Plant>(
    structure: *const u64,
    n_structure: u32,
    message: *mut c_char,
    message_size: u32,
) -> *const RawPicture {
    // SAFETY: the host lends the buffers for the call.
    let found = unsafe {
        answer((structure, n_structure), (message, message_size), |structure| {
            let picture = described::<P>(structure)?.picture;
            Ok::<_, DescriptionError>(picture.map(|picture| owned(&picture)))
        })
    };
    found.flatten().map_or(std::ptr::null(), |owned| Box::into_raw(owned).cast())
}

unsafe extern "C" fn release_picture(picture: *const RawPicture) {
    if !picture.is_null() {
        // SAFETY: it came from `picture`, which made it from a box of `Owned`, and is released once.
        drop(unsafe { Box::from_raw(picture.cast_mut().cast::<Owned>()) });
    }
}

/// A picture that was checked, as a host reads it.
fn owned(picture: &Picture) -> Box<Owned> {
    let frames: Vec<RawFrame> = picture.frames.iter().map(raw_frame).collect();
    let (mut numbers, mut texts) = (Vec::new(), Vec::new());
    let raw_shape = |shape: &Shape| {
        let list: Vec<RawNumber> = shape.numbers.iter().map(raw_number).collect();
        // The list keeps its address when it is moved.
        let (n_numbers, pointer) = (count(&list), list.as_ptr());
        numbers.push(list);
        let text = (!shape.text.is_empty()).then(|| {
            let text = CString::new(&*shape.text).expect("a 0 is a control character");
            let pointer = text.as_ptr();
            texts.push(text);
            pointer
        });
        RawShape {
            frame: from_one(shape.frame),
            kind: shape.kind.code(),
            role: shape.role.code(),
            n_numbers,
            numbers: pointer,
            text: text.unwrap_or(std::ptr::null()),
        }
    };
    let shapes: Vec<RawShape> = picture.shapes.iter().map(raw_shape).collect();
    let raw = RawPicture {
        struct_size: struct_size_of::<RawPicture>(),
        n_frames: count(&frames),
        n_shapes: count(&shapes),
        follow: from_one(picture.follow),
        left: picture.view.left,
        right: picture.view.right,
        bottom: picture.view.bottom,
        top: picture.view.top,
        frames: frames.as_ptr(),
        shapes: shapes.as_ptr(),
    };
    Box::new(Owned { raw, _frames: frames, _shapes: shapes, _numbers: numbers, _texts: texts })
}

fn raw_frame(frame: &Frame) -> RawFrame {
    RawFrame {
        parent: from_one(frame.parent).into(),
        x: raw_number(&frame.x),
        y: raw_number(&frame.y),
        angle: raw_number(&frame.angle),
    }
}

fn raw_number(number: &Affine) -> RawNumber {
    let mut terms = [RawTerm::default(); MAX_PICTURE_TERMS];
    for (raw, term) in terms.iter_mut().zip(&number.terms) {
        let index = u32::try_from(term.index).expect("a position in a vector");
        *raw = RawTerm { factor: term.factor, kind: term.kind.code(), index };
    }
    RawNumber { offset: number.offset, terms }
}

/// Frames count from 1 in the contract; 0 is the plane.
fn from_one(frame: Option<usize>) -> u32 {
    frame.map_or(0, |frame| u32::try_from(frame + 1).expect("at most MAX_PICTURE_FRAMES"))
}
