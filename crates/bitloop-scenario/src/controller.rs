//! What kind of controller a scenario wants trained.

use bitloop_net::{Activation, Feedback};
use bitloop_text::{RawField, ron_options};
use ron::{error::SpannedError, value::RawValue};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::network::{is_false, is_one, one};

/// The controller to train.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ControllerSpec {
    /// Linear feedback: a network without hidden layers.
    Linear,
    /// A PID law: linear feedback of the last two observations, and of one integrating unit for each control.
    Pid,
    /// A multi-layer perceptron without memory.
    FeedForward(FeedForward),
    /// A multi-layer perceptron whose hidden layers remember their last outputs.
    Recurrent(Recurrent),
    /// A multi-layer perceptron that sees the last observations too.
    TappedDelay(TappedDelay),
}

impl ControllerSpec {
    /// Units of each hidden layer, from the input on.
    pub fn hidden(&self) -> &[u32] {
        match self {
            ControllerSpec::Linear | ControllerSpec::Pid => &[],
            ControllerSpec::FeedForward(network) => &network.hidden,
            ControllerSpec::Recurrent(network) => &network.hidden,
            ControllerSpec::TappedDelay(network) => &network.hidden,
        }
    }

    /// Activation of the hidden layers.
    pub fn hidden_activation(&self) -> &LayerActivations {
        match self {
            ControllerSpec::Linear | ControllerSpec::Pid => {
                &LayerActivations::Same(Activation::Tanh)
            }
            ControllerSpec::FeedForward(network) => &network.hidden_activation,
            ControllerSpec::Recurrent(network) => &network.hidden_activation,
            ControllerSpec::TappedDelay(network) => &network.hidden_activation,
        }
    }

    /// Activation of the output layer.
    pub fn output_activation(&self) -> Activation {
        match self {
            ControllerSpec::Linear | ControllerSpec::Pid => Activation::Linear,
            ControllerSpec::FeedForward(network) => network.output_activation,
            ControllerSpec::Recurrent(network) => network.output_activation,
            ControllerSpec::TappedDelay(network) => network.output_activation,
        }
    }

    /// Whether the output layer is fed the inputs too.
    pub fn is_direct(&self) -> bool {
        match self {
            ControllerSpec::Linear => false,
            ControllerSpec::Pid => true,
            ControllerSpec::FeedForward(network) => network.direct,
            ControllerSpec::Recurrent(network) => network.direct,
            ControllerSpec::TappedDelay(network) => network.direct,
        }
    }
}

/// A feed-forward network; its inputs are the scenario's observations, its outputs the plant's
/// controls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeedForward {
    /// Units of each hidden layer, from the input on; an empty list makes a network without.
    pub hidden: Vec<u32>,
    /// Activation of the hidden layers. Default: `Tanh`.
    #[serde(default)]
    pub hidden_activation: LayerActivations,
    /// Activation of the output layer. Default: `Linear`, so that the output is not confined to
    /// [-1, 1] times its scale.
    #[serde(default = "linear")]
    pub output_activation: Activation,
    /// Whether the output layer sees what the first layer does, beside the hidden units, so that these only bend a linear
    /// law. Default: no.
    #[serde(default, skip_serializing_if = "is_false")]
    pub direct: bool,
}

/// A recurrent network: each hidden layer is also fed its own outputs at the query before, one control
/// period ago. That memory is 0 at the start of each episode. (TBLM, Sec. V-B.)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recurrent {
    /// Units of each hidden layer, from the input on; at least one layer.
    pub hidden: Vec<u32>,
    /// Which of its layer's last outputs a neuron sees. Default: `Full`, all of them.
    #[serde(default = "full")]
    pub feedback: Feedback,
    /// Number of queries, one control period apart, whose observations the first layer sees, the present one included; from 1
    /// to 1000. Default: 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub window: u32,
    /// Activation of the hidden layers. Default: `Tanh`.
    #[serde(default)]
    pub hidden_activation: LayerActivations,
    /// Activation of the output layer, which has no feedback. Default: `Linear`.
    #[serde(default = "linear")]
    pub output_activation: Activation,
    /// Whether the output layer sees what the first layer does, beside the hidden units, so that these only bend a linear
    /// law. Default: no.
    #[serde(default, skip_serializing_if = "is_false")]
    pub direct: bool,
}

/// A feed-forward network over a window of the last observations, newest first; what was before the
/// first query of an episode is 0, after scaling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TappedDelay {
    /// Number of queries, one control period apart, whose observations the network sees, the present
    /// one included; from 1 to 1000.
    pub window: u32,
    /// Units of each hidden layer, from the input on; an empty list makes a network without.
    pub hidden: Vec<u32>,
    /// Activation of the hidden layers. Default: `Tanh`.
    #[serde(default)]
    pub hidden_activation: LayerActivations,
    /// Activation of the output layer. Default: `Linear`.
    #[serde(default = "linear")]
    pub output_activation: Activation,
    /// Whether the output layer sees what the first layer does, beside the hidden units, so that these only bend a linear
    /// law. Default: no.
    #[serde(default, skip_serializing_if = "is_false")]
    pub direct: bool,
}

fn full() -> Feedback {
    Feedback::Full
}

fn linear() -> Activation {
    Activation::Linear
}

/// One activation for all hidden layers, or a list with one for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayerActivations {
    /// The same for all, written `Tanh`.
    Same(Activation),
    /// One for each hidden layer, written `[Tanh, Logistic]`.
    PerLayer(Vec<Activation>),
}

impl LayerActivations {
    /// The activation of hidden layer `layer_index`, from 0.
    ///
    /// # Panics
    /// If a list is shorter; a checked scenario's list is not.
    pub fn of(&self, layer_index: usize) -> Activation {
        match self {
            LayerActivations::Same(activation) => *activation,
            LayerActivations::PerLayer(list) => list[layer_index],
        }
    }

    /// Like a distribution, this has two shapes, and is read as raw text first.
    fn parse(text: &str) -> Result<Self, SpannedError> {
        if text.starts_with('[') {
            ron_options().from_str(text).map(LayerActivations::PerLayer)
        } else {
            ron_options().from_str(text).map(LayerActivations::Same)
        }
    }

    pub(crate) fn raw_field(path: &str) -> RawField {
        RawField::new(path, "an activation, or a list of them", |text| Self::parse(text).map(drop))
    }
}

impl Default for LayerActivations {
    fn default() -> Self {
        LayerActivations::Same(Activation::Tanh)
    }
}

impl<'de> Deserialize<'de> for LayerActivations {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        LayerActivations::parse(raw.get_ron().trim()).map_err(|error| D::Error::custom(error.code))
    }
}

impl Serialize for LayerActivations {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            LayerActivations::Same(activation) => activation.serialize(serializer),
            LayerActivations::PerLayer(list) => list.serialize(serializer),
        }
    }
}
