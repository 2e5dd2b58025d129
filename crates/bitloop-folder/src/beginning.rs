//! [`Beginning`]: the files that a run begins with.

use serde::{Deserialize, Serialize};

/// The scenario of a run, as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texts<'a> {
    /// As it was given.
    pub given: &'a str,
    /// As it is run, with all defaults.
    pub resolved: &'a str,
}

/// What belongs to the beginning of a run, beside its first state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Beginning {
    pub given: String,
    pub resolved: String,
    /// The folder inside this one that the finished run goes to which was there before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<String>,
}

impl Beginning {
    /// With the scenario's texts, and the folder for the files of an earlier run, if they are to be kept.
    pub fn new(texts: Texts<'_>, earlier: Option<String>) -> Self {
        Self { given: texts.given.to_owned(), resolved: texts.resolved.to_owned(), earlier }
    }
}
