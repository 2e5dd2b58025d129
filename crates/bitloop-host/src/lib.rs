//! Finds plants by name and opens them.
//!
//! This crate owns the registry of the plants that are linked in, and opens dynamic libraries. It must not know scenarios, controllers or searches: it
//! hands out [`PlantHandle`]s, and whoever holds one calls the plant.

#![deny(unsafe_code)]

mod library;
mod registry;

pub use bitloop_plant::PlantHandle;
pub use library::{Disturbance, LibraryError, LibraryFault, PlantLibrary};
pub use registry::{HostError, Registry};
