//! [`StateFault`]: why a saved state does not fit a training.

/// Why a state does not fit a training.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the saved state does not fit the training: {0}")]
pub struct StateFault(String);

impl StateFault {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}
