//! The text of a file, kept so that an error can show the line it is about.
//!
//! Owns the way from a path of fields (`training.bits`) to bytes of the text, and from bytes to line
//! and column. No index is kept: a place is wanted once, for an error, and one walk over the text
//! finds it, whereas an index over a long list of weights would outweigh the list.

use std::{
    ops::Range,
    path::{Path, PathBuf},
};

use crate::{
    entries::{Entries, Entry},
    error::{ErrorKind, FileError, Place},
    tokens::{Kind, Tokens},
};

/// A file's text and the name it goes by in messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    file: String,
    text: String,
    folder: PathBuf,
}

/// Where a value stands in the text, as ranges of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// Field name or map key; none for an element of a list.
    pub key: Option<Range<usize>>,
    /// First token of the value: a number, a string, a name, or an opening bracket.
    pub value: Range<usize>,
    /// How many segments of the path were found; fewer than asked when the file leaves the rest to
    /// its default.
    pub n_found: usize,
}

impl Source {
    /// Keeps `text` under the name `file`.
    pub fn new(file: impl Into<String>, text: impl Into<String>) -> Self {
        Source { file: file.into(), text: text.into(), folder: PathBuf::new() }
    }

    /// The same text, of a file in `folder`.
    #[must_use]
    pub fn in_folder(self, folder: impl Into<PathBuf>) -> Self {
        Source { folder: folder.into(), ..self }
    }

    /// The folder that relative paths in the text start at; empty for the current one.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Name of the file, as the user gave it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The first name in the text, by which kinds of files differ.
    pub fn first_name(&self) -> Option<&str> {
        let first = Tokens::new(&self.text).next()?;
        (first.kind == Kind::Identifier).then(|| &self.text[first.span])
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Finds the value at a path of field names, map keys and list positions joined by dots, such
    /// as `training.bits`, `initial.theta` or `observations.2`. Where the file stops naming fields,
    /// the innermost value found answers; nothing only for a text without any value.
    ///
    /// `path` is split at dots; a key that holds a dot itself is found by [`Source::locate_in`].
    pub fn locate(&self, path: &str) -> Option<Located> {
        let segments: Vec<&str> = path.split('.').filter(|segment| !segment.is_empty()).collect();
        self.locate_in(&segments)
    }

    /// [`Source::locate`] for a path that is split already.
    pub fn locate_in(&self, path: &[&str]) -> Option<Located> {
        let mut best: Option<Located> = None;
        // Segments matched by the brackets around the entry at hand.
        let mut n_matched = 0;
        for entry in Entries::new(&self.text) {
            n_matched = n_matched.min(entry.depth.saturating_sub(1));
            if entry.depth > 0 {
                if n_matched + 1 != entry.depth || !self.is_named(&entry, path[n_matched]) {
                    continue;
                }
                n_matched = entry.depth;
            }
            if best.as_ref().is_none_or(|best| n_matched > best.n_found) {
                let Entry { key, token, .. } = entry;
                best = Some(Located { key, value: token.span, n_found: n_matched });
            }
            if n_matched == path.len() {
                break;
            }
        }
        best
    }

    fn is_named(&self, entry: &Entry, segment: &str) -> bool {
        match entry.key_text(&self.text) {
            Some(key) => key == segment,
            None => segment.parse() == Ok(entry.index),
        }
    }

    /// An error at the value of `path` (see [`Source::locate`]).
    #[must_use]
    pub fn error_at(
        &self,
        path: &str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> FileError {
        let span = self.locate(path).map(|located| located.value);
        self.error(ErrorKind::Value, span, message.into(), Some(hint.into()))
    }

    /// An error at the name of the field or map key at the end of `path`, for when the name is
    /// wrong and not its value.
    #[must_use]
    pub fn error_at_key(
        &self,
        path: &str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> FileError {
        let span = self.locate(path).map(|located| located.key.unwrap_or(located.value));
        self.error(ErrorKind::Value, span, message.into(), Some(hint.into()))
    }

    /// An error at bytes of the text, or about the file as a whole.
    #[must_use]
    pub fn error(
        &self,
        kind: ErrorKind,
        span: Option<Range<usize>>,
        message: String,
        hint: Option<String>,
    ) -> FileError {
        let place = span.map(|span| self.place(span));
        FileError::new(kind, &self.file, place, message, hint)
    }

    /// Line, column and text of a range of bytes; the caret stops at the end of the line.
    fn place(&self, span: Range<usize>) -> Place {
        let start = self.text.floor_char_boundary(span.start);
        let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |at| start + at);
        let end = self.text.floor_char_boundary(span.end).clamp(start, line_end);
        Place {
            line: 1 + self.text[..line_start].matches('\n').count(),
            column: 1 + self.text[line_start..start].chars().count(),
            width: self.text[start..end].chars().count().max(1),
            source_line: self.text[line_start..line_end].trim_end_matches('\r').to_owned(),
        }
    }

    /// Bytes before a line and column (both from 1, columns in characters).
    pub(crate) fn offset(&self, line: usize, column: usize) -> usize {
        let line_start = match line {
            0 | 1 => 0,
            _ => self
                .text
                .match_indices('\n')
                .nth(line - 2)
                .map_or(self.text.len(), |(at, _)| at + 1),
        };
        let rest = &self.text[line_start..];
        rest.char_indices()
            .nth(column.saturating_sub(1))
            .map_or(self.text.len(), |(at, _)| line_start + at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(source: &Source, path: &str) -> (String, usize) {
        let located = source.locate(path).unwrap();
        (source.text()[located.value].to_owned(), located.n_found)
    }

    #[test]
    fn paths_find_their_values() {
        let source = Source::new(
            "x.ron",
            r#"// bits: 3
            Scenario(plant: "p", initial: {"theta": Uniform(-0.4, 0.4)},
                     training: T(bits: 16, list: [7, (a: 8)]), stop: (bits: 5))"#,
        );
        assert_eq!(at(&source, "training.bits"), ("16".into(), 2));
        assert_eq!(at(&source, "training.list.0"), ("7".into(), 3));
        assert_eq!(at(&source, "training.list.1.a"), ("8".into(), 4));
        assert_eq!(at(&source, "stop.bits"), ("5".into(), 2));
        assert_eq!(at(&source, "initial.theta"), ("Uniform".into(), 2));
        assert_eq!(at(&source, "initial.theta.1"), ("0.4".into(), 3));
        assert_eq!(at(&source, "training.coding"), ("T".into(), 1));
        assert_eq!(at(&source, "nothing.here"), ("Scenario".into(), 0));
        assert_eq!(at(&source, ""), ("Scenario".into(), 0));
    }

    #[test]
    fn places_count_lines_and_characters() {
        let source = Source::new("x.ron", "(\r\n  \"größe\": 12,\r\n)");
        let place = source.error_at("größe", "m", "h").place.clone().unwrap();
        assert_eq!((place.line, place.column, place.width), (2, 12, 2));
        assert_eq!(place.source_line, "  \"größe\": 12,");
        assert_eq!(source.offset(2, 12), source.text().find("12").unwrap());
    }
}
