//! How well a network fits samples, in the figures that people compare.

use bitloop_plant::{Isa, LaneMatrix};

use super::error::DeltaError;
use super::evaluation::check_shape;
use super::loss::{Loss, Rows};
use super::output_fit::{OutputFit, apply_fits};
use super::reach::weigh;
use super::samples::Samples;
use crate::shape::Network;
use crate::signals::SignalLanes;

/// Lanes answered at once: the buffers of a network of a few hundred neurons then stay in a core's cache.
pub(super) const CHUNK: usize = 256;

/// The usual threshold of two classes, and what parts their targets, which are 0 and 1.
const HALF: f64 = 0.5;

/// What targets stand for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TargetKind {
    /// Numbers.
    Numbers,
    /// Classes: of two, one target, 0 or 1; of more, a target each, 1 for the class and 0 for the others.
    Classes,
    /// Two classes, of which the second is answered from an output of this on.
    TwoClasses {
        /// The lowest such output.
        threshold: f64,
    },
}

impl TargetKind {
    /// The output from which on the second of two classes is answered, if targets are classes.
    const fn threshold(self) -> Option<f64> {
        match self {
            Self::Numbers => None,
            Self::Classes => Some(HALF),
            Self::TwoClasses { threshold } => Some(threshold),
        }
    }
}

/// How well a network fits samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitReport {
    /// The mean of the loss over samples, weighted where samples have weights.
    pub loss: f64,
    /// `sqrt(sum (o - t)^2 / (n_samples n_outputs))`, over all samples and outputs; `None` for the softmax cross-entropy,
    /// whose outputs are sums before the softmax. Weighted as the loss.
    pub rmse: Option<f64>,
    /// The share of samples whose class is right; `None` where targets are not classes.
    ///
    /// With several outputs the class is that of the largest output (ties to the first), with one output the second class
    /// from the threshold on, 0.5 of [`TargetKind::Classes`]. All samples count alike.
    pub classified: Option<f64>,
}

/// Evaluates a network on samples by its own forward pass.
///
/// # Errors
/// A network that does not fit the samples, or that has a memory.
///
/// # Panics
/// If `weights` are those of another network.
pub fn report(
    isa: Isa,
    network: &Network,
    weights: &[f64],
    samples: &Samples,
    loss: Loss,
    kind: TargetKind,
) -> Result<FitReport, DeltaError> {
    report_fitted(isa, (network, weights, &[]), samples, loss, kind)
}

/// The same with fits that are applied to the network's outputs.
///
/// # Errors
/// As [`report`].
///
/// # Panics
/// As [`report`].
pub fn report_fitted(
    isa: Isa,
    (network, weights, fits): (&Network, &[f64], &[OutputFit]),
    samples: &Samples,
    loss: Loss,
    kind: TargetKind,
) -> Result<FitReport, DeltaError> {
    check_shape(network, samples)?;
    // The loss is computed from the sums of the output layer where that is more accurate.
    let output = network.layers()[network.layers().len() - 1].activation;
    let of_sums = network.with_output_activation(loss.output(output));
    let n_outputs = network.n_outputs();
    let (mut loss_sum, mut square_sum, mut n_right) = (0.0, 0.0, 0_usize);
    let mut lanes = of_sums.signals(CHUNK.min(samples.inputs().n_lanes()));
    let mut losses = [0.0; CHUNK];
    for start in (0..samples.n_samples()).step_by(CHUNK) {
        let n = CHUNK.min(samples.n_samples() - start);
        answer(isa, &of_sums, weights, samples, start..start + n, &mut lanes);
        apply_fits(fits, &mut lanes.output, n);
        let values = Rows::of(&lanes.output, 0);
        loss.of_lanes::<f64>(
            n_outputs,
            values,
            Rows::of(samples.targets(), start),
            &mut losses[..n],
        );
        let weights = samples.weights().map(|weights| &weights[start..start + n]);
        if let Some(weights) = weights {
            weigh(weights, &mut losses);
        }
        loss_sum += losses[..n].iter().sum::<f64>();
        if loss.output(output) != output {
            for row in 0..n_outputs {
                for sum in &mut lanes.output.row_mut(row)[..n] {
                    *sum = output.apply(*sum);
                }
            }
        }
        for lane in 0..n {
            for output in 0..n_outputs {
                let target = samples.targets().row(output)[start + lane];
                let error = lanes.output.row(output)[lane] - target;
                square_sum += error * error * weights.map_or(1.0, |weights| weights[lane]);
            }
            let is_right = |threshold| {
                class(&lanes.output, lane, threshold)
                    == class(samples.targets(), start + lane, HALF)
            };
            n_right += usize::from(kind.threshold().is_some_and(is_right));
        }
    }
    let n_values = samples.total_weight() * n_outputs as f64;
    let has_rmse = loss != Loss::SoftmaxCrossEntropy;
    Ok(FitReport {
        loss: loss_sum / loss.divisor(samples),
        rmse: has_rmse.then(|| (square_sum / n_values).sqrt()),
        classified: kind.threshold().map(|_| n_right as f64 / samples.n_samples() as f64),
    })
}

pub(super) fn answer(
    isa: Isa,
    network: &Network,
    weights: &[f64],
    samples: &Samples,
    range: std::ops::Range<usize>,
    lanes: &mut SignalLanes,
) {
    for row in 0..network.n_inputs() {
        lanes.input.row_mut(row)[..range.len()]
            .copy_from_slice(&samples.inputs().row(row)[range.clone()]);
    }
    network.forward(isa, weights, range.len(), lanes);
}

/// The class that a lane's values stand for; of a single one, the second from `threshold` on.
fn class(values: &LaneMatrix, lane: usize, threshold: f64) -> usize {
    if values.n_rows() == 1 {
        return usize::from(values.row(0)[lane] >= threshold);
    }
    (1..values.n_rows()).fold(0, |largest, row| {
        if values.row(row)[lane] > values.row(largest)[lane] { row } else { largest }
    })
}
