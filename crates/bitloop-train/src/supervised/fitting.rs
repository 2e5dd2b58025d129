//! [`Fitting`]: a supervised scenario made ready to train.

use std::num::NonZeroUsize;
use std::sync::Arc;

use bitloop_blm::{SearchOptions, WeightGrid, speculate};
use bitloop_data::{
    BackpropagationOptions, Dataset, ErrorFunction, ExtremeLearningOptions, Supervised,
};
use bitloop_net::{DeltaError, Loss, Network, Samples};
use bitloop_scenario::{self as file, Fits, Stop, SupervisedFile};

use crate::convert::network;
use crate::error::TrainError;
use crate::state::{Candidate, StopReason, TrainingState};
use crate::supervised::convert::{data_error, data_spec};
use crate::supervised::examiner::Examiner;
use crate::supervised::{blm, elm, gradient};
use crate::training::{Execution, Progress};

/// The most outputs of neurons that are kept, over all training rows: 2 GiB of them.
const MOST_SIGNALS: usize = 1 << 28;

/// Training rows from which on probes are shared among threads. Over fewer, a probe takes a few microseconds, and handing
/// it over as long.
const WORTH_SHARING: usize = 1 << 12;

/// A supervised scenario made ready to train.
#[derive(Debug)]
pub struct Fitting {
    /// The examples and how they were encoded.
    pub data: Dataset,
    /// The network's shape, as it will be saved.
    pub shape: file::Network,
    /// The network's shape.
    pub network: Network,
    /// When to stop.
    pub stop: Stop,
    pub(crate) trainer: FittingTrainer,
    pub(crate) loss: Loss,
    pub(crate) regularization: f64,
    pub(crate) seed: u64,
    pub(crate) training: Arc<Samples>,
    pub(crate) validation: Option<Samples>,
    pub(crate) test: Option<Samples>,
}

/// The trainer with its options.
#[derive(Debug)]
pub(crate) enum FittingTrainer {
    /// Telescopic BLM.
    TelescopicBlm { options: SearchOptions, validate_every: u64 },
    /// One-step secant, or backpropagation with its options.
    Gradient {
        backpropagation: Option<BackpropagationOptions>,
        initial_range: f64,
        validate_every: u64,
    },
    /// An extreme learning machine.
    ExtremeLearning(ExtremeLearningOptions),
}

/// What came of a training on examples.
#[derive(Clone, Debug, PartialEq)]
pub struct FittingOutcome {
    /// The weights that won.
    pub best: Candidate,
    /// How well they fit each part of the data.
    pub fits: Fits,
    /// Share of them that is zero.
    pub zero_share: f64,
    /// Why the training ended.
    pub stop_reason: StopReason,
    /// Descents begun.
    pub n_descents: u64,
    /// Accepted moves; steps of a descent along gradients.
    pub n_moves: u64,
    /// Evaluations of the cost: probes of telescopic BLM, values and gradients of the others.
    pub n_evaluations: u64,
    /// Seconds from start to end.
    pub wall_s: f64,
}

impl Fitting {
    /// Reads the data and makes a scenario ready.
    ///
    /// # Errors
    /// What is missing or makes no sense, at its place in the scenario or the data.
    pub fn new(scenario: &SupervisedFile) -> Result<Self, TrainError> {
        let spec = data_spec(scenario);
        let data = spec.load().map_err(|error| data_error(scenario, error))?;
        let shape = shape(&scenario.value, data.encoding.n_outputs());
        let network = network(&shape, data.encoding.n_inputs())
            .map_err(|error| scenario.error_at("network", error.to_string(), "make it smaller"))?;
        let trainer = trainer(&scenario.value)
            .map_err(|error| scenario.error_at("training", error.to_string(), "change this"))?;
        let part = |examples: &bitloop_data::Examples| {
            (examples.n_samples > 0).then(|| Samples::try_from(examples)).transpose()
        };
        let fitting = Self {
            training: Arc::new(Samples::try_from(&data.training)?),
            validation: part(&data.validation)?,
            test: part(&data.test)?,
            shape,
            network,
            trainer,
            loss: scenario.value.loss,
            regularization: scenario.value.regularization,
            seed: scenario.value.seed,
            stop: scenario.value.stop.clone(),
            data,
        };
        fitting.check(scenario)?;
        Ok(fitting)
    }

    /// The grid of the weights, if the trainer has one.
    #[must_use]
    pub const fn grid(&self) -> Option<WeightGrid> {
        match &self.trainer {
            FittingTrainer::TelescopicBlm { options, .. } => Some(options.grid),
            FittingTrainer::Gradient { .. } | FittingTrainer::ExtremeLearning(_) => None,
        }
    }

    /// The rows that select among weights.
    pub(crate) fn selecting(&self) -> &Samples {
        self.validation.as_ref().unwrap_or(&self.training)
    }

    /// The weights of a candidate.
    pub(crate) fn weights(&self, candidate: &Candidate) -> Vec<f64> {
        match self.grid() {
            Some(grid) => candidate.codes.iter().map(|&code| grid.weight(code)).collect(),
            None => candidate.weights.clone(),
        }
    }

    /// What the sum of the squared weights is multiplied by.
    pub(crate) fn penalty(&self) -> f64 {
        let n_terms = self.training.n_samples() as f64 * self.network.n_weights() as f64;
        self.regularization / n_terms
    }

