//! [`Predictor`]: a saved model applied to rows.

use bitloop_data::{
    Affine, Answer, DataError, EncodedColumn, Encoding, PartDigests, RowDigest, Table,
    UnknownWords, Values,
};
use bitloop_net::{Loss, Network, OutputFit, Samples};
use bitloop_plant::{Isa, Real};
use bitloop_scenario::{Fit, ModelFile};

use super::convert::{encoding, model_weights, output_fits};
use super::fit::fit;
use super::outputs::outputs;
use crate::error::TrainError;
use crate::network_shape::network;

/// A saved model, ready to be applied.
#[derive(Debug)]
pub struct Predictor {
    network: Network,
    weights: Vec<f64>,
    fits: Vec<OutputFit>,
    encoding: Encoding,
    loss: Loss,
    parts: PartDigests,
}

/// The outputs of a model for rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Predictions {
    /// Outputs of the network, in scaled units: `[n_outputs][n_rows]`.
    pub outputs: Vec<Vec<f64>>,
}

impl Predictor {
    /// Prepares a model.
    ///
    /// # Errors
    /// A network or a grid that is not possible.
    pub fn new(file: &ModelFile) -> Result<Self, TrainError> {
        let encoding = encoding(&file.value);
        let refused = |path, message| file.error_at(path, message, "was the file edited by hand?");
        let network = network(&file.value.network, encoding.n_inputs())
            .map_err(|error| refused("network", error.to_string()))?;
        let weights = model_weights(&file.value)?;
        let fits = output_fits(&file.value);
        let parts = file.value.row_digests.parts();
        let parts = parts.map_err(|message| refused("row_digests", message))?;
        let loss = file.value.scenario.loss;
        Ok(Self { network, weights, fits, encoding, loss, parts })
    }

    /// The same with words that the training has not seen.
    #[must_use]
    pub fn with_unknown_words(mut self, unknown_words: UnknownWords) -> Self {
        self.encoding.unknown_words = unknown_words;
        self
    }

    /// Columns and their encoding.
    #[must_use]
    pub const fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// The error of the model on rows that hold targets. The same rows in the same order give the error that its training
    /// reported, to the last bit.
    ///
    /// # Errors
    /// A missing column, or a cell without a valid value, with line and column.
    pub fn score(&self, isa: Isa, table: &Table) -> Result<Fit, TrainError> {
        self.fit(isa, &Samples::try_from(&self.encoding.examples(table)?)?)
    }

    pub(super) fn fit(&self, isa: Isa, samples: &Samples) -> Result<Fit, TrainError> {
        let kind = self.encoding.target_kind();
        let network = (&self.network, self.weights.as_slice(), self.fits.as_slice());
        Ok(fit(isa, network, samples, self.loss, kind)?)
    }

    /// The parts of the model's data whose rows, in whatever order, are those of a table that holds targets; none if they are
    /// others. The model may be older than digests of rows, and then knows nothing.
    ///
    /// # Errors
    /// As [`Predictor::score`].
    pub fn known_parts(&self, table: &Table) -> Result<Option<Vec<&'static str>>, DataError> {
        let rows: RowDigest = self.encoding.row_digests(table)?.into_iter().collect();
        Ok(self.parts.parts_of(rows))
    }

    /// The model's outputs for rows that need not hold targets.
    ///
    /// # Errors
    /// As [`Predictor::score`].
    pub fn predict(&self, isa: Isa, table: &Table) -> Result<Predictions, DataError> {
        Ok(self.outputs(isa, &self.encoding.inputs(table)?, table.n_rows()))
    }

    /// The model's outputs at points of its plane, if its inputs are two numbers; the points are in the file's units.
    #[must_use]
    pub fn predict_plane(&self, isa: Isa, points: &[(f64, f64)]) -> Option<Predictions> {
        let [x, y] = self.plane()?;
        let scaled = |affine: &Option<Affine>, value: f64| {
            affine.as_ref().map_or(value, |affine| affine.apply(value))
        };
        let inputs = [
            points.iter().map(|point| scaled(x, point.0)).collect(),
            points.iter().map(|point| scaled(y, point.1)).collect(),
        ];
        Some(self.outputs(isa, &inputs, points.len()))
    }

    /// Where the rows of a table are in the model's plane, in the file's units, if its inputs are two numbers.
    ///
    /// # Errors
    /// As [`Predictor::score`].
    pub fn places(&self, table: &Table) -> Result<Option<Vec<(f64, f64)>>, DataError> {
        let Some([x, y]) = self.plane() else { return Ok(None) };
        let value = |affine: &Option<Affine>, scaled: f64| {
            affine.as_ref().map_or(scaled, |affine| affine.invert(scaled))
        };
        let inputs = self.encoding.inputs(table)?;
        let pairs = inputs[0].iter().zip(&inputs[1]);
        Ok(Some(pairs.map(|(&a, &b)| (value(x, a), value(y, b))).collect()))
    }

    /// The scaling of its inputs, if they are two numbers.
    fn plane(&self) -> Option<[&Option<Affine>; 2]> {
        match self.encoding.inputs.as_slice() {
            [
                EncodedColumn { values: Values::Number(x), .. },
                EncodedColumn { values: Values::Number(y), .. },
            ] => Some([x, y]),
            _ => None,
        }
    }

    /// The outputs for scaled inputs.
    fn outputs(&self, isa: Isa, inputs: &[Vec<f64>], n_rows: usize) -> Predictions {
        let network = (&self.network, self.weights.as_slice(), self.fits.as_slice());
        Predictions { outputs: outputs(isa, network, inputs, n_rows) }
    }

    /// The classes whose probabilities the model answers: those of a cross-entropy.
    #[must_use]
    pub fn classes(&self) -> Option<&[String]> {
        match (self.loss, self.encoding.targets.as_slice()) {
            (Loss::SquaredError, _) => None,
            (_, [EncodedColumn { values: Values::Classes(words), .. }]) => Some(words),
            _ => None,
        }
    }

    /// The probability of each class from the outputs of one row. By the softmax they sum to 1; by the logistic
    /// cross-entropy, each of more than two classes is a question of its own.
    ///
    /// # Panics
    /// If there are no outputs.
    #[must_use]
    pub fn probabilities(&self, outputs: &[f64]) -> Vec<f64> {
        match (self.loss, outputs) {
            (Loss::SoftmaxCrossEntropy, _) => {
                let largest = outputs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let powers: Vec<f64> = outputs.iter().map(|sum| Real::exp(sum - largest)).collect();
                let sum: f64 = powers.iter().sum();
                powers.iter().map(|power| power / sum).collect()
            }
            (_, [second]) => vec![1.0 - second, *second],
            _ => outputs.to_vec(),
        }
    }

    /// What outputs of one row mean, in the file's own terms.
    #[must_use]
    pub fn answer(&self, outputs: &[f64]) -> Vec<Answer<'_>> {
        self.encoding.answer(outputs)
    }
}
