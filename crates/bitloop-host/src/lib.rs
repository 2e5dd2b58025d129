//! Finds plants by name and opens them.
//!
//! This crate owns the registry of the plants that are linked in. It must not know scenarios, controllers or searches: it
//! hands out [`PlantHandle`]s, and whoever holds one calls the plant.

#![forbid(unsafe_code)]

mod registry;

pub use bitloop_plant::PlantHandle;
pub use registry::{HostError, Registry};
