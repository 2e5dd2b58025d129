//! What each field and each choice means: the one thing that the types cannot say.
//!
//! Names, types and defaults come from the types; see `probe.rs` and [`RecordMeaning::written`]. A test compares these
//! tables with them, in both directions.

use bitloop_text::{Source, ron_options};
use serde::{Serialize, de::DeserializeOwned};

use super::{
    scenario_meaning, suite_meaning, supervised_meaning, trainer_meaning, uncertainty_meaning,
};

/// The fields of a struct, or of a variant with fields.
pub(crate) struct RecordMeaning {
    /// The name that serde has for it.
    pub name: &'static str,
    /// A value of which all that may be left out is left out.
    pub minimal: &'static str,
    /// The same value with everything spelled out.
    pub written: fn(&str) -> Option<String>,
    pub fields: &'static [FieldMeaning],
}

/// A field.
pub(crate) struct FieldMeaning {
    pub name: &'static str,
    /// Its unit; empty if it has none.
    pub unit: &'static str,
    /// The default in words, where it depends on something else; empty if the value itself says all.
    pub default: &'static str,
    /// What it is, in a sentence or two.
    pub meaning: &'static str,
}

/// The variants of an enum.
pub(crate) struct ChoiceMeaning {
    /// The name that serde has for it.
    pub name: &'static str,
    /// Name and meaning of each variant.
    pub variants: &'static [(&'static str, &'static str)],
}

pub(crate) const fn field(
    name: &'static str,
    unit: &'static str,
    default: &'static str,
    meaning: &'static str,
) -> FieldMeaning {
    FieldMeaning { name, unit, default, meaning }
}

/// Reads `minimal` as a `T`, and writes it with its defaults.
pub(crate) fn spelled_out<T: DeserializeOwned + Serialize>(minimal: &str) -> Option<String> {
    let value: T = ron_options().from_str(minimal).ok()?;
    ron_options().to_string(&value).ok()
}

pub(crate) fn records() -> impl Iterator<Item = &'static RecordMeaning> {
    scenario_meaning::RECORDS
        .iter()
        .chain(uncertainty_meaning::RECORDS)
        .chain(trainer_meaning::RECORDS)
        .chain(supervised_meaning::RECORDS)
        .chain(suite_meaning::RECORDS)
}

pub(crate) fn choices() -> impl Iterator<Item = &'static ChoiceMeaning> {
    scenario_meaning::CHOICES
        .iter()
        .chain(uncertainty_meaning::CHOICES)
        .chain(trainer_meaning::CHOICES)
        .chain(supervised_meaning::CHOICES)
}

impl RecordMeaning {
    pub fn field(&self, name: &str) -> Option<&FieldMeaning> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Whether a value without this field cannot be read.
    pub fn is_required(&self, field: &str) -> bool {
        value_of(self.minimal, field).is_some()
    }

    /// What a field that is left out is taken as; nothing where that is nothing, or settings of their own.
    pub fn default_value(&self, field: &str) -> Option<String> {
        let value = value_of(&(self.written)(self.minimal)?, field)?;
        let value =
            value.strip_prefix("Some(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(&value);
        let is_settings = value.starts_with('(') && value.contains(':');
        (value != "None" && value != "{}" && !is_settings).then(|| short_numbers(value))
    }
}

/// The text of a field's value.
fn value_of(text: &str, field: &str) -> Option<String> {
    let source = Source::new("", text);
    let located = source.locate(field).filter(|located| located.n_found == 1)?;
    Some(source.value_text(&located).to_owned())
}

/// `0.0` reads `0`, and lists and settings have blanks.
fn short_numbers(value: &str) -> String {
    let mut short = String::new();
    let mut rest = value;
    while let Some((before, after)) = rest.split_once(".0") {
        short.push_str(before);
        if after.starts_with(|c: char| c.is_ascii_digit() || c == 'e') {
            short.push_str(".0");
        }
        rest = after;
    }
    short.push_str(rest);
    short.replace(',', ", ").replace(':', ": ")
}
