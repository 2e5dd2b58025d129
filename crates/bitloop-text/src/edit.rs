//! A text with other values.
//!
//! The text is edited and not the value, so that whatever is wrong with the change is reported as for
//! any other file: in its line, with a hint. Only the extent of values is known here; what is legal
//! RON, and what the schema has, is for the parser to say.

use std::ops::Range;

use crate::{
    entries::Entries,
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
    /// leaves to its default is added, and so is what is missing around it, in the form that it has in `defaults`, the text
    /// with all defaults filled in: brackets in `stop.patience.evaluations`, braces in `parameters.mass`, a variant in
    /// `training.growth.phi`.
    ///
    /// # Errors
    /// If one of `values` is not one value, or if nothing in the text can hold a field of that name.
    pub fn with_values(&self, values: &[(&str, &str)], defaults: &Self) -> Result<Self, FileError> {
        let mut source = self.clone();
        for (path, value) in values {
            source = with_value(&source, defaults, path, value)?;
        }
        Ok(source)
    }
}

/// `defaults` is the text before any change, all defaults filled in.
fn with_value(
    source: &Source,
    defaults: &Source,
    path: &str,
    value: &str,
) -> Result<Source, FileError> {
    check_one_value(path, value)?;
    let segments: Vec<&str> = path.split('.').collect();
    let is_name = |segment: &&str| !segment.is_empty();
    let located = source
        .locate_in(&segments)
        .filter(|_| segments.iter().all(is_name))
        .ok_or_else(|| source.error_at("", no_path(path), PATH_HINT))?;
    let default_of = |path: &[&str]| value_text(defaults, path);
    let edited = changed(source, &segments, &located, value, &default_of).ok_or_else(|| {
        let missing = segments[located.n_found];
        let message = format!("there is no `{missing}` in this, so `{path}` cannot be set");
        let span = Some(extent(source.text(), located.value.start));
        source.error(ErrorKind::Value, span, message, Some(PATH_HINT.to_owned()))
    })?;
    let joint = if source.file().contains(" with ") { ", " } else { " with " };
    let name = format!("{}{joint}{path}={value}", source.file());
    Ok(Source::new(name, edited).in_folder(source.folder()))
}

const PATH_HINT: &str = "a path is field names joined by dots, such as training.bits";

fn no_path(path: &str) -> String {
    format!("`{path}` is no path of fields")
}

/// The text with the value of `segments` changed or added; none if nothing in it can hold a field of that name.
fn changed(
    source: &Source,
    segments: &[&str],
    located: &Located,
    value: &str,
    default_of: &dyn Fn(&[&str]) -> Option<String>,
) -> Option<String> {
    let (place, text) = match &segments[located.n_found..] {
        [] => (extent(source.text(), located.value.start), value.to_owned()),
        [first, ..] => {
            let (at, bracket) = inside(source, located)?;
            let key = match bracket {
                '{' => format!("{first:?}"),
                _ => Some(*first).filter(|name| is_field(name))?.to_owned(),
            };
            let added = surrounded(segments, located.n_found + 1, value, default_of)?;
            (at..at, format!("{key}: {added}, "))
        }
    };
    let mut edited = source.text().to_owned();
    edited.replace_range(place, &text);
    Some(edited)
}

/// The text of the missing value at the first `n_outer` of `segments` that holds `value` at its place among the others.
///
/// Fields beside it are left to their defaults, which may depend on other fields. Only map, list and tuple are taken over
/// from the default as a whole, since they have no defaults for their parts.
fn surrounded(
    segments: &[&str],
    n_outer: usize,
    value: &str,
    default_of: &dyn Fn(&[&str]) -> Option<String>,
) -> Option<String> {
    let (outer, inner) = segments.split_at(n_outer);
    let Some(&name) = inner.first() else { return Some(value.to_owned()) };
    let default = default_of(outer).unwrap_or_default();
    let has_fields = Entries::new(&default).nth(1).is_some_and(|part| part.key.is_some());
    let first = Tokens::new(&default).next();
    let is_collection = match first.as_ref().map(|token| (token.kind, &default[token.span.clone()]))
    {
        Some((Kind::Open, bracket)) => bracket != "(" || !has_fields,
        Some((Kind::Identifier, _)) => !has_fields && default.ends_with(')'),
        _ => false,
    };
    if is_collection {
        let whole = Source::new("default", default);
        let located = whole.locate_in(inner)?;
        return changed(&whole, inner, &located, value, &|_| None);
    }
    let variant = first.filter(|token| has_fields && token.kind == Kind::Identifier);
    let variant = variant.map_or("", |token| &default[token.span]);
    let part = surrounded(segments, n_outer + 1, value, default_of)?;
    is_field(name).then(|| format!("{variant}({name}: {part})"))
}

/// The text of the value at a path.
fn value_text(source: &Source, path: &[&str]) -> Option<String> {
    let located = source.locate_in(path).filter(|located| located.n_found == path.len())?;
    Some(source.text()[extent(source.text(), located.value.start)].to_owned())
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
fn inside(source: &Source, located: &Located) -> Option<(usize, char)> {
    let start = located.value.start;
    let value = &source.text()[start..];
    let mut tokens = Tokens::new(value);
    let mut token = tokens.next()?;
    if token.kind == Kind::Identifier {
        token = tokens.next()?;
    }
    let bracket = value[token.span.clone()].chars().next()?;
    matches!(bracket, '(' | '{').then_some((start + token.span.end, bracket))
}

fn is_field(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}
