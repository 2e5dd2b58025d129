//! Losses: the cost of the difference between outputs and targets.

use bitloop_plant::{LaneMatrix, Real};
use serde::{Deserialize, Serialize};

use super::error::DeltaError;
use super::samples::Samples;
use crate::activation::Activation;
use crate::shape::Network;

/// The loss of a sample; all are 0 or positive, which early abort relies on.
///
/// With outputs `o_j` or, where they are computed from the sums of the output layer for accuracy, sums `z_j`, and targets
/// `t_j`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Loss {
    /// `sum_j (o_j - t_j)^2 / n_outputs`, whatever the output layer: averaged over samples, the square of the RMSE.
    #[default]
    SquaredError,
    /// `sum_j -t_j ln o_j - (1 - t_j) ln(1 - o_j)`, of logistic outputs, each its own question; targets in [0, 1].
    LogisticCrossEntropy,
    /// `-sum_j t_j ln p_j` with `p_j = e^z_j / sum_k e^z_k`, of a linear output layer; targets are shares of classes, 0
    /// or positive, and sum to 1.
    SoftmaxCrossEntropy,
}

impl Loss {
    /// The name in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SquaredError => "squared error",
            Self::LogisticCrossEntropy => "logistic cross-entropy",
            Self::SoftmaxCrossEntropy => "softmax cross-entropy",
        }
    }

    /// # Errors
    /// An output layer or targets that the loss has no meaning for.
    pub(super) fn check(self, network: &Network, samples: &Samples) -> Result<(), DeltaError> {
        let loss = self.name();
        let output = network.layers()[network.layers().len() - 1].activation;
        let needed = match self {
            Self::SquaredError => return Ok(()),
            Self::LogisticCrossEntropy => Activation::Logistic,
            Self::SoftmaxCrossEntropy => Activation::Linear,
        };
        if output != needed {
            let (expected, found) = (needed.name(), output.name());
            return Err(DeltaError::OutputLayer { loss, expected, found });
        }
        for sample in 0..samples.n_samples() {
            let targets =
                (0..samples.targets().n_rows()).map(|row| samples.targets().row(row)[sample]);
            let mut sum = 0.0;
            for found in targets {
                if !(0.0..=1.0).contains(&found) {
                    let expected = "targets in [0, 1]";
                    return Err(DeltaError::Target { loss, expected, sample, found });
                }
                sum += found;
            }
            // Shares that were divided out round, a few units in the last place each.
            if self == Self::SoftmaxCrossEntropy && (sum - 1.0).abs() > 1e-9 {
                let expected = "targets that sum to 1";
                return Err(DeltaError::Target { loss, expected, sample, found: sum });
            }
        }
        Ok(())
    }

    /// The transfer function of the values that the loss is computed from.
    pub(super) fn output(self, output: Activation) -> Activation {
        match self {
            Self::SquaredError => output,
            Self::LogisticCrossEntropy | Self::SoftmaxCrossEntropy => Activation::Linear,
        }
    }

    /// By how much the sum of losses is divided.
    pub(super) fn divisor(self, samples: &Samples) -> f64 {
        match self {
            Self::SquaredError => samples.total_weight() * samples.targets().n_rows() as f64,
            Self::LogisticCrossEntropy | Self::SoftmaxCrossEntropy => samples.total_weight(),
        }
    }

    /// The losses of some lanes, undivided: `values` and `targets` start at those lanes' first output.
    #[inline(always)]
    pub(super) fn of_lanes<V: Real>(
        self,
        n_outputs: usize,
        values: Rows<'_>,
        targets: Rows<'_>,
        losses: &mut [f64],
    ) {
        // The match is outside of the loops, so that it is not made for each vector.
        match self {
            Self::SquaredError => Self::SquaredError.each::<V>(n_outputs, values, targets, losses),
            Self::LogisticCrossEntropy => {
                Self::LogisticCrossEntropy.each::<V>(n_outputs, values, targets, losses);
            }
            Self::SoftmaxCrossEntropy => {
                Self::SoftmaxCrossEntropy.each::<V>(n_outputs, values, targets, losses);
            }
        }
    }

    #[inline(always)]
    fn each<V: Real>(
        self,
        n_outputs: usize,
        values: Rows<'_>,
        targets: Rows<'_>,
        losses: &mut [f64],
    ) {
        for (index, losses) in losses.chunks_exact_mut(V::LANES).enumerate() {
            let (values, targets) = (values.from(index * V::LANES), targets.from(index * V::LANES));
            let loss: V = match self {
                Self::SquaredError => squared_error(n_outputs, values, targets),
                Self::LogisticCrossEntropy => logistic_cross_entropy(n_outputs, values, targets),
                Self::SoftmaxCrossEntropy => softmax_cross_entropy(n_outputs, values, targets),
            };
            loss.store(losses);
        }
    }
}

/// Rows of numbers, from some lane on.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub numbers: &'a [f64],
    pub stride: usize,
}

impl<'a> Rows<'a> {
    /// The rows of a matrix, from some lane on.
    pub(super) fn of(matrix: &'a LaneMatrix, lane: usize) -> Self {
        Self { numbers: &matrix.as_slice()[lane..], stride: matrix.n_lanes() }
    }
}

impl Rows<'_> {
    #[inline(always)]
    fn from(self, lane: usize) -> Self {
        Self { numbers: &self.numbers[lane..], ..self }
    }

    #[inline(always)]
    fn load<R: Real>(self, row: usize) -> R {
        R::load(&self.numbers[row * self.stride..])
    }
}

#[inline(always)]
fn squared_error<R: Real>(n_outputs: usize, values: Rows<'_>, targets: Rows<'_>) -> R {
    let mut sum = R::splat(0.0);
    for j in 0..n_outputs {
        let error = values.load::<R>(j) - targets.load::<R>(j);
        sum = error.mul_add(error, sum);
    }
    sum
}

/// With z the sum of a logistic output, -t ln o - (1 - t) ln(1 - o) = z+ - t z + ln(1 + e^-|z|), each term positive.
#[inline(always)]
fn logistic_cross_entropy<R: Real>(n_outputs: usize, values: Rows<'_>, targets: Rows<'_>) -> R {
    let mut sum = R::splat(0.0);
    for j in 0..n_outputs {
        let (z, t) = (values.load::<R>(j), targets.load::<R>(j));
        let miss = R::select(z.gt(R::splat(0.0)), z * (R::splat(1.0) - t), -z * t);
        sum += miss + ((-z.abs()).exp() + 1.0).ln();
    }
    sum
}

/// With m the largest sum, -sum t ln p = ln sum e^(z - m) + sum t (m - z), since targets sum to 1; each term positive.
#[inline(always)]
fn softmax_cross_entropy<R: Real>(n_outputs: usize, values: Rows<'_>, targets: Rows<'_>) -> R {
    let mut largest = values.load::<R>(0);
    for j in 1..n_outputs {
        largest = values.load::<R>(j).max(largest);
    }
    let (mut powers, mut miss) = (R::splat(0.0), R::splat(0.0));
    for j in 0..n_outputs {
        let (z, t) = (values.load::<R>(j), targets.load::<R>(j));
        powers += (z - largest).exp();
        miss = t.mul_add(largest - z, miss);
    }
    miss + powers.ln()
}
