//! From text to serde types: `ron` does the parsing, this module the manners.
//!
//! Owns three checks that `ron` leaves out (nesting, repeated map keys, numbers that are not
//! finite), all on the tokens before parsing, and the translation of its errors into messages with
//! a place and a hint. Must not know any schema: what is known here is known for every file.

use std::{collections::HashSet, ops::Range};

use ron::{
    Options,
    error::{Error as Ron, SpannedError},
    extensions::Extensions,
};
use serde::de::DeserializeOwned;

use crate::{
    entries::Entries,
    error::{ErrorKind, FileError},
    source::Source,
    tokens::Kind,
};

/// Deepest nesting of brackets that is read. The schemas need six.
const MAX_DEPTH: usize = 32;

/// Most names in one bracket, so that remembering them stays cheap; lists may be longer.
const MOST_KEYS: usize = 100_000;

/// A field whose value is one of several shapes, so that `ron` reads it as raw text first; `parse`
/// reads one such text again, to find the place of a mistake inside. A path that ends in `*` means
/// all values of a map.
pub(crate) struct RawField {
    pub path: &'static str,
    /// What may stand there, for a value that is none of it.
    pub expected: &'static str,
    pub parse: fn(&str) -> Result<(), SpannedError>,
}

/// `Some(...)` may be left out, and a variant's settings take one pair of brackets.
pub(crate) fn options() -> Options {
    Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME | Extensions::UNWRAP_VARIANT_NEWTYPES)
}

/// Parses the text of `source`, refusing what `ron` would let pass.
pub(crate) fn decode<T: DeserializeOwned>(
    source: &Source,
    raw_fields: &[RawField],
) -> Result<T, FileError> {
    inspect(source)?;
    options().from_str(source.text()).map_err(|error| {
        for field in raw_fields {
            let Some((offset, inner)) = raw_mistake(source, field) else { continue };
            if matches!(inner.code, Ron::ExpectedIdentifier) {
                let span = token_near(source.text(), offset, offset);
                let message = format!("expected {}", field.expected);
                let hint = Some("names and numbers are written without quotes".to_owned());
                return source.error(ErrorKind::Schema, Some(span), message, hint);
            }
            return translate(source, offset, &inner);
        }
        translate(source, 0, &error)
    })
}

/// Refuses nesting beyond the limit, repeated keys, and numbers that are not finite.
fn inspect(source: &Source) -> Result<(), FileError> {
    let text = source.text();
    // The keys seen in each bracket around the entry at hand.
    let mut keys: Vec<HashSet<String>> = Vec::new();
    let mut n_values = 0usize;
    for entry in Entries::new(text) {
        n_values += 1;
        let span = entry.token.span.clone();
        if entry.depth > MAX_DEPTH {
            let message = format!("brackets nest deeper than {MAX_DEPTH}");
            let hint = "close some of them; no field of this file nests that deep";
            return Err(source.error(ErrorKind::TooLarge, Some(span), message, Some(hint.into())));
        }
        if let Some(hint) = not_finite(entry.token.kind, &text[span.clone()]) {
            let message = format!("`{}` is not a finite number", clipped(&text[span.clone()]));
            return Err(source.error(ErrorKind::Value, Some(span), message, Some(hint.into())));
        }
        keys.truncate(entry.depth + 1);
        keys.resize_with(entry.depth + 1, HashSet::new);
        if let Some(key) = entry.key_text(text)
            && let Some(repeated) = keys[entry.depth].replace(key.into_owned())
        {
            let message = format!("`{}` is given twice", clipped(&repeated));
            let hint = "keep one of the two".to_owned();
            return Err(source.error(ErrorKind::Schema, entry.key, message, Some(hint)));
        }
        if keys[entry.depth].len() > MOST_KEYS {
            let message = format!("more than {MOST_KEYS} names in one bracket");
            let hint = Some("is it the right file?".to_owned());
            return Err(source.error(ErrorKind::TooLarge, Some(span), message, hint));
        }
    }
    if n_values == 0 {
        let hint = "start from one of the files in scenarios/ or controllers/".to_owned();
        return Err(source.error(
            ErrorKind::NotText,
            None,
            "this file is empty".into(),
            Some(hint),
        ));
    }
    Ok(())
}

/// A hint, if the token is a number that an f64 cannot hold.
fn not_finite(kind: Kind, token: &str) -> Option<&'static str> {
    let plain = token.trim_start_matches(['+', '-']);
    let name = plain.strip_suffix("f64").or_else(|| plain.strip_suffix("f32")).unwrap_or(plain);
    match kind {
        Kind::Number | Kind::Identifier if matches!(name, "inf" | "NaN") => {
            Some("write an ordinary number, or leave the field out where that is allowed")
        }
        Kind::Number => {
            let digits: String = name.chars().filter(|&c| c != '_').collect();
            let infinite = digits.parse().is_ok_and(|value: f64| value.is_infinite());
            infinite.then_some("the largest number is about 1.8e308")
        }
        _ => None,
    }
}

