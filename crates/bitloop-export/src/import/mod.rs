//! [`import`]: a controller that was made elsewhere becomes one of bitloop's, rounded to the grid of a scenario.
//!
//! What comes in are all weights of the scenario's network, or a linear gain. The controller is evaluated on all sets of the
//! scenario, as a trained one is, and once more with the weights as they were given: the difference is what rounding costs.

mod error;
mod npy;

use std::sync::atomic::Ordering;

use bitloop_blm::WeightGrid;
use bitloop_host::Registry;
use bitloop_net::Activation;
use bitloop_scenario::{Network, ScenarioFile};
use bitloop_train::{
    Candidate, ClosedLoopTask, ClosedLoopTraining, Execution, Outcome, Product, SaveInfo, Score,
    Scores, Scoring, SetName, StopReason, Task as _, Training as _, Weights, WorkCounter,
};

pub use error::ImportError;
pub use npy::Array;

/// What is imported.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// All weights of the scenario's network, in the order that [`bitloop_net::Network`] documents.
    Weights(Array),
    /// K of u = -K y: `[n_controls][n_observations]`, in the units and the order of the scenario.
    Gain(Array),
}

/// An imported controller.
#[derive(Debug)]
pub struct Imported {
    /// The controller as the text of its file.
    pub product: Product,
    /// Its shape.
    pub shape: Network,
    /// How many observations it sees.
    pub n_inputs: usize,
    /// The grid that its weights were rounded to.
    pub grid: WeightGrid,
    /// The largest difference between a weight and its rounded value.
    pub largest_rounding: f64,
    /// How it does on the test set.
    pub test: Score,
    /// How the weights do on the test set before they are rounded.
    pub unrounded_test: Score,
}

/// Imports a controller for a scenario.
///
/// # Errors
/// Numbers that do not fit the scenario's network or grid, a wrong scenario, or a plant that breaks.
pub fn import(
    scenario: &ScenarioFile,
    given: &Given,
    registry: &Registry,
    execution: Execution<'_>,
    info: SaveInfo,
) -> Result<Imported, ImportError> {
    let training = ClosedLoopTask::prepare(scenario, registry)?;
    let exact = weights_of(given, &training)?;
    let grid = training.grid().ok_or_else(|| {
        let message = "the trainer of this scenario has no grid to round to";
        ImportError::refused(message, "write `training: TelescopicBlm(bits: 16)`")
    })?;
    let codes = rounded(&exact, grid)?;
    let weights: Vec<f64> = codes.iter().map(|&code| grid.weight(code)).collect();
    let differences = weights.iter().zip(&exact).map(|(rounded, exact)| (rounded - exact).abs());
    let largest_rounding = differences.fold(0.0, f64::max);
    let score = |weights: &[f64], set| {
        let Execution { isa, n_threads, interrupt, .. } = execution;
        let stop = &|| interrupt.load(Ordering::Relaxed);
        let scoring = Scoring { isa, n_threads, work: &WorkCounter::default(), stop };
        let interrupted = || ImportError::refused("the import was interrupted", "import it again");
        training.task.score(weights, set, scoring)?.ok_or_else(interrupted)
    };
    let test = score(&weights, SetName::Test)?;
    let confirmation = score(&weights, SetName::Confirmation)?;
    let best = Candidate {
        codes: codes.clone(),
        weights: Vec::new(),
        run: 0,
        training_error: Some(score(&weights, SetName::Training)?.error),
        unrounded_training_error: Some(score(&exact, SetName::Training)?.error),
        validation_error: score(&weights, SetName::Validation)?.error,
        confirmation_error: Some(confirmation.error),
        confirmation_failures: Some(confirmation.n_failed()),
    };
    // Nothing was searched.
    let outcome = Outcome {
        best,
        weights: Weights::Codes { grid, codes },
        scores: Scores { test: Some(test.clone()), ..Scores::default() },
        stop_reason: StopReason::Runs,
        reached: None,
        n_runs: 0,
        n_moves: 0,
        n_evaluations: 0,
        plant_steps: 0,
        n_faults: 0,
        wall_s: 0.0,
    };
    let product = training
        .product(&outcome, info)
        .map_err(|problem| ImportError::refused(problem.to_string(), "change the scenario"))?;
    Ok(Imported {
        product,
        shape: training.shape().clone(),
        n_inputs: training.task.setup.closed_loop.interface().inputs.len(),
        grid,
        largest_rounding,
        test,
        unrounded_test: score(&exact, SetName::Test)?,
    })
}

/// The weights of the scenario's network.
fn weights_of(given: &Given, training: &ClosedLoopTraining) -> Result<Vec<f64>, ImportError> {
    let network = training.network();
    let weights = match given {
        Given::Weights(array) => {
            let n_weights = network.n_weights();
            if array.shape != [n_weights] {
                return Err(ImportError::refused(
                    format!("an array of shape {:?} for {n_weights} weights", array.shape),
                    "give one axis: layer by layer, neuron by neuron, of each its bias, its inputs, its past",
                ));
            }
            array.values.clone()
        }
        Given::Gain(array) => {
            let [layer] = network.layers() else {
                return Err(no_linear("without hidden layers"));
            };
            if layer.activation != Activation::Linear || network.window() > 1 {
                return Err(no_linear("that is linear and sees the present alone"));
            }
            let (n_outputs, n_inputs) = (network.n_outputs(), network.n_inputs());
            let is_row = n_outputs == 1 && array.shape == [n_inputs];
            if !is_row && array.shape != [n_outputs, n_inputs] {
                return Err(ImportError::refused(
                    format!(
                        "a gain of shape {:?} for {n_outputs} controls and {n_inputs} observations",
                        array.shape
                    ),
                    "give a row for each control, a column for each observation of the scenario",
                ));
            }
            training
                .task
                .setup
                .closed_loop
                .interface()
                .linear_weights(&array.values, &vec![0.0; n_outputs])
        }
    };
    match weights.iter().position(|weight| !weight.is_finite()) {
        None => Ok(weights),
        Some(at) => {
            let message = format!("weight {} is {}", at + 1, weights[at]);
            Err(ImportError::refused(message, "give finite numbers"))
        }
    }
}

fn no_linear(what: &str) -> ImportError {
    let message = format!("a linear gain needs a network {what}");
    ImportError::refused(message, "write `controller: Linear` in the scenario")
}

/// The nearest codes; a weight beyond the grid is refused, since it would change the controller.
fn rounded(weights: &[f64], grid: WeightGrid) -> Result<Vec<i32>, ImportError> {
    let largest = weights.iter().fold(0.0_f64, |largest, weight| largest.max(weight.abs()));
    if largest > grid.weight_range() + 0.5 * grid.epsilon() {
        let message = format!(
            "a weight of {largest:e} is beyond the largest of the scenario, {:e}",
            grid.weight_range()
        );
        let hint = "raise `max_weight` of the scenario's training, or change its scaling";
        return Err(ImportError::refused(message, hint));
    }
    Ok(weights.iter().map(|&weight| grid.nearest_code(weight)).collect())
}
