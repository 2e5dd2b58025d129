//! [`RowLabels`]: what a split has to know of each row: its class, and the group that it stays with.

use crate::cells::is_missing;
use crate::column_choice::ColumnChoice;
use crate::columns::{Columns, Targets};
use crate::error::{DataError, DataErrorKind};
use crate::table::Table;

/// What a split has to know of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowLabels {
    /// How many rows there are.
    pub n_rows: usize,
    /// The class of each, if classes are to have their share in each part.
    pub classes: Option<Vec<usize>>,
    /// The group of each, if groups stay together.
    pub groups: Option<Vec<usize>>,
}

impl RowLabels {
    /// Of the first rows of a table, as far as it is asked for.
    pub fn of(
        table: &Table,
        n_rows: usize,
        (is_stratified, grouped_by): (bool, Option<&ColumnChoice>),
        columns: &Columns,
    ) -> Result<Self, DataError> {
        let classes = match (&columns.targets, is_stratified) {
            (_, false) => None,
            (Targets::Classes(column), true) => {
                Some(labels(table, n_rows, table.position(column)?)?)
            }
            (Targets::Numbers(_), true) => {
                let message = "rows can be stratified by classes, but the targets are numbers";
                return Err(DataError::new(DataErrorKind::Split, table.file(), message.to_owned())
                    .hint("leave `stratified` out"));
            }
        };
        let groups = grouped_by
            .map(|column| labels(table, n_rows, group_position(table, column)?))
            .transpose()?;
        Ok(Self { n_rows, classes, groups })
    }
}

/// The position of the column by which rows are grouped, which the split names.
pub(crate) fn group_position(table: &Table, column: &ColumnChoice) -> Result<usize, DataError> {
    table.position(column).map_err(|error| error.of_kind(DataErrorKind::Split))
}

/// The position of each cell of a column among its different cells, in alphabetic order.
fn labels(table: &Table, n_rows: usize, column: usize) -> Result<Vec<usize>, DataError> {
    if let Some(row) = (0..n_rows).find(|&row| is_missing(table.cell(row, column))) {
        let message = "a value is missing here, by which rows are split".to_owned();
        return Err(table
            .error_at(DataErrorKind::Missing, row, column, message)
            .hint("fill in a value, or leave out `stratified` and `grouped_by`"));
    }
    let mut known: Vec<&str> = (0..n_rows).map(|row| table.cell(row, column)).collect();
    known.sort_unstable();
    known.dedup();
    let position = |row| known.binary_search(&table.cell(row, column)).unwrap_or(0);
    Ok((0..n_rows).map(position).collect())
}