/// The first mistake inside the values of a raw field, and the byte where that value begins.
fn raw_mistake(source: &Source, field: &RawField) -> Option<(usize, SpannedError)> {
    let text = source.text();
    let path: Vec<&str> = field.path.split('.').collect();
    for span in value_spans(source, &path) {
        let value = &text[span.clone()];
        if let Err(error) = (field.parse)(value) {
            return Some((span.start, error));
        }
    }
    None
}

/// The whole values (not only their first tokens) at a path, `*` standing for any key.
fn value_spans(source: &Source, path: &[&str]) -> Vec<Range<usize>> {
    let text = source.text();
    let mut spans: Vec<Range<usize>> = Vec::new();
    let mut n_matched = 0;
    let mut open = false;
    for entry in Entries::new(text) {
        if open && entry.depth <= path.len() {
            // The value ended somewhere before this entry (or before its key).
            let limit = entry.key.as_ref().map_or(entry.token.span.start, |key| key.start);
            close(text, &mut spans, limit);
            open = false;
        }
        n_matched = n_matched.min(entry.depth.saturating_sub(1));
        if entry.depth == 0 || n_matched + 1 != entry.depth || n_matched == path.len() {
            continue;
        }
        let key = entry.key_text(text);
        if path[n_matched] == "*" || key.as_deref() == Some(path[n_matched]) {
            n_matched = entry.depth;
            if n_matched == path.len() {
                spans.push(entry.token.span.start..text.len());
                open = true;
            }
        }
    }
    if open {
        close(text, &mut spans, text.len());
    }
    spans
}

/// Ends the last span where its brackets close, at the latest at `limit`.
fn close(text: &str, spans: &mut [Range<usize>], limit: usize) {
    let Some(span) = spans.last_mut() else { return };
    let mut depth = 0usize;
    let mut end = span.start;
    for token in crate::tokens::Tokens::new(&text[span.start..limit]) {
        match token.kind {
            Kind::Close | Kind::Comma if depth == 0 => break,
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            _ => {}
        }
        end = span.start + token.span.end;
    }
    span.end = end;
}

/// An error of `ron` in our words. `offset` is where the text that `ron` saw begins.
fn translate(source: &Source, offset: usize, error: &SpannedError) -> FileError {
    let part = Source::new("", &source.text()[offset..]);
    let start = offset + part.offset(error.span.start.line, error.span.start.col);
    let end = offset + part.offset(error.span.end.line, error.span.end.col);
    let text = source.text();
    let (kind, word, message, hint) = match &error.code {
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
    let span = word
        .and_then(|word| word_before(text, word, start, end))
        .unwrap_or_else(|| token_near(text, start, end));
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

/// The word `found` that `ron` has just read: the last one around the span.
fn word_before(text: &str, found: &str, start: usize, end: usize) -> Option<Range<usize>> {
    let from = text.floor_char_boundary(start.saturating_sub(found.len() + 2));
    let until = text.floor_char_boundary((end + found.len()).min(text.len()));
    text[from..until].rfind(found).map(|at| from + at..from + at + found.len())
}

/// The token at the end of the span where `ron` stopped, or the last character of the text.
fn token_near(text: &str, start: usize, end: usize) -> Range<usize> {
    let start = text.floor_char_boundary(start);
    // A sign is a token of its own for `ron`.
    let from = if text[..start].ends_with(['-', '+']) { start - 1 } else { start };
    let first = crate::tokens::Tokens::new(&text[from..])
        .map(|token| from + token.span.start..from + token.span.end)
        .find(|span| span.end >= end || span.start >= from);
    first.unwrap_or_else(|| {
        let last = text.trim_end().char_indices().next_back().map_or(0, |(at, _)| at);
        last..last + 1
    })
}

/// What to say of a name that is not known: "did you mean", or `all` and the known ones.
pub fn suggestion(found: &str, expected: &[&str], all: &str) -> String {
    let near = expected
        .iter()
        .map(|&name| {
            (
                strsim::damerau_levenshtein(&clipped(found).to_lowercase(), &name.to_lowercase()),
                name,
            )
        })
        .min();
    match near {
        Some((distance, name)) if distance <= name.len().div_ceil(3) => {
            format!("did you mean `{name}`?")
        }
        _ => format!("{all} {}", expected.join(", ")),
    }
}

/// A piece of the file that is short enough for a message.
pub(crate) fn clipped(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn lower(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}
