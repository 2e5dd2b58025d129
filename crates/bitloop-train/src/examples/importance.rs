//! Permutation importance: how much worse a model is where an input column says nothing about its row.

use bitloop_data::{Examples, Table};
use bitloop_net::Samples;
use bitloop_plant::Isa;
use bitloop_random::{Purpose, Stream};
use serde::Serialize;

use super::predictor::Predictor;
use crate::error::TrainError;

/// Permutations of a column, of which the mean counts.
const N_PERMUTATIONS: u64 = 10;

/// How much a model depends on a column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Importance {
    /// The column's name, or its number.
    pub input: String,
    /// By how much the error rises when the column's values are dealt out anew among the rows: the cross-entropy where that was
    /// trained, the RMSE otherwise.
    pub increase: f64,
}

impl Predictor {
    /// The importance of each input column on rows that hold targets, the largest first, in order of the columns among equals.
    /// Permutation k of column c is drawn from stream (0, [`Purpose::RowPermutation`], c, k), so that the same rows give the same
    /// numbers.
    ///
    /// # Errors
    /// As [`Predictor::score`].
    pub fn importance(&self, isa: Isa, table: &Table) -> Result<Vec<Importance>, TrainError> {
        let examples = self.encoding().examples(table)?;
        let base = self.loss_on(isa, &examples)?;
        let mut all = Vec::with_capacity(self.encoding().inputs.len());
        let mut first = 0;
        for (index, column) in (0_u64..).zip(&self.encoding().inputs) {
            let variables = first..first + column.n_variables();
            first = variables.end;
            let mut sum = 0.0;
            for permutation in 0..N_PERMUTATIONS {
                let order = permuted(examples.n_samples, index, permutation);
                let mut shuffled = examples.clone();
                for (values, own) in shuffled.inputs[variables.clone()]
                    .iter_mut()
                    .zip(&examples.inputs[variables.clone()])
                {
                    *values = order.iter().map(|&row| own[row]).collect();
                }
                sum += self.loss_on(isa, &shuffled)? - base;
            }
            let increase = sum / N_PERMUTATIONS as f64;
            all.push(Importance { input: column.shown_name(), increase });
        }
        all.sort_by(|a, b| b.increase.total_cmp(&a.increase));
        Ok(all)
    }

    fn loss_on(&self, isa: Isa, examples: &Examples) -> Result<f64, TrainError> {
        let fit = self.fit(isa, &Samples::try_from(examples)?)?;
        Ok(fit.loss.or(fit.rmse).unwrap_or(f64::NAN))
    }
}

/// The numbers below `n` in random order.
fn permuted(n: usize, column: u64, permutation: u64) -> Vec<usize> {
    let mut stream = Stream::new(0, Purpose::RowPermutation, column, permutation);
    let mut order: Vec<usize> = (0..n).collect();
    for n_left in (2..=n).rev() {
        order.swap(n_left - 1, stream.index_below(n_left));
    }
    order
}
