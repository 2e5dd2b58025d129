//! The cells of a column as numbers and words, and the scalings and lists of words learnt from them.

use crate::affine::Affine;
use crate::error::{DataError, DataErrorKind, quoted};
use crate::table::{Table, some_of};

/// Cells that stand for a missing value, in upper or lower case.
const MISSING: [&str; 6] = ["", "?", "na", "n/a", "nan", "null"];

/// The text of a cell that has a value.
fn present(table: &Table, row: usize, column: usize) -> Result<&str, DataError> {
    let cell = table.cell(row, column);
    if MISSING.iter().any(|missing| cell.eq_ignore_ascii_case(missing)) {
        let message = format!("a value is missing here: found {}", quoted(cell));
        return Err(table
            .error_at(DataErrorKind::Missing, row, column, message)
            .hint("leave out the row or the column, or fill in a value"));
    }
    Ok(cell)
}

fn number(table: &Table, row: usize, column: usize) -> Result<f64, DataError> {
    let cell = present(table, row, column)?;
    match cell.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => {
            let message = format!("expected a finite number, found {}", quoted(cell));
            let hint = if row == 0 && table.names().is_none() {
                "is this line a header? then say so; a column of words must be called nominal"
            } else {
                "a column of words must be called nominal"
            };
            Err(table.error_at(DataErrorKind::Value, row, column, message).hint(hint))
        }
    }
}

/// The number in a cell, scaled.
pub(crate) fn scaled(
    table: &Table,
    row: usize,
    column: usize,
    affine: Option<&Affine>,
) -> Result<f64, DataError> {
    let x = number(table, row, column)?;
    let y = affine.map_or(x, |affine| affine.apply(x));
    if y.is_finite() {
        return Ok(y);
    }
    let message = format!("{x:e} is too far from the training part to be scaled");
    Err(table
        .error_at(DataErrorKind::Value, row, column, message)
        .hint("is the value, or the scaling, of another file?"))
}

/// The scaling of a column of numbers to `range`.
pub(crate) fn affine(
    table: &Table,
    column: usize,
    training_rows: &[usize],
    range: Option<[f64; 2]>,
) -> Result<Option<Affine>, DataError> {
    let Some(range) = range else { return Ok(None) };
    let [mut min, mut max] = [f64::INFINITY, f64::NEG_INFINITY];
    // Of several faults the first one in the file is named, whatever the order of the training rows.
    let first_fault = |fault| {
        (0..table.n_rows()).find_map(|row| number(table, row, column).err()).unwrap_or(fault)
    };
    for &row in training_rows {
        let x = number(table, row, column).map_err(first_fault)?;
        (min, max) = (min.min(x), max.max(x));
    }
    let fail = |message| {
        Err(DataError::new(DataErrorKind::Value, table.file(), message)
            .in_column(table.column_name(column))
            .hint("scaling needs a training part of finite width, and a range whose low end is below its high one"))
    };
    match Affine::new([min, max], range) {
        Some(affine) => Ok(Some(affine)),
        None => {
            fail(format!("{min:e} to {max:e} cannot be scaled to {:e} to {:e}", range[0], range[1]))
        }
    }
}

/// The different words of a column, in alphabetic order.
pub(crate) fn words(table: &Table, column: usize) -> Result<Vec<String>, DataError> {
    let mut words: Vec<&str> = Vec::new();
    for row in 0..table.n_rows() {
        let word = present(table, row, column)?;
        if let Err(at) = words.binary_search(&word) {
            if words.len() == table.limits().n_words {
                let message = format!("more than {} different words, the limit", words.len());
                return Err(table
                    .error_at(DataErrorKind::TooLarge, row, column, message)
                    .hint("a column of names is no input: ignore it"));
            }
            words.insert(at, word);
        }
    }
    Ok(words.into_iter().map(str::to_owned).collect())
}

/// The words of a column of classes, two or more.
pub(crate) fn classes(table: &Table, column: usize) -> Result<Vec<String>, DataError> {
    let words = words(table, column)?;
    if words.len() < 2 {
        let message = format!("expected two classes or more, found {} only", quoted(&words[0]));
        return Err(DataError::new(DataErrorKind::Value, table.file(), message)
            .in_column(table.column_name(column)));
    }
    Ok(words)
}

/// Which of `words` stands in each row.
pub(crate) fn positions(
    table: &Table,
    column: usize,
    words: &[String],
) -> Result<Vec<usize>, DataError> {
    let position = |row| {
        let cell = present(table, row, column)?;
        words.iter().position(|word| word == cell).ok_or_else(|| {
            let known: Vec<String> = words.iter().map(|word| quoted(word)).collect();
            let message = format!("expected {}, found {}", some_of(&known), quoted(cell));
            table.error_at(DataErrorKind::Value, row, column, message)
        })
    };
    (0..table.n_rows()).map(position).collect()
}
