//! [`ExamplesTask`]: a network on examples.

use std::num::NonZeroUsize;
use std::sync::Arc;

use bitloop_blm::{Probe, WeightGrid};
use bitloop_data::{
    Dataset, ErrorFunction, Examples, PartDigests, Supervised, Threshold, layer_exponents,
};
use bitloop_net::{
    DeltaError, DeltaScaling, LayerScaling, Loss, Network, OutputFit, Samples, TargetKind,
    fit_outputs,
};
use bitloop_plant::{Description, Isa};
use bitloop_scenario::{self as file, ErrorUnit, Problem, SupervisedFile};

use super::convert::{data_error, data_spec};
use super::fit::{error_of, fit};
use super::objective::{ExamplesObjective, of_run};
use super::outputs::outputs;
use super::save::save_model;
use super::start::start;
use super::trainers::trainer;
use crate::error::TrainError;
use crate::execution::Scoring;
use crate::library::Library;
use crate::network_shape::network;
use crate::outcome::Outcome;
use crate::prepared::Prepared;
use crate::product::{Product, ProductKind, SaveInfo};
use crate::score::{RowFit, Score, SetName, WorkCounter};
use crate::state::Candidate;
use crate::task::{Task, Trial};
use crate::trainer::check_trainer;

/// The most outputs of neurons that are kept, over all training rows: 2 GiB of them.
const MOST_SIGNALS: usize = 1 << 28;

/// From this number of training rows on, probes are shared among threads. With fewer rows, a probe takes a few
/// microseconds, which is also what handing it over takes.
const WORTH_SHARING: usize = 1 << 12;

/// The cost of a network over examples, and its fit on the parts of a data set.
#[derive(Debug)]
pub struct ExamplesTask {
    /// The examples and how they were encoded.
    pub data: Dataset,
    /// The scenario, with the seed of the training.
    pub scenario: file::Supervised,
    shape: file::Network,
    network: Network,
    loss: Loss,
    /// The steps of the weights that a local search probes.
    grid: Option<WeightGrid>,
    /// How sums and outputs are scaled beyond the weights.
    scaling: DeltaScaling,
    training: Arc<Samples>,
    validation: Option<Samples>,
    test: Option<Samples>,
    reported: Vec<SetName>,
    /// Of each run, from the first one again after the last.
    regularizations: Vec<f64>,
    /// What the errors of each run are divided by where runs are compared.
    preferences: Vec<f64>,
}

impl ExamplesTask {
    /// Reads the data and prepares a training.
    ///
    /// # Errors
    /// A missing or invalid value, with its place in the scenario or the data.
    pub fn prepare(file: &SupervisedFile) -> Result<Prepared<Self>, TrainError> {
        let data = data_spec(file).load().map_err(|error| data_error(file, error))?;
        let scenario = &file.value.for_outputs(data.encoding.n_outputs());
        let shape = shape(scenario, data.encoding.n_outputs());
        let network = network(&shape, data.encoding.n_inputs())
            .map_err(|error| file.error_at("network", error.to_string(), "make it smaller"))?;
        let trainer = trainer(scenario)
            .map_err(|error| file.error_at("training", error.to_string(), "change this"))?;
        check_trainer(&*trainer, &scenario.stop, network.n_weights(), &file.source)?;
        let training = Arc::new(Samples::try_from(&data.training)?);
        let scaling = scaling(scenario, &network, &training, trainer.grid())?;
        let start = start(file, &data.encoding, (&shape, &network), &scaling)?;
        let part = |examples: &Examples| {
            (examples.n_samples > 0).then(|| Samples::try_from(examples)).transpose()
        };
        let (validation, test) = (part(&data.validation)?, part(&data.test)?);
        let (n_training, n_validation) = (data.training.n_samples, data.validation.n_samples);
        let regularizations =
            scenario.regularization.of_runs(scenario.loss, n_training, n_validation);
        let preferences =
            scenario.regularization.preferences_of_runs(scenario.loss, regularizations.len());
        let reported = [
            Some(SetName::Training),
            validation.as_ref().map(|_| SetName::Validation),
            test.as_ref().map(|_| SetName::Test),
        ];
        let task = Self {
            training,
            scaling,
            validation,
            test,
            reported: reported.into_iter().flatten().collect(),
            shape,
            network,
            regularizations,
            preferences,
            loss: scenario.loss,
            grid: trainer.grid(),
            scenario: scenario.clone(),
            data,
        };
        task.check(file)?;
        let n_tried = u32::try_from(task.regularizations.len()).unwrap_or(u32::MAX);
        let mut stop = scenario.stop.clone();
        // A random start for each of them.
        stop.runs = stop.runs.map(|runs| runs.saturating_mul(n_tried));
        let seed = scenario.seed;
        Ok(Prepared { task, trainer, start, stop, seed })
    }

