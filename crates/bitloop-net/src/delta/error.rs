//! Why samples or a network cannot be evaluated.

use thiserror::Error;

/// What is wrong with samples, or between samples, network and loss.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum DeltaError {
    /// There are no samples, or they have no inputs or no targets.
    #[error("the samples need at least one {0}")]
    Empty(&'static str),
    /// A variable has another number of samples than the first one.
    #[error("{kind} {index} has {found} samples, where the first has {expected}")]
    Ragged {
        /// `input` or `target`.
        kind: &'static str,
        /// Which variable.
        index: usize,
        /// The samples of the first input.
        expected: usize,
        /// Its own samples.
        found: usize,
    },
    /// A number that is infinite or NaN.
    #[error("{kind} {index} of sample {sample} must be a finite number, found {found}")]
    NotFinite {
        /// `input` or `target`.
        kind: &'static str,
        /// Which variable.
        index: usize,
        /// Which sample.
        sample: usize,
        /// The number.
        found: f64,
    },
    /// The network has other numbers of inputs or outputs than the samples.
    #[error("the samples have {expected} {kind}, the network has {found}")]
    Count {
        /// `inputs` or `outputs`.
        kind: &'static str,
        /// How many the samples have.
        expected: usize,
        /// How many the network has.
        found: usize,
    },
    /// The network remembers past queries, but samples have no order.
    #[error("samples have no order: use layers without feedback, and a window of 1")]
    Memory,
    /// The output layer is fed inputs beside the outputs of the layer before it.
    #[error("examples are evaluated layer by layer: use a network without a direct path")]
    DirectPath,
    /// The loss is of another kind of output layer.
    #[error("{loss} needs {expected} outputs, the network's are {found}")]
    OutputLayer {
        /// The loss.
        loss: &'static str,
        /// The transfer function that it needs.
        expected: &'static str,
        /// The one that the network has.
        found: &'static str,
    },
    /// A target that the loss has no meaning for.
    #[error("{loss} needs {expected}, found {found} in sample {sample}")]
    Target {
        /// The loss.
        loss: &'static str,
        /// What targets must be.
        expected: &'static str,
        /// Which sample.
        sample: usize,
        /// The target, or the sum of the targets of the sample.
        found: f64,
    },
    /// Weights of samples that are negative or not finite, or sum to nothing.
    #[error(
        "the weights of samples must be 0 or positive numbers, and sum to one above 0: found a sum of {found}"
    )]
    SampleWeights {
        /// Their sum.
        found: f64,
    },
    /// A weight of the penalty that is negative or not a number.
    #[error("the penalty on weights must be 0 or a positive number, found {found}")]
    Penalty {
        /// The weight.
        found: f64,
    },
    /// Inputs, or what linear layers make of them, near the largest numbers that there are.
    #[error("signals of up to {found:e} cannot be summed: scale the inputs")]
    TooLarge {
        /// How large they can be.
        found: f64,
    },
    /// Outputs whose scale and offset least squares cannot find.
    #[error("fitted outputs need linear outputs, the squared error, and samples that count alike")]
    Fit,
    /// Weights that are no whole multiples of a step, or of too many.
    #[error("weights must be from 1 to 2^23 steps of a positive number, found {most} of {step}")]
    Steps {
        /// The step.
        step: f64,
        /// The largest multiple.
        most: u32,
    },
}
