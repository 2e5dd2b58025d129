//! Every field of a scenario: name, type, unit, default, meaning.
//!
//! Names and types are read off the types by `probe.rs`, defaults by writing a value of which all is left out that may be;
//! only units and meanings are written down, in the `_meaning` modules. The page `REFERENCE.md` and the command
//! `bitloop scenario fields` are two renderings of the same sections.

mod address;
mod meaning;
mod probe;
mod render;
mod scenario_meaning;
mod section;
mod suite_meaning;
mod supervised_meaning;
#[cfg(test)]
mod tests;
mod trainer_meaning;
mod uncertainty_meaning;

pub use render::{UnknownField, fields, reference_page};