    /// The cost of a run as a function of real weights, with its gradient.
    ///
    /// # Errors
    /// Network, loss and examples that do not fit each other.
    pub fn error_function(&self, run: u64) -> Result<ErrorFunction, TrainError> {
        let (network, examples) = (&self.network, &self.data.training);
        let n_terms = self.training.n_samples() as f64 * self.network.n_weights() as f64;
        let penalty = self.regularization(run) / n_terms;
        Ok(ErrorFunction::new(network, examples, self.loss, penalty)?)
    }

    /// The cost over weights on a grid.
    fn delta_evaluation(&self, grid: WeightGrid) -> Result<Supervised, DeltaError> {
        let samples = Arc::clone(&self.training);
        let regularization = of_run(&self.regularizations, 0);
        let network = self.network.clone();
        Supervised::scaled(network, samples, self.loss, grid, regularization, &self.scaling)
    }

    /// The regularization of a run.
    pub(super) fn regularization(&self, run: u64) -> f64 {
        of_run(&self.regularizations, run)
    }

    /// The powers of two of the layers.
    #[must_use]
    pub fn layers(&self) -> &LayerScaling {
        &self.scaling.layers
    }

    /// Weights of the trainer, each with the power of two of its layer.
    pub(super) fn scaled(&self, weights: &[f64]) -> Vec<f64> {
        self.scaling.layers.weights(&self.network, weights)
    }

    /// What becomes of the outputs of a network with scaled weights; none where they are as they are.
    ///
    /// # Panics
    /// If the weights are those of another network.
    pub(super) fn output_fits(&self, isa: Isa, scaled: &[f64]) -> Vec<OutputFit> {
        if !self.scaling.fits_outputs {
            return Vec::new();
        }
        fit_outputs(isa, &self.network, scaled, &self.training)
            .expect("samples that the network was checked with")
    }

    /// The output from which on the second of two classes is answered by a network with scaled weights, where that is not 0.5.
    pub(super) fn threshold(&self, isa: Isa, scaled: &[f64], fits: &[OutputFit]) -> Option<f64> {
        let threshold = self.scenario.threshold;
        if let Threshold::Half | Threshold::At(_) = threshold {
            return threshold.chosen(&[], &[]);
        }
        let samples = self.samples(SetName::Validation);
        let n_rows = samples.n_samples();
        let inputs: Vec<&[f64]> =
            (0..self.network.n_inputs()).map(|input| samples.inputs().row(input)).collect();
        let outputs = outputs(isa, (&self.network, scaled, fits), &inputs, n_rows);
        threshold.chosen(&outputs[0], &samples.targets().row(0)[..n_rows])
    }

    /// The rows of a set. Without test rows these are the validation rows, and without validation rows the training rows.
    fn samples(&self, set: SetName) -> &Samples {
        let own = match set {
            SetName::Training | SetName::Confirmation => None,
            SetName::Validation => self.validation.as_ref(),
            SetName::Test => self.test.as_ref().or(self.validation.as_ref()),
        };
        own.unwrap_or(&self.training)
    }

    /// Refuses a network that would need too much memory, and a loss that does not fit the targets.
    fn check(&self, file: &SupervisedFile) -> Result<(), TrainError> {
        if !self.scenario.threshold.is_half() && self.network.n_outputs() != 1 {
            let message = "a threshold is for two classes, and the targets have more";
            return Err(file.error_at("threshold", message, "leave it out").into());
        }
        if matches!(self.scenario.training, file::SupervisedTraining::ExtremeLearning(_)) {
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
            return Err(file.error_at("network.hidden", message, hint).into());
        }
        let fits = match self.grid {
            Some(grid) => self.delta_evaluation(grid).map(drop).map_err(|error| error.to_string()),
            None => self.error_function(0).map(drop).map_err(|error| error.to_string()),
        };
        fits.map_err(|message| {
            file.error_at("loss", message, "SquaredError fits any targets").into()
        })
    }
}

impl Task for ExamplesTask {
    type Objective<'t> = ExamplesObjective;
    type Scratch = ErrorFunction;
    const PRODUCT: ProductKind = ProductKind::Model;

    fn shape(&self) -> &file::Network {
        &self.shape
    }

    fn network(&self) -> &Network {
        &self.network
    }

    fn plant(&self) -> Option<&Description> {
        None
    }

    fn library(&self) -> Option<&Library> {
        None
    }

    fn data(&self) -> Option<&PartDigests> {
        Some(&self.data.digests)
    }

    fn n_stages(&self) -> usize {
        1
    }

    fn advance_below(&self) -> f64 {
        0.0
    }

    fn has(&self, set: SetName) -> bool {
        match set {
            SetName::Training => true,
            SetName::Validation => self.validation.is_some(),
            SetName::Confirmation => false,
            SetName::Test => self.test.is_some(),
        }
    }

    fn reported(&self) -> &[SetName] {
        &self.reported
    }

