//! Reads the picture of a library, and checks every pointer, size, text and number.

#![allow(unsafe_code, reason = "raw pointers of the plant boundary")]

use super::picture::{PicturePart, RawFrame, RawNumber, RawPicture, RawShape, RawTerm};
use super::read::{check_size, list, text};
use crate::contract::AbiError;
use crate::description::{DescriptionError, MAX_NAME_BYTES, Sizes};
use crate::picture::{
    Affine, Frame, Kind, MAX_PICTURE_FRAMES, MAX_PICTURE_SHAPES, Picture, Role, Shape, ShapeKind,
    Term, View,
};

/// The functions of a part.
///
/// # Errors
/// [`AbiError`] if its size or its function is missing.
///
/// # Safety
/// `part` is not null, and points to a leading size and to as many bytes as it states.
pub(super) unsafe fn read_part(part: *const PicturePart) -> Result<&'static PicturePart, AbiError> {
    if !part.is_aligned() {
        return Err(fault("its part is a misaligned pointer").into());
    }
    // SAFETY: the leading number can be read.
    check_size::<PicturePart>("picture part", unsafe { (&raw const (*part).struct_size).read() })?;
    // SAFETY: it is as large as this version has it, and stays.
    Ok(unsafe { &*part })
}

/// Copies a picture, with all that it points to, and checks it.
///
/// # Errors
/// [`AbiError`] names the first fault.
///
/// # Safety
/// As [`read_description`](super::read_description).
pub unsafe fn read_picture(raw: *const RawPicture, sizes: Sizes) -> Result<Picture, AbiError> {
    if raw.is_null() || !raw.is_aligned() {
        return Err(fault("it is a null or misaligned pointer").into());
    }
    // SAFETY: the leading number can be read.
    check_size::<RawPicture>("picture", unsafe { (&raw const (*raw).struct_size).read() })?;
    // SAFETY: it is as large as this version has it.
    let raw = unsafe { &*raw };
    let RawPicture { left, right, bottom, top, .. } = *raw;
    let counts = [
        (raw.n_frames, MAX_PICTURE_FRAMES, "frames"),
        (raw.n_shapes, MAX_PICTURE_SHAPES, "shapes"),
    ];
    for (found, limit, what) in counts {
        if found as usize > limit {
            return Err(
                fault(&format!("it has {found} {what}: at most {limit} are allowed")).into()
            );
        }
    }
    // SAFETY: the lists are as the caller promises; counts are checked before lists are read.
    let picture = unsafe {
        Picture {
            view: View { left, right, bottom, top },
            follow: outer(raw.follow),
            frames: list(raw.frames, raw.n_frames, "frames", frame)?,
            shapes: list(raw.shapes, raw.n_shapes, "shapes", shape)?,
        }
    };
    picture.check(sizes)?;
    Ok(picture)
}

fn fault(message: &str) -> DescriptionError {
    DescriptionError(format!("its picture: {message}"))
}

/// The position of a frame that counts from 1; 0 is the plane.
fn outer(frame: u32) -> Option<usize> {
    (frame as usize).checked_sub(1)
}

fn frame(raw: &RawFrame, place: &str) -> Result<Frame, DescriptionError> {
    let parent = u32::try_from(raw.parent).unwrap_or(u32::MAX);
    let number = |raw: &RawNumber, what: &str| number(raw, &format!("{what} of {place}"));
    Ok(Frame {
        parent: outer(parent),
        x: number(&raw.x, "x")?,
        y: number(&raw.y, "y")?,
        angle: number(&raw.angle, "the angle")?,
    })
}

/// # Safety
/// List and text are as [`list`] and [`text`] need them.
unsafe fn shape(raw: &RawShape, place: &str) -> Result<Shape, DescriptionError> {
    let RawShape { frame, kind, role, n_numbers, numbers, text: letters } = *raw;
    let kind = ShapeKind::from_code(kind)
        .ok_or_else(|| fault(&format!("the kind of {place} is {kind}, which is none")))?;
    let role = Role::from_code(role)
        .ok_or_else(|| fault(&format!("the role of {place} is {role}, which is none")))?;
    // SAFETY: promised by the caller.
    let numbers = unsafe { list(numbers, n_numbers, &format!("numbers of {place}"), number)? };
    let text = if letters.is_null() {
        String::new()
    } else {
        // SAFETY: promised by the caller.
        unsafe { text(letters, MAX_NAME_BYTES, &format!("the text of {place}"))? }
    };
    Ok(Shape { frame: outer(frame), kind, role, numbers, text })
}

fn number(raw: &RawNumber, place: &str) -> Result<Affine, DescriptionError> {
    let used = raw.terms.iter().take_while(|term| term.kind != 0);
    let term = |&RawTerm { factor, kind, index }: &RawTerm| {
        let kind = Kind::from_code(kind)
            .ok_or_else(|| fault(&format!("{place} has a term of kind {kind}, which is none")))?;
        Ok(Term { factor, kind, index: index as usize })
    };
    Ok(Affine { offset: raw.offset, terms: used.map(term).collect::<Result<_, _>>()? })
}
