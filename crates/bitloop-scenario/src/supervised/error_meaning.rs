//! [`ErrorMeaning`]: what an error over rows is, so that errors that are no two of a kind are not compared.

use bitloop_data::{ClassWeights, ScalingMethod};
use bitloop_net::Loss;
use serde::Serialize;

use super::Supervised;
use super::select_by::ErrorFigure;

/// What an error over rows is. Only errors of the same meaning can be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorMeaning {
    /// The figure.
    pub figure: ErrorFigure,
    /// What it is measured in.
    pub unit: ErrorUnit,
    /// How much a row of each class counts.
    pub class_weights: ClassWeights,
}

/// What an error over rows is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum ErrorUnit {
    /// The unit of the targets, which are not scaled.
    Target,
    /// Targets are scaled so that those of the training rows span this range.
    Range([f64; 2]),
    /// Standard deviations of the targets over the training rows.
    StandardDeviation,
    /// Outputs for classes, whose targets are 0 and 1.
    ClassOutput,
    /// Nats of the cross-entropy of this loss.
    Nat(Loss),
    /// A share of the rows.
    Share,
}

impl Supervised {
    /// What the errors of its networks are.
    #[must_use]
    pub fn error_meaning(&self) -> ErrorMeaning {
        let figure = self.select_by.figure(self.loss);
        let unit = match (figure, self.scaling.targets) {
            (ErrorFigure::WrongShare, _) => ErrorUnit::Share,
            (ErrorFigure::CrossEntropy, _) => ErrorUnit::Nat(self.loss),
            (ErrorFigure::Rmse, _) if self.data.has_classes() => ErrorUnit::ClassOutput,
            (ErrorFigure::Rmse, None) => ErrorUnit::Target,
            (ErrorFigure::Rmse, Some(range)) => match self.scaling.method {
                ScalingMethod::Range => ErrorUnit::Range(range),
                ScalingMethod::Standard => ErrorUnit::StandardDeviation,
            },
        };
        // All rows count alike in a share.
        let class_weights = match unit {
            ErrorUnit::Share => ClassWeights::Equal,
            _ => self.class_weights.clone(),
        };
        ErrorMeaning { figure, unit, class_weights }
    }
}

impl ErrorMeaning {
    /// As reports name it: `RMSE in standard deviations of the target`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let weights = match &self.class_weights {
            ClassWeights::Equal => String::new(),
            ClassWeights::Balanced => ", classes count alike".to_owned(),
            ClassWeights::ByClass(weights) => {
                let pairs: Vec<String> =
                    weights.iter().map(|(class, weight)| format!("{class} {weight}")).collect();
                format!(", rows count by class: {}", pairs.join(", "))
            }
        };
        format!("{}{weights}", self.unit.in_words(self.figure))
    }
}

impl ErrorUnit {
    /// A figure with this unit, in words.
    #[must_use]
    pub fn in_words(self, figure: ErrorFigure) -> String {
        let figure = figure.name();
        match self {
            Self::Target => format!("{figure} in the unit of the target"),
            Self::Range([low, high]) => {
                format!("{figure} of the target scaled to [{low}, {high}] by its range")
            }
            Self::StandardDeviation => format!("{figure} in standard deviations of the target"),
            Self::ClassOutput => format!("{figure} of outputs for classes"),
            Self::Nat(Loss::SoftmaxCrossEntropy) => format!("softmax {figure} in nats"),
            Self::Nat(_) => format!("logistic {figure} in nats"),
            Self::Share => figure.to_owned(),
        }
    }
}