    fn objective<'t>(
        &'t self,
        isa: Isa,
        _work: &'t WorkCounter,
        _stop: &'t (dyn Fn() -> bool + Sync),
    ) -> Result<ExamplesObjective, TrainError> {
        let grid = self.grid.ok_or(TrainError::NoGrid)?;
        let cost = self.delta_evaluation(grid)?.map(|evaluation| evaluation.on(isa));
        Ok(ExamplesObjective::new(cost, self.regularizations.clone()))
    }

    fn scratch(&self) -> Result<ErrorFunction, TrainError> {
        self.error_function(0)
    }

    fn cost(
        &self,
        trial: &Trial<'_>,
        scratch: &mut ErrorFunction,
        _work: &WorkCounter,
    ) -> Result<Probe, TrainError> {
        Ok(Probe::from_cost(scratch.value(trial.weights), trial.control.bound()))
    }

    fn score(
        &self,
        weights: &[f64],
        set: SetName,
        scoring: Scoring<'_>,
    ) -> Result<Option<Score>, TrainError> {
        // A look at each row, which takes less time than anyone waits for.
        let samples = self.samples(set);
        let weights = self.scaled(weights);
        let fits = self.output_fits(scoring.isa, &weights);
        let kind = match self.threshold(scoring.isa, &weights, &fits) {
            Some(threshold) => TargetKind::TwoClasses { threshold },
            None => self.data.encoding.target_kind(),
        };
        let network = (&self.network, weights.as_slice(), fits.as_slice());
        let fit = fit(scoring.isa, network, samples, self.loss, kind)?;
        let figure = self.scenario.select_by.figure(self.loss);
        let error = error_of(figure, &fit);
        let unit = self.scenario.error_meaning().unit;
        let unscaled_error = match unit {
            ErrorUnit::Target | ErrorUnit::Range(_) | ErrorUnit::StandardDeviation => {
                self.data.encoding.target_unit().map(|unit| unit * error)
            }
            ErrorUnit::ClassOutput | ErrorUnit::Nat(_) | ErrorUnit::Share => None,
        };
        Ok(Some(Score {
            error,
            aggregate_error: None,
            n_samples: samples.n_samples(),
            episodes: Vec::new(),
            horizon_s: None,
            fit: Some(RowFit { figure, unit, unscaled_error, fit }),
            own_error: None,
            behaviors: None,
            worst: None,
        }))
    }

    fn rank(&self, candidate: &Candidate) -> f64 {
        candidate.merit() / of_run(&self.preferences, candidate.run)
    }

    /// Data are checked when they are read.
    fn diagnose(&self, _weights: &[f64], _isa: Isa) -> Option<String> {
        None
    }

    fn useful_threads(&self, n_threads: NonZeroUsize) -> NonZeroUsize {
        if self.training.n_samples() >= WORTH_SHARING { n_threads } else { NonZeroUsize::MIN }
    }

    /// The cost has rounded signals and perhaps a penalty, and is a square.
    fn cost_is_error(&self) -> bool {
        false
    }

    fn error_of_cost(&self, cost: f64) -> f64 {
        match self.loss {
            // Without regularization, the RMSE over the training rows.
            Loss::SquaredError => cost.sqrt(),
            Loss::LogisticCrossEntropy | Loss::SoftmaxCrossEntropy => cost,
        }
    }

    fn error_meaning(&self) -> Option<file::ErrorMeaning> {
        Some(self.scenario.error_meaning())
    }

    fn subject(&self) -> String {
        match self.training.n_samples() {
            1 => "on 1 row".to_owned(),
            n => format!("on {n} rows"),
        }
    }

    fn product(&self, outcome: &Outcome, info: SaveInfo) -> Result<Product, Problem> {
        Product::try_from(&save_model(self, outcome, info))
    }
}

/// How sums and outputs are scaled beyond the weights.
fn scaling(
    scenario: &file::Supervised,
    network: &Network,
    training: &Samples,
    grid: Option<WeightGrid>,
) -> Result<DeltaScaling, TrainError> {
    let exponents = match (&scenario.network.layer_scales, grid) {
        (Some(file::LayerScales::FromData), Some(grid)) => {
            layer_exponents(network, training, scenario.loss, &grid)
        }
        (Some(file::LayerScales::PowersOfTwo(exponents)), _) => exponents.clone(),
        _ => Vec::new(),
    };
    Ok(DeltaScaling {
        layers: LayerScaling::new(network, &exponents)?,
        fits_outputs: scenario.network.output_scale == Some(file::OutputScale::Fitted),
    })
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
    file::Network::FeedForward { layers: hidden.chain([output]).collect(), direct: false }
}

/// The activation of a hidden layer; that of a trainer's own layer, which no list holds, is the usual one.
pub(super) fn hidden_activation(
    scenario: &file::Supervised,
    layer_index: usize,
) -> file::Activation {
    match &scenario.network.hidden_activation {
        file::LayerActivations::Same(activation) => *activation,
        file::LayerActivations::PerLayer(list) => {
            list.get(layer_index).copied().unwrap_or(file::Activation::Tanh)
        }
    }
}
