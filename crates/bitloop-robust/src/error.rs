//! Errors of robustness tests.

use bitloop_sim::SimError;
use bitloop_train::TrainError;

/// An axis of a map that is not valid.
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

/// An error of a robustness test.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RobustError {
    /// The controller does not fit its scenario, the scenario is invalid, or the plant broke.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// What was kept of an interrupted map cannot be continued.
    #[error("{0}")]
    Kept(&'static str),
    /// An axis of a map is not valid.
    #[error(transparent)]
    Axis(#[from] AxisError),
}

impl From<SimError> for RobustError {
    fn from(error: SimError) -> Self {
        Self::Train(error.into())
    }
}
