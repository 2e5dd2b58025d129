//! Parquet files as rows of text.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};

use crate::error::{DataError, DataErrorKind};
use crate::read::Limits;

/// The names of the columns, and then each row, as cells of a CSV file would have them; nothing for a null.
///
/// # Errors
/// [`DataError`] where the file is damaged or holds lists, maps or groups, and the first that `row` answers.
pub(crate) fn rows(
    file: &str,
    bytes: Vec<u8>,
    limits: &Limits,
    mut row: impl FnMut(u64, Vec<String>) -> Result<(), DataError>,
) -> Result<(), DataError> {
    let damaged = |message: String| {
        DataError::new(
            DataErrorKind::NotText,
            file,
            format!("this Parquet file cannot be read: {message}"),
        )
        .hint("is the download complete?")
    };
    let decode = || -> Result<Result<(), DataError>, ParquetError> {
        let reader = SerializedFileReader::new(Bytes::from(bytes))?;
        let schema = reader.metadata().file_metadata().schema();
        let names = schema.get_fields().iter().map(|field| field.name().to_owned());
        if let Err(error) = row(0, names.collect()) {
            return Ok(Err(error));
        }
        let mut n_bytes = 0;
        for (number, found) in (1..).zip(reader.get_row_iter(None)?) {
            let cells = cells(&found?).map_err(|name| {
                let message = format!("the column `{name}` holds lists, maps or groups");
                DataError::new(DataErrorKind::Value, file, message)
                    .hint("write its parts as columns of numbers or words")
            });
            let within = |cells: Vec<String>| {
                n_bytes += cells.iter().map(|cell| cell.len() as u64).sum::<u64>();
                if n_bytes <= limits.n_bytes {
                    return row(number, cells);
                }
                let message = format!("more than {} bytes of text, the limit", limits.n_bytes);
                Err(DataError::new(DataErrorKind::TooLarge, file, message)
                    .hint("is it the right file?"))
            };
            if let Err(error) = cells.and_then(within) {
                return Ok(Err(error));
            }
        }
        Ok(Ok(()))
    };
    // What decodes may panic on a damaged file; all that it holds is dropped.
    match catch_unwind(AssertUnwindSafe(decode)) {
        Ok(Ok(result)) => result,
        Ok(Err(error)) => Err(damaged(error.to_string())),
        Err(_) => Err(damaged("it is damaged".to_owned())),
    }
}

/// The cells of a row, or the name of a column that has no text.
fn cells(row: &Row) -> Result<Vec<String>, String> {
    let cell = |(name, field): (&String, &Field)| match field {
        Field::Null => Ok(String::new()),
        Field::Str(text) => Ok(text.trim().to_owned()),
        // The shortest text that reads back as the same bits.
        Field::Double(number) => Ok(format!("{number:?}")),
        Field::Float(number) => Ok(format!("{:?}", f64::from(*number))),
        Field::Bytes(_) | Field::Group(_) | Field::ListInternal(_) | Field::MapInternal(_) => {
            Err(name.clone())
        }
        other => Ok(other.to_string()),
    };
    row.get_column_iter().map(cell).collect()
}
