//! Parquet files as rows of text.

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};

use crate::decoding::{Stop, not_flat, number_text};
use crate::rows::Rows;

impl From<ParquetError> for Stop {
    fn from(error: ParquetError) -> Self {
        Self::Damaged(error.to_string())
    }
}

/// Adds the names of the columns and each row.
pub(crate) fn rows(bytes: Vec<u8>, rows: &mut Rows<'_>) -> Result<(), Stop> {
    let reader = SerializedFileReader::new(Bytes::from(bytes))?;
    let schema = reader.metadata().file_metadata().schema();
    rows.columns(schema.get_fields().iter().map(|field| field.name().to_owned()).collect())?;
    for (number, found) in (1..).zip(reader.get_row_iter(None)?) {
        let cells =
            cells(&found?).map_err(|name| not_flat(rows.file(), &name, "lists, maps or groups"))?;
        rows.row(number, cells.iter().map(String::as_str))?;
    }
    Ok(())
}

/// The cells of a row, or the name of a column that has no text.
fn cells(row: &Row) -> Result<Vec<String>, String> {
    let cell = |(name, field): (&String, &Field)| match field {
        Field::Null => Ok(String::new()),
        Field::Str(text) => Ok(text.trim().to_owned()),
        Field::Double(number) => Ok(number_text(*number)),
        Field::Float(number) => Ok(number_text(f64::from(*number))),
        Field::Float16(number) => Ok(number_text(f64::from(*number))),
        // A whole number has a point at its end.
        Field::Decimal(_) => Ok(field.to_string().trim_end_matches('.').to_owned()),
        Field::Bytes(_) | Field::Group(_) | Field::ListInternal(_) | Field::MapInternal(_) => {
            Err(name.clone())
        }
        other => Ok(other.to_string()),
    };
    row.get_column_iter().map(cell).collect()
}
