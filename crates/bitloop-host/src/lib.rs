//! Finds plants by name and opens them.
//!
//! This crate owns the registry of the plants that are linked in, opens dynamic libraries and FMUs, and runs [`Worker`]s, processes of
//! their own for plants that may crash. It must not know scenarios, controllers or searches: it hands out [`PlantHandle`]s,
//! and their holders call the plant.

#![deny(unsafe_code)]

mod discovery;
mod exit_guard;
mod fmu;
mod interleave;
mod library;
mod process_state;
mod registry;
mod sandbox;
mod streams;
mod worker;

pub use bitloop_plant::PlantHandle;
pub use discovery::{AskName, Found};
pub use exit_guard::{allow_exit, forbid_exit};
pub use fmu::{FmuError, FmuPlant, FmuPlantFault};
pub use interleave::interleave;
pub use library::{LibraryError, LibraryFault, PlantLibrary};
pub use process_state::{Disturbance, ProcessState, StatePart, n_open_descriptors};
pub use registry::{HostError, Registry};
pub use sandbox::Sandbox;
pub use streams::{captured_stdout, take_stdout};
pub use worker::{
    MAX_STARTS, Worker, WorkerEnd, WorkerFate, close_inherited, denied_files, serve, serve_in_parts,
};
