//! Where examples come from, and which of them are for what.

use bitloop_data::{ColumnChoice, Format, Missing, Spirals, Targets};
use serde::{Deserialize, Serialize};

/// Where examples come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DataSource {
    /// The two spirals, from their formula, with the columns `x`, `y` and `class`.
    Spirals(Spirals),
    /// A file of rows.
    File(DataFile),
}

/// The split that a set of spirals comes with: all for training, or one half, and the other for the test.
pub(crate) const fn spirals_split(spirals: Spirals) -> Split {
    let (training, test) = match spirals {
        Spirals::Cmu194 => (194, 0),
        Spirals::Halves193 => (193, 193),
    };
    Split { training, validation: 0, test, order: RowOrder::File }
}

/// A file of rows, which may be packed with gzip, and what its columns are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataFile {
    /// Its path; a relative one starts at the folder of the scenario.
    pub path: String,
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
    /// Those of the inputs that hold words; each word becomes an input, 1 where it stands, else -1.
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

/// How many rows are for what: the first ones of an order are for training, the next for validation, those after them for
/// the test; what is left is not used.
///
/// With validation rows and none for the test, the lowest error on the validation rows is what is
/// reported: the paper's protocol, which is optimistic. With test rows, the error is measured on rows that have selected nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// Rows for training, 1 or more.
    pub training: u32,
    /// Rows that select among weights. Default: 0, and the training rows select.
    #[serde(default)]
    pub validation: u32,
    /// Rows for a single test at the end. Default: 0.
    #[serde(default)]
    pub test: u32,
    /// The order. Default: `Random`.
    #[serde(default)]
    pub order: RowOrder,
}

/// The order of rows before they are counted off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RowOrder {
    /// Drawn by the scenario's seed.
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
