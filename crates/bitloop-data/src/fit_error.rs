//! [`FitError`]: what does not fit between a network, examples and the settings of a baseline.

use std::fmt;

use bitloop_net::{Activation, Feedback, Loss, Network};

use crate::examples::Examples;

/// Why a baseline cannot train a network on examples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FitError {
    /// There are no samples.
    NoSamples,
    /// The network has a memory, which examples in no order cannot fill.
    Memory,
    /// The network has other inputs or outputs than the examples.
    Sizes {
        /// Inputs and outputs of the examples.
        expected: [usize; 2],
        /// Those of the network.
        found: [usize; 2],
    },
    /// The loss needs another transfer function in the output layer.
    Output {
        /// Name of the loss.
        loss: &'static str,
        /// The function needed.
        expected: &'static str,
        /// The function found.
        found: &'static str,
    },
    /// An option is out of its range.
    Option {
        /// Which option.
        name: &'static str,
        /// What it may be.
        expected: &'static str,
    },
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSamples => write!(f, "there are no samples to train on"),
            Self::Memory => write!(f, "expected a feed-forward network, found one with a memory"),
            Self::Sizes { expected: [n_inputs, n_outputs], found } => write!(
                f,
                "the examples have {n_inputs} inputs and {n_outputs} outputs, the network {} and {}",
                found[0], found[1]
            ),
            Self::Output { loss, expected, found } => {
                write!(f, "{loss} needs {expected} outputs, found {found}")
            }
            Self::Option { name, expected } => write!(f, "{name} must be {expected}"),
        }
    }
}

impl std::error::Error for FitError {}

/// Refuses a network that cannot answer the examples.
pub(crate) fn check_fit(network: &Network, examples: &Examples) -> Result<(), FitError> {
    if examples.n_samples == 0 {
        return Err(FitError::NoSamples);
    }
    let has_feedback = network.layers().iter().any(|layer| layer.feedback != Feedback::None);
    if has_feedback || network.window() != 1 {
        return Err(FitError::Memory);
    }
    let expected = [examples.n_inputs(), examples.n_outputs()];
    let found = [network.n_inputs(), network.n_outputs()];
    if expected == found { Ok(()) } else { Err(FitError::Sizes { expected, found }) }
}

/// Refuses an output layer that the loss has no meaning for.
pub(crate) fn check_loss(network: &Network, loss: Loss) -> Result<(), FitError> {
    let expected = match loss {
        Loss::SquaredError => return Ok(()),
        Loss::LogisticCrossEntropy => Activation::Logistic,
        Loss::SoftmaxCrossEntropy => Activation::Linear,
    };
    let found = network.layers()[network.layers().len() - 1].activation;
    if found == expected {
        return Ok(());
    }
    Err(FitError::Output { loss: loss.name(), expected: expected.name(), found: found.name() })
}
