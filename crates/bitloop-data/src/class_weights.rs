//! [`ClassWeights`]: how much a row of each class counts in the loss.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::cells::Cells;
use crate::encoding::{EncodedColumn, Encoding, Values};
use crate::error::{DataError, DataErrorKind, quoted};
use crate::table::{Table, some_of};

/// How much a row of each class counts in the loss. Weights are divided by their mean over the training rows, so that the loss keeps
/// its size beside a regularization.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum ClassWeights {
    /// All rows alike.
    #[default]
    Equal,
    /// A row counts by the inverse of the number of training rows of its class, so that classes count alike.
    Balanced,
    /// These, by class; 1 for a class that is not named.
    ByClass(BTreeMap<String, f64>),
}

impl ClassWeights {
    /// Whether it is the default.
    #[must_use]
    pub fn are_equal(&self) -> bool {
        *self == Self::Equal
    }

    /// The weight of each class of an encoding; empty where all rows count alike.
    pub(crate) fn of_classes(
        &self,
        encoding: &Encoding,
        table: &Table,
        training_rows: &[usize],
    ) -> Result<Vec<f64>, DataError> {
        if self.are_equal() {
            return Ok(Vec::new());
        }
        let fail = |message: String, hint| {
            Err(DataError::new(DataErrorKind::Class, table.file(), message).hint(hint))
        };
        let Some((column, classes)) = encoding.class_column() else {
            let message = "class weights need targets that are classes".to_owned();
            return fail(message, "leave `class_weights` out");
        };
        let positions = column.cells(table)?.positions(classes)?;
        let mut counts = vec![0_u32; classes.len()];
        for &row in training_rows {
            counts[positions[row]] += 1;
        }
        let weights: Vec<f64> = match self {
            Self::Equal => Vec::new(),
            Self::Balanced => counts.iter().map(|&n| 1.0 / f64::from(n.max(1))).collect(),
            Self::ByClass(weights) => {
                if let Some(unknown) = weights.keys().find(|name| !classes.contains(name)) {
                    let known: Vec<String> = classes.iter().map(|name| quoted(name)).collect();
                    let message =
                        format!("no class {}: expected {}", quoted(unknown), some_of(&known));
                    return fail(message, "check the spelling, upper and lower case too");
                }
                classes.iter().map(|name| weights.get(name).copied().unwrap_or(1.0)).collect()
            }
        };
        let pairs = weights.iter().zip(&counts);
        let sum: f64 = pairs.map(|(weight, &n)| weight * f64::from(n)).sum();
        let mean = sum / training_rows.len() as f64;
        Ok(weights.iter().map(|weight| weight / mean).collect())
    }
}

impl Encoding {
    /// The target column and its classes, if targets are classes.
    #[must_use]
    pub fn class_column(&self) -> Option<(&EncodedColumn, &[String])> {
        match self.targets.as_slice() {
            [column @ EncodedColumn { values: Values::Classes(classes), .. }] => {
                Some((column, classes))
            }
            _ => None,
        }
    }

    /// How much each row of a table counts; none where all count alike.
    pub(crate) fn row_weights(&self, table: &Table) -> Result<Option<Vec<f64>>, DataError> {
        match self.class_column() {
            Some((column, classes)) if !self.class_weights.is_empty() => {
                let cells: Cells<'_> = column.cells(table)?;
                let positions = cells.positions(classes)?;
                Ok(Some(positions.into_iter().map(|class| self.class_weights[class]).collect()))
            }
            _ => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{Columns, Scaling, Targets};
    use crate::{ColumnChoice, Format, Limits, Missing};

    const TEXT: &str = "x,y\n1,a\n2,a\n3,a\n4,b\n5,b\n6,c\n";

    /// The weights of the classes a, b and c, from the first five rows.
    fn weights(of: &ClassWeights) -> Result<Vec<f64>, DataError> {
        let table = Table::parse("f", TEXT, Format::Csv, true, &Limits::default()).unwrap();
        let targets = Targets::Classes(ColumnChoice::Name("y".to_owned()));
        let columns = Columns { inputs: None, ignored: vec![], nominal: vec![], targets };
        let (scaling, rows) = (Scaling::default(), [0, 1, 2, 3, 4]);
        let encoding = Encoding::learn(&table, &columns, scaling, Missing::Refuse, &rows).unwrap();
        of.of_classes(&encoding, &table, &rows)
    }

    #[test]
    fn balanced_classes_count_alike_in_the_training_rows() {
        assert_eq!(weights(&ClassWeights::Equal).unwrap(), [] as [f64; 0]);
        let found = weights(&ClassWeights::Balanced).unwrap();
        // Five rows of two classes, and one class without training rows.
        let close = |at: usize, expected: f64| assert!((found[at] - expected).abs() < 1e-15);
        close(0, 5.0 / 6.0);
        close(1, 5.0 / 4.0);
        assert!((3.0 * found[0] + 2.0 * found[1] - 5.0).abs() < 1e-15, "{found:?}");
    }

    #[test]
    fn given_weights_are_divided_by_their_mean_and_must_be_of_classes() {
        let by = |name: &str| ClassWeights::ByClass(BTreeMap::from([(name.to_owned(), 3.5)]));
        // 1, 1, 1, 3.5 and 3.5: a mean of 2.
        assert_eq!(weights(&by("b")).unwrap(), [0.5, 1.75, 0.5]);
        let error = weights(&by("B")).unwrap_err();
        assert!(error.message.contains("no class `B`: expected `a`, `b`, `c`"), "{error}");
        assert_eq!(error.kind, DataErrorKind::Class);
    }
}
