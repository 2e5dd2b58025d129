//! Finds plants by name and opens them.
//!
//! This crate owns the registry of the plants that are linked in, opens dynamic libraries, and runs [`Worker`]s, processes of
//! their own for plants that may crash. It must not know scenarios, controllers or searches: it hands out [`PlantHandle`]s,
//! and whoever holds one calls the plant.

#![deny(unsafe_code)]

mod library;
mod registry;
mod worker;

pub use bitloop_plant::PlantHandle;
pub use library::{Disturbance, LibraryError, LibraryFault, PlantLibrary, locale};
pub use registry::{HostError, Registry};
pub use worker::{Worker, WorkerEnd, WorkerFate, serve};
