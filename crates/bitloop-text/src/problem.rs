//! A value that breaks a rule, named by its path.
//!
//! The checks work on values, which know no text; a [`Problem`] names the field, and the file turns
//! it into an error with line and column.

use crate::{
    error::{ErrorKind, FileError},
    source::Source,
};

/// Whether a value keeps its rules, or the first one that it breaks.
pub type Checked = Result<(), Problem>;

/// A rule that a value breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message} ({hint})", path.join("."))]
#[non_exhaustive]
pub struct Problem {
    /// Field names, map keys and list positions, from the outside in.
    pub path: Vec<String>,
    /// What is wrong: a lower-case fragment without a period.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

impl Problem {
    /// A problem with the value at `path`, joined by dots.
    pub fn new(path: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        let path = path.split('.').map(str::to_owned).collect();
        Problem { path, message: message.into(), hint: hint.into() }
    }

    /// A problem with the value `key` (which may hold dots) of the map at `path`.
    pub fn in_map(
        path: &str,
        key: &str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        let mut problem = Problem::new(path, message, hint);
        problem.path.push(key.to_owned());
        problem
    }

    /// The same problem of a value that is itself the field `outer`.
    #[must_use]
    pub fn inside(mut self, outer: &str) -> Self {
        self.path.insert(0, outer.to_owned());
        self
    }

    /// The error with the place of the field in `source`.
    pub fn place_in(self, source: &Source) -> FileError {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        let span = source.locate_in(&path).map(|located| located.value);
        source.error(ErrorKind::Value, span, self.message, Some(self.hint))
    }
}
