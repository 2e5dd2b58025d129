//! A network trained on examples, as a file.
//!
//! Owns the fields, and reading with the digest verified; the rules are `check.rs`, the text `write.rs`. What cells
//! become before the network sees them, and what its outputs mean, stands in the file, so that it needs nothing else to
//! be applied to other data.

mod check;
mod write;

use bitloop_data::{Format, PartDigests, RowDigest};
use bitloop_net::LayerScaling;
use bitloop_text::{Checked, FileError, RawField, Source, decode};
use serde::{Deserialize, Serialize};

use crate::{
    digest::check_digest,
    file::{File, FileKind},
    network::Network,
    saved::{Codes, MadeBy},
    supervised::Supervised,
};

/// A trained network, what it is applied to, and what made it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Model", deny_unknown_fields)]
pub struct SavedModel {
    /// Number of the file's format; 0 in files that are older than such numbers.
    #[serde(default)]
    pub format: u32,
    /// How files of rows are read unless the user chooses otherwise.
    pub rows: SavedRows,
    /// The columns that become inputs, in the order of the network's inputs.
    pub inputs: Vec<SavedColumn>,
    /// The columns that the outputs stand for, in order.
    pub targets: Vec<SavedColumn>,
    /// Its shape, which is feed-forward.
    pub network: Network,
    /// Its weights, in the order that `bitloop-net` documents.
    pub weights: ModelWeights,
    /// For each layer, the exponent of the power of two that its sums are multiplied by; none where all are 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layer_scales: Vec<i32>,
    /// For each output of the network, what it is multiplied by and what is added then; none where outputs are as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output_fits: Vec<SavedOutputFit>,
    /// How much a row of each class counts in its errors, in the order of the classes; none where all count alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub class_weights: Vec<f64>,
    /// The output from which on the second of two classes is answered; 0.5 if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// The regularization of the run that it comes from, where the scenario left it to be chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regularization: Option<f64>,
    /// How well it fits.
    pub fits: Fits,
    /// Which rows each part of its data had; nothing in files that are older than these digests.
    #[serde(default, skip_serializing_if = "SavedRowDigests::is_empty")]
    pub row_digests: SavedRowDigests,
    /// What made it.
    pub made_by: MadeBy,
    /// The scenario that it was trained in, defaults filled in, with the seed of the run, and the name of its data file
    /// without folders.
    pub scenario: Supervised,
    /// [`SavedModel::computed_digest`] when it was saved.
    pub digest: String,
    /// [`SavedModel::computed_content_digest`] when it was saved.
    #[serde(default)]
    pub content_digest: String,
}

impl SavedModel {
    /// The format that is written.
    pub const FORMAT_NUMBER: u32 = 1;
}

/// Which rows each part of a model's data had, whatever their order: their number, and a sum of their digests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "RowDigests", deny_unknown_fields)]
pub struct SavedRowDigests {
    /// The training rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub training: Option<String>,
    /// The validation rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation: Option<String>,
    /// The test rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
}

impl SavedRowDigests {
    /// Whether nothing is known of any part.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Those of a data set.
    #[must_use]
    pub fn of(parts: &PartDigests) -> Self {
        let text = |part: Option<RowDigest>| part.map(|digest| digest.to_string());
        let PartDigests { training, validation, test } = *parts;
        Self { training: text(training), validation: text(validation), test: text(test) }
    }

    /// Which rows these are.
    ///
    /// # Errors
    /// The first digest that is none.
    pub fn parts(&self) -> Result<PartDigests, String> {
        let digest = |text: &Option<String>| text.as_deref().map(str::parse).transpose();
        Ok(PartDigests {
            training: digest(&self.training)?,
            validation: digest(&self.validation)?,
            test: digest(&self.test)?,
        })
    }
}

/// How files of rows are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Rows", deny_unknown_fields)]
pub struct SavedRows {
    /// How lines are cut into cells.
    pub format: Format,
    /// Whether the first line names the columns.
    pub header: bool,
}

/// A column, and what becomes of its cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Column", deny_unknown_fields)]
pub struct SavedColumn {
    /// Its name, by which it is found in a file with a header.
    #[serde(default)]
    pub name: Option<String>,
    /// Its number, from 1, by which it is found in a file without.
    pub number: u32,
    /// What becomes of its cells.
    pub values: SavedValues,
    /// What stands for a missing value, as a cell would say it; none if one is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<String>,
}

