//! [`Finding`]: what a check found.

use bitloop_plant::PlantCallError;
use serde::{Deserialize, Serialize};

/// The answer of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The plant keeps this part of its contract, as far as was looked.
    Pass,
    /// The plant breaks it.
    Fail,
    /// The question does not arise, or could not be asked.
    Skip,
}

/// The answer of a check, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The answer.
    pub outcome: Outcome,
    /// What was found, or measured; perhaps empty for a pass.
    pub reason: String,
}

impl Finding {
    pub(crate) fn pass(reason: impl Into<String>) -> Self {
        Self { outcome: Outcome::Pass, reason: reason.into() }
    }

    pub(crate) fn fail(reason: impl Into<String>) -> Self {
        Self { outcome: Outcome::Fail, reason: reason.into() }
    }

    pub(crate) fn skip(reason: impl Into<String>) -> Self {
        Self { outcome: Outcome::Skip, reason: reason.into() }
    }

    /// A failure if something was found, and else a pass.
    pub(crate) fn unless(fault: Option<String>) -> Self {
        fault.map_or_else(|| Self::pass(""), Self::fail)
    }
}

/// What a check gives: a plant that answers a call with an error has failed it.
pub(crate) type Checked = Result<Finding, PlantCallError>;
