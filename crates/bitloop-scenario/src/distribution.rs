//! A number that is fixed, or drawn anew for each episode.
//!
//! Owns how a distribution is written: a bare number, `Uniform(low, high)` or `Normal(mean: ..,
//! sd: ..)`. The drawing itself, and its random stream, live in `bitloop-train`.
//!
//! serde cannot tell a bare number from a named choice without losing the name, so the value is taken
//! as raw text first and read as what its first character says.

use bitloop_text::{RawField, ron_options};
use ron::{error::SpannedError, value::RawValue};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A number for each episode: of a plant parameter or of an initial state, in that quantity's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// The same number in each episode, written as a bare number.
    Fixed(f64),
    /// Uniform in `[low, high]`, written `Uniform(low, high)`.
    Uniform {
        /// Smallest value.
        low: f64,
        /// Largest value, not below `low`.
        high: f64,
    },
    /// Normal, written `Normal(mean: .., sd: ..)`.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation, 0 or more.
        sd: f64,
    },
}

/// The choices that have a name.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Distribution", deny_unknown_fields)]
enum Named {
    Uniform(f64, f64),
    Normal { mean: f64, sd: f64 },
}

impl Distribution {
    /// Reads one distribution from its own text.
    fn parse(text: &str) -> Result<Self, SpannedError> {
        if text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.')) {
            return ron_options().from_str(text).map(Distribution::Fixed);
        }
        ron_options().from_str(text).map(|named| match named {
            Named::Uniform(low, high) => Distribution::Uniform { low, high },
            Named::Normal { mean, sd } => Distribution::Normal { mean, sd },
        })
    }

    pub(crate) fn raw_field(path: &str) -> RawField {
        let expected = "a number, Uniform(low, high), or Normal(mean: .., sd: ..)";
        RawField::new(path, expected, |text| Self::parse(text).map(drop))
    }
}

impl<'de> Deserialize<'de> for Distribution {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        Distribution::parse(raw.get_ron().trim()).map_err(|error| D::Error::custom(error.code))
    }
}

impl Serialize for Distribution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Distribution::Fixed(value) => value.serialize(serializer),
            Distribution::Uniform { low, high } => Named::Uniform(low, high).serialize(serializer),
            Distribution::Normal { mean, sd } => Named::Normal { mean, sd }.serialize(serializer),
        }
    }
}
