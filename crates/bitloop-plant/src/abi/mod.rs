//! The C ABI, version 1: how a plant crosses the boundary of a library.
//!
//! A library exports one symbol, [`SYMBOL`], a function without arguments that returns a [`Descriptor`]. The types here
//! and [`Batch`](crate::Batch) are the whole contract; `include/bitloop_plant.h` is generated from them, and a test holds
//! it against them. [`export_plant!`](crate::export_plant) exports a [`Plant`](crate::Plant) written in Rust;
//! [`PlantHandle::from_descriptor`](crate::PlantHandle::from_descriptor) checks what a library hands out.
//!
//! Names, units and sizes are asked for by a call and are not in the static descriptor, since they depend on structural
//! parameters (a chain of `n` links). What a plant hands out is a plain value: it registers nothing, and no load-time
//! constructor runs.
//!
//! A later version may append fields to a structure, which is why each begins with its size, and parts that are asked
//! for by id ([`Descriptor::optional_part`]); it never changes the meaning of a field.

mod descriptor;
mod error;
mod export;
mod math;
mod read;

pub use descriptor::{
    ABI_VERSION, CAPABILITY_AVX2, CAPABILITY_AVX512, CAPABILITY_LANE_BY_LANE, CAPABILITY_PORTABLE,
    Descriptor, MAX_SCRATCH_BYTES, MAX_STEP_ORDER, RawDescription, RawParameter,
    RawStructuralParameter, RawVariable, SYMBOL,
};
pub use error::AbiError;
pub use export::descriptor_of;
pub use math::MathTable;
pub use read::{Checked, Header, read_description, read_header};

pub(crate) use export::capabilities_of;
pub(crate) use read::message_text;

/// The C header of this contract, `bitloop_plant.h`, for tools that hand it out.
pub const HEADER: &str = include_str!("../../include/bitloop_plant.h");

/// The header that makes a plant out of plain C functions, `bitloop_equations.h`; it includes [`HEADER`].
pub const EQUATIONS_HEADER: &str = include_str!("../../include/bitloop_equations.h");
