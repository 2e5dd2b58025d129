//! Paths as one would type them.

use std::ffi::OsStr;

/// A word for a shell: as it is, or in single quotes where it holds anything that a shell could take for more.
pub fn quoted(word: impl AsRef<OsStr>) -> String {
    let word = word.as_ref().to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:=+,@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.into_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("runs/größer-1.ron"), "runs/größer-1.ron");
        assert_eq!(quoted("my runs/a"), "'my runs/a'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
