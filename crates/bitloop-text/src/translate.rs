//! What `ron` finds wrong, in words that name the fix, with the place in the text.

use std::ops::Range;

use ron::error::{Error as Ron, SpannedError};

use crate::{
    error::{ErrorKind, FileError},
    source::Source,
    suggestion::{clipped, suggestion},
    tokens::Tokens,
};

/// An error of `ron` in our words. `offset` is where the text that `ron` saw begins.
pub(crate) fn translate(source: &Source, offset: usize, error: &SpannedError) -> FileError {
    let part = Source::new("", &source.text()[offset..]);
    let start = offset + part.offset(error.span.start.line, error.span.start.col);
    let end = offset + part.offset(error.span.end.line, error.span.end.col);
    let text = source.text();
    let near = token_near(text, start, end);
    if &text[near.clone()] == "," && text[..near.start].trim_end().ends_with(',') {
        let hint = Some("remove one of them".to_owned());
        return source.error(ErrorKind::Syntax, Some(near), "two commas in a row".into(), hint);
    }
    let (kind, word, message, hint) = match &error.code {
        Ron::SuggestRawIdentifier(found) => (
            ErrorKind::Schema,
            Some(found.as_str()),
            format!("expected the name of a field, found `{}`", clipped(found)),
            "these settings are written `(name: value, ...)`".into(),
        ),
        Ron::ExpectedDifferentLength { expected, found } => (
            ErrorKind::Schema,
            None,
            match expected.split(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty()) {
                Some(n) => format!("expected {n} values, found {found}"),
                None => format!("another number of values was expected, found {found}"),
            },
            "give each of them, with commas between".into(),
        ),
        Ron::NoSuchStructField { expected, found, .. } => (
            ErrorKind::Schema,
            Some(found.as_str()),
            format!("unknown field `{}`", clipped(found)),
            suggestion(found, expected, "the fields here are"),
        ),
        Ron::NoSuchEnumVariant { expected, found, .. } => (
            ErrorKind::Schema,
            Some(found.as_str()),
            format!("unknown choice `{}`", clipped(found)),
            suggestion(found, expected, "the choices here are"),
        ),
        Ron::ExpectedDifferentStructName { expected, found } => (
            ErrorKind::Schema,
            Some(found.as_str()),
            format!("expected `{expected}`, found `{}`", clipped(found)),
            format!("is this the right kind of file? It should hold `{expected}(...)`"),
        ),
        Ron::MissingStructField { field, outer } => {
            let inside = outer.as_ref().map_or(String::new(), |outer| format!(" in {outer}"));
            let message = format!("missing field `{field}`{inside}");
            (ErrorKind::Schema, None, message, format!("add `{field}: ...` before this bracket"))
        }
        Ron::InvalidValueForType { expected, found }
            if found == UNIT && !word_at_end(&text[..near.start]).is_empty() =>
        {
            let word = word_at_end(&text[..near.start]);
            let message = format!("expected {expected}, found {}", clipped(word));
            (
                ErrorKind::Schema,
                Some(word),
                message,
                format!("put it in quotes: \"{}\"", clipped(word)),
            )
        }
        Ron::ExpectedComma if text[end..].starts_with('.') => (
            ErrorKind::Schema,
            None,
            "expected a whole number".into(),
            "write it without the decimal point".into(),
        ),
        _ if text[end..].trim().is_empty() && !matches!(error.code, Ron::TrailingCharacters) => {
            (ErrorKind::Syntax, None, "the file ends too early".into(), CUT_SHORT.into())
        }
        code => {
            let (kind, message, hint) = plain(code);
            (kind, None, message, hint.into())
        }
    };
    let span = word.and_then(|word| word_before(text, word, start, end)).unwrap_or(near);
    source.error(kind, Some(span), message, Some(hint))
}

const CUT_SHORT: &str = "a bracket or quote is not closed, or the file was cut short";

