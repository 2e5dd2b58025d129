//! [`FitError`]: what does not fit between a network, examples and the settings of a baseline.

use bitloop_net::{Activation, Feedback, Loss, Network};

use crate::examples::Examples;

/// Why a baseline cannot train a network on examples.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// There are no samples.
    #[error("there are no samples to train on")]
    NoSamples,
    /// The network has a memory, but examples have no order in time.
    #[error("expected a feed-forward network, found one with a memory")]
    Memory,
    /// The output layer is fed inputs beside the outputs of the layer before it.
    #[error("examples are fitted layer by layer: use a network without a direct path")]
    DirectPath,
    /// The network has other inputs or outputs than the examples.
    #[error(
        "the examples have {} inputs and {} outputs, the network {} and {}",
        expected[0], expected[1], found[0], found[1]
    )]
    Sizes {
        /// Inputs and outputs of the examples.
        expected: [usize; 2],
        /// Those of the network.
        found: [usize; 2],
    },
    /// The loss needs another transfer function in the output layer.
    #[error("{loss} needs {expected} outputs, found {found}")]
    Output {
        /// Name of the loss.
        loss: &'static str,
        /// The function needed.
        expected: &'static str,
        /// The function found.
        found: &'static str,
    },
    /// An option is out of its range.
    #[error("{name} must be {expected}")]
    Option {
        /// Which option.
        name: &'static str,
        /// What it may be.
        expected: &'static str,
    },
}

/// Checks that a network fits the examples.
pub(crate) fn check_fit(network: &Network, examples: &Examples) -> Result<(), FitError> {
    if examples.n_samples == 0 {
        return Err(FitError::NoSamples);
    }
    let has_feedback = network.layers().iter().any(|layer| layer.feedback != Feedback::None);
    if has_feedback || network.window() != 1 {
        return Err(FitError::Memory);
    }
    if network.n_direct() > 0 {
        return Err(FitError::DirectPath);
    }
    let expected = [examples.n_inputs(), examples.n_outputs()];
    let found = [network.n_inputs(), network.n_outputs()];
    if expected == found { Ok(()) } else { Err(FitError::Sizes { expected, found }) }
}

/// Checks that the loss has a meaning for the output layer.
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