    pub(crate) fn error_function(&self) -> Result<ErrorFunction, TrainError> {
        let (network, examples) = (&self.network, &self.data.training);
        Ok(ErrorFunction::new(network, examples, self.loss, self.penalty())?)
    }

    pub(crate) fn objective(&self, grid: WeightGrid) -> Result<Supervised, DeltaError> {
        let samples = Arc::clone(&self.training);
        Supervised::new(self.network.clone(), samples, self.loss, grid, self.regularization)
    }

    /// Trains from `state` on, which is [`TrainingState::new`] at first. Nothing comes of a training that is cut off
    /// before it has any weights to show.
    ///
    /// # Errors
    /// [`TrainError`] if a trainer refuses its options or finds nothing, or the state does not fit.
    pub fn run(
        &self,
        state: TrainingState,
        execution: Execution<'_>,
        watch: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Option<FittingOutcome>, TrainError> {
        self.check_state(&state)?;
        let examiner = Examiner::new(self, execution, state, watch);
        match &self.trainer {
            FittingTrainer::TelescopicBlm { options, validate_every } => {
                let objective =
                    self.objective(options.grid)?.map(|evaluation| evaluation.on(execution.isa));
                let is_worth = self.training.n_samples() >= WORTH_SHARING;
                let n_threads = if is_worth { execution.n_threads } else { NonZeroUsize::MIN };
                speculate(objective, n_threads, |explorer| {
                    examiner
                        .run(|examiner| blm::descend(examiner, *options, *validate_every, explorer))
                })
            }
            FittingTrainer::Gradient { backpropagation, initial_range, validate_every } => {
                let options = gradient::Options {
                    backpropagation: *backpropagation,
                    initial_range: *initial_range,
                    validate_every: *validate_every,
                };
                examiner.run(|examiner| gradient::descend(examiner, options))
            }
            FittingTrainer::ExtremeLearning(options) => {
                examiner.run(|examiner| elm::descend(examiner, options))
            }
        }
    }

    /// Refuses what would need too much memory, and a loss that does not fit the targets.
    fn check(&self, scenario: &SupervisedFile) -> Result<(), TrainError> {
        if matches!(self.trainer, FittingTrainer::ExtremeLearning(_)) {
            return Ok(());
        }
        let n_neurons: usize = self.network.layers().iter().map(|layer| layer.n_neurons).sum();
        let n_signals = n_neurons.checked_mul(self.training.n_samples());
        if n_signals.is_none_or(|n| n > MOST_SIGNALS) {
            let message = format!(
                "{n_neurons} neurons over {} training rows are more than {MOST_SIGNALS} outputs, the limit",
                self.training.n_samples()
            );
            let hint = "use a smaller network, or fewer rows";
            return Err(scenario.error_at("network.hidden", message, hint).into());
        }
        let fits = match self.grid() {
            Some(grid) => self.objective(grid).map(drop).map_err(|error| error.to_string()),
            None => self.error_function().map(drop).map_err(|error| error.to_string()),
        };
        fits.map_err(|message| {
            scenario.error_at("loss", message, "SquaredError fits any targets").into()
        })
    }
}

/// The shape of the network, as it will be saved.
fn shape(scenario: &file::Supervised, n_outputs: usize) -> file::Network {
    let network = &scenario.network;
    let hidden = scenario.hidden().iter().enumerate().map(|(index, &units)| file::Layer {
        units,
        activation: hidden_activation(scenario, index),
    });
    let output = file::Layer {
        units: u32::try_from(n_outputs).unwrap_or(u32::MAX),
        activation: network.output_activation.unwrap_or(file::Activation::Linear),
    };
    file::Network::FeedForward { layers: hidden.chain([output]).collect() }
}

fn trainer(scenario: &file::Supervised) -> Result<FittingTrainer, TrainError> {
    Ok(match &scenario.training {
        file::SupervisedTraining::TelescopicBlm(blm) => FittingTrainer::TelescopicBlm {
            options: blm.search_options()?,
            validate_every: u64::from(blm.validate_every),
        },
        file::SupervisedTraining::OneStepSecant(oss) => FittingTrainer::Gradient {
            backpropagation: None,
            initial_range: oss.initial_range,
            validate_every: u64::from(oss.validate_every),
        },
        file::SupervisedTraining::Backpropagation(descent) => FittingTrainer::Gradient {
            backpropagation: Some(BackpropagationOptions {
                learning_rate: descent.learning_rate,
                momentum: descent.momentum,
            }),
            initial_range: descent.initial_range,
            validate_every: u64::from(descent.validate_every),
        },
        file::SupervisedTraining::ExtremeLearning(elm) => {
            FittingTrainer::ExtremeLearning(ExtremeLearningOptions {
                n_hidden: scenario.hidden().first().map_or(0, |&units| units as usize),
                activation: hidden_activation(scenario, 0),
                hidden_range: elm.hidden_range,
                ridges: elm.ridges.clone(),
            })
        }
    })
}

/// The activation of a hidden layer; that of a trainer's own layer, which no list holds, is the usual one.
fn hidden_activation(scenario: &file::Supervised, layer_index: usize) -> file::Activation {
    match &scenario.network.hidden_activation {
        file::LayerActivations::Same(activation) => *activation,
        file::LayerActivations::PerLayer(list) => {
            list.get(layer_index).copied().unwrap_or(file::Activation::Tanh)
        }
    }
}
