//! The rules of a saved model.

use bitloop_net::LayerScaling;
use bitloop_text::{Checked, Problem};

use crate::{
    model::{Fit, ModelWeights, SavedColumn, SavedModel, SavedOutputFit, SavedValues},
    network::Network,
    saved_check::{EDITED, check_codes},
};

/// Most words of a column.
const MOST_WORDS: usize = 1 << 16;

impl SavedModel {
    /// Checks that sizes agree and values are in range; the digest is checked by the reader.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn check(&self) -> Checked {
        let n_inputs = check_columns("inputs", &self.inputs)?;
        let n_outputs = check_columns("targets", &self.targets)?;
        let Network::FeedForward { layers, direct: false } = &self.network else {
            let message = "a model of examples has no memory and no direct path";
            return Err(Problem::new("network", message, EDITED));
        };
        if let Some(index) = layers.iter().position(|layer| layer.units == 0) {
            let path = format!("network.layers.{index}.units");
            return Err(Problem::new(&path, "a layer has no units", EDITED));
        }
        let n_last = layers.last().map_or(0, |layer| layer.units as usize);
        if n_last == 0 || n_last != n_outputs {
            let message =
                format!("the last layer has {n_last} units, but the targets are {n_outputs}");
            return Err(Problem::new("network.layers", message, EDITED));
        }
        let n_weights = self.network.n_weights(n_inputs);
        if self.weights.count() as u64 != n_weights {
            let message =
                format!("{} weights, but the network has {n_weights}", self.weights.count());
            return Err(Problem::new("weights", message, EDITED));
        }
        match &self.weights {
            ModelWeights::Codes(codes) => check_codes(codes)?,
            ModelWeights::Real(weights) => {
                if let Some(index) = weights.iter().position(|weight| !weight.is_finite()) {
                    let path = format!("weights.{index}");
                    return Err(Problem::new(&path, "a weight is not finite", EDITED));
                }
            }
        }
        let n_layers = layers.len();
        let is_far = |exponent: &i32| exponent.unsigned_abs() > LayerScaling::MOST.unsigned_abs();
        if !self.layer_scales.is_empty() && self.layer_scales.len() != n_layers
            || self.layer_scales.iter().any(is_far)
        {
            let message = format!("the exponents are not {n_layers}, or one is out of range");
            return Err(Problem::new("layer_scales", message, EDITED));
        }
        let is_finite = |fit: &SavedOutputFit| fit.scale.is_finite() && fit.offset.is_finite();
        if !self.output_fits.is_empty() && self.output_fits.len() != n_outputs
            || !self.output_fits.iter().all(is_finite)
        {
            let message = format!("the fits are not {n_outputs}, or a number is not finite");
            return Err(Problem::new("output_fits", message, EDITED));
        }
        let n_classes = match self.targets.as_slice() {
            [SavedColumn { values: SavedValues::Classes(words), .. }] => words.len(),
            _ => 0,
        };
        let is_weight = |weight: &f64| weight.is_finite() && *weight >= 0.0;
        if !self.class_weights.is_empty()
            && (self.class_weights.len() != n_classes || !self.class_weights.iter().all(is_weight))
        {
            let message = format!("the weights are not {n_classes}, or one is not 0 or above");
            return Err(Problem::new("class_weights", message, EDITED));
        }
        if self.threshold.is_some_and(|threshold| n_classes != 2 || !threshold.is_finite()) {
            let message = "a threshold is a finite number, of two classes";
            return Err(Problem::new("threshold", message, EDITED));
        }
        let fits = [self.fits.training, self.fits.validation, self.fits.test];
        if !fits.iter().flatten().all(is_sound) {
            let message = "an error is below 0 or not finite, or a share not from 0 to 1";
            return Err(Problem::new("fits", message, EDITED));
        }
        if let Err(message) = self.row_digests.parts() {
            return Err(Problem::new("row_digests", message, EDITED));
        }
        self.scenario.check().map_err(|problem| problem.inside("scenario"))
    }
}

fn is_sound(fit: &Fit) -> bool {
    let is_error = |error: f64| error.is_finite() && error >= 0.0;
    fit.rmse.is_none_or(is_error)
        && fit.loss.is_none_or(is_error)
        && fit.classified.is_none_or(|share| (0.0..=1.0).contains(&share))
}

/// The number of variables of the columns of a part, `inputs` or `targets`.
fn check_columns(part: &str, columns: &[SavedColumn]) -> Result<usize, Problem> {
    if columns.is_empty() {
        return Err(Problem::new(part, "there are none", EDITED));
    }
    let mut n_variables = 0;
    for (index, column) in columns.iter().enumerate() {
        let path = format!("{part}.{index}");
        if column.number == 0 {
            let path = format!("{path}.number");
            return Err(Problem::new(&path, "columns are counted from 1", EDITED));
        }
        let message = match &column.values {
            SavedValues::Number => None,
            &SavedValues::Scaled { min, max, low, high } => {
                let is_sound =
                    (max - min).is_finite() && min <= max && (high - low).is_finite() && low < high;
                (!is_sound).then_some("a range does not go up")
            }
            SavedValues::Words(_) if part == "targets" => Some("words are for inputs"),
            SavedValues::Classes(_) if part == "inputs" => Some("classes are for targets"),
            SavedValues::Words(words) | SavedValues::Classes(words) => {
                let least = if matches!(column.values, SavedValues::Words(_)) { 1 } else { 2 };
                let mut sorted: Vec<_> = words.iter().collect();
                sorted.sort_unstable();
                sorted.dedup();
                if !(least..=MOST_WORDS).contains(&words.len()) {
                    Some("there are too few or too many words")
                } else if sorted.len() < words.len() {
                    Some("a word is listed twice")
                } else {
                    None
                }
            }
        };
        if let Some(message) = message {
            return Err(Problem::new(&format!("{path}.values"), message, EDITED));
        }
        n_variables += column.values.n_variables();
    }
    Ok(n_variables)
}
