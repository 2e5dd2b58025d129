//! [`Supervised`]: the cost of a network over examples, as the search sees it.
//!
//! A thin layer: `bitloop_net` defines the cost and probes it.

use std::sync::Arc;

use bitloop_blm::{Change, Objective, Probe, ProbeControl, WeightGrid};
use bitloop_net::{
    DeltaError, DeltaEvaluation, DeltaScaling, DeltaScratch, Loss, Network, Samples, WeightChange,
    WeightSteps,
};

use crate::examples::Examples;

/// A network's cost over examples, probed by delta evaluation.
///
/// ```text
/// cost = (sum over samples of their loss + regularization * mean over weights and biases of w^2) / n_samples
/// ```
/// The paper names regularization weights (1 for house16H, 1 and 10 for abalone) without a formula. The mean of the squared
/// weights beside the sum of losses is our reading: there a weight of 1 has an effect without outweighing the data, whatever the
/// size of the network; the plain sum of squares would be some hundred times the error that the paper reports.
///
/// Inputs and the outputs of hidden neurons are rounded a little, so that sums need no rounding (see [`DeltaEvaluation`]).
#[derive(Debug)]
pub struct Supervised {
    evaluation: DeltaEvaluation,
    /// Samples times weights, by which a regularization is divided.
    n_terms: f64,
}

impl Supervised {
    /// The cost of `network` over samples, its weights being those of a grid.
    ///
    /// # Errors
    /// A network that does not fit the samples or the loss, or that has a memory; a regularization that is negative or
    /// not finite.
    pub fn new(
        network: Network,
        samples: Arc<Samples>,
        loss: Loss,
        grid: WeightGrid,
        regularization: f64,
    ) -> Result<Self, DeltaError> {
        Self::scaled(network, samples, loss, grid, regularization, &DeltaScaling::default())
    }

    /// The same with sums and outputs that are scaled beyond the weights; the regularization is of the weights of the grid.
    ///
    /// # Errors
    /// As [`Supervised::new`], and outputs that cannot be fitted.
    pub fn scaled(
        network: Network,
        samples: Arc<Samples>,
        loss: Loss,
        grid: WeightGrid,
        regularization: f64,
        scaling: &DeltaScaling,
    ) -> Result<Self, DeltaError> {
        let n_terms = samples.n_samples() as f64 * network.n_weights() as f64;
        let steps = WeightSteps { step: grid.epsilon(), most: grid.min_code().unsigned_abs() };
        let penalty = regularization / n_terms;
        let evaluation = DeltaEvaluation::scaled(network, samples, loss, steps, penalty, scaling)?;
        Ok(Self { evaluation, n_terms })
    }

    /// The evaluation itself, to set another instruction set or turn early abort off.
    #[must_use]
    pub fn map(self, change: impl FnOnce(DeltaEvaluation) -> DeltaEvaluation) -> Self {
        Self { evaluation: change(self.evaluation), ..self }
    }

    /// Makes another regularization count.
    ///
    /// # Errors
    /// One that is negative or not finite.
    pub fn regularize(&mut self, regularization: f64) -> Result<(), DeltaError> {
        self.evaluation.set_penalty(regularization / self.n_terms)
    }

    /// The network, its samples and its current weights.
    #[must_use]
    pub const fn evaluation(&self) -> &DeltaEvaluation {
        &self.evaluation
    }
}

impl TryFrom<&Examples> for Samples {
    type Error = DeltaError;

    fn try_from(examples: &Examples) -> Result<Self, DeltaError> {
        let samples = Self::new(&examples.inputs, &examples.targets)?;
        match examples.weights.as_deref() {
            None => Ok(samples),
            Some(weights) => samples.weighted(weights),
        }
    }
}

impl Objective for Supervised {
    type Scratch = DeltaScratch;

    fn n_weights(&self) -> usize {
        self.evaluation.weights().len()
    }

    fn scratch(&self) -> DeltaScratch {
        self.evaluation.scratch()
    }

    fn set(&mut self, weights: &[f64]) -> Option<f64> {
        Some(self.evaluation.set(weights))
    }

    fn probe(
        &self,
        scratch: &mut DeltaScratch,
        changes: &[Change],
        control: ProbeControl<'_>,
    ) -> Probe {
        let changes = changes.iter().map(of_network);
        self.evaluation
            .probe(scratch, changes, control.bound(), || control.is_called_off())
            .map_or(Probe::NotBelow, Probe::Below)
    }

    fn commit(&mut self, changes: &[Change], _cost: f64) {
        self.evaluation.commit(changes.iter().map(of_network));
    }
}

fn of_network(change: &Change) -> WeightChange {
    WeightChange { weight_index: change.weight_index, value: change.value }
}
