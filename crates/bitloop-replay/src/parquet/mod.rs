//! Tables as Parquet files: columns of numbers, uncompressed, so that a long trajectory is written in the time that its bytes
//! take to be copied.
//!
//! Of the format, what flat tables need is written by hand: the crates that know all of it would lengthen the first build.
//! Values are missing nowhere; a number that a row does not have is NaN.
//!
//! A table comes as bytes: a line that names its columns, and rows of eight bytes for each. So a process without rights on
//! files can send it as it is.

mod compact;
mod footer;
mod format;
mod sink;

use serde::{Deserialize, Serialize};

pub use format::ParquetFormat;
pub use sink::ParquetSink;

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What the eight bytes of a row are.
    pub kind: Kind,
}

/// What the eight bytes of a cell are, the lowest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A whole number.
    Count,
    /// A double.
    Number,
    /// The position of a word among these.
    Word(Vec<String>),
}

impl Column {
    /// A column of whole numbers.
    #[must_use]
    pub fn count(name: &str) -> Self {
        Self { name: name.to_owned(), kind: Kind::Count }
    }

    /// A column of doubles.
    #[must_use]
    pub fn number(name: &str) -> Self {
        Self { name: name.to_owned(), kind: Kind::Number }
    }
}

/// The line that names the columns of a table.
///
/// # Panics
/// Never: plain texts are always written.
#[must_use]
pub fn head(columns: &[Column]) -> Vec<u8> {
    let mut line = serde_json::to_vec(columns).expect("plain texts");
    line.push(b'\n');
    line
}
