//! The types of the C ABI, and the check of what a library hands out. [`abi`](crate::abi) names them for users.

mod batch;
mod descriptor;
mod error;
mod math_table;
mod read;

pub use batch::{Batch, BatchFunction, PlantTable};
pub use descriptor::{
    ABI_VERSION, CAPABILITY_AVX2, CAPABILITY_AVX512, CAPABILITY_LANE_BY_LANE, CAPABILITY_PORTABLE,
    Descriptor, MAX_SCRATCH_BYTES, MAX_STEP_ORDER, NAME_SYMBOL, RawDescription, RawParameter,
    RawStructuralParameter, RawVariable, SYMBOL,
};
pub use error::AbiError;
pub use math_table::MathTable;
pub use read::{Checked, Header, read_description, read_header};

pub(crate) use descriptor::struct_size_of;
pub(crate) use read::message_text;
