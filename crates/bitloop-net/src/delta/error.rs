//! Why samples or a network cannot be evaluated.

use std::fmt;

/// What is wrong with samples, or between samples, network and loss.
#[derive(Debug, Clone, PartialEq)]
pub enum DeltaError {
    /// There are no samples, or they have no inputs or no targets.
    Empty(&'static str),
    /// A variable has another number of samples than the first one.
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
    Count {
        /// `inputs` or `outputs`.
        kind: &'static str,
        /// How many the samples have.
        expected: usize,
        /// How many the network has.
        found: usize,
    },
    /// The network remembers past queries, but samples have no order.
    Memory,
    /// The loss is of another kind of output layer.
    OutputLayer {
        /// The loss.
        loss: &'static str,
        /// The transfer function that it needs.
        expected: &'static str,
        /// The one that the network has.
        found: &'static str,
    },
    /// A target that the loss has no meaning for.
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
    /// A weight of the penalty that is negative or not a number.
    Penalty {
        /// The weight.
        found: f64,
    },
    /// Inputs, or what linear layers make of them, near the largest numbers that there are.
    TooLarge {
        /// How large they can be.
        found: f64,
    },
    /// Weights that are no whole multiples of a step, or of too many.
    Steps {
        /// The step.
        step: f64,
        /// The largest multiple.
        most: u32,
    },
}

impl fmt::Display for DeltaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty(what) => write!(f, "the samples need at least one {what}"),
            Self::Ragged { kind, index, expected, found } => {
                write!(f, "{kind} {index} has {found} samples, where the first has {expected}")
            }
            Self::NotFinite { kind, index, sample, found } => {
                write!(
                    f,
                    "{kind} {index} of sample {sample} must be a finite number, found {found}"
                )
            }
            Self::Count { kind, expected, found } => {
                write!(f, "the samples have {expected} {kind}, the network has {found}")
            }
            Self::Memory => {
                f.write_str("samples have no order: use layers without feedback, and a window of 1")
            }
            Self::OutputLayer { loss, expected, found } => {
                write!(f, "{loss} needs {expected} outputs, the network's are {found}")
            }
            Self::Target { loss, expected, sample, found } => {
                write!(f, "{loss} needs {expected}, found {found} in sample {sample}")
            }
            Self::Penalty { found } => {
                write!(f, "the penalty on weights must be 0 or a positive number, found {found}")
            }
            Self::TooLarge { found } => {
                write!(f, "signals of up to {found:e} cannot be summed: scale the inputs")
            }
            Self::Steps { step, most } => write!(
                f,
                "weights must be from 1 to 2^23 steps of a positive number, found {most} of {step}"
            ),
        }
    }
}

impl std::error::Error for DeltaError {}
