//! How a number that is drawn for each episode is written: a bare number, `Uniform(low, high)` or `Normal(mean: .., sd: ..)`.
//!
//! serde cannot distinguish a bare number from a named choice without losing the name, so the value is taken as raw text
//! first, and its first character says how to read it.

use std::collections::BTreeMap;

use bitloop_sim::Distribution;
use bitloop_text::{RawField, ron_options};
use ron::{error::SpannedError, value::RawValue};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A field at `path` that holds a distribution.
pub(crate) fn raw_field(path: &str) -> RawField {
    let expected = "a number, Uniform(low, high), or Normal(mean: .., sd: ..)";
    RawField::new(path, expected, |text| parse(text).map(drop))
}

/// Distributions by name, for `#[serde(with = "by_name")]`.
pub(crate) mod by_name {
    use super::{BTreeMap, Deserialize, Deserializer, Distribution, Serializer, Written};

    pub(crate) fn serialize<S: Serializer>(
        map: &BTreeMap<String, Distribution>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(map.iter().map(|(name, &value)| (name, Written(value))))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<String, Distribution>, D::Error> {
        let map = BTreeMap::<String, Written>::deserialize(deserializer)?;
        Ok(map.into_iter().map(|(name, Written(value))| (name, value)).collect())
    }
}

/// A single distribution, for `#[serde(with = "one")]`.
pub(crate) mod one {
    use super::{Deserialize, Deserializer, Distribution, Serialize as _, Serializer, Written};

    pub(crate) fn serialize<S: Serializer>(
        value: &Distribution,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Written(*value).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Distribution, D::Error> {
        Written::deserialize(deserializer).map(|Written(value)| value)
    }
}

/// A distribution that may be left out, for `#[serde(with = "optional")]`.
pub(crate) mod optional {
    use super::{Deserialize, Deserializer, Distribution, Serialize as _, Serializer, Written};

    #[expect(clippy::ref_option, reason = "serde passes references")]
    pub(crate) fn serialize<S: Serializer>(
        value: &Option<Distribution>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.map(Written).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Distribution>, D::Error> {
        Written::deserialize(deserializer).map(|Written(value)| Some(value))
    }
}

/// The choices that have a name.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Distribution", deny_unknown_fields)]
enum Named {
    Uniform(f64, f64),
    Normal { mean: f64, sd: f64 },
}

/// The default of what is added.
pub(crate) const fn zero() -> Distribution {
    Distribution::Fixed(0.0)
}

/// The default of a factor.
pub(crate) const fn unity() -> Distribution {
    Distribution::Fixed(1.0)
}

/// Whether it is the default of what is added.
pub(crate) fn is_zero(distribution: &Distribution) -> bool {
    *distribution == zero()
}

/// Whether it is the default of a factor.
pub(crate) fn is_unity(distribution: &Distribution) -> bool {
    *distribution == unity()
}

fn parse(text: &str) -> Result<Distribution, SpannedError> {
    if text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.')) {
        return ron_options().from_str(text).map(Distribution::Fixed);
    }
    ron_options().from_str(text).map(|named| match named {
        Named::Uniform(low, high) => Distribution::Uniform { low, high },
        Named::Normal { mean, sd } => Distribution::Normal { mean, standard_deviation: sd },
    })
}

/// A distribution as it is written.
struct Written(Distribution);

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        parse(raw.get_ron().trim()).map(Self).map_err(|error| D::Error::custom(error.code))
    }
}

impl Serialize for Written {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Distribution::Fixed(value) => value.serialize(serializer),
            Distribution::Uniform { low, high } => Named::Uniform(low, high).serialize(serializer),
            Distribution::Normal { mean, standard_deviation: sd } => {
                Named::Normal { mean, sd }.serialize(serializer)
            }
        }
    }
}
