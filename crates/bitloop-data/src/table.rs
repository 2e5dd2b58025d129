//! [`Table`]: the cells of a file as text.

use std::io::BufRead;
use std::path::Path;

use csv::{ReaderBuilder, StringRecord, Trim};

use crate::column_choice::ColumnChoice;
use crate::column_file::ColumnFile;
use crate::error::{DataError, DataErrorKind, quoted};
use crate::format::Format;
use crate::read::{Limits, bytes_of, read_bytes, text_of};
use crate::rows::Rows;

/// The cells of a file as text, row by row; empty lines are left out.
#[derive(Clone, Debug)]
pub struct Table {
    /// The files that its rows come from, the one that it was read from first.
    files: Vec<String>,
    /// Of each row, the position of its file.
    row_files: Vec<u8>,
    names: Option<Vec<String>>,
    n_columns: usize,
    text: String,
    /// Where each cell ends in `text`.
    ends: Vec<usize>,
    /// The line that each row begins on.
    lines: Vec<u64>,
    limits: Limits,
    format: Format,
    /// Another format that fits the text, where this one does not.
    better_format: Option<Format>,
}

impl Table {
    /// Reads a file, unpacking it if it is gzip. With `has_header` its first line names the columns. Parquet and Arrow files, and Arrow
    /// streams, are known by their first bytes and read where the features `parquet` and `arrow` are on; columns of them have names, and
    /// `format` and `has_header` do not count.
    ///
    /// # Errors
    /// [`DataError`] where the file cannot be read, is not text, is larger than `limits`, has lines of different lengths
    /// or no rows, or where its header holds nothing but numbers.
    pub fn read(
        path: &Path,
        format: Format,
        has_header: bool,
        limits: &Limits,
    ) -> Result<Self, DataError> {
        let bytes = read_bytes(path, limits)?;
        Self::of_bytes(&path.display().to_string(), bytes, format, has_header, limits)
    }

    /// Reads rows from elsewhere, such as standard input, which messages call `file`.
    ///
    /// # Errors
    /// As [`Table::read`].
    pub fn read_from(
        reader: impl BufRead,
        file: &str,
        format: Format,
        has_header: bool,
        limits: &Limits,
    ) -> Result<Self, DataError> {
        Self::of_bytes(file, bytes_of(reader, file, limits)?, format, has_header, limits)
    }

    fn of_bytes(
        file: &str,
        bytes: Vec<u8>,
        format: Format,
        has_header: bool,
        limits: &Limits,
    ) -> Result<Self, DataError> {
        if let Some(columns) = ColumnFile::of(&bytes) {
            let mut rows = Rows::new(file, false, limits, Format::Csv);
            columns.read(bytes, &mut rows)?;
            return Self::of(rows);
        }
        Self::parse(file, &text_of(bytes, file)?, format, has_header, limits)
    }

    /// Cuts `text` into cells; `file` is what messages call it.
    ///
    /// # Errors
    /// As [`Table::read`].
    pub fn parse(
        file: &str,
        text: &str,
        format: Format,
        has_header: bool,
        limits: &Limits,
    ) -> Result<Self, DataError> {
        let better_format = format.better(text);
        let mut rows = Rows::new(file, has_header, limits, format);
        let cut = match format.delimiter() {
            Some(delimiter) => delimited(text, delimiter, &mut rows),
            None => (1..)
                .zip(text.lines().map(str::trim))
                .filter(|(_, line)| !line.is_empty())
                .try_for_each(|(line, cells)| rows.row(line, cells.split_whitespace())),
        };
        cut.map_err(|error| match better_format {
            Some(better) if error.kind == DataErrorKind::Shape => error.hint(better.hint()),
            _ => error,
        })?;
        Ok(Self { better_format, ..Self::of(rows)? })
    }

    /// The table of all rows of a file.
    fn of(rows: Rows<'_>) -> Result<Self, DataError> {
        if rows.lines.is_empty() {
            let message = "there are no rows in this file".to_owned();
            return Err(DataError::new(DataErrorKind::NotText, rows.file(), message)
                .hint("is it the right file?"));
        }
        Ok(Self {
            files: vec![rows.file().to_owned()],
            row_files: vec![0; rows.lines.len()],
            limits: *rows.limits(),
            names: rows.names,
            n_columns: rows.n_columns,
            text: rows.text,
            ends: rows.ends,
            lines: rows.lines,
            format: rows.format,
            better_format: None,
        })
    }

