//! All that the author of a plant needs: lanes of numbers, elementary functions, the [`Plant`] trait, integrators, and
//! the table of functions through which a host calls a plant.
//!
//! This crate owns the arithmetic of bitloop: whatever the machine, [`Real`] gives the same bits. It must not know
//! controllers, episodes, errors averaged over episodes, or files: it advances batches of states and adds up costs,
//! nothing more. It depends on no other crate of the workspace.
//!
//! Equations are written once, generic over [`Real`], and compiled for every instruction set by [`dispatch`]. Plain loops
//! over arrays would need no `unsafe`, but whether they vectorize depends on the optimizer's mood; explicit vectors
//! behind one small trait do not.

#![deny(unsafe_code)]

mod description;
mod dispatch;
mod handle;
mod isa;
mod kernels;
mod lane_matrix;
mod lanes;
mod math;
mod plant;
mod plant_lanes;
mod real;
mod scalar_plant;
mod scheme;
mod table;

pub use description::{
    Description, DescriptionError, Integrator, MAX_NAME_BYTES, Parameter, Sizes,
    StructuralParameter, Variable,
};
pub use dispatch::{Kernel, dispatch};
pub use handle::{PlantCallError, PlantHandle};
pub use isa::{Isa, IsaError};
pub use lane_matrix::{LANE_UNIT, LaneMatrix};
pub use lanes::Pair;
pub use plant::Plant;
pub use plant_lanes::{PlantLanes, Stretch};
pub use real::{Mask, Real};
pub use scalar_plant::{Scalar, ScalarPlant};
pub use table::{
    Batch, BatchFunction, MAX_VARIABLES, PlantTable, STATUS_BAD_CALL, STATUS_OK, STATUS_PANIC,
};
