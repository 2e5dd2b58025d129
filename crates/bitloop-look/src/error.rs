//! [`LookError`].

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LookError {
    /// There is nothing to draw.
    #[error("there is nothing to draw: {0}")]
    Nothing(&'static str),
    /// It has more pixels than fit into memory.
    #[error("the picture has more pixels than fit into memory; SVG has no such limit")]
    TooLarge,
    /// The library that draws refused.
    #[error("the picture cannot be drawn: {0}")]
    Draw(String),
}

/// The error of the library that draws.
pub(crate) fn refused(error: impl std::fmt::Display) -> LookError {
    LookError::Draw(error.to_string())
}
