//! [`Network`]: layers, their inputs, and the order of the weights.

use thiserror::Error;

use serde::{Deserialize, Serialize};

use crate::activation::Activation;

/// The most weights that a network may have.
pub const MAX_WEIGHTS: usize = 1 << 22;

/// Feedback of a layer's own outputs at the previous query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Feedback {
    /// Nothing: a feed-forward layer. Files say so by the kind of network.
    #[serde(skip)]
    None,
    /// Every neuron sees every neuron of its layer.
    Full,
    /// Every neuron sees itself alone.
    SelfOnly,
}

/// A layer of neurons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layer {
    /// How many neurons, and so outputs, it has.
    pub n_neurons: usize,
    /// Their transfer function.
    pub activation: Activation,
    /// Their feedback.
    pub feedback: Feedback,
}

impl Layer {
    /// A layer without memory.
    #[must_use]
    pub const fn new(n_neurons: usize, activation: Activation) -> Self {
        Self { n_neurons, activation, feedback: Feedback::None }
    }

    /// How many weights of neuron j stand for the layer's own past.
    pub(crate) const fn n_feedback(&self) -> usize {
        match self.feedback {
            Feedback::None => 0,
            Feedback::Full => self.n_neurons,
            Feedback::SelfOnly => 1,
        }
    }
}

/// The shape of a network; the weights are kept apart, since a search holds many of them for one shape.
///
/// Equation, for layer l = 1.. and query k (the paper's Eq. 2 and Sec. V-B):
/// ```text
/// s_j[k] = b_j + sum_i w_ij o_i[k] + sum_h v_hj o_h[k-1]     o_j[k] = f(s_j[k])
/// ```
/// where `o_i` are the outputs of the layer before (for the first one: the inputs at the last `window` queries, newest
/// first), and the last sum runs over this layer's outputs at the previous query, all of them or neuron j's alone. What
/// was before the first query is 0. With a direct path, the output layer is fed what the first one is too, after the outputs
/// of the layer before it, so that a linear law needs no hidden units and these only bend it.
///
/// Weights: layer by layer; within it neuron by neuron; of neuron j first the bias, then the weights of its inputs in
/// order, then those of its feedback in order. Products are summed in this order, each fused with its sum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Network {
    n_inputs: usize,
    window: usize,
    layers: Vec<Layer>,
    is_direct: bool,
}

/// Why a network cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ShapeError {
    /// No inputs, no layers, no window, or a layer without neurons.
    #[error("a network needs at least one {0}")]
    Empty(&'static str),
    /// A direct path without a hidden layer beside it.
    #[error("a direct path needs a hidden layer beside it: without one, all paths are direct")]
    NothingBeside,
    /// More weights than [`MAX_WEIGHTS`].
    #[error("a network may have at most {MAX_WEIGHTS} weights")]
    TooLarge,
}

impl Network {
    /// A network of `n_inputs` inputs, of which it sees the last `window` values (1: the present alone), with these
    /// layers, the output layer last.
    ///
    /// # Errors
    /// [`ShapeError`] where something is empty or too large.
    pub fn new(n_inputs: usize, window: usize, layers: Vec<Layer>) -> Result<Self, ShapeError> {
        if n_inputs == 0 {
            return Err(ShapeError::Empty("input"));
        }
        if window == 0 {
            return Err(ShapeError::Empty("observation in its window"));
        }
        if layers.is_empty() {
            return Err(ShapeError::Empty("layer"));
        }
        if layers.iter().any(|layer| layer.n_neurons == 0) {
            return Err(ShapeError::Empty("neuron in each layer"));
        }
        let mut n_weights = 0_usize;
        let mut n_fed = n_inputs.checked_mul(window).ok_or(ShapeError::TooLarge)?;
        for layer in &layers {
            n_weights = n_fed
                .checked_add(layer.n_feedback() + 1)
                .and_then(|per_neuron| per_neuron.checked_mul(layer.n_neurons))
                .and_then(|of_layer| of_layer.checked_add(n_weights))
                .filter(|&n| n <= MAX_WEIGHTS)
                .ok_or(ShapeError::TooLarge)?;
            n_fed = layer.n_neurons;
        }
        Ok(Self { n_inputs, window, layers, is_direct: false })
    }

