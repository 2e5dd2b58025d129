//! [`ErrorFunction`]: the cost of a network over examples, and its gradient by backpropagation.

use bitloop_net::{Activation, Loss, Network};
use bitloop_plant::{Isa, Kernel, Real, dispatch};
use nalgebra::{DMatrix, DMatrixView, DMatrixViewMut};

use crate::examples::Examples;
use crate::fit_error::{FitError, check_fit, check_loss};

/// Samples that go through the network at once, so that the outputs of all layers stay in a core's cache.
const BLOCK: usize = 256;

/// Narrower results than this leave nalgebra's fast product; dot products of whole columns then do better.
const NARROW: usize = 6;

/// The cost of a feed-forward network over examples as a function of its weights, and its gradient.
///
/// ```text
/// E(w) = (sum over samples of their loss) / n_samples + penalty * (sum over weights and biases of w^2)
/// ```
/// with the losses of [`Loss`], as the search has it, weights of samples included. Weights are in the order of [`Network`], so each layer's
/// are a matrix of a column per neuron, bias first; with a leading column of ones, outputs O of the layer before and
/// error signals D of this one give the sums O W, the gradient O' D, and the signals of the layer before, D W', each
/// times f'.
///
/// Products of matrices are nalgebra's, which pick instructions by the CPU: bits hold for one machine only.
#[derive(Debug)]
pub struct ErrorFunction {
    layers: Vec<FedLayer>,
    n_weights: usize,
    loss: Loss,
    divisor: f64,
    penalty: f64,
    blocks: Vec<Block>,
    /// Outputs of each layer at the block at hand, behind a column of ones.
    outputs: Vec<DMatrix<f64>>,
    /// Error signals of each layer.
    signals: Vec<DMatrix<f64>>,
    counts: Counts,
}

/// How often an [`ErrorFunction`] was evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// For the cost alone.
    pub n_values: u64,
    /// For cost and gradient.
    pub n_gradients: u64,
}

#[derive(Clone, Copy, Debug)]
struct FedLayer {
    n_fed: usize,
    n_neurons: usize,
    activation: Activation,
    first_weight: usize,
}

impl FedLayer {
    fn n_weights(&self) -> usize {
        (1 + self.n_fed) * self.n_neurons
    }

    fn weights<'w>(&self, weights: &'w [f64]) -> &'w [f64] {
        &weights[self.first_weight..][..self.n_weights()]
    }
}

/// Samples, as rows; those that only fill up the last block have zeros.
#[derive(Debug)]
struct Block {
    n_samples: usize,
    /// Behind a column of ones.
    inputs: DMatrix<f64>,
    targets: DMatrix<f64>,
    /// How much each sample counts; none where all count alike.
    weights: Option<Vec<f64>>,
}

impl ErrorFunction {
    /// The error function of a network on examples.
    ///
    /// # Errors
    /// [`FitError`] where network, examples and loss do not fit each other, or the penalty is negative or not finite.
    pub fn new(
        network: &Network,
        examples: &Examples,
        loss: Loss,
        penalty: f64,
    ) -> Result<Self, FitError> {
        check_fit(network, examples)?;
        check_loss(network, loss)?;
        if !(penalty.is_finite() && penalty >= 0.0) {
            let expected = "a finite number, 0 or above";
            return Err(FitError::Option { name: "the penalty", expected });
        }
        let mut layers = Vec::new();
        let (mut n_fed, mut first_weight) = (network.n_inputs(), 0);
        for layer in network.layers() {
            let fed = FedLayer {
                n_fed,
                n_neurons: layer.n_neurons,
                activation: layer.activation,
                first_weight,
            };
            first_weight += fed.n_weights();
            n_fed = layer.n_neurons;
            layers.push(fed);
        }
        let n_rows = BLOCK.min(examples.n_samples.next_multiple_of(8));
        let n_outputs = network.n_outputs();
        let total_weight =
            examples.weights.as_ref().map_or(examples.n_samples as f64, |all| all.iter().sum());
        let divisor = match loss {
            Loss::SquaredError => total_weight * n_outputs as f64,
            Loss::LogisticCrossEntropy | Loss::SoftmaxCrossEntropy => total_weight,
        };
        if let (Some(output), true) = (layers.last_mut(), loss != Loss::SquaredError) {
            // Both cross-entropies are computed from the sums.
            output.activation = Activation::Linear;
        }
        let matrix = |layer: &FedLayer, n_more| {
            let mut matrix = DMatrix::zeros(n_rows, layer.n_neurons + n_more);
            matrix.columns_mut(0, n_more).fill(1.0);
            matrix
        };
        Ok(Self {
            outputs: layers.iter().map(|layer| matrix(layer, 1)).collect(),
            signals: layers.iter().map(|layer| matrix(layer, 0)).collect(),
            layers,
            n_weights: network.n_weights(),
            loss,
            divisor,
            penalty,
            blocks: (0..examples.n_samples)
                .step_by(n_rows)
                .map(|first| Block::new(examples, first, n_rows))
                .collect(),
            counts: Counts::default(),
        })
    }

