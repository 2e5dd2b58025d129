//! A text with other values.
//!
//! The text is edited and not the value, so that whatever is wrong with the change is reported as for
//! any other file: in its line, with a hint. Only the extent of values is known here; what is legal
//! RON, and what the schema has, is for the parser to say.

use std::ops::Range;

use crate::{
    error::{ErrorKind, FileError},
    source::{Located, Source},
    tokens::{Kind, Tokens},
};

impl Source {
    /// The whole text of a value, of which `located` is the first token.
    pub fn value_text(&self, located: &Located) -> &str {
        &self.text()[extent(self.text(), located.value.start)]
    }

    /// The same text with other values, each a piece of RON, at their paths (see [`Source::locate`]). A field that the text
    /// leaves to its default is added, and so are brackets around it that are missing too, as in
    /// `stop.patience.evaluations`.
    ///
    /// # Errors
    /// If one of `values` is not one value, or if nothing in the text can hold a field of that name.
    pub fn with_values(&self, values: &[(&str, &str)]) -> Result<Self, FileError> {
        let mut source = self.clone();
        for (path, value) in values {
            source = with_value(&source, path, value)?;
        }
        Ok(source)
    }
}

fn with_value(source: &Source, path: &str, value: &str) -> Result<Source, FileError> {
    check_one_value(path, value)?;
    let segments: Vec<&str> = path.split('.').collect();
    let is_name = |segment: &&str| !segment.is_empty();
    let located = source
        .locate_in(&segments)
        .filter(|_| segments.iter().all(is_name))
        .ok_or_else(|| source.error_at("", no_path(path), PATH_HINT))?;
    let (place, text) = match &segments[located.n_found..] {
        [] => (extent(source.text(), located.value.start), value.to_owned()),
        [first, rest @ ..] => {
            let (at, bracket) = inside(source, &segments, &located)?;
            let nested = rest
                .iter()
                .rev()
                .fold(value.to_owned(), |inner, name| format!("({name}: {inner})"));
            let key = if bracket == '{' { format!("{first:?}") } else { (*first).to_owned() };
            (at..at, format!("{key}: {nested}, "))
        }
    };
    let mut edited = source.text().to_owned();
    edited.replace_range(place, &text);
    let joint = if source.file().contains(" with ") { ", " } else { " with " };
    let name = format!("{}{joint}{path}={value}", source.file());
    Ok(Source::new(name, edited).in_folder(source.folder()))
}

const PATH_HINT: &str = "a path is field names joined by dots, such as training.bits";

fn no_path(path: &str) -> String {
    format!("`{path}` is no path of fields")
}

/// Refuses what would change more of the text than one value.
fn check_one_value(path: &str, value: &str) -> Result<(), FileError> {
    let source = Source::new(format!("the value for {path}"), value);
    let refuse = |span: Range<usize>, message: &str| {
        let hint = "write one value as in a scenario: 12, [5], Threshold(phi: 0.1, eta: 0.95)";
        Err(source.error(ErrorKind::Syntax, Some(span), message.to_owned(), Some(hint.to_owned())))
    };
    if value.trim().is_empty() {
        return refuse(0..0, "there is no value");
    }
    let start = value.len() - value.trim_start().len();
    let end = extent(value, start).end;
    let mut depth = 0usize;
    let mut read = 0;
    for token in Tokens::new(value) {
        let gap = read..token.span.start;
        if !value[gap.clone()].trim().is_empty() {
            return refuse(gap, "comments have no place in a value");
        }
        read = token.span.end;
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close if depth == 0 => return refuse(token.span, "this bracket was not opened"),
            Kind::Close => depth -= 1,
            Kind::Comma | Kind::Colon if depth == 0 => {
                return refuse(token.span, "this is more than one value");
            }
            _ => {}
        }
    }
    if depth > 0 {
        return refuse(start..value.len(), "a bracket is not closed");
    }
    let rest = end..value.len();
    if !value[rest.clone()].trim().is_empty() {
        return refuse(rest, "this is more than one value");
    }
    Ok(())
}

/// Bytes of the value that begins at `start`: a token, a bracket with all in it, or a name with the
/// bracket that follows it.
fn extent(text: &str, start: usize) -> Range<usize> {
    let mut depth = 0usize;
    let mut end = start;
    let mut was_named = false;
    for token in Tokens::new(&text[start..]) {
        if depth == 0 && end > start && !(was_named && token.kind == Kind::Open) {
            break;
        }
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        was_named = depth == 0 && token.kind == Kind::Identifier;
        end = start + token.span.end;
    }
    start..end
}

/// Where a field can be added to the value found: right after its bracket, and which bracket that is.
fn inside(
    source: &Source,
    segments: &[&str],
    located: &Located,
) -> Result<(usize, char), FileError> {
    let text = source.text();
    let start = located.value.start;
    let mut tokens = Tokens::new(&text[start..]);
    let mut token = tokens.next();
    if token.as_ref().is_some_and(|first| first.kind == Kind::Identifier) {
        token = tokens.next();
    }
    let opened = token.filter(|token| token.kind == Kind::Open);
    let missing = &segments[located.n_found..];
    if let Some(token) = opened {
        let end = start + token.span.end;
        match &text[start..][token.span] {
            "(" if missing.iter().all(|name| is_field(name)) => return Ok((end, '(')),
            "{" if missing[1..].iter().all(|name| is_field(name)) => return Ok((end, '{')),
            _ => {}
        }
    }
    let message =
        format!("there is no `{}` in this, so `{}` cannot be set", missing[0], segments.join("."));
    let span = Some(extent(text, start));
    Err(source.error(ErrorKind::Value, span, message, Some(PATH_HINT.to_owned())))
}

fn is_field(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}
