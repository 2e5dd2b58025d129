//! Where examples come from, and which of them are for what.

use bitloop_data::{ColumnChoice, Fold, Format, Missing, PartSize, Spirals, Targets};
use serde::{Deserialize, Serialize};

use crate::network::is_false;

/// Where examples come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DataSource {
    /// The two spirals, from their formula, with the columns `x`, `y` and `class`.
    Spirals(Spirals),
    /// A file of rows.
    File(DataFile),
}

/// The split that a set of spirals comes with: all for training, or one half, and the other for the test.
pub(crate) fn spirals_split(spirals: Spirals) -> Split {
    let (training, test) = match spirals {
        Spirals::Cmu194 => (194, 0),
        Spirals::Halves193 => (193, 193),
    };
    let [training, test] = [PartSize::Rows(training), PartSize::Rows(test)];
    Split { training, test, ..Split::all() }
}

/// A file of rows, which may be packed with gzip, and what its columns are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataFile {
    /// Its path; a relative one starts at the folder of the scenario.
    pub path: String,
    /// A file of the same columns with the validation rows; those of `path` are then for the other parts. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation: Option<String>,
    /// A file of the same columns with the test rows; those of `path` are then for the other parts. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// How its lines are cut into cells. Default: `Csv`.
    #[serde(default)]
    pub format: Format,
    /// Whether its first line names the columns. Default: true.
    #[serde(default = "yes")]
    pub header: bool,
    /// The inputs, in order. Default: all columns that are neither targets nor ignored.
    #[serde(default)]
    pub inputs: Option<Vec<ColumnChoice>>,
    /// Columns that are no inputs though `inputs` is left out.
    #[serde(default)]
    pub ignored: Vec<ColumnChoice>,
    /// Those of the inputs that hold words; each word becomes an input, 1 where it stands, else -1. Inputs that hold nothing but
    /// words are taken so too.
    #[serde(default)]
    pub nominal: Vec<ColumnChoice>,
    /// What the network is to answer.
    pub targets: Targets,
    /// What becomes of cells without a value. Default: `Refuse`.
    #[serde(default, skip_serializing_if = "is_refusal")]
    pub missing: Missing,
}

/// Left out of a text then, so that digests of earlier versions stay.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_refusal(missing: &Missing) -> bool {
    *missing == Missing::Refuse
}

const fn yes() -> bool {
    true
}

/// How many rows are for what, as numbers of rows or as shares: the first ones of an order are for training, the next for validation, those after them for
/// the test; what is left is not used.
///
/// With validation rows and none for the test, the lowest error on the validation rows is what is
/// reported: the paper's protocol, which is optimistic. With test rows, the error is measured on rows that have selected nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// Rows for training, 1 or more.
    pub training: PartSize,
    /// Rows that select among weights. Default: 0, and the training rows select.
    #[serde(default)]
    pub validation: PartSize,
    /// Rows for a single test at the end. Default: 0.
    #[serde(default)]
    pub test: PartSize,
    /// The order. Default: `Random`.
    #[serde(default)]
    pub order: RowOrder,
    /// Whether each class has the same share in each part. Default: no.
    #[serde(default, skip_serializing_if = "is_false")]
    pub stratified: bool,
    /// A column, which is then no input unless `inputs` names it: rows with the same value are in the same part. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grouped_by: Option<ColumnChoice>,
    /// One of several parts of equal size: it is the test, and the others are shared out in the proportion of training and
    /// validation. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fold: Option<Fold>,
    /// Root of the order's random numbers. Default: the scenario's seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

impl Split {
    /// All rows for training.
    #[must_use]
    pub const fn all() -> Self {
        Self {
            training: PartSize::Share(1.0),
            validation: PartSize::Rows(0),
            test: PartSize::Rows(0),
            order: RowOrder::File,
            stratified: false,
            grouped_by: None,
            fold: None,
            seed: None,
        }
    }
}

impl DataFile {
    /// The paths of its files, each with its field.
    pub fn paths(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let own = [("data.validation", &self.validation), ("data.test", &self.test)];
        let own = own.into_iter().filter_map(|(field, path)| Some((field, path.as_ref()?)));
        std::iter::once(("data.path", &self.path)).chain(own)
    }

    /// The same, to be changed.
    pub fn paths_mut(&mut self) -> impl Iterator<Item = &mut String> {
        std::iter::once(&mut self.path).chain(&mut self.validation).chain(&mut self.test)
    }
}

/// The order of rows before they are counted off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RowOrder {
    /// Drawn by the split's seed, or else the scenario's.
    #[default]
    Random,
    /// That of the file.
    File,
}

impl DataSource {
    /// Whether targets are classes.
    pub fn has_classes(&self) -> bool {
        match self {
            Self::Spirals(_) => true,
            Self::File(file) => matches!(file.targets, Targets::Classes(_)),
        }
    }
}
