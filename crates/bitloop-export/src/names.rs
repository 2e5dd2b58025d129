//! Identifiers for names that are none.

/// An identifier of letters, digits and `_` for `name`: other characters become `_`, and one that would begin with a digit
/// or be empty gets `fallback` in front.
#[must_use]
pub fn identifier(name: &str, fallback: &str) -> String {
    let mapped: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    // A leading underscore is reserved in C.
    let trimmed = mapped.trim_matches('_');
    if trimmed.is_empty() {
        return fallback.to_owned();
    }
    if trimmed.starts_with(|c: char| c.is_ascii_digit()) {
        return format!("{fallback}_{trimmed}");
    }
    trimmed.to_owned()
}

/// Upper-case identifiers for names in order, each different from the others, and what a user should know of them.
pub(crate) fn constants<'a>(
    names: impl Iterator<Item = &'a str>,
    what: &str,
) -> (Vec<String>, Vec<String>) {
    let mut taken: Vec<String> = Vec::new();
    let mut notes = Vec::new();
    for name in names {
        let plain = identifier(name, what).to_ascii_uppercase();
        let mut unique = plain.clone();
        let mut number = 2;
        while taken.contains(&unique) {
            unique = format!("{plain}_{number}");
            number += 1;
        }
        if unique != plain {
            notes.push(format!("{what} `{name}` is called {unique}: {plain} is another {what}"));
        } else if !name.eq_ignore_ascii_case(&plain) {
            notes.push(format!("{what} `{name}` is called {unique}: it is no identifier"));
        }
        taken.push(unique);
    }
    (taken, notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers() {
        assert_eq!(identifier("pendulum-positions", "c"), "pendulum_positions");
        assert_eq!(identifier("3 legs", "input"), "input_3_legs");
        assert_eq!(identifier("°", "input"), "input");
        assert_eq!(identifier("__x", "input"), "x");
    }

    #[test]
    fn two_names_that_map_to_one_are_kept_apart_and_named() {
        let (constants, notes) = constants(["x dot", "x-dot", "x"].into_iter(), "input");
        assert_eq!(constants, ["X_DOT", "X_DOT_2", "X"]);
        assert_eq!(notes.len(), 2);
        assert!(notes[1].contains("`x-dot` is called X_DOT_2"), "{notes:?}");
    }
}
