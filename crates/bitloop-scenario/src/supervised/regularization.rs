//! [`Regularization`]: the weight of small weights beside the errors on examples.

use bitloop_net::Loss;
use bitloop_text::{RawField, ron_options};
use ron::{error::SpannedError, value::RawValue};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// Weight of the mean of the squared weights beside the sum of the losses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Regularization {
    /// This one, 0 or more.
    Weight(f64),
    /// Each of a few in a run of its own, of which the validation rows choose; 0 where rows are many, or none are for validation.
    Auto,
}

/// Those that are tried, in percent of the number of training rows. A squared error can do without where rows have little noise,
/// and wants much where they have more; 0 comes first, so that a short budget is spent on it.
const TRIED_ON_NUMBERS: &[f64] = &[0.0, 30.0, 300.0, 1000.0];

/// By how much the error of a squared error's run may be larger than that of the run with the next smaller regularization, and
/// still be preferred: validation rows are few, and with less regularization a run finds more weights that suit them by chance.
const LARGER_ERROR: f64 = 1.03;

/// Without regularization a cross-entropy falls further as weights grow, even where all rows are classified right; so 0 is not
/// tried.
const TRIED_ON_CLASSES: &[f64] = &[3.0, 10.0];

/// From so many training rows on, nothing but 0 is tried.
const MANY_ROWS: usize = 2000;

/// The word for [`Regularization::Auto`].
#[derive(Serialize, Deserialize)]
#[serde(rename = "Regularization")]
enum Word {
    Auto,
}

impl Default for Regularization {
    fn default() -> Self {
        Self::Weight(0.0)
    }
}

impl Regularization {
    /// The weights for runs, one after the other and from the first one again, with so many rows for training and validation.
    #[must_use]
    pub fn of_runs(self, loss: Loss, n_training: usize, n_validation: usize) -> Vec<f64> {
        let percents = match (self, loss) {
            (Self::Weight(weight), _) => return vec![weight],
            (Self::Auto, _) if n_training >= MANY_ROWS || n_validation == 0 => return vec![0.0],
            (Self::Auto, Loss::SquaredError) => TRIED_ON_NUMBERS,
            (Self::Auto, Loss::LogisticCrossEntropy | Loss::SoftmaxCrossEntropy) => {
                TRIED_ON_CLASSES
            }
        };
        percents.iter().map(|percent| percent * n_training as f64 / 100.0).collect()
    }

    /// What the errors of these runs are divided by before they are compared: more for more regularization.
    #[must_use]
    pub fn preferences_of_runs(self, loss: Loss, n_runs: usize) -> Vec<f64> {
        let is_preferred = self == Self::Auto && loss == Loss::SquaredError;
        let next = if is_preferred { LARGER_ERROR } else { 1.0 };
        std::iter::successors(Some(1.0), |preference| Some(preference * next))
            .take(n_runs)
            .collect()
    }

    fn parse(text: &str) -> Result<Self, SpannedError> {
        let is_word = text.starts_with(char::is_alphabetic);
        if is_word {
            ron_options().from_str(text).map(|Word::Auto| Self::Auto)
        } else {
            ron_options().from_str(text).map(Self::Weight)
        }
    }

    /// The field that is read as raw text first, since it has two shapes.
    pub(crate) fn raw_field(path: &str) -> RawField {
        RawField::new(path, "a number, or Auto", |text| Self::parse(text).map(drop))
    }
}

impl<'de> Deserialize<'de> for Regularization {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        Self::parse(raw.get_ron().trim()).map_err(|error| D::Error::custom(error.code))
    }
}

impl Serialize for Regularization {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Weight(weight) => weight.serialize(serializer),
            Self::Auto => Word::Auto.serialize(serializer),
        }
    }
}
