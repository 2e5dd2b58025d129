//! Why nothing can be said about a controller.

use bitloop_sim::SimError;
use bitloop_train::TrainError;

/// Why something is no axis.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("axis `{axis}`: {message}")]
pub struct AxisError {
    /// As it was written.
    pub axis: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

/// Why nothing can be said about a controller.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RobustError {
    /// The controller does not fit its scenario, the scenario is invalid, or the plant broke.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// What was kept of an interrupted map cannot be continued.
    #[error("{0}")]
    Kept(&'static str),
    /// An axis of a map is none.
    #[error(transparent)]
    Axis(#[from] AxisError),
}

impl From<SimError> for RobustError {
    fn from(error: SimError) -> Self {
        Self::Train(error.into())
    }
}
