//! [`Subject`]: the plant that is checked.

use std::ffi::CString;
use std::fmt;

use bitloop_host::Disturbance;
use bitloop_plant::PlantHandle;

/// Opens a plant with other structural parameters; an error in words.
pub type Restructure = Box<dyn Fn(&[u64]) -> Result<PlantHandle, String>>;

/// A plant, opened in the worker, and how it was opened.
pub struct Subject {
    /// With its usual structure.
    pub(crate) plant: PlantHandle,
    pub(crate) disturbance: Disturbance,
    pub(crate) with_structure: Restructure,
    /// The locale before the first call.
    pub(crate) locale: CString,
}

impl Subject {
    /// A plant with its usual structure, what loading its library changed in the process (nothing for a plant that is linked
    /// in), and how to open it with other structural parameters. None of its functions was called yet.
    #[must_use]
    pub fn new(plant: PlantHandle, disturbance: Disturbance, with_structure: Restructure) -> Self {
        Self { plant, disturbance, with_structure, locale: bitloop_host::locale() }
    }
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subject").field("plant", &self.plant).finish_non_exhaustive()
    }
}

/// Why there is no plant to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenError {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: String,
    /// Whether it is the request that is wrong: no plant has the name, or several have.
    pub is_request: bool,
}