/// What becomes of the cells of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum SavedValues {
    /// A number, as it is.
    Number,
    /// A number, of which the range from min to max becomes that from low to high.
    Scaled {
        /// Its least value in the training rows.
        min: f64,
        /// Its greatest value there.
        max: f64,
        /// What the least becomes.
        low: f64,
        /// What the greatest becomes.
        high: f64,
    },
    /// A variable for each of these words, 1 where the word stands, else -1.
    Words(Vec<String>),
    /// A variable for each of these classes, 1 or 0; for two classes one variable, 1 for the second.
    Classes(Vec<String>),
}

impl SavedValues {
    /// How many variables the column becomes.
    pub fn n_variables(&self) -> usize {
        match self {
            Self::Number | Self::Scaled { .. } => 1,
            Self::Classes(words) if words.len() == 2 => 1,
            Self::Words(words) | Self::Classes(words) => words.len(),
        }
    }
}

/// The weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ModelWeights {
    /// Integers on the search's grid.
    Codes(Codes),
    /// Real numbers, of a trainer that has no grid.
    Real(Vec<f64>),
}

impl ModelWeights {
    /// How many weights there are.
    pub fn count(&self) -> usize {
        match self {
            Self::Codes(codes) => codes.codes.len(),
            Self::Real(weights) => weights.len(),
        }
    }
}

/// Scale and offset of an output.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "OutputFit", deny_unknown_fields)]
pub struct SavedOutputFit {
    /// What it is multiplied by.
    pub scale: f64,
    /// What is added then.
    pub offset: f64,
}

/// How well a network fits each part of its data; nothing for a part without rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fits {
    /// On the training rows.
    #[serde(default)]
    pub training: Option<Fit>,
    /// On the validation rows, which have selected it.
    #[serde(default)]
    pub validation: Option<Fit>,
    /// On the test rows, which have selected nothing.
    #[serde(default)]
    pub test: Option<Fit>,
}

/// How well a network fits rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fit {
    /// How many rows.
    pub rows: u64,
    /// Root of the mean squared error over rows and outputs, in scaled units; none of the softmax cross-entropy.
    #[serde(default)]
    pub rmse: Option<f64>,
    /// The mean of the loss over rows, of a cross-entropy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
    /// Share of rows whose class is right, if targets are classes.
    #[serde(default)]
    pub classified: Option<f64>,
}

impl SavedModel {
    /// What each weight is multiplied by in the network: the power of two of its layer.
    #[must_use]
    pub fn weight_factors(&self) -> Vec<f64> {
        let mut n_fed: usize = self.inputs.iter().map(|column| column.values.n_variables()).sum();
        let mut factors = Vec::with_capacity(self.weights.count());
        for (index, layer) in self.network.layers().iter().enumerate() {
            let n_neurons = layer.units as usize;
            let exponent = self.layer_scales.get(index).copied().unwrap_or(0);
            let n_own = (n_fed + 1) * n_neurons;
            factors.extend(std::iter::repeat_n(LayerScaling::power_of_two(exponent), n_own));
            n_fed = n_neurons;
        }
        factors
    }
}

/// A checked model and the text it came from.
pub type ModelFile = File<SavedModel>;

impl FileKind for SavedModel {
    const NAME: &'static str = "Model";
    const WHAT: &'static str = "model";
    const LIMIT_BYTES: u64 = 64 << 20;
    const FORMAT: Option<u32> = Some(Self::FORMAT_NUMBER);

    fn raw_fields() -> Vec<RawField> {
        Supervised::raw_fields().into_iter().map(|field| field.inside("scenario")).collect()
    }

    fn decode(source: &Source) -> Result<Self, FileError> {
        decode(source, &Self::raw_fields())
    }

    fn check_rules(&self) -> Checked {
        self.check()
    }

    fn format(&self) -> Option<u32> {
        Some(self.format)
    }

    fn check_digest(&self, source: &Source) -> Result<(), FileError> {
        let covered = "columns, shape, weights, their scales and the threshold";
        check_digest(source, "digest", &self.digest, &self.computed_digest(), covered)?;
        // A file that is older than formats has none.
        if self.content_digest.is_empty() { Ok(()) } else { self.check_content_digest(source) }
    }

    fn has_content_digest(&self) -> bool {
        !self.content_digest.is_empty()
    }

    fn check_content_digest(&self, source: &Source) -> Result<(), FileError> {
        let computed = self.computed_content_digest();
        let covered = "rows, errors, scenario and origin";
        check_digest(source, "content_digest", &self.content_digest, &computed, covered)
    }
}
