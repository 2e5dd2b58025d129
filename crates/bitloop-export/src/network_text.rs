//! The calls of a step, layer by layer, as every generated source needs them.

use bitloop_net::{Activation, Feedback, Network};

use crate::error::ExportError;
use crate::portable::Portable;

/// The most weights of a source file.
const MAX_WEIGHTS: usize = 1 << 20;
/// The most numbers that a step keeps on the stack.
const MAX_ON_STACK: usize = 1 << 15;

/// One layer as generated code calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LayerCall {
    /// Numbers that it is fed, feedback apart.
    pub n_fed: usize,
    /// How many of them are what the first layer is fed, after the outputs of the layer before.
    pub n_direct: usize,
    /// Weights of a neuron for its layer's own past.
    pub n_back: usize,
    /// Whether each neuron sees its own past alone.
    pub own: bool,
    /// Neurons.
    pub n_neurons: usize,
    /// Their transfer function.
    pub activation: Activation,
    /// Where its weights begin.
    pub first_weight: usize,
    /// Where its past lies in the memory of the layers; nothing if it has none.
    pub memory: Option<usize>,
}

/// The layers of a network in order.
pub(crate) fn layer_calls(network: &Network) -> Vec<LayerCall> {
    let (mut n_fed, mut n_direct) = (network.n_seen(), 0);
    let n_layers = network.layers().len();
    let (mut first_weight, mut memory) = (0, 0);
    let mut calls = Vec::new();
    for (index, layer) in network.layers().iter().enumerate() {
        let n_neurons = layer.n_neurons;
        let (n_back, own) = match layer.feedback {
            Feedback::None => (0, false),
            Feedback::Full => (n_neurons, false),
            Feedback::SelfOnly => (1, true),
        };
        let has_memory = n_back > 0;
        calls.push(LayerCall {
            n_fed,
            n_direct,
            n_back,
            own,
            n_neurons,
            activation: layer.activation,
            first_weight,
            memory: has_memory.then_some(memory),
        });
        memory += if has_memory { n_neurons } else { 0 };
        first_weight += n_neurons * (1 + n_fed + n_back);
        n_direct = if index + 2 == n_layers { network.n_direct() } else { 0 };
        n_fed = n_neurons + n_direct;
    }
    calls
}

/// Numbers that the layers remember, a window of inputs apart.
pub(crate) fn n_layer_memory(network: &Network) -> usize {
    let has_memory = |feedback| !matches!(feedback, Feedback::None);
    let layers = network.layers().iter().filter(|layer| has_memory(layer.feedback));
    layers.map(|layer| layer.n_neurons).sum()
}

/// Numbers of a window of inputs, those of the present included; 0 without one.
pub(crate) fn n_window(network: &Network) -> usize {
    if network.window() > 1 { network.window() * network.n_inputs() } else { 0 }
}

/// Refuses what no compiler would be given.
pub(crate) fn check_size(portable: &Portable) -> Result<(), ExportError> {
    let network = &portable.network;
    let hint = "train a smaller network";
    if network.n_weights() > MAX_WEIGHTS {
        let message =
            format!("{} weights are more than the {MAX_WEIGHTS} of a source", network.n_weights());
        return Err(ExportError::refused(message, hint));
    }
    let on_stack = 2 * widest(network) + network.n_inputs();
    if on_stack > MAX_ON_STACK {
        let message =
            format!("a step would keep {on_stack} numbers on the stack, more than {MAX_ON_STACK}");
        return Err(ExportError::refused(message, hint));
    }
    Ok(())
}

/// The most numbers that a layer is fed by the one before, or that the last one gives.
pub(crate) fn widest(network: &Network) -> usize {
    let fed = layer_calls(network).into_iter().skip(1).map(|call| call.n_fed);
    fed.chain([network.n_outputs()]).max().unwrap_or(1)
}

/// Whether a layer has this transfer function.
pub(crate) fn uses(network: &Network, activation: Activation) -> bool {
    network.layers().iter().any(|layer| layer.activation == activation)
}
