//! Why something cannot be imported.

use bitloop_train::TrainError;

/// Why something cannot be imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The numbers do not fit the scenario.
    #[error("{message}")]
    Refused {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: String,
    },
    /// The scenario is wrong, or its plant broke.
    #[error(transparent)]
    Training(#[from] TrainError),
}

impl ImportError {
    pub(super) fn refused(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Refused { message: message.into(), hint: hint.into() }
    }
}
