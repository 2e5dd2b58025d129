//! [`FailureCharge`]: what the rest of a failed episode costs.

use serde::{Deserialize, Serialize};

/// What each integration step between a failure and the horizon is charged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FailureCharge {
    /// The failure cost, or the stage cost of the step that failed where that is higher: a failure never pays off.
    #[default]
    AtLeast,
    /// The failure cost alone, so that all failures at one time cost the same.
    Flat,
}

impl FailureCharge {
    /// Whether it is the default.
    #[must_use]
    pub const fn is_at_least(&self) -> bool {
        matches!(self, Self::AtLeast)
    }

    /// The charge of a step, where a step of this stage cost failed.
    pub(crate) const fn per_step(self, failure_cost: f64, stage_cost: f64) -> f64 {
        match self {
            Self::AtLeast if stage_cost >= failure_cost => stage_cost,
            Self::AtLeast | Self::Flat => failure_cost,
        }
    }
}
