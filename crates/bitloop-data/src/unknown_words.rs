//! [`UnknownWords`]: what becomes of words that the training has not seen.

/// What becomes of words in nominal inputs that the training has not seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnknownWords {
    /// The rows are refused.
    #[default]
    Refuse,
    /// They are none of the words that are known: all variables of the column are -1.
    NoWord,
}
