//! Networks in words.

use std::fmt::Write as _;

use bitloop_net::Feedback;
use bitloop_scenario::Network;
use bitloop_train::Training;

use crate::output::number::{counted, error, plain};

/// `4 inputs -> 5 Tanh -> 1 Linear`, with what a network remembers before it.
pub fn layers_in_short(n_inputs: usize, network: &Network) -> String {
    let mut text = match network {
        Network::FeedForward { .. } | Network::TappedDelay { .. } => String::new(),
        Network::Recurrent { feedback: Feedback::SelfOnly, .. } => "self-recurrent, ".to_owned(),
        Network::Recurrent { .. } => "recurrent, ".to_owned(),
    };
    if network.window() > 1 || matches!(network, Network::TappedDelay { .. }) {
        let _ = write!(text, "window of {}, ", network.window());
    }
    text.push_str(&counted(n_inputs as u64, "input"));
    for layer in network.layers() {
        let _ = write!(text, " -> {} {:?}", layer.units, layer.activation);
    }
    if network.is_direct() {
        text.push_str(", and directly");
    }
    text
}

/// `31 weights of 16 bits`.
pub fn weights_in_short(n_weights: usize, bits: Option<u32>) -> String {
    let of_bits = bits.map_or(String::new(), |bits| format!(" of {bits} bits"));
    format!("{}{of_bits}", counted(n_weights as u64, "weight"))
}

/// Bytes of so many weights without gaps between their bits.
pub const fn packed_bytes(n_weights: usize, bits: u32) -> u64 {
    (n_weights as u64 * bits as u64).div_ceil(8)
}

/// The values that weights can have: `from -10.01 to 10, in steps of 4.885e-3`.
///
/// Codes reach one step further below zero than above, which at 2 bits is twice as far.
pub fn grid_in_words(bits: u32, max_weight: f64) -> String {
    let largest_code = f64::from((1_u32 << (bits - 1)) - 1);
    let step = max_weight / largest_code;
    let least = -step * (largest_code + 1.0);
    format!("from {} to {}, in steps of {}", error(least), plain(max_weight), error(step))
}

/// Layers and weights of the network that is trained.
pub fn network_in_short(training: &dyn Training) -> String {
    let bits = training.grid().map(|grid| grid.bits_per_weight());
    format!(
        "{}, {}",
        layers_in_short(training.network().n_inputs(), training.shape()),
        weights_in_short(training.network().n_weights(), bits)
    )
}
