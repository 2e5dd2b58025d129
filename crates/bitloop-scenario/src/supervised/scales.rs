//! Scales of a network on examples beyond its weights, so that weights may be short.

use serde::{Deserialize, Serialize};

/// Powers of two by which the sums of layers are multiplied.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LayerScales {
    /// None: weights have the same size in all layers.
    #[default]
    Same,
    /// Those that bits, fan-in and the training rows suggest.
    FromData,
    /// These exponents, one for each layer, the output layer last.
    PowersOfTwo(Vec<i32>),
}

/// Scale and offset of the outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OutputScale {
    /// None: outputs are what the network's last layer answers.
    #[default]
    Fixed,
    /// Those of least squares on the training rows, for whatever weights.
    Fitted,
}

impl LayerScales {
    /// Whether it is the default, which is not written.
    #[must_use]
    pub fn are_same(scales: &Option<Self>) -> bool {
        scales.as_ref().is_none_or(|scales| *scales == Self::Same)
    }
}

impl OutputScale {
    /// Whether it is the default, which is not written.
    #[must_use]
    pub fn is_fixed(scale: &Option<Self>) -> bool {
        scale.is_none_or(|scale| scale == Self::Fixed)
    }
}
