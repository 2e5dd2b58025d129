//! Checks that every plant must pass, so that a plant's own tests cover its physics alone.
//!
//! Owns a lane on which a plant is advanced through its table, as a host does it, and the checks that are the same for
//! all plants: README against description, finite numbers at the corners of the parameters' bounds, the same bits on every
//! instruction set, the order of an integrator, the mirror image, the reference trajectory, where a shape of a picture is. It must not know
//! a particular plant. All functions panic where a check fails: they are called by tests alone.

#![forbid(unsafe_code)]

mod description;
mod instruction_sets;
mod numbers;
mod order;
mod picture;
mod reference;
mod support;
mod symmetry;

pub use description::{check_corners, check_readme};
pub use instruction_sets::check_instruction_sets;
pub use numbers::{distance, numbers, rate_along};
pub use order::check_order;
pub use picture::placed_shape;
pub use reference::Reference;
pub use support::{Opener, SteppedPlant, defaults, handle};
pub use symmetry::check_mirror_image;
