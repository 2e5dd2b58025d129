//! [`DataError`]: what is wrong with a data set, and where.

use std::fmt;
use std::ops::Deref;

/// Longest piece of a cell that is shown, in characters.
const SHOWN_CHARACTERS: usize = 40;

/// The kind of a [`DataError`]; exit codes can depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DataErrorKind {
    /// Missing, not a regular file, not permitted, failing to be read or unpacked.
    Unreadable,
    /// More bytes, cells, words or outputs than allowed.
    TooLarge,
    /// Not UTF-8, or nothing in it.
    NotText,
    /// Lines of different lengths, or a header of numbers.
    Shape,
    /// A column that is not there, that is asked for twice, or that is both input and target.
    Column,
    /// A cell without a value.
    Missing,
    /// A cell that is no number, too large a number, or a word that is not known.
    Value,
    /// A class that is not there, or weights of classes where there are none.
    Class,
    /// A split of more rows than there are, or without training rows.
    Split,
}

/// Where in a file: nothing, a line, or a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataPlace {
    /// Line, from 1.
    pub line: Option<u64>,
    /// The column, with its number from 1 and its name if it has one.
    pub column: Option<String>,
}

/// The fields of a [`DataError`], which dereferences to them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DataErrorDetails {
    /// The kind of error.
    pub kind: DataErrorKind,
    /// The file, or the name of generated data.
    pub file: String,
    /// Where in it.
    pub place: DataPlace,
    /// What is wrong: a lower-case fragment without a period.
    pub message: String,
    /// What to do about it.
    pub hint: Option<&'static str>,
}

/// Data that cannot be used: why, where, and what to do. `Display` gives all of it, on several lines and without a line
/// end; text of the file is shown without control characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DataError(Box<DataErrorDetails>);

impl DataError {
    pub(crate) fn new(kind: DataErrorKind, file: &str, message: String) -> Self {
        let place = DataPlace::default();
        Self(Box::new(DataErrorDetails { kind, file: file.to_owned(), place, message, hint: None }))
    }

    /// The same, as a fault of another kind.
    pub(crate) fn of_kind(mut self, kind: DataErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    pub(crate) fn at_line(mut self, line: u64) -> Self {
        self.0.place.line = Some(line);
        self
    }

    pub(crate) fn in_column(mut self, column: String) -> Self {
        self.0.place.column = Some(column);
        self
    }

    pub(crate) fn hint(mut self, hint: &'static str) -> Self {
        self.0.hint = Some(hint);
        self
    }
}

impl Deref for DataError {
    type Target = DataErrorDetails;

    fn deref(&self) -> &DataErrorDetails {
        &self.0
    }
}

impl fmt::Display for DataErrorDetails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n--> {}", self.message, printable(&self.file))?;
        if let Some(line) = self.place.line {
            write!(f, ", line {line}")?;
        }
        if let Some(column) = &self.place.column {
            write!(f, ", {column}")?;
        }
        if let Some(hint) = self.hint {
            write!(f, "\n = hint: {hint}")?;
        }
        Ok(())
    }
}

/// A piece of a file in back quotes, cut where it is long.
pub(crate) fn quoted(text: &str) -> String {
    let shown: String = text.chars().take(SHOWN_CHARACTERS).collect();
    let cut = if shown.len() < text.len() { "..." } else { "" };
    format!("`{}{cut}`", printable(&shown))
}

/// Control characters and the invisible ones that turn text around become the replacement character.
fn printable(text: &str) -> String {
    let is_hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if is_hidden(c) { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_cell_does_not_reach_the_terminal() {
        let long = format!("\u{1b}[2J\u{202e}{}", "x".repeat(1000));
        let shown = quoted(&long);
        assert_eq!(shown, format!("`\u{fffd}[2J\u{fffd}{}...`", "x".repeat(SHOWN_CHARACTERS - 5)));
    }

    #[test]
    fn display_gives_message_place_and_hint() {
        let error = DataError::new(DataErrorKind::Missing, "a.csv", "no value".to_owned())
            .at_line(3)
            .in_column("column 2 (`y`)".to_owned())
            .hint("leave out the row");
        assert_eq!(
            error.to_string(),
            "no value\n--> a.csv, line 3, column 2 (`y`)\n = hint: leave out the row"
        );
    }
}