    /// How many weights the network has.
    #[must_use]
    pub const fn n_weights(&self) -> usize {
        self.n_weights
    }

    /// How often cost and gradient were evaluated.
    #[must_use]
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// E(w).
    ///
    /// # Panics
    /// If `weights: [n_weights]` has another length.
    pub fn value(&mut self, weights: &[f64]) -> f64 {
        assert_eq!(weights.len(), self.n_weights, "weights of another network");
        self.counts.n_values += 1;
        let mut sum = 0.0;
        for index in 0..self.blocks.len() {
            self.forward(index, weights);
            sum += self.output_signals(index);
        }
        sum / self.divisor + self.penalty * dot(weights, weights)
    }

    /// E(w), and its gradient into `gradient: [n_weights]`.
    ///
    /// # Panics
    /// If a length is another than that of the weights.
    pub fn gradient(&mut self, weights: &[f64], gradient: &mut [f64]) -> f64 {
        assert_eq!(weights.len(), self.n_weights, "weights of another network");
        assert_eq!(gradient.len(), self.n_weights, "a gradient of another network");
        self.counts.n_gradients += 1;
        for (slope, &weight) in gradient.iter_mut().zip(weights) {
            *slope = 2.0 * self.penalty * weight;
        }
        let mut sum = 0.0;
        for index in 0..self.blocks.len() {
            self.forward(index, weights);
            sum += self.output_signals(index);
            self.backward(index, weights, gradient);
        }
        sum / self.divisor + self.penalty * dot(weights, weights)
    }

    /// Outputs of every layer at a block.
    fn forward(&mut self, block: usize, weights: &[f64]) {
        for (l, layer) in self.layers.iter().enumerate() {
            let (before, from) = self.outputs.split_at_mut(l);
            let fed = before.last().unwrap_or(&self.blocks[block].inputs);
            let weights =
                DMatrixView::from_slice(layer.weights(weights), 1 + layer.n_fed, layer.n_neurons);
            from[0].columns_mut(1, layer.n_neurons).gemm(1.0, fed, &weights, 0.0);
            let n_rows = fed.nrows();
            let values = &mut from[0].as_mut_slice()[n_rows..];
            dispatch(Isa::best(), Activate { activation: layer.activation, values });
        }
    }

    /// The undivided loss of a block, and the error signals of the output layer: the derivative of E by its sums.
    fn output_signals(&mut self, block: usize) -> f64 {
        let Block { n_samples, targets, weights, .. } = &self.blocks[block];
        let last = self.layers.len() - 1;
        let (outputs, signals) = (&self.outputs[last], &mut self.signals[last]);
        let activation = self.layers[last].activation;
        let n_outputs = targets.ncols();
        let mut sum = 0.0;
        for k in 0..*n_samples {
            let weight = weights.as_ref().map_or(1.0, |weights| weights[k]);
            if self.loss == Loss::SoftmaxCrossEntropy {
                sum += weight * softmax_signals(outputs, targets, signals, k);
                signals.row_mut(k).apply(|signal| *signal *= weight);
                continue;
            }
            for j in 0..n_outputs {
                let (o, t) = (outputs[(k, 1 + j)], targets[(k, j)]);
                if self.loss == Loss::SquaredError {
                    sum += weight * ((o - t) * (o - t));
                    signals[(k, j)] = weight * (2.0 * (o - t) * slope(activation, o));
                } else {
                    let miss = if o > 0.0 { o * (1.0 - t) } else { -o * t };
                    sum += weight * (miss + Real::ln(Real::exp(-o.abs()) + 1.0));
                    signals[(k, j)] = weight * (Real::logistic(o) - t);
                }
            }
        }
        *signals *= 1.0 / self.divisor;
        // Samples that only fill up the block have no error.
        signals.rows_mut(*n_samples, signals.nrows() - n_samples).fill(0.0);
        sum
    }

