//! From text to serde types.
//!
//! Owns three checks that `ron` leaves out (nesting, repeated map keys, numbers that are not finite), all on the tokens
//! before parsing. What `ron` finds wrong is put into words by `translate.rs`.

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
    suggestion::{clipped, suggestion},
    tokens::{Kind, Tokens},
    translate::translate,
};

/// Deepest nesting of brackets that is read. The schemas need six.
const MAX_DEPTH: usize = 32;

/// Most names in one bracket, so that remembering them stays cheap; lists may be longer.
const MOST_KEYS: usize = 100_000;

/// A field whose value is one of several shapes, so that `ron` reads it as raw text first; `parse`
/// reads one such text again, to find the place of a mistake inside. A path that ends in `*` means
/// all values of a map.
#[derive(Clone, Debug)]
pub struct RawField {
    /// Names joined by dots.
    pub path: String,
    /// What may stand there, for a value that is none of it.
    pub expected: &'static str,
    /// Reads the text of one such value.
    pub parse: fn(&str) -> Result<(), SpannedError>,
}

impl RawField {
    /// A field at `path`, of which `expected` says what it can be.
    pub fn new(
        path: &str,
        expected: &'static str,
        parse: fn(&str) -> Result<(), SpannedError>,
    ) -> Self {
        Self { path: path.to_owned(), expected, parse }
    }

    /// The same field of a value that is itself the field `outer`.
    #[must_use]
    pub fn inside(self, outer: &str) -> Self {
        Self { path: format!("{outer}.{}", self.path), ..self }
    }
}

/// `Some(...)` may be left out, and a variant's settings take one pair of brackets.
pub fn ron_options() -> Options {
    Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME | Extensions::UNWRAP_VARIANT_NEWTYPES)
}

/// Parses the text of `source`, refusing what `ron` would let pass.
///
/// # Errors
/// If the text is empty, is not RON, nests too deeply, repeats a name, holds a number that is not finite, or does not fit `T`.
pub fn decode<T: DeserializeOwned>(
    source: &Source,
    raw_fields: &[RawField],
) -> Result<T, FileError> {
    inspect(source)?;
    ron_options().from_str(source.text()).map_err(|error| {
        for field in raw_fields {
            if let Some((span, inner)) = raw_mistake(source, field) {
                return raw_error(source, field, span, &inner);
            }
        }
        translate(source, 0, &error)
    })
}

/// The error for a value that is none of the shapes that its field can have.
fn raw_error(
    source: &Source,
    field: &RawField,
    span: Range<usize>,
    error: &SpannedError,
) -> FileError {
    let value = &source.text()[span.clone()];
    let is_typo =
        |expected, found: &str| suggestion(found, expected, "").starts_with("did you mean");
    match &error.code {
        Ron::NoSuchEnumVariant { expected, found, .. } if is_typo(expected, found) => {
            translate(source, span.start, error)
        }
        Ron::NoSuchEnumVariant { .. }
        | Ron::ExpectedIdentifier
        | Ron::SuggestRawIdentifier(_)
        | Ron::ExpectedDifferentLength { .. }
        | Ron::ExpectedStructLike
        | Ron::ExpectedNamedStructLike(_)
        | Ron::ExpectedStructLikeEnd
        | Ron::ExpectedMapColon
        | Ron::TrailingCharacters => {
            let message = format!("expected {}, found `{}`", field.expected, clipped(value));
            let hint = if value.starts_with('"') {
                "names and numbers are written without quotes"
            } else {
                "write it in one of these forms"
            };
            source.error(ErrorKind::Schema, Some(span), message, Some(hint.to_owned()))
        }
        _ => translate(source, span.start, error),
    }
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

/// The first value of a raw field with a mistake inside.
fn raw_mistake(source: &Source, field: &RawField) -> Option<(Range<usize>, SpannedError)> {
    let text = source.text();
    let path: Vec<&str> = field.path.split('.').collect();
    for span in value_spans(source, &path) {
        let value = &text[span.clone()];
        if let Err(error) = (field.parse)(value) {
            return Some((span, error));
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
    for token in Tokens::new(&text[span.start..limit]) {
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
