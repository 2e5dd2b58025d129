//! [`IsolationError`]: the process of an isolated plant ended.

/// The plant's process ended, and with it the training.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the process of the plant is lost: {what}\n  {during}")]
pub struct IsolationError {
    /// What happened, in words.
    pub what: String,
    /// What the plant was doing.
    pub during: String,
}
