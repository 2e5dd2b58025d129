//! The shape of a network as files tell it.

use serde::{Deserialize, Serialize};

/// A neuron's output as a function of its weighted sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Activation {
    /// Hyperbolic tangent, from -1 to 1.
    Tanh,
    /// 1 / (1 + exp(-s)), from 0 to 1.
    Logistic,
    /// The sum itself.
    Linear,
}

/// One layer of neurons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// Number of neurons.
    pub units: u32,
    /// Their activation.
    pub activation: Activation,
}

/// The shape of a trained network. Other kinds (recurrent, tapped delay, linear feedback) will be
/// further choices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Network {
    /// Each layer sees the one before it, and a constant 1.
    FeedForward {
        /// Hidden layers, then the output layer; its units are the controller's outputs.
        layers: Vec<Layer>,
    },
}

impl Network {
    /// Layers in order, the output layer last.
    pub fn layers(&self) -> &[Layer] {
        match self {
            Network::FeedForward { layers } => layers,
        }
    }

    /// Number of weights, biases included, of this network over `n_inputs` inputs.
    pub fn n_weights(&self, n_inputs: usize) -> u64 {
        let mut n_before = n_inputs as u64;
        let mut n_weights = 0u64;
        for layer in self.layers() {
            let units = u64::from(layer.units);
            n_weights = n_weights.saturating_add(units.saturating_mul(n_before.saturating_add(1)));
            n_before = units;
        }
        n_weights
    }
}
