//! The digests of what is saved.
//!
//! The first one names a controller or model. That of a controller covers shape and codes, not versions or paths: the same
//! controller, found again by another version, has the same digest. The second one guards the contents of the file: all
//! values that it holds, wherever they are written. Both find damage; neither authenticates the writer.

use bitloop_text::{ErrorKind, FileError, Source, ron_options};
use serde::Serialize;

use bitloop_net::{Activation, Feedback};

use crate::{
    network::Network,
    saved::{PlantIdentity, SavedController, Weights},
};

/// BLAKE3 over `value` in one line of RON, 64 hexadecimal digits. A new field must be skipped in serialization while it has
/// its default, or files so far are taken as damaged.
pub(crate) fn content_digest(kind: &str, value: &impl Serialize) -> String {
    let text = ron_options().to_string(value).expect("every field has a RON form");
    let mut hasher = blake3::Hasher::new();
    hasher.update(format!("bitloop {kind} contents 1\n").as_bytes()).update(text.as_bytes());
    hasher.finalize().to_hex().to_string()
}

/// Compares the digest in `field` with that of what it covers.
pub(crate) fn check_digest(
    source: &Source,
    field: &str,
    found: &str,
    computed: &str,
    covered: &str,
) -> Result<(), FileError> {
    if found == computed {
        return Ok(());
    }
    let message = format!("the {} does not match {covered}", field.replace('_', " "));
    let hint = "the file was edited or damaged: take a fresh copy, or train it again with the command in `made_by`";
    Err(source.error_at(field, message, hint).with_kind(ErrorKind::Damaged))
}

impl SavedController {
    /// BLAKE3 over all values of the file except the digests and the path of the plant's library.
    ///
    /// # Panics
    /// Never: RON can hold each field.
    pub fn computed_content_digest(&self) -> String {
        let plant = PlantIdentity { library: None, ..self.plant.clone() };
        let none = String::new;
        let guarded = Self { plant, digest: none(), content_digest: none(), ..self.clone() };
        content_digest("controller", &guarded)
    }

    /// BLAKE3 over number of inputs, shape, bits, largest weight and codes, 64 hexadecimal digits.
    /// All integers little-endian, each list after its length.
    pub fn computed_digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"bitloop controller 1\n");
        hasher.update(&(self.inputs.len() as u64).to_le_bytes());
        // One byte where there is a direct path.
        if self.network.is_direct() {
            hasher.update(&[3]);
        }
        // One byte for the kind of network, then what that kind needs to say.
        match &self.network {
            Network::FeedForward { .. } => hasher.update(&[0]),
            Network::Recurrent { feedback, window, .. } => {
                // A checked one has some feedback.
                hasher.update(&[1, u8::from(*feedback == Feedback::SelfOnly)]);
                // What is older than windows keeps its digest.
                if *window > 1 {
                    hasher.update(b"window").update(&window.to_le_bytes())
                } else {
                    &mut hasher
                }
            }
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
