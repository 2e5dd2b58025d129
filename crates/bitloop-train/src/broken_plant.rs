//! [`BrokenPlant`]: a plant has answered a call with an error.

use bitloop_plant::PlantCallError;

/// A plant has answered a call with an error, where an error is needed and not only a comparison, which ends the training.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}\n  {during}")]
pub struct BrokenPlant {
    /// What it answered.
    pub error: PlantCallError,
    /// What it was doing: the episodes and the candidate.
    pub during: String,
}
