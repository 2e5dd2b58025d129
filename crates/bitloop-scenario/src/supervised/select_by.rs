//! [`SelectBy`]: the figure that selects among networks.

use bitloop_net::Loss;
use serde::{Deserialize, Serialize};

/// What selects among networks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SelectBy {
    /// The loss that is trained; of the squared error, its root.
    #[default]
    Loss,
    /// The share of rows whose class is wrong.
    Accuracy,
    /// The root mean squared error, of losses whose outputs are on the scale of the targets.
    Rmse,
}

/// The figure that stands as the error of a network on rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ErrorFigure {
    /// The root mean squared error over rows and outputs, in scaled units.
    Rmse,
    /// The mean of the cross-entropy over rows.
    CrossEntropy,
    /// The share of rows whose class is wrong.
    WrongShare,
}

impl SelectBy {
    /// Whether it is the default.
    #[must_use]
    pub const fn is_loss(&self) -> bool {
        matches!(self, Self::Loss)
    }

    /// The figure for networks that are trained by `loss`.
    #[must_use]
    pub const fn figure(self, loss: Loss) -> ErrorFigure {
        match (self, loss) {
            (Self::Accuracy, _) => ErrorFigure::WrongShare,
            (Self::Rmse, _) | (Self::Loss, Loss::SquaredError) => ErrorFigure::Rmse,
            (Self::Loss, _) => ErrorFigure::CrossEntropy,
        }
    }
}

impl ErrorFigure {
    /// As reports name it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rmse => "RMSE",
            Self::CrossEntropy => "cross-entropy",
            Self::WrongShare => "share of wrong classes",
        }
    }
}
