//! The shape of a network as it is saved.

use bitloop_net::{Activation, Feedback};
use serde::{Deserialize, Serialize};

/// One layer of neurons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// Number of neurons.
    pub units: u32,
    /// Their activation.
    pub activation: Activation,
}

/// Skipped in serialization, so that what is older than a field keeps its digest.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
pub(crate) fn is_false(value: &bool) -> bool {
    !value
}

/// As `is_false`.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
pub(crate) fn is_one(window: &u32) -> bool {
    *window == 1
}

/// The window of a network that sees the present alone.
pub(crate) fn one() -> u32 {
    1
}

/// The shape of a trained network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Network {
    /// Each layer sees the one before it, and a constant 1.
    FeedForward {
        /// Hidden layers, then the output layer; its units are the controller's outputs.
        layers: Vec<Layer>,
        /// Whether the output layer sees what the first one does, beside the layer before it.
        #[serde(default, skip_serializing_if = "is_false")]
        direct: bool,
    },
    /// As feed-forward, and each hidden layer also sees its own outputs at the query before, which
    /// are 0 at the first query of an episode.
    Recurrent {
        /// Which of them a neuron sees.
        feedback: Feedback,
        /// Number of queries whose inputs the first layer sees, the present one included.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        window: u32,
        /// One hidden layer or more, then the output layer, which has no feedback.
        layers: Vec<Layer>,
        /// Whether the output layer sees what the first one does, beside the layer before it.
        #[serde(default, skip_serializing_if = "is_false")]
        direct: bool,
    },
    /// As feed-forward, but the first layer sees the inputs of the last queries, newest first; those
    /// before the first query of an episode are 0.
    TappedDelay {
        /// Number of queries seen, the present one included; 1 is a feed-forward network.
        window: u32,
        /// Hidden layers, then the output layer.
        layers: Vec<Layer>,
        /// Whether the output layer sees what the first one does, beside the layer before it.
        #[serde(default, skip_serializing_if = "is_false")]
        direct: bool,
    },
}

impl Network {
    /// Layers in order, the output layer last.
    pub fn layers(&self) -> &[Layer] {
        match self {
            Network::FeedForward { layers, .. }
            | Network::Recurrent { layers, .. }
            | Network::TappedDelay { layers, .. } => layers,
        }
    }

    /// Number of queries whose inputs the first layer sees.
    pub fn window(&self) -> u32 {
        match self {
            Network::FeedForward { .. } => 1,
            Network::Recurrent { window, .. } | Network::TappedDelay { window, .. } => *window,
        }
    }

    /// What layer `layer_index`, from 0, remembers: something in the hidden layers of a recurrent
    /// network alone.
    pub fn feedback(&self, layer_index: usize) -> Feedback {
        match self {
            Network::Recurrent { feedback, layers, .. } if layer_index + 1 < layers.len() => {
                *feedback
            }
            _ => Feedback::None,
        }
    }

    /// Whether the output layer sees what the first one does, beside the layer before it.
    pub fn is_direct(&self) -> bool {
        match self {
            Network::FeedForward { direct, .. }
            | Network::Recurrent { direct, .. }
            | Network::TappedDelay { direct, .. } => *direct,
        }
    }

    /// Number of weights, biases included, of this network over `n_inputs` inputs.
    pub fn n_weights(&self, n_inputs: usize) -> u64 {
        let n_seen = (n_inputs as u64).saturating_mul(u64::from(self.window()));
        let layers = self.layers().iter().enumerate();
        let n_weights =
            count_weights(n_seen, layers.map(|(index, layer)| (layer.units, self.feedback(index))));
        let n_outputs = self.layers().last().map_or(0, |layer| u64::from(layer.units));
        let n_direct = if self.is_direct() { n_seen.saturating_mul(n_outputs) } else { 0 };
        n_weights.saturating_add(n_direct)
    }
}

/// Number of weights of layers of so many units, each with its feedback, of which the first sees
/// `n_seen` numbers: a bias, the outputs of the layer before, and what is fed back, for each unit.
pub(crate) fn count_weights(n_seen: u64, layers: impl Iterator<Item = (u32, Feedback)>) -> u64 {
    let mut n_before = n_seen;
    let mut n_weights = 0u64;
    for (units, feedback) in layers {
        let units = u64::from(units);
        let n_fed_back = match feedback {
            Feedback::None => 0,
            Feedback::SelfOnly => 1,
            Feedback::Full => units,
        };
        let of_unit = n_before.saturating_add(n_fed_back + 1);
        n_weights = n_weights.saturating_add(units.saturating_mul(of_unit));
        n_before = units;
    }
    n_weights
}
