//! [`Missing`]: what becomes of cells without a value.

use serde::{Deserialize, Serialize};

use crate::cells::is_missing;
use crate::column_choice::ColumnChoice;
use crate::columns::Columns;
use crate::error::{DataError, DataErrorKind};
use crate::row_labels::group_position;
use crate::table::Table;

/// What becomes of cells without a value: empty, `?`, `NA`, `N/A`, `NaN`, `null`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Missing {
    /// The file is refused.
    #[default]
    Refuse,
    /// Inputs get the mean of their column over the training rows, or its most frequent word there; targets are refused.
    Mean,
    /// Nominal inputs get a word of its own for it, numbers the mean; targets are refused.
    Word,
    /// The row is left out, before rows are split.
    Drop,
}

impl Missing {
    /// The rows that are used: all, or those that have a value in every chosen column, and in that of their group.
    pub(crate) fn used(
        self,
        table: Table,
        columns: &Columns,
        grouped_by: Option<&ColumnChoice>,
    ) -> Result<Table, DataError> {
        if self != Self::Drop {
            return Ok(table);
        }
        let chosen = columns.choose(&table)?;
        let group = grouped_by.map(|column| group_position(&table, column)).transpose()?;
        let used: Vec<usize> =
            chosen.inputs.iter().chain(&chosen.targets).copied().chain(group).collect();
        let is_whole =
            |row: &usize| used.iter().all(|&column| !is_missing(table.cell(*row, column)));
        let rows: Vec<usize> = (0..table.n_rows()).filter(is_whole).collect();
        if rows.is_empty() {
            let message = "each row lacks a value in some column".to_owned();
            return Err(DataError::new(DataErrorKind::Missing, table.file(), message)
                .hint("choose fewer columns, or `missing: Mean`"));
        }
        Ok(if rows.len() == table.n_rows() { table } else { table.subset(&rows) })
    }
}
