//! What decoders of files of columns share: how they end, and the text of numbers.

use crate::error::{DataError, DataErrorKind, quoted};

/// Why a file of columns is not read to its end.
pub(crate) enum Stop {
    /// It is refused.
    Refused(DataError),
    /// It cannot be decoded, for this reason.
    Damaged(String),
}

impl From<DataError> for Stop {
    fn from(error: DataError) -> Self {
        Self::Refused(error)
    }
}

/// The error of a column that is neither of numbers nor of words.
pub(crate) fn not_flat(file: &str, name: &str, holds: &str) -> DataError {
    let message = format!("the column {} holds {holds}", quoted(name));
    DataError::new(DataErrorKind::Value, file, message)
        .hint("write its parts as columns of numbers or words")
}

/// The shortest text of a number that reads back as the same bits.
pub(crate) fn number_text(number: f64) -> String {
    format!("{number:?}")
}