    /// The table of some of the rows.
    pub(crate) fn subset(&self, rows: &[usize]) -> Self {
        let mut subset = Self {
            text: String::new(),
            ends: Vec::with_capacity(rows.len() * self.n_columns),
            lines: rows.iter().map(|&row| self.lines[row]).collect(),
            row_files: rows.iter().map(|&row| self.row_files[row]).collect(),
            files: self.files.clone(),
            names: self.names.clone(),
            ..*self
        };
        for &row in rows {
            for column in 0..self.n_columns {
                subset.text.push_str(self.cell(row, column));
                subset.ends.push(subset.text.len());
            }
        }
        subset
    }

    /// Adds the rows of another file, whose columns are found by their names or, without names, by their places; gives the position of
    /// that file.
    pub(crate) fn append(&mut self, other: &Self) -> Result<usize, DataError> {
        let columns = self.columns_in(other)?;
        let n_cells = self.ends.len() + columns.len() * other.n_rows();
        if n_cells > self.limits.n_cells {
            let message =
                format!("more than {} cells with those before, the limit", self.limits.n_cells);
            return Err(DataError::new(DataErrorKind::TooLarge, other.file(), message)
                .hint("is it the right file?"));
        }
        let index = u8::try_from(self.files.len()).expect("a file for each part of a data set");
        self.files.push(other.file().to_owned());
        for row in 0..other.n_rows() {
            for &column in &columns {
                self.text.push_str(other.cell(row, column));
                self.ends.push(self.text.len());
            }
            self.lines.push(other.lines[row]);
            self.row_files.push(index);
        }
        Ok(usize::from(index))
    }

    /// Where the columns are in another table.
    fn columns_in(&self, other: &Self) -> Result<Vec<usize>, DataError> {
        if let Some(names) = &self.names
            && (0..self.n_columns).all(|column| self.own_name(column).is_some())
        {
            return names
                .iter()
                .map(|name| other.position(&ColumnChoice::Name(name.clone())))
                .collect();
        }
        if other.n_columns != self.n_columns || other.names != self.names {
            let message = format!(
                "expected the {} columns of {}, found {} columns",
                self.n_columns,
                self.file(),
                other.n_columns
            );
            return Err(DataError::new(DataErrorKind::Column, other.file(), message)
                .hint("the files of all parts have the same columns"));
        }
        Ok((0..self.n_columns).collect())
    }

    /// The position of the file of a row, 0 for the one that the table was read from.
    pub(crate) fn file_of(&self, row: usize) -> usize {
        usize::from(self.row_files[row])
    }

    /// The file that the table was read from, or the name of generated data.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.files[0]
    }

    /// How many rows there are, the header apart.
    #[must_use]
    pub fn n_rows(&self) -> usize {
        self.lines.len()
    }

    /// How many columns there are.
    #[must_use]
    pub const fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// The names of the columns, if the file has a header.
    #[must_use]
    pub fn names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }

    /// The text of a cell.
    ///
    /// # Panics
    /// If there is no such cell.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> &str {
        assert!(column < self.n_columns, "a table of {} columns", self.n_columns);
        let index = row * self.n_columns + column;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start..self.ends[index]]
    }

    /// The position of a column, from 0.
    ///
    /// # Errors
    /// [`DataError`] where there is none, or two of that name.
    pub fn position(&self, choice: &ColumnChoice) -> Result<usize, DataError> {
        let fail = |message, hint| {
            let hint = self.better_format.map_or(hint, Format::hint);
            Err(DataError::new(DataErrorKind::Column, self.file(), message).hint(hint))
        };
        match (choice, &self.names) {
            (&ColumnChoice::Number(number), _) => match number.checked_sub(1) {
                Some(position) if position < self.n_columns => Ok(position),
                _ => fail(
                    format!("no column {number}: expected 1 to {}", self.n_columns),
                    "columns are counted from 1",
                ),
            },
            (ColumnChoice::Name(name), None) => fail(
                format!("no column {}: the file is read without a header", quoted(name)),
                "say that it has a header, or choose columns by number from 1",
            ),
            (ColumnChoice::Name(name), Some(names)) => {
                let mut found = (0..names.len()).filter(|&at| names[at] == *name);
                match (found.next(), found.next()) {
                    (Some(position), None) => Ok(position),
                    (Some(_), Some(_)) => fail(
                        format!("two columns are called {}", quoted(name)),
                        "choose both by their numbers from 1",
                    ),
                    _ => {
                        let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
                        let message =
                            format!("no column {}: expected {}", quoted(name), some_of(&names));
                        fail(message, "check the spelling, upper and lower case too")
                    }
                }
            }
        }
    }

    /// The name of a column, if the file has a header and no other column has that name.
    pub(crate) fn own_name(&self, column: usize) -> Option<&str> {
        let names = self.names()?;
        let name = &names[column];
        let n_alike = names.iter().filter(|other| *other == name).count();
        (n_alike == 1).then_some(name)
    }

    /// What messages call a column.
    pub(crate) fn column_name(&self, column: usize) -> String {
        match &self.names {
            Some(names) => format!("column {} ({})", column + 1, quoted(&names[column])),
            None => format!("column {}", column + 1),
        }
    }

    /// An error at a cell.
    pub(crate) fn error_at(
        &self,
        kind: DataErrorKind,
        row: usize,
        column: usize,
        message: String,
    ) -> DataError {
        DataError::new(kind, &self.files[self.file_of(row)], message)
            .at_line(self.lines[row])
            .in_column(self.column_name(column))
    }

    /// The number in a cell, if it is one.
    pub(crate) fn number(&self, row: usize, column: usize) -> Option<f64> {
        self.format.number(self.cell(row, column))
    }

    /// The limits that the table was read with, which hold for the examples made of it too.
    pub(crate) const fn limits(&self) -> &Limits {
        &self.limits
    }
}

