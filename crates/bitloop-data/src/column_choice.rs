//! [`ColumnChoice`]: a column by its number or its name.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Which column of a table. Files give a bare number, or a name in quotes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ColumnChoice {
    /// By its name in the header.
    Name(String),
    /// By its number, from 1.
    Number(usize),
}

impl Serialize for ColumnChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => number.serialize(serializer),
            Self::Name(name) => name.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for ColumnChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ChoiceVisitor)
    }
}

struct ChoiceVisitor;

impl de::Visitor<'_> for ChoiceVisitor {
    type Value = ColumnChoice;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a column's number, from 1, or its name in quotes")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<ColumnChoice, E> {
        usize::try_from(number)
            .map(ColumnChoice::Number)
            .map_err(|_| E::invalid_value(de::Unexpected::Unsigned(number), &self))
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<ColumnChoice, E> {
        Ok(ColumnChoice::Name(name.to_owned()))
    }
}
