//! Shapes of a plant's picture, found by what they stand for.

use bitloop_plant::PlantHandle;
use bitloop_plant::picture::{Placed, Role, ShapeKind, Values};

/// Where the first shape of this role and kind is, at these values of the plant.
///
/// # Panics
/// If the plant has no picture, or no such shape in it.
#[must_use]
pub fn placed_shape(
    handle: &PlantHandle,
    values: Values<'_>,
    (role, kind): (Role, ShapeKind),
) -> Placed {
    let picture = handle.picture().expect("a picture");
    let is_it = |shape: &bitloop_plant::picture::Shape| (shape.role, shape.kind) == (role, kind);
    let index = picture.shapes.iter().position(is_it);
    let index = index.unwrap_or_else(|| panic!("the picture has no {kind:?} for {role:?}"));
    picture.place(values).swap_remove(index)
}