/// The first few of a list.
pub(crate) fn some_of(items: &[String]) -> String {
    const N_SHOWN: usize = 20;
    let shown = items[..items.len().min(N_SHOWN)].join(", ");
    if items.len() > N_SHOWN { format!("{shown}, ... ({} in all)", items.len()) } else { shown }
}

/// Where the quote opens that the last row of a text ends inside of. As the reader has it, a quote opens where a cell begins, two in a
/// row inside of it are one, and any other is a character of its cell.
fn open_quote(row: &[u8], delimiter: char) -> Option<usize> {
    let (mut opened, mut begins_cell) = (None, true);
    let mut bytes = row.iter().enumerate().peekable();
    while let Some((at, &byte)) = bytes.next() {
        if byte != b'"' {
            let ends_cell = matches!(byte, b'\r' | b'\n') || char::from(byte) == delimiter;
            begins_cell = opened.is_none() && ends_cell;
        } else if opened.is_none() {
            opened = begins_cell.then_some(at);
            begins_cell = false;
        } else if bytes.next_if(|(_, next)| **next == b'"').is_none() {
            opened = None;
        }
    }
    opened
}

/// Rows of cells cut at `delimiter`, with quotes.
fn delimited(text: &str, delimiter: char, rows: &mut Rows<'_>) -> Result<(), DataError> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(u8::try_from(delimiter).expect("ASCII"))
        .trim(Trim::All)
        .from_reader(text.as_bytes());
    let mut record = StringRecord::new();
    loop {
        let (mut line, start) = (reader.position().line(), reader.position().byte());
        match reader.read_record(&mut record) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error) => {
                let message = format!("this line cannot be cut into cells: {error}");
                return Err(
                    DataError::new(DataErrorKind::Shape, rows.file(), message).at_line(line)
                );
            }
        }
        // The reader passes over empty lines before a record.
        let start = usize::try_from(start).expect("a position in the text");
        let skipped = text.as_bytes()[start..].iter().take_while(|byte| b"\r\n".contains(byte));
        line += skipped.filter(|&&byte| byte == b'\n').count() as u64;
        if reader.position().byte() == text.len() as u64
            && let Some(opened) = open_quote(&text.as_bytes()[start..], delimiter)
        {
            let before = &text.as_bytes()[..start + opened];
            let line = before.split(|&byte| byte == b'\n').count() as u64;
            let message = "the quote that opens here is not closed before the end of the file";
            return Err(DataError::new(DataErrorKind::Shape, rows.file(), message.to_owned())
                .at_line(line)
                .hint("close it at the end of its cell, or take it away; a cell that begins with a quote is written \"\"\"like this\""));
        }
        // A line of nothing but blanks.
        if record.len() == 1 && record[0].is_empty() {
            continue;
        }
        rows.row(line, record.iter())?;
    }
}
