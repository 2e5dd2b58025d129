//! The plants that are linked into this program: given once, before any command runs, and the same for all of them.

use std::sync::OnceLock;

use bitloop_host::Registry;

static PLANTS: OnceLock<Registry> = OnceLock::new();

/// Makes these the plants of this program, unless it has some already.
pub fn set(plants: Registry) {
    // A second set could only contradict the first, which commands may have used.
    let _ = PLANTS.set(plants);
}

/// The plants of this program.
pub fn plants() -> Registry {
    PLANTS.get().cloned().unwrap_or_else(Registry::built_in)
}
