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

pub use crate::contract::{
    ABI_VERSION, AbiError, CAPABILITY_AVX2, CAPABILITY_AVX512, CAPABILITY_LANE_BY_LANE,
    CAPABILITY_MACHINE_BITS, CAPABILITY_PORTABLE, Checked, Descriptor, Header, INSTANCES_PART,
    InstancesPart, InstancesTable, MAX_SCRATCH_BYTES, MAX_SLOT_BYTES, MAX_STEP_ORDER, MathTable,
    NAME_SYMBOL, PICTURE_CONTROL, PICTURE_OBSERVATION, PICTURE_PARAMETER, PICTURE_PART,
    PICTURE_STATE, PicturePart, ROLE_BODY, ROLE_FORCE, ROLE_GROUND, ROLE_MOVING, ROLE_TARGET,
    RawDescription, RawFrame, RawNumber, RawParameter, RawPicture, RawShape,
    RawStructuralParameter, RawTerm, RawVariable, SHAPE_CIRCLE, SHAPE_LINE, SHAPE_POLYLINE,
    SHAPE_RECT, SHAPE_TEXT, SYMBOL, VectorMath, read_description, read_header, read_instances,
    read_picture,
};
pub use crate::export::{c_text, descriptor_of};

/// Exports a [`Plant`](crate::Plant) as a library's plant: `bitloop_plant::export_plant!(MyPlant);`.
///
/// It belongs into a crate of type `cdylib` of its own, and once in it: two plants that are linked into one program must
/// not both export the symbol. For a [`ScalarPlant`](crate::ScalarPlant), export `Scalar<MyPlant>`.
///
/// A plant that its own crate has compiled already is exported without compiling it again by the descriptor that the crate
/// holds: `bitloop_plant::export_plant!(static my_plant::DESCRIPTOR);`.
///
/// Both take the plant's name, as its description has it: `bitloop_plant::export_plant!(MyPlant, name: "my-plant");`. It is
/// written to the library as [`NAME_SYMBOL`], so that the library is found by that name
/// without being opened.
#[macro_export]
macro_rules! export_plant {
    (static $descriptor:path, name: $name:literal) => {
        $crate::export_plant!(static $descriptor);
        $crate::export_plant!(@name $name);
    };
    ($plant:ty, name: $name:literal) => {
        $crate::export_plant!($plant);
        $crate::export_plant!(@name $name);
    };
    (@name $name:literal) => {
        /// The name of the plant of this library.
        #[unsafe(no_mangle)]
        #[allow(non_upper_case_globals, reason = "the symbol is part of the contract")]
        pub static bitloop_plant_name_v1: [u8; $name.len() + 1] = $crate::abi::c_text($name);
    };
    (static $descriptor:path) => {
        /// The plant of this library.
        #[unsafe(no_mangle)]
        pub extern "C" fn bitloop_plant_v1() -> *const $crate::abi::Descriptor {
            &raw const $descriptor
        }
    };
    ($plant:ty) => {
        /// The plant of this library.
        #[unsafe(no_mangle)]
        pub extern "C" fn bitloop_plant_v1() -> *const $crate::abi::Descriptor {
            static DESCRIPTOR: $crate::abi::Descriptor = $crate::abi::descriptor_of::<$plant>();
            &raw const DESCRIPTOR
        }
    };
}

/// The C header of this contract, `bitloop_plant.h`, for tools that hand it out.
pub const HEADER: &str = include_str!("../include/bitloop_plant.h");

/// The header that makes a plant out of plain C functions, `bitloop_equations.h`; it includes [`HEADER`].
pub const EQUATIONS_HEADER: &str = include_str!("../include/bitloop_equations.h");

/// The headers for plants in C, each with its place beside the plant's source. `bitloop_vectors.h` compiles equations for
/// vectors, `bitloop_equations.h` for plain numbers, `bitloop_instances.h` makes a plant that owns its state; the others are
/// parts of these.
pub const HEADERS: [(&str, &str); 6] = [
    ("include/bitloop_plant.h", HEADER),
    ("include/bitloop_equations.h", EQUATIONS_HEADER),
    ("include/bitloop_instances.h", include_str!("../include/bitloop_instances.h")),
    ("include/bitloop_vectors.h", include_str!("../include/bitloop_vectors.h")),
    ("include/bitloop_loops.h", include_str!("../include/bitloop_loops.h")),
    ("include/bitloop_pass.h", include_str!("../include/bitloop_pass.h")),
];
