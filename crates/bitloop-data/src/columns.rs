//! [`Columns`]: which columns of a table are inputs, which targets.

use serde::{Deserialize, Serialize};

use crate::column_choice::ColumnChoice;
use crate::error::{DataError, DataErrorKind};
use crate::table::Table;

/// The roles of columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Inputs, in this order; `None`: all columns that are neither targets nor ignored, in the file's order.
    pub inputs: Option<Vec<ColumnChoice>>,
    /// Columns that are no inputs though `inputs` is `None`, such as names.
    pub ignored: Vec<ColumnChoice>,
    /// Those of the inputs that hold words, though some look like numbers. Each word becomes an input: 1 where it stands, else -1.
    pub nominal: Vec<ColumnChoice>,
    /// What the network is to answer.
    pub targets: Targets,
}

/// What the network is to answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Targets {
    /// The numbers in these columns: regression.
    Numbers(Vec<ColumnChoice>),
    /// The class in this column. Of two classes, one output: 0 for the first in alphabetic order, 1 for the second. Of
    /// more, an output each: 1 for the class, 0 for the others.
    Classes(ColumnChoice),
}

/// What numbers are scaled to, from the training part alone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scaling {
    /// How.
    #[serde(skip_serializing_if = "ScalingMethod::is_range")]
    pub method: ScalingMethod,
    /// The range of inputs; the paper has `[-1, 1]`, the default. `None` leaves them as they are.
    pub inputs: Option<[f64; 2]>,
    /// The range of targets that are numbers; the paper has `[0, 1]`, the default. `None` leaves them as they are.
    pub targets: Option<[f64; 2]>,
}

/// How numbers are scaled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScalingMethod {
    /// The least and the greatest value become the ends of a range.
    #[default]
    Range,
    /// The mean becomes 0, and a standard deviation 1.
    Standard,
}

impl ScalingMethod {
    /// Whether it is the default.
    #[must_use]
    pub const fn is_range(&self) -> bool {
        matches!(self, Self::Range)
    }
}

impl Default for Scaling {
    fn default() -> Self {
        Self { method: ScalingMethod::Range, inputs: Some([-1.0, 1.0]), targets: Some([0.0, 1.0]) }
    }
}

impl Scaling {
    /// Mean 0 and standard deviation 1.
    pub const STANDARD: Self = Self {
        method: ScalingMethod::Standard,
        inputs: Some([-1.0, 1.0]),
        targets: Some([0.0, 1.0]),
    };
}

/// Positions of columns, none of them used twice.
pub(crate) struct Chosen {
    pub inputs: Vec<usize>,
    pub nominal: Vec<usize>,
    pub targets: Vec<usize>,
    pub is_class: bool,
}

impl Columns {
    /// Finds the columns in a table.
    pub(crate) fn choose(&self, table: &Table) -> Result<Chosen, DataError> {
        let positions = |choices: &[ColumnChoice]| -> Result<Vec<usize>, DataError> {
            choices.iter().map(|choice| table.position(choice)).collect()
        };
        let (targets, is_class) = match &self.targets {
            Targets::Numbers(choices) => (positions(choices)?, false),
            Targets::Classes(choice) => (vec![table.position(choice)?], true),
        };
        let ignored = positions(&self.ignored)?;
        let inputs = match &self.inputs {
            Some(choices) => positions(choices)?,
            None => (0..table.n_columns())
                .filter(|column| !targets.contains(column) && !ignored.contains(column))
                .collect(),
        };
        let nominal = positions(&self.nominal)?;
        check_choice(table, &inputs, &targets, &nominal)?;
        Ok(Chosen { inputs, nominal, targets, is_class })
    }
}

/// Checks that choices do not contradict each other.
fn check_choice(
    table: &Table,
    inputs: &[usize],
    targets: &[usize],
    nominal: &[usize],
) -> Result<(), DataError> {
    let fail = |message: String, hint| {
        Err(DataError::new(DataErrorKind::Column, table.file(), message).hint(hint))
    };
    if inputs.is_empty() || targets.is_empty() {
        let what = if inputs.is_empty() { "input" } else { "target" };
        return fail(format!("no column is {what}: expected one at least"), "choose columns");
    }
    let used: Vec<usize> = inputs.iter().chain(targets).copied().collect();
    for (at, &column) in used.iter().enumerate() {
        if used[..at].contains(&column) {
            let message = format!("{} is chosen twice", table.column_name(column));
            return fail(message, "a column is one input or one target");
        }
    }
    match nominal.iter().find(|column| !inputs.contains(column)) {
        Some(&column) => fail(
            format!("{} is nominal, but no input", table.column_name(column)),
            "list it as an input, or not as nominal",
        ),
        None => Ok(()),
    }
}