/// The words for an error that needs nothing but its kind.
fn plain(code: &Ron) -> (ErrorKind, String, &'static str) {
    let (kind, message, hint) = match code {
        Ron::Eof => (ErrorKind::Syntax, "the file ends too early", CUT_SHORT),
        Ron::ExpectedStringEnd => (ErrorKind::Syntax, "this text is not closed", CUT_SHORT),
        Ron::UnclosedBlockComment => (ErrorKind::Syntax, "this comment is not closed", CUT_SHORT),
        Ron::ExpectedInteger | Ron::InvalidIntegerDigit { .. } => (
            ErrorKind::Schema,
            "expected a whole number",
            "write digits only, without quotes or decimal point",
        ),
        Ron::IntegerOutOfBounds => (
            ErrorKind::Schema,
            "this whole number is out of range",
            "it is too large, or below 0 where that makes no sense",
        ),
        Ron::ExpectedFloat => (ErrorKind::Schema, "expected a number", "write it without quotes"),
        Ron::ExpectedString => (ErrorKind::Schema, "expected a text", "put it in \"quotes\""),
        Ron::ExpectedArray => (ErrorKind::Schema, "expected a list", "lists are written `[a, b]`"),
        Ron::ExpectedMap => {
            (ErrorKind::Schema, "expected a map", "maps are written `{\"name\": value}`")
        }
        Ron::ExpectedIdentifier => (
            ErrorKind::Syntax,
            "expected a name",
            "names of fields and choices are written without quotes",
        ),
        Ron::ExpectedMapColon => {
            (ErrorKind::Syntax, "expected a colon", "an entry is written `name: value`")
        }
        Ron::ExpectedComma => (
            ErrorKind::Syntax,
            "expected a comma or a closing bracket",
            "is a comma missing between two entries?",
        ),
        Ron::ExpectedStructLikeEnd | Ron::ExpectedOptionEnd => {
            (ErrorKind::Syntax, "expected a closing `)`", TOO_MANY)
        }
        Ron::ExpectedArrayEnd => (ErrorKind::Syntax, "expected a closing `]`", TOO_MANY),
        Ron::ExpectedMapEnd => (ErrorKind::Syntax, "expected a closing `}`", TOO_MANY),
        Ron::ExpectedStructLike | Ron::ExpectedNamedStructLike(_) => (
            ErrorKind::Syntax,
            "expected an opening `(`",
            "settings are written `(name: value, ...)`",
        ),
        Ron::TrailingCharacters => (
            ErrorKind::Syntax,
            "unexpected text after the end",
            "the file holds one `Name(...)`; is a bracket closed too early?",
        ),
        Ron::InvalidValueForType { expected, .. } if expected.starts_with("a nonzero") => (
            ErrorKind::Value,
            "expected a whole number of 1 or more, found 0",
            "write 1 or a larger number",
        ),
        Ron::InvalidValueForType { expected, found } => {
            return (ErrorKind::Schema, format!("expected {expected}, found {found}"), COMPARE);
        }
        Ron::Message(message) => return (ErrorKind::Schema, message.clone(), COMPARE),
        other => return (ErrorKind::Syntax, lower(&other.to_string()), COMPARE),
    };
    (kind, message.to_owned(), hint)
}

const TOO_MANY: &str = "there are too many entries, or a bracket is not closed";
const COMPARE: &str = "compare with the files that come with bitloop";

/// What `ron` takes a word without quotes for where it may be anything.
const UNIT: &str = "a unit value";

/// The word that a text ends with, if it ends with one.
fn word_at_end(text: &str) -> &str {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    &text[text.trim_end_matches(is_part).len()..]
}

/// The word `found` that `ron` has just read: the last one around the span.
fn word_before(text: &str, found: &str, start: usize, end: usize) -> Option<Range<usize>> {
    let from = text.floor_char_boundary(start.saturating_sub(found.len() + 2));
    let until = text.floor_char_boundary((end + found.len()).min(text.len()));
    text[from..until].rfind(found).map(|at| from + at..from + at + found.len())
}

/// The token at the end of the span where `ron` stopped, or the last character of the text.
pub(crate) fn token_near(text: &str, start: usize, end: usize) -> Range<usize> {
    let start = text.floor_char_boundary(start);
    // A sign is a token of its own for `ron`.
    let from = if text[..start].ends_with(['-', '+']) { start - 1 } else { start };
    let first = Tokens::new(&text[from..])
        .map(|token| from + token.span.start..from + token.span.end)
        .find(|span| span.end >= end || span.start >= from);
    first.unwrap_or_else(|| {
        let last = text.trim_end().char_indices().next_back();
        last.map_or(0..0, |(at, last)| at..at + last.len_utf8())
    })
}

fn lower(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}
