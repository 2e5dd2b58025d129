//! [`Name`]: what a new plant may be called.

use bitloop_plant::MAX_NAME_BYTES;

use crate::failure::Failure;
use crate::linked;

/// Words that neither a crate nor a library can be called: Rust's keywords, and names that Cargo keeps for itself.
const RESERVED: [&str; 63] = [
    "abstract",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "bitloop",
    "bitloop-plant",
    "box",
    "break",
    "build",
    "const",
    "continue",
    "core",
    "crate",
    "deps",
    "do",
    "dyn",
    "else",
    "enum",
    "examples",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "incremental",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "proc-macro",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "union",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
];

/// A name in lower-case words joined by hyphens, which a plant, a crate and a file can have.
#[derive(Debug, PartialEq, Eq)]
pub struct Name(String);

impl Name {
    /// Checks a name. One that is wrong is refused with one that would do.
    pub fn checked(text: &str) -> Result<Self, Failure> {
        let refuse = |message: String, hint: String| Failure::Usage { message, hint: Some(hint) };
        if text.contains(['/', '\\']) {
            let message = format!("`{text}` is a path, not the name of a plant");
            let last = text.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next();
            let last = kebab(last.unwrap_or_default()).unwrap_or("my-plant".to_owned());
            return Err(refuse(message, format!("try `{last} --out {text}`")));
        }
        if !is_kebab(text) {
            let message = format!(
                "`{text}` is no name for a plant: lower-case words joined by hyphens are, each beginning with a letter"
            );
            let hint = kebab(text).unwrap_or("my-plant".to_owned());
            return Err(refuse(message, format!("did you mean `{hint}`?")));
        }
        if text.len() > MAX_NAME_BYTES {
            let message = format!("the name is {} bytes long", text.len());
            return Err(refuse(message, format!("at most {MAX_NAME_BYTES} are allowed")));
        }
        if RESERVED.contains(&text) {
            let message = format!("`{text}` is a word that Rust or Cargo keeps for itself");
            return Err(refuse(message, format!("try `{text}-plant`")));
        }
        if linked::plants().names().any(|known| known == text) {
            let message = format!("bitloop comes with a plant `{text}`");
            return Err(refuse(message, format!("try `my-{text}`")));
        }
        Ok(Self(text.to_owned()))
    }

    /// As scenarios have it: `two-tanks`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As a crate: `two_tanks`.
    pub fn snake(&self) -> String {
        self.0.replace('-', "_")
    }

    /// As a type: `TwoTanks`.
    pub fn camel(&self) -> String {
        let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
        self.0.split('-').map(capital).collect()
    }
}

fn is_kebab(text: &str) -> bool {
    text.split('-').all(|word| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    })
}

/// The name most like `text`: `TwoTanks 2` becomes `two-tanks2`. None if there are no letters.
fn kebab(text: &str) -> Option<String> {
    let mut name = String::new();
    let mut previous = ' ';
    for c in text.chars() {
        let starts_word = if c.is_ascii_uppercase() {
            !previous.is_ascii_uppercase()
        } else {
            c.is_ascii_lowercase() && !previous.is_ascii_alphanumeric()
        };
        if starts_word && !name.is_empty() {
            name.push('-');
        }
        // A digit needs a letter before it in its word.
        if c.is_ascii_alphabetic() || (c.is_ascii_digit() && !name.is_empty()) {
            name.push(c.to_ascii_lowercase());
        }
        previous = c;
    }
    name.truncate(MAX_NAME_BYTES);
    is_kebab(&name).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_three_spellings() {
        let name = Name::checked("two-tanks2").unwrap();
        assert_eq!(
            [name.as_str(), &name.snake(), &name.camel()],
            ["two-tanks2", "two_tanks2", "TwoTanks2"]
        );
    }

    #[test]
    fn wrong_names_are_refused_with_one_that_would_do() {
        for (name, hint) in [
            ("TwoTanks", "`two-tanks`"),
            ("two_tanks", "`two-tanks`"),
            ("Two Tanks 2", "`two-tanks2`"),
            ("PIDLoop", "`pidloop`"),
            ("2d-crane", "`d-crane`"),
            ("two--tanks", "`two-tanks`"),
            ("-tanks-", "`tanks`"),
            ("größe", "`gr-e`"),
            ("", "`my-plant`"),
            ("42", "`my-plant`"),
            ("plants/two-tanks/", "`two-tanks --out plants/two-tanks/`"),
            ("fn", "`fn-plant`"),
            ("test", "`test-plant`"),
            ("acrobot", "`my-acrobot`"),
            (&"a".repeat(65), "at most 64"),
        ] {
            let error = Name::checked(name).unwrap_err().to_string();
            assert!(error.contains(hint), "{name}: {error}");
        }
        assert!(RESERVED.is_sorted());
    }
}
