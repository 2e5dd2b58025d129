//! A file: a checked value, and the text that it came from.
//!
//! Owns reading, once for all kinds of files: within the size limit, format number, parsing, rules, digest. The text is
//! kept, so that a caller who knows the plant or the data can place an error: "the plant has no observation `thta`" at its line.

use std::path::{Path, PathBuf};

use bitloop_text::{Checked, ErrorKind, FileError, Located, Problem, RawField, Source};

/// What differs between the kinds of files.
pub trait FileKind: Sized {
    /// The name that the text begins with, as in `Scenario(...)`.
    const NAME: &'static str;
    /// What messages call it.
    const WHAT: &'static str;
    /// Largest file that is read, in bytes.
    const LIMIT_BYTES: u64;
    /// The format that is written and read, for files that bitloop writes itself; it stands in their field `format`.
    const FORMAT: Option<u32> = None;

    /// Fields whose values have several shapes.
    fn raw_fields() -> Vec<RawField>;

    /// The value that the text describes. Each kind has its own, so that its parser is compiled once, here, and not in
    /// every crate that reads a file.
    ///
    /// # Errors
    /// Text that is no RON, or not of this type.
    fn decode(source: &Source) -> Result<Self, FileError>;

    /// The rules that need neither plant nor data.
    ///
    /// # Errors
    /// The first rule that is broken.
    fn check_rules(&self) -> Checked;

    /// The format number in the file; 0 if it has none.
    fn format(&self) -> Option<u32> {
        None
    }

    /// Whether that which the file's digest names is as it was written, and all of the file, if it has a digest of its contents.
    ///
    /// # Errors
    /// If the digest does not match.
    fn check_digest(&self, _source: &Source) -> Result<(), FileError> {
        Ok(())
    }

    /// Whether the file has a digest of its contents, if it is of a kind that has one.
    fn has_content_digest(&self) -> bool {
        true
    }

    /// Whether all of the file is as it was written.
    ///
    /// # Errors
    /// If the digest does not match.
    fn check_content_digest(&self, _source: &Source) -> Result<(), FileError> {
        Ok(())
    }
}

/// A checked value and the text it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct File<T> {
    /// The contents, defaults filled in.
    pub value: T,
    /// Its text, for errors.
    pub source: Source,
}

impl<T: FileKind> File<T> {
    /// Reads a regular file of at most [`FileKind::LIMIT_BYTES`].
    ///
    /// # Errors
    /// If the file cannot be read, is of another kind or format, breaks a rule, or was changed since bitloop wrote it.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::from_source(Source::read(path.as_ref(), T::LIMIT_BYTES, T::WHAT)?)
    }

    /// Reads `text`, which goes by the name `file` in errors.
    ///
    /// # Errors
    /// As [`File::read`].
    pub fn parse(text: &str, file: &str) -> Result<Self, FileError> {
        Self::from_source(Source::of_text(text, file, T::LIMIT_BYTES)?)
    }

    /// Reads a text of which place and size are known to be right.
    ///
    /// # Errors
    /// As [`File::read`].
    pub fn from_source(source: Source) -> Result<Self, FileError> {
        let file = Self::of_any_format(source)?;
        if file.value.format() != T::FORMAT {
            let what = T::WHAT;
            let message =
                format!("this {what} has no `format`: an older version of bitloop has saved it");
            let hint =
                format!("`bitloop controller upgrade {}` writes it anew", file.source.file());
            return Err(file.source.error_at("", message, hint).with_kind(ErrorKind::Format));
        }
        // Where there is one, it was compared already.
        if !file.value.has_content_digest() {
            file.value.check_content_digest(&file.source)?;
        }
        Ok(file)
    }

    /// The same for files that are older than numbers of formats too, whose contents no digest guards.
    pub(crate) fn of_any_format(source: Source) -> Result<Self, FileError> {
        check_name::<T>(&source)?;
        check_format::<T>(&source)?;
        let file = Self::inside(T::decode(&source)?, source)?;
        file.value.check_digest(&file.source)?;
        Ok(file)
    }

    /// A value that comes from elsewhere than a file of its own, such as the scenario in a saved controller; `source` is
    /// the text that errors show.
    ///
    /// # Errors
    /// If the value breaks a rule.
    pub fn inside(value: T, source: Source) -> Result<Self, FileError> {
        value.check_rules().map_err(|problem: Problem| problem.place_in(&source))?;
        Ok(Self { value, source })
    }
}

impl<T> File<T> {
    /// The same file, in `folder`: relative paths start there.
    #[must_use]
    pub fn in_folder(self, folder: impl Into<PathBuf>) -> Self {
        Self { source: self.source.in_folder(folder), ..self }
    }

    /// Where the value at `path` stands; see [`Source::locate`].
    pub fn locate(&self, path: &str) -> Option<Located> {
        self.source.locate(path)
    }

    /// An error at the value of `path`; see [`Source::error_at`].
    #[must_use]
    pub fn error_at(
        &self,
        path: &str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> FileError {
        self.source.error_at(path, message, hint)
    }

    /// An error at the field name or map key of `path`; see [`Source::error_at_key`].
    #[must_use]
    pub fn error_at_key(
        &self,
        path: &str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> FileError {
        self.source.error_at_key(path, message, hint)
    }
}

/// What files of bitloop begin with, what they are, and what they are for.
const KINDS: [(&str, &str, &str); 5] = [
    ("Scenario", "scenario", "`bitloop train` trains in it"),
    ("Supervised", "scenario on examples", "`bitloop train` trains in it"),
    (
        "Controller",
        "saved controller",
        "`bitloop replay` runs it, `bitloop controller show` explains it",
    ),
    ("Tests", "suite of tests", "`bitloop test CONTROLLER --suite FILE` runs it"),
    ("Model", "saved model", "`bitloop predict` applies it, `bitloop controller show` explains it"),
];

/// Refuses a file of another kind before its unknown fields are.
fn check_name<T: FileKind>(source: &Source) -> Result<(), FileError> {
    let name = source.first_name().filter(|name| *name != T::NAME);
    let Some((name, what, use_of_it)) = KINDS.into_iter().find(|(known, ..)| Some(*known) == name)
    else {
        return Ok(());
    };
    let wanted = KINDS.iter().find(|(known, ..)| *known == T::NAME).map_or(T::WHAT, |kind| kind.1);
    let message = format!("this is a {what}, where a {wanted} is needed: it begins with `{name}`");
    Err(source.error_at("", message, use_of_it).with_kind(ErrorKind::Schema))
}

/// Refuses another format before its unknown fields are.
fn check_format<T: FileKind>(source: &Source) -> Result<(), FileError> {
    let Some(current) = T::FORMAT else { return Ok(()) };
    let Some(located) = source.locate("format").filter(|located| located.n_found == 1) else {
        return Ok(());
    };
    match source.text()[located.value].parse::<u32>() {
        Ok(found) if found != current => {
            let what = T::WHAT;
            let message = format!(
                "this {what} is of format {found}, and this bitloop reads format {current}"
            );
            let hint = "another version of bitloop has written it: use that one";
            Err(source.error_at("format", message, hint).with_kind(ErrorKind::Format))
        }
        // What is no number is refused by the parser.
        _ => Ok(()),
    }
}
