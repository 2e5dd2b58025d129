//! What went wrong with a file, and where.
//!
//! Owns the one error type of the crate and its rendering: message, file, line and column, the line
//! itself with a caret, and a hint. Plain text without color, so that it reads the same in a log; a
//! command may color it from the fields. What comes out of the file is shown with control characters
//! replaced, so that a hostile file cannot drive the reader's terminal.

use std::{fmt, ops::Deref};

/// Longest piece of a line that is shown, in characters.
const SHOWN_CHARACTERS: usize = 100;

/// What kind of trouble a file is in; an exit code can hang on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Missing, a folder, not a regular file, not permitted, failing to be read.
    Unreadable,
    /// Larger or more deeply nested than the limit.
    TooLarge,
    /// Empty, or not UTF-8.
    NotText,
    /// Not RON, or cut short.
    Syntax,
    /// RON, but an unknown, missing or repeated field, or a value of another type.
    Schema,
    /// A saved file of another format, by its number.
    Format,
    /// A value out of its range, or one that contradicts another.
    Value,
    /// A digest that does not match: edited or damaged.
    Damaged,
    /// The file lacks something that the request needs (training, test episodes).
    Incomplete,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Width of the marked part in characters, at least 1.
    pub width: usize,
    /// The whole line, without its end.
    pub source_line: String,
}

/// The fields of a [`FileError`], which dereferences to them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileErrorDetails {
    /// Kind of trouble.
    pub kind: ErrorKind,
    /// The file, as the user named it.
    pub file: String,
    /// Where in the file; nothing when the file as a whole is meant.
    pub place: Option<Place>,
    /// What is wrong: a lower-case fragment without a period.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// A file that cannot be used, why, where, and what to do. `Display` gives all of it, on several
/// lines and without a line end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", Rendered(.0))]
pub struct FileError(Box<FileErrorDetails>);

impl FileError {
    /// An error in `file`.
    #[must_use]
    pub fn new(
        kind: ErrorKind,
        file: &str,
        place: Option<Place>,
        message: String,
        hint: Option<String>,
    ) -> Self {
        FileError(Box::new(FileErrorDetails { kind, file: file.to_owned(), place, message, hint }))
    }

    /// The same error, of another kind.
    #[must_use]
    pub fn with_kind(mut self, kind: ErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    /// The same error, with another hint.
    #[must_use]
    pub fn with_hint(mut self, hint: &str) -> Self {
        self.0.hint = Some(hint.to_owned());
        self
    }
}

impl Deref for FileError {
    type Target = FileErrorDetails;

    fn deref(&self) -> &FileErrorDetails {
        &self.0
    }
}

/// An error as text.
struct Rendered<'a>(&'a FileErrorDetails);

impl fmt::Display for Rendered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(error) = self;
        f.write_str(&printable_line(&error.message))?;
        let number = error.place.as_ref().map_or(String::new(), |place| place.line.to_string());
        let margin = " ".repeat(number.len());
        write!(f, "\n{margin}--> {}", printable_line(&error.file))?;
        if let Some(place) = &error.place {
            write!(f, ":{}:{}", place.line, place.column)?;
            let (shown, before) = window(place);
            let carets = place.width.min(shown.chars().count().saturating_sub(before)).max(1);
            write!(f, "\n{margin} |\n{number} | {shown}")?;
            write!(f, "\n{margin} | {}{}", " ".repeat(before), "^".repeat(carets))?;
        }
        if let Some(hint) = &error.hint {
            write!(f, "\n{margin} = hint: {}", printable_line(hint))?;
        }
        Ok(())
    }
}

/// The part of the line around the caret, and the characters before the caret in it.
fn window(place: &Place) -> (String, usize) {
    let before = place.column - 1;
    let start = if before < SHOWN_CHARACTERS * 3 / 4 { 0 } else { before - SHOWN_CHARACTERS / 2 };
    let mut shown = String::new();
    if start > 0 {
        shown.push('…');
    }
    let mut rest = place.source_line.chars().skip(start);
    shown.extend(rest.by_ref().take(SHOWN_CHARACTERS).map(printable_character));
    if rest.next().is_some() {
        shown.push('…');
    }
    (shown, before - start + usize::from(start > 0))
}

/// One column stays one column: a tab is a space, a control character a replacement mark.
fn printable_character(c: char) -> char {
    match c {
        '\t' => ' ',
        _ if c.is_control() || is_bidi_control(c) => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}

/// A text of one line: line ends are spelled out.
fn printable_line(text: &str) -> String {
    printable(&text.replace('\n', "\\n"))
}

/// The text with each control character, and each mark that reorders what is around it, replaced. Line ends stay. What comes
/// out of a file or a plant's library must not drive the terminal that it is shown on.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { c } else { printable_character(c) }).collect()
}

/// Marks that reorder the text around them.
fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_clipped_around_the_caret() {
        let line = format!("{}HERE{}", "a".repeat(1000), "b".repeat(1000));
        let place = Place { line: 1, column: 1001, width: 4, source_line: line };
        let error =
            FileError::new(ErrorKind::Value, "f\u{1b}[2J.ron", Some(place), "m".into(), None);
        let text = error.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], " --> f\u{fffd}[2J.ron:1:1001");
        assert_eq!(lines[3].chars().count(), 4 + SHOWN_CHARACTERS + 2);
        let caret = lines[4].find('^').unwrap();
        assert_eq!(lines[3].chars().skip(caret).take(4).collect::<String>(), "HERE");
        assert_eq!(lines[4].matches('^').count(), 4);
    }
}
