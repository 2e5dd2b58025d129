//! [`Rows`]: rows of cells as text, as they are read.

use crate::error::{DataError, DataErrorKind};
use crate::format::Format;
use crate::read::{Limits, too_large};

/// Rows of cells as text, of a table that is being read.
pub(crate) struct Rows<'a> {
    file: &'a str,
    limits: &'a Limits,
    wants_header: bool,
    pub(crate) format: Format,
    pub(crate) names: Option<Vec<String>>,
    pub(crate) n_columns: usize,
    pub(crate) text: String,
    /// Where each cell ends in `text`.
    pub(crate) ends: Vec<usize>,
    /// The line that each row begins on.
    pub(crate) lines: Vec<u64>,
}

impl<'a> Rows<'a> {
    /// No rows yet. The first one has the names of the columns if a header is wanted.
    pub(crate) fn new(
        file: &'a str,
        wants_header: bool,
        limits: &'a Limits,
        format: Format,
    ) -> Self {
        Self {
            file,
            limits,
            wants_header,
            format,
            names: None,
            n_columns: 0,
            text: String::new(),
            ends: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// Adds a row, or takes the names of the columns from the first one.
    pub(crate) fn row<'c>(
        &mut self,
        line: u64,
        cells: impl Iterator<Item = &'c str>,
    ) -> Result<(), DataError> {
        if self.wants_header && self.names.is_none() {
            return self.header(line, cells.map(str::to_owned).collect());
        }
        for cell in cells {
            self.cell(line, cell)?;
        }
        self.end_row(line)
    }

    /// Adds a cell to the last row.
    pub(crate) fn cell(&mut self, line: u64, cell: &str) -> Result<(), DataError> {
        if self.ends.len() >= self.limits.n_cells {
            let message = format!("more than {} cells, the limit", self.limits.n_cells);
            return Err(DataError::new(DataErrorKind::TooLarge, self.file, message)
                .at_line(line)
                .hint("is it the right file?"));
        }
        if (self.text.len() + cell.len()) as u64 > self.limits.n_bytes {
            return Err(too_large(self.file, self.limits, "of text"));
        }
        self.text.push_str(cell);
        self.ends.push(self.text.len());
        Ok(())
    }

    /// Ends the last row, which has as many cells as the others.
    pub(crate) fn end_row(&mut self, line: u64) -> Result<(), DataError> {
        let n_found = self.ends.len() - self.lines.len() * self.n_columns;
        if self.n_columns == 0 {
            self.n_columns = n_found;
        }
        if n_found != self.n_columns {
            let message = format!("expected {} cells, found {n_found}", self.n_columns);
            return Err(DataError::new(DataErrorKind::Shape, self.file, message)
                .at_line(line)
                .hint("is it the right format, and is no quote left open?"));
        }
        self.lines.push(line);
        Ok(())
    }

    /// Sets the names of the columns, of a file that has them apart from its rows.
    #[cfg(any(feature = "arrow", feature = "parquet"))]
    pub(crate) fn columns(&mut self, names: Vec<String>) -> Result<(), DataError> {
        if names.is_empty() {
            let message = "there are no columns in this file".to_owned();
            return Err(DataError::new(DataErrorKind::NotText, self.file, message)
                .hint("is it the right file?"));
        }
        self.n_columns = names.len();
        self.names = Some(names);
        Ok(())
    }

    /// What messages call the file.
    pub(crate) const fn file(&self) -> &'a str {
        self.file
    }

    /// The limits that hold for the table.
    pub(crate) const fn limits(&self) -> &'a Limits {
        self.limits
    }

    fn header(&mut self, line: u64, names: Vec<String>) -> Result<(), DataError> {
        if names.iter().all(|name| self.format.number(name).is_some()) {
            let message = "a header is expected here, but there are only numbers".to_owned();
            return Err(DataError::new(DataErrorKind::Shape, self.file, message)
                .at_line(line)
                .hint("say that it has no header: `header: false` in a scenario, `--header false` for predict"));
        }
        self.n_columns = names.len();
        self.names = Some(names);
        Ok(())
    }
}
