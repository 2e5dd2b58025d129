//! [`Subject`]: the plant that is checked.

use std::cell::RefCell;
use std::fmt;

use bitloop_host::{Disturbance, ProcessState, StatePart};
use bitloop_plant::PlantHandle;

/// Opens a plant with other structural parameters; an error in words.
pub type Restructure = Box<dyn Fn(&[u64]) -> Result<PlantHandle, String>>;

/// A plant, opened in the worker, and how it was opened.
pub struct Subject {
    /// With its usual structure.
    pub(crate) plant: PlantHandle,
    pub(crate) disturbance: Disturbance,
    pub(crate) with_structure: Restructure,
    /// The state of the process before the first call, once opening is over.
    pub(crate) state: Option<ProcessState>,
    /// The parts of it that calls have changed so far.
    pub(crate) changed: RefCell<Vec<StatePart>>,
    /// What opening it printed on standard output.
    pub(crate) printed: Vec<u8>,
}

impl Subject {
    /// A plant with its usual structure, what loading its library changed in the process (nothing for a plant that is linked
    /// in), and how to open it with other structural parameters. None of its functions was called yet.
    #[must_use]
    pub fn new(plant: PlantHandle, disturbance: Disturbance, with_structure: Restructure) -> Self {
        Self {
            plant,
            disturbance,
            with_structure,
            state: None,
            changed: RefCell::default(),
            printed: Vec::new(),
        }
    }
}

impl Subject {
    /// Puts the state of the process back, and gives whether a call has changed this part of it, now or earlier.
    pub(crate) fn has_changed(&self, part: StatePart) -> bool {
        let mut changed = self.changed.borrow_mut();
        if let Some(state) = &self.state {
            changed.extend(state.restore().parts());
        }
        changed.contains(&part)
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
}
