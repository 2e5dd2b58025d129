//! Digests: which scenario, which controller.
//!
//! Owns what enters them. A scenario's digest covers its resolved values, so neither comments,
//! spacing, nor a default that is spelled out change it. A controller's covers shape and codes, not
//! versions or paths: the same controller, found again by another version, has the same digest.

use ron::ser::PrettyConfig;

use crate::{
    decode::options,
    network::{Activation, Feedback, Network},
    saved::{SavedController, Weights},
    scenario::Scenario,
    stop::Stop,
};

impl Scenario {
    /// The scenario in one line, defaults filled in: what its digest is taken of. Reading it back
    /// gives the same scenario.
    ///
    /// # Panics
    /// Never: RON can hold each field.
    pub fn canonical_text(&self) -> String {
        options().to_string(self).expect("every field has a RON form")
    }

    /// The scenario as a file, defaults filled in, a field on each line. Reading it back gives the same scenario.
    ///
    /// # Panics
    /// Never: RON can hold each field.
    pub fn to_text(&self) -> String {
        let pretty = PrettyConfig::new().new_line("\n").struct_names(false).depth_limit(3);
        let body = options().to_string_pretty(self, pretty).expect("every field has a RON form");
        format!("Scenario{body}\n")
    }

    /// BLAKE3 of [`Scenario::canonical_text`], 64 hexadecimal digits.
    pub fn digest(&self) -> String {
        blake3::hash(self.canonical_text().as_bytes()).to_hex().to_string()
    }

    /// [`Scenario::digest`] of all that bears on the course of a search: the budget in seconds aside, which says how far
    /// it gets and not where it goes.
    pub fn search_digest(&self) -> String {
        let stop = Stop { seconds: None, ..self.stop.clone() };
        Scenario { stop, ..self.clone() }.digest()
    }
}

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
            Network::Recurrent { feedback: Feedback::Full, .. } => hasher.update(&[1, 0]),
            Network::Recurrent { feedback: Feedback::SelfOnly, .. } => hasher.update(&[1, 1]),
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
