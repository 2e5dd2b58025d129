//! [`PlantCallError`]: a call that a plant has not answered as it should.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::codes::STATUS_BAD_CALL;

/// A call that a plant answered with a status other than 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlantCallError {
    /// The plant.
    pub plant: String,
    /// The function of the table.
    pub function: &'static str,
    /// The status that the plant returned: 0 if it broke the contract without reporting it.
    pub status: i32,
    /// The message of the plant; may be empty.
    pub message: String,
}

impl PlantCallError {
    /// An error that is counted.
    #[cold]
    pub(crate) fn counted(
        plant: String,
        function: &'static str,
        status: i32,
        message: String,
    ) -> Self {
        N_BROKEN.fetch_add(1, Ordering::Relaxed);
        Self { plant, function, status, message }
    }
}

impl fmt::Display for PlantCallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { plant, function, status, message } = self;
        let kind = if *status == STATUS_BAD_CALL { "refused the call" } else { "broke" };
        write!(f, "plant `{plant}` {kind} in `{function}` (status {status})")?;
        if message.is_empty() { Ok(()) } else { write!(f, ": {message}") }
    }
}

impl std::error::Error for PlantCallError {}

/// Calls that ended in an error since the program was started.
static N_BROKEN: AtomicU64 = AtomicU64::new(0);

/// How many calls of plants in this process have ended in a [`PlantCallError`]: one that breaks does so in many episodes, of
/// which the first is reported.
#[must_use]
pub fn n_broken_calls() -> u64 {
    N_BROKEN.load(Ordering::Relaxed)
}