    /// Adds a block's part of the gradient, layer by layer, the last one first.
    fn backward(&mut self, block: usize, weights: &[f64], gradient: &mut [f64]) {
        for (l, layer) in self.layers.iter().enumerate().rev() {
            let (signals_before, signals) = self.signals.split_at_mut(l);
            let signals = &signals[0];
            let n_rows = signals.nrows();
            let fed = if l == 0 { &self.blocks[block].inputs } else { &self.outputs[l - 1] };
            let part = &mut gradient[layer.first_weight..][..layer.n_weights()];
            let mut part = DMatrixViewMut::from_slice(part, 1 + layer.n_fed, layer.n_neurons);
            if layer.n_neurons < NARROW || layer.n_fed + 1 < NARROW {
                part.gemm_tr(1.0, fed, signals, 1.0);
            } else {
                let transposed = DMatrixView::from_slice_with_strides(
                    fed.as_slice(),
                    1 + layer.n_fed,
                    n_rows,
                    n_rows,
                    1,
                );
                part.gemm(1.0, &transposed, signals, 1.0);
            }
            let Some(signals_before) = signals_before.last_mut() else { continue };
            // Without the biases, which nothing feeds.
            let transposed = DMatrixView::from_slice_with_strides(
                &layer.weights(weights)[1..],
                layer.n_neurons,
                layer.n_fed,
                1 + layer.n_fed,
                1,
            );
            signals_before.gemm(1.0, signals, &transposed, 0.0);
            let activation = self.layers[l - 1].activation;
            let outputs = &self.outputs[l - 1].as_slice()[n_rows..];
            for (signal, &o) in signals_before.as_mut_slice().iter_mut().zip(outputs) {
                *signal *= slope(activation, o);
            }
        }
    }
}

impl Block {
    fn new(examples: &Examples, first: usize, n_rows: usize) -> Self {
        let n_samples = n_rows.min(examples.n_samples - first);
        let matrix = |variables: &[Vec<f64>]| {
            DMatrix::from_fn(n_rows, variables.len(), |k, variable| {
                if k < n_samples { variables[variable][first + k] } else { 0.0 }
            })
        };
        let inputs = matrix(&examples.inputs).insert_column(0, 1.0);
        let weights =
            examples.weights.as_ref().map(|weights| weights[first..first + n_samples].to_vec());
        Self { n_samples, inputs, targets: matrix(&examples.targets), weights }
    }
}

/// Softmax cross-entropy of sample k, from sums; the signals are p - t.
fn softmax_signals(
    outputs: &DMatrix<f64>,
    targets: &DMatrix<f64>,
    signals: &mut DMatrix<f64>,
    k: usize,
) -> f64 {
    let n_outputs = targets.ncols();
    let largest = (0..n_outputs).fold(f64::NEG_INFINITY, |max, j| max.max(outputs[(k, 1 + j)]));
    let mut powers = 0.0;
    for j in 0..n_outputs {
        signals[(k, j)] = Real::exp(outputs[(k, 1 + j)] - largest);
        powers += signals[(k, j)];
    }
    let mut sum = Real::ln(powers);
    for j in 0..n_outputs {
        signals[(k, j)] = signals[(k, j)] / powers - targets[(k, j)];
        sum += targets[(k, j)] * (largest - outputs[(k, 1 + j)]);
    }
    sum
}

/// f'(s) from o = f(s).
fn slope(activation: Activation, o: f64) -> f64 {
    match activation {
        Activation::Tanh => 1.0 - o * o,
        Activation::Logistic => o * (1.0 - o),
        Activation::Linear => 1.0,
    }
}

/// The scalar product.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Applies a transfer function to numbers, as many as fill vectors.
pub(crate) struct Activate<'a> {
    pub activation: Activation,
    pub values: &'a mut [f64],
}

impl Kernel for Activate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Real>(self) {
        match self.activation {
            Activation::Tanh => each::<R>(Activation::Tanh, self.values),
            Activation::Logistic => each::<R>(Activation::Logistic, self.values),
            Activation::Linear => {}
        }
    }
}

#[inline(always)]
fn each<R: Real>(activation: Activation, values: &mut [f64]) {
    for lanes in values.chunks_exact_mut(R::LANES) {
        activation.apply(R::load(lanes)).store(lanes);
    }
}
