//! Hints for a name that is not known.

/// A hint for a name that is not known: "did you mean", or `all` and the known ones.
#[must_use]
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
