//! The digest of a saved controller.
//!
//! It covers shape and codes, not versions or paths: the same controller, found again by another version, has the same
//! digest.

use bitloop_net::{Activation, Feedback};

use crate::{
    network::Network,
    saved::{SavedController, Weights},
};

impl SavedController {
    /// BLAKE3 over number of inputs, shape, bits, largest weight and codes, 64 hexadecimal digits.
    /// All integers little-endian, each list after its length.
    pub fn computed_digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"bitloop controller 1\n");
        hasher.update(&(self.inputs.len() as u64).to_le_bytes());
        // One byte for the kind of network, then what that kind needs to say.
        match &self.network {
            Network::FeedForward { .. } => hasher.update(&[0]),
            Network::Recurrent { feedback: Feedback::SelfOnly, .. } => hasher.update(&[1, 1]),
            // A checked one has some feedback.
            Network::Recurrent { .. } => hasher.update(&[1, 0]),
            Network::TappedDelay { window, .. } => {
                hasher.update(&[2]).update(&window.to_le_bytes())
            }
        };
        hasher.update(&(self.network.layers().len() as u64).to_le_bytes());
        for layer in self.network.layers() {
            hasher.update(&layer.units.to_le_bytes());
            let activation = match layer.activation {
                Activation::Tanh => 0u8,
                Activation::Logistic => 1,
                Activation::Linear => 2,
            };
            hasher.update(&[activation]);
        }
        match &self.weights {
            Weights::Codes(codes) => {
                hasher.update(&[0]);
                hasher.update(&codes.bits.to_le_bytes());
                hasher.update(&codes.max_weight.to_bits().to_le_bytes());
                hasher.update(&(codes.codes.len() as u64).to_le_bytes());
                for code in &codes.codes {
                    hasher.update(&code.to_le_bytes());
                }
            }
        }
        hasher.finalize().to_hex().to_string()
    }
}