    /// The same network, the output layer of which is also fed what the first layer is.
    ///
    /// # Errors
    /// [`ShapeError`] if there is no hidden layer, or the weights become too many.
    pub fn with_direct_path(self) -> Result<Self, ShapeError> {
        if self.layers.len() < 2 {
            return Err(ShapeError::NothingBeside);
        }
        let more = self.n_seen().checked_mul(self.n_outputs()).ok_or(ShapeError::TooLarge)?;
        if more.saturating_add(self.n_weights()) > MAX_WEIGHTS {
            return Err(ShapeError::TooLarge);
        }
        Ok(Self { is_direct: true, ..self })
    }

    /// The same network with another transfer function in the output layer.
    #[must_use]
    pub(crate) fn with_output_activation(&self, activation: Activation) -> Self {
        let mut network = self.clone();
        if let Some(last) = network.layers.last_mut() {
            last.activation = activation;
        }
        network
    }

    /// How many inputs the network is given at each query.
    #[must_use]
    pub const fn n_inputs(&self) -> usize {
        self.n_inputs
    }

    /// How many values of each input the network sees.
    #[must_use]
    pub const fn window(&self) -> usize {
        self.window
    }

    /// The layers, the output layer last.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// How many numbers the first layer is fed: each input at each query of the window.
    #[must_use]
    pub const fn n_seen(&self) -> usize {
        self.n_inputs * self.window
    }

    /// How many of them the output layer is fed too, after the outputs of the layer before it.
    #[must_use]
    pub const fn n_direct(&self) -> usize {
        if self.is_direct { self.n_seen() } else { 0 }
    }

    /// How many outputs the network has.
    #[must_use]
    pub fn n_outputs(&self) -> usize {
        self.layers.last().map_or(0, |layer| layer.n_neurons)
    }

    /// How many weights the network has, biases included.
    #[must_use]
    pub fn n_weights(&self) -> usize {
        self.fed_layers().map(|(n_fed, layer)| layer.n_neurons * n_weights_of(n_fed, layer)).sum()
    }

    /// How many numbers the network remembers from query to query.
    #[must_use]
    pub fn n_memory(&self) -> usize {
        let past_inputs = self.n_inputs * (self.window - 1);
        past_inputs + self.layers.iter().map(n_memory_of).sum::<usize>()
    }

    /// Bounds that no output leaves with weights of at most `max_weight`, whatever the inputs; nothing where the output
    /// layer is fed what has no bounds: the inputs, or a linear layer.
    #[must_use]
    pub fn output_bounds(&self, max_weight: f64) -> Option<(f64, f64)> {
        let [.., before, output] = self.layers.as_slice() else { return None };
        match output.activation {
            Activation::Tanh => Some((-1.0, 1.0)),
            Activation::Logistic => Some((0.0, 1.0)),
            Activation::Linear if before.activation == Activation::Linear || self.is_direct => None,
            Activation::Linear => {
                // Each neuron before it answers with 1 at most; the bias has a constant 1, and feedback adds its own.
                let n_fed = before.n_neurons + 1;
                (output.feedback == Feedback::None)
                    .then(|| (-max_weight * n_fed as f64, max_weight * n_fed as f64))
            }
        }
    }

    /// How many numbers the next layer is fed beside the outputs of the layer at an index.
    pub(crate) fn n_beside(&self, layer_index: usize) -> usize {
        if layer_index + 2 == self.layers.len() { self.n_direct() } else { 0 }
    }

    /// The layers, each with the number of inputs that it is fed, feedback apart.
    pub(crate) fn fed_layers(&self) -> impl Iterator<Item = (usize, &Layer)> {
        let fed = std::iter::once(self.n_seen()).chain(
            self.layers
                .iter()
                .enumerate()
                .map(|(index, layer)| layer.n_neurons + self.n_beside(index)),
        );
        fed.zip(&self.layers)
    }
}

/// Weights of one neuron.
pub(crate) const fn n_weights_of(n_fed: usize, layer: &Layer) -> usize {
    1 + n_fed + layer.n_feedback()
}

/// Numbers that a layer remembers.
pub(crate) const fn n_memory_of(layer: &Layer) -> usize {
    match layer.feedback {
        Feedback::None => 0,
        Feedback::Full | Feedback::SelfOnly => layer.n_neurons,
    }
}
