//! The types of the C ABI, and the check of what a library hands out. [`abi`](crate::abi) names them for users.

mod batch;
mod descriptor;
mod error;
mod instances;
mod math_table;
mod picture;
mod read;
mod read_instances;
mod read_picture;
mod vector_math;

pub use batch::{Batch, BatchFunction, PlantTable};
pub use descriptor::{
    ABI_VERSION, CAPABILITY_AVX2, CAPABILITY_AVX512, CAPABILITY_LANE_BY_LANE,
    CAPABILITY_MACHINE_BITS, CAPABILITY_PORTABLE, Descriptor, MAX_SCRATCH_BYTES, MAX_STEP_ORDER,
    NAME_SYMBOL, RawDescription, RawParameter, RawStructuralParameter, RawVariable, SYMBOL,
};
pub use error::AbiError;
pub use instances::{INSTANCES_PART, InstancesPart, MAX_SLOT_BYTES};
pub use math_table::MathTable;
pub use picture::{
    PICTURE_CONTROL, PICTURE_OBSERVATION, PICTURE_PARAMETER, PICTURE_PART, PICTURE_STATE,
    PicturePart, ROLE_BODY, ROLE_FORCE, ROLE_GROUND, ROLE_MOVING, ROLE_TARGET, RawFrame, RawNumber,
    RawPicture, RawShape, RawTerm, SHAPE_CIRCLE, SHAPE_LINE, SHAPE_POLYLINE, SHAPE_RECT,
    SHAPE_TEXT,
};
pub use read::{Checked, Header, read_description, read_header};
pub use read_instances::{InstancesTable, read_instances};
pub use read_picture::read_picture;
pub use vector_math::VectorMath;

pub(crate) use descriptor::struct_size_of;
pub(crate) use read::{MESSAGE_BYTES, message_text, u32_of};
