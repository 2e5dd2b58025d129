//! Transfer functions of neurons.

use bitloop_plant::Real;
use serde::{Deserialize, Serialize};

/// The transfer function f of a layer's neurons, o = f(s).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Activation {
    /// tanh(s), the paper's symmetric sigmoid.
    Tanh,
    /// 1 / (1 + e^-s), the paper's standard sigmoid.
    Logistic,
    /// s itself.
    Linear,
}

impl Activation {
    /// The name in files and messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tanh => "Tanh",
            Self::Logistic => "Logistic",
            Self::Linear => "Linear",
        }
    }

    /// f(s), lane by lane.
    #[inline(always)]
    pub fn apply<R: Real>(self, sum: R) -> R {
        match self {
            Self::Tanh => sum.tanh(),
            Self::Logistic => sum.logistic(),
            Self::Linear => sum,
        }
    }
}
