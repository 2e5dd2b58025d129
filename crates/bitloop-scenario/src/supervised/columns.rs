//! Which columns of a data set are what, and what they are scaled to.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A column: its number from 1, or its name in the header in quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// Its number, from 1.
    Number(u32),
    /// Its name.
    Name(String),
}

impl Serialize for Column {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => number.serialize(serializer),
            Self::Name(name) => name.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Column {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ColumnVisitor)
    }
}

struct ColumnVisitor;

impl de::Visitor<'_> for ColumnVisitor {
    type Value = Column;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a column's number, from 1, or its name in quotes")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Column, E> {
        u32::try_from(number)
            .map(Column::Number)
            .map_err(|_| E::invalid_value(de::Unexpected::Unsigned(number), &self))
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Column, E> {
        Ok(Column::Name(name.to_owned()))
    }
}

/// What the network is to answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Targets {
    /// The numbers in these columns.
    Numbers(Vec<Column>),
    /// The class in this column: of two classes one output, of more an output each.
    Classes(Column),
}

/// The ranges that numbers are scaled to; `None` leaves them as they are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Scaling", default, deny_unknown_fields)]
pub struct ColumnScaling {
    /// Of inputs. Default: (-1, 1).
    pub inputs: Option<[f64; 2]>,
    /// Of targets that are numbers. Default: (0, 1).
    pub targets: Option<[f64; 2]>,
}

impl Default for ColumnScaling {
    fn default() -> Self {
        Self { inputs: Some([-1.0, 1.0]), targets: Some([0.0, 1.0]) }
    }
}
