//! [`ColumnFile`]: files that hold columns of numbers and words, which crates behind features decode.

#[cfg(any(feature = "arrow", feature = "parquet"))]
use std::panic::{AssertUnwindSafe, catch_unwind};

#[cfg(feature = "arrow")]
use crate::arrow_file;
#[cfg(any(feature = "arrow", feature = "parquet"))]
use crate::decoding::Stop;
use crate::error::{DataError, DataErrorKind};
#[cfg(feature = "parquet")]
use crate::parquet_file;
use crate::rows::Rows;

/// A file of columns that is known by its first bytes.
#[derive(Clone, Copy)]
pub(crate) enum ColumnFile {
    /// An Arrow file, such as Feather of version 2, or an Arrow stream.
    Arrow,
    /// A Parquet file.
    Parquet,
}

impl ColumnFile {
    /// What kind of file these bytes are, if it is none of text. Text may begin with the same letters, as in a header, but not with
    /// what follows them.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"ARROW1\0") || bytes.starts_with(&[0xff; 4]) {
            return Some(Self::Arrow);
        }
        let is_text = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
        let rest = bytes.strip_prefix(b"PAR1")?;
        (!rest.first().is_some_and(is_text)).then_some(Self::Parquet)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Arrow => "Arrow",
            Self::Parquet => "Parquet",
        }
    }

    /// Adds the names of the columns and each row as a CSV file would have them; nothing for a null.
    ///
    /// # Errors
    /// [`DataError`] where this build does not read such files, and where the file is damaged, beyond the limits, or has a column
    /// of other than numbers, words, dates and times.
    #[cfg(any(feature = "arrow", feature = "parquet"))]
    pub(crate) fn read(self, bytes: Vec<u8>, rows: &mut Rows<'_>) -> Result<(), DataError> {
        let file = rows.file();
        let decode = || match self {
            #[cfg(feature = "arrow")]
            Self::Arrow => arrow_file::rows(bytes, rows),
            #[cfg(feature = "parquet")]
            Self::Parquet => parquet_file::rows(bytes, rows),
            #[cfg(not(all(feature = "arrow", feature = "parquet")))]
            _ => Err(Stop::Refused(self.not_read(file))),
        };
        // What decodes may panic on a damaged file; all that it holds is dropped.
        let reason = match catch_unwind(AssertUnwindSafe(decode)) {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(Stop::Refused(error))) => return Err(error),
            Ok(Err(Stop::Damaged(reason))) => reason,
            Err(_) => "it is damaged".to_owned(),
        };
        let message = format!("this {} file cannot be read: {reason}", self.name());
        Err(DataError::new(DataErrorKind::NotText, file, message).hint("is the download complete?"))
    }

    /// Refuses the file, since this build decodes none of columns.
    ///
    /// # Errors
    /// [`DataError`] always.
    #[cfg(not(any(feature = "arrow", feature = "parquet")))]
    pub(crate) fn read(self, _bytes: Vec<u8>, rows: &mut Rows<'_>) -> Result<(), DataError> {
        Err(self.not_read(rows.file()))
    }

    /// What a build says that does not read such files.
    #[cfg(not(all(feature = "arrow", feature = "parquet")))]
    fn not_read(self, file: &str) -> DataError {
        let message = format!(
            "this is {} {} file, which this build of bitloop does not read",
            if matches!(self, Self::Arrow) { "an" } else { "a" },
            self.name()
        );
        DataError::new(DataErrorKind::NotText, file, message).hint(match self {
            Self::Arrow => "build bitloop with `--features arrow`, or write the rows as CSV",
            Self::Parquet => "build bitloop with `--features parquet`, or write the rows as CSV",
        })
    }
}
