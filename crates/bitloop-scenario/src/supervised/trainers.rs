//! How a network is trained on examples: telescopic BLM, or what it is compared with.

use serde::{Deserialize, Serialize};

use crate::{
    cma_es::CmaEs,
    random_search::RandomSearch,
    telescopic_blm::{TelescopicBlm, TelescopicBlmInFile},
};

/// The trainer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum SupervisedTraining {
    /// Telescopic binary learning machine: local search over the bits of the weights.
    TelescopicBlm(TelescopicBlm),
    /// Covariance matrix adaptation evolution strategy over real weights, as a baseline.
    CmaEs(CmaEs),
    /// Independent random weights, as a baseline.
    RandomSearch(RandomSearch),
    /// One-step secant: descent along gradients with a memory of one step (Battiti 1992), as a baseline.
    OneStepSecant(OneStepSecant),
    /// Gradient descent over the whole batch, as a baseline.
    Backpropagation(Backpropagation),
    /// Extreme learning machine: a random hidden layer under a linear one that is solved for, as a baseline.
    ExtremeLearning(ExtremeLearning),
}

/// The trainer as the file gives it.
#[derive(Deserialize)]
#[serde(rename = "SupervisedTraining")]
pub(super) enum SupervisedTrainingInFile {
    TelescopicBlm(TelescopicBlmInFile),
    CmaEs(CmaEs),
    RandomSearch(RandomSearch),
    OneStepSecant(OneStepSecant),
    Backpropagation(Backpropagation),
    ExtremeLearning(ExtremeLearning),
}

impl SupervisedTrainingInFile {
    /// Whether the scales of layers and outputs are to be found on the examples.
    pub fn leaves_scales_open(&self) -> bool {
        matches!(self, Self::TelescopicBlm(blm) if blm.leaves_scales_open())
    }
}

impl From<SupervisedTrainingInFile> for SupervisedTraining {
    fn from(file: SupervisedTrainingInFile) -> Self {
        match file {
            SupervisedTrainingInFile::TelescopicBlm(blm) => Self::TelescopicBlm(blm.on_examples()),
            SupervisedTrainingInFile::CmaEs(cma_es) => Self::CmaEs(cma_es),
            SupervisedTrainingInFile::RandomSearch(random) => Self::RandomSearch(random),
            SupervisedTrainingInFile::OneStepSecant(secant) => Self::OneStepSecant(secant),
            SupervisedTrainingInFile::Backpropagation(descent) => Self::Backpropagation(descent),
            SupervisedTrainingInFile::ExtremeLearning(elm) => Self::ExtremeLearning(elm),
        }
    }
}

/// Settings of one-step secant. Equal bits are promised for one machine only.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OneStepSecant {
    /// Initial weights are uniform within plus and minus this. Default: 0.1.
    pub initial_range: f64,
    /// Steps between two validations. Default: 10.
    pub validate_every: u32,
}

impl Default for OneStepSecant {
    fn default() -> Self {
        Self { initial_range: 0.1, validate_every: 10 }
    }
}

/// Settings of backpropagation. Equal bits are promised for one machine only.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Backpropagation {
    /// The learning rate, above 0. Default: 0.1.
    pub learning_rate: f64,
    /// The momentum, from 0 to below 1. Default: 0.9.
    pub momentum: f64,
    /// Initial weights are uniform within plus and minus this. Default: 0.1.
    pub initial_range: f64,
    /// Steps between two validations. Default: 10.
    pub validate_every: u32,
}

impl Default for Backpropagation {
    fn default() -> Self {
        Self { learning_rate: 0.1, momentum: 0.9, initial_range: 0.1, validate_every: 10 }
    }
}

/// Settings of an extreme learning machine. Equal bits are promised for one machine only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExtremeLearning {
    /// Units of the hidden layer, from 1 to 16384. Default: the network's.
    pub units: Option<u32>,
    /// Weights and biases of the hidden layer are uniform within plus and minus this. Default: 1.
    pub hidden_range: f64,
    /// Regularization constants to be tried, each above 0; the validation rows choose among several. Default: a single 1.
    pub ridges: Vec<f64>,
}

impl Default for ExtremeLearning {
    fn default() -> Self {
        Self { units: None, hidden_range: 1.0, ridges: vec![1.0] }
    }
}

impl SupervisedTraining {
    /// The trainer's name in files.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::TelescopicBlm(_) => "TelescopicBlm",
            Self::CmaEs(_) => "CmaEs",
            Self::RandomSearch(_) => "RandomSearch",
            Self::OneStepSecant(_) => "OneStepSecant",
            Self::Backpropagation(_) => "Backpropagation",
            Self::ExtremeLearning(_) => "ExtremeLearning",
        }
    }
}
