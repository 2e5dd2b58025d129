//! Identifiers for names that are none, each different from the others.

use std::collections::BTreeSet;

use crate::reserved::is_reserved;

/// Letters of an identifier; compilers must distinguish names by their first 63.
const MAX_LENGTH: usize = 40;

/// An identifier of letters, digits and `_` for `name`: other characters become `_`, one that would begin with a digit
/// or be empty gets `fallback` in front, and what is too long is cut.
fn identifier(name: &str, fallback: &str) -> String {
    let mapped: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    // A leading underscore is reserved in C.
    let trimmed = mapped.trim_matches('_');
    if trimmed.is_empty() {
        return fallback.to_owned();
    }
    let identifier = if trimmed.starts_with(|c: char| c.is_ascii_digit()) {
        format!("{fallback}_{trimmed}")
    } else {
        trimmed.to_owned()
    };
    identifier.chars().take(MAX_LENGTH).collect()
}

/// The name of files and functions for `name`: in lower case, and neither a word of a language nor a file that compilers
/// look for.
pub(crate) fn file_identifier(name: &str) -> String {
    let plain = identifier(name, "controller").to_ascii_lowercase();
    if is_reserved(&plain) { format!("{plain}_controller") } else { plain }
}

/// The upper-case identifiers of one file, and what a user should know of them.
#[derive(Debug, Default)]
pub(crate) struct Constants {
    taken: BTreeSet<String>,
    notes: Vec<String>,
}

impl Constants {
    /// Identifiers for names in order, after `prefix`. A note says where one is not the name itself.
    pub fn of<'a>(
        &mut self,
        prefix: &str,
        names: impl Iterator<Item = &'a str>,
        what: &str,
    ) -> Vec<String> {
        let mut constants = Vec::new();
        for name in names {
            let upper = identifier(name, what).to_ascii_uppercase();
            let plain = format!("{prefix}_{upper}");
            let constant = self.unique(&plain);
            if constant != plain {
                self.notes.push(format!("{what} `{name}` is called {constant}: {plain} is taken"));
            } else if !name.eq_ignore_ascii_case(&upper) {
                self.notes
                    .push(format!("{what} `{name}` is called {constant}: it is no identifier"));
            }
            constants.push(constant);
        }
        constants
    }

    /// The same for constants that belong to signals which have been noted already.
    pub fn of_noted<'a>(
        &mut self,
        prefix: &str,
        names: impl Iterator<Item = &'a str>,
        what: &str,
    ) -> Vec<String> {
        let n_notes = self.notes.len();
        let constants = self.of(prefix, names, what);
        self.notes.truncate(n_notes);
        constants
    }

    /// What a user should know of the names.
    pub fn into_notes(self) -> Vec<String> {
        self.notes
    }

    fn unique(&mut self, plain: &str) -> String {
        let mut unique = plain.to_owned();
        let mut number = 2;
        while !self.taken.insert(unique.clone()) {
            unique = format!("{plain}_{number}");
            number += 1;
        }
        unique
    }
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
        assert_eq!(identifier(&"long".repeat(50), "input").len(), MAX_LENGTH);
    }

    #[test]
    fn words_of_a_language_and_its_files_are_not_names_of_files() {
        for name in ["while", "Match", "self-test", "numpy", "string", "core"] {
            assert!(file_identifier(name).ends_with("_controller"), "{name}");
        }
        assert_eq!(file_identifier("Pendulum-2"), "pendulum_2");
    }

    #[test]
    fn two_names_that_map_to_one_are_kept_apart_and_noted() {
        let mut constants = Constants::default();
        let inputs = constants.of("IN", ["x dot", "x-dot", "x"].into_iter(), "input");
        assert_eq!(inputs, ["IN_X_DOT", "IN_X_DOT_2", "IN_X"]);
        // Across the constants of a file, too.
        let words = constants.of("IN_X", ["dot"].into_iter(), "word");
        assert_eq!(words, ["IN_X_DOT_3"]);
        let bits = constants.of_noted("BITS", ["x-dot"].into_iter(), "input");
        assert_eq!(bits, ["BITS_X_DOT"]);
        let notes = constants.into_notes();
        assert_eq!(notes.len(), 3, "{notes:?}");
        assert!(notes[1].contains("`x-dot` is called IN_X_DOT_2"), "{notes:?}");
    }
}
