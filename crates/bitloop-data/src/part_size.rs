//! [`PartSize`]: how many rows a part of a split has.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// How many rows a part of a split has. Files give a whole number of rows, or a share with a decimal point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PartSize {
    /// So many rows.
    Rows(usize),
    /// This share of all rows, from 0 to 1. Parts are rounded so that those before them come to the sum of their shares.
    Share(f64),
}

impl Default for PartSize {
    fn default() -> Self {
        Self::Rows(0)
    }
}

impl PartSize {
    /// Whether it is nothing.
    #[must_use]
    pub fn is_zero(self) -> bool {
        match self {
            Self::Rows(n) => n == 0,
            Self::Share(share) => share == 0.0,
        }
    }

    /// The share of so many rows, rounded.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a number of rows"
    )]
    pub(crate) fn rounded(share: f64, n_rows: usize) -> usize {
        (share * n_rows as f64).round() as usize
    }
}

impl fmt::Display for PartSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows(n) => write!(f, "{n}"),
            Self::Share(share) => write!(f, "{share:?}"),
        }
    }
}

impl Serialize for PartSize {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Rows(n) => n.serialize(serializer),
            Self::Share(share) => share.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for PartSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SizeVisitor)
    }
}

struct SizeVisitor;

impl de::Visitor<'_> for SizeVisitor {
    type Value = PartSize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number of rows, or a share such as 0.6")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<PartSize, E> {
        usize::try_from(number)
            .map(PartSize::Rows)
            .map_err(|_| E::invalid_value(de::Unexpected::Unsigned(number), &self))
    }

    fn visit_f64<E: de::Error>(self, share: f64) -> Result<PartSize, E> {
        Ok(PartSize::Share(share))
    }
}
