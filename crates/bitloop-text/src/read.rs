//! From a path to its text, with limits before allocation.
//!
//! Owns what can be wrong with a file before its first character is looked at: missing, a folder, a
//! pipe or a device (reading those may never end), too large, not UTF-8. The size is checked
//! before reading, and reading stops at the limit all the same, since a file may grow meanwhile.

use std::{
    fs::{self, File},
    io::{self, ErrorKind as IoErrorKind, Read},
    path::Path,
};

use crate::{
    error::{ErrorKind, FileError},
    source::Source,
};

/// Opens a regular file of at most `limit_bytes`. What is none, such as a pipe without a writer, is not opened, since that might
/// never end.
///
/// # Errors
/// If there is no such file, it is no regular one, it is larger, or the system cannot open it.
pub fn open_regular(path: &Path, limit_bytes: u64) -> io::Result<File> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    if !metadata.is_file() || metadata.len() > limit_bytes {
        let message = format!("it is no regular file of at most {limit_bytes} bytes");
        return Err(io::Error::other(message));
    }
    File::open(path)
}

impl Source {
    /// A text that goes by the name `file` in errors, of at most `limit_bytes`.
    ///
    /// # Errors
    /// If it is larger.
    pub fn of_text(text: &str, file: &str, limit_bytes: u64) -> Result<Self, FileError> {
        if text.len() as u64 > limit_bytes {
            let message = format!("this text is larger than {limit_bytes} bytes");
            return Err(FileError::new(ErrorKind::TooLarge, file, None, message, None));
        }
        Ok(Self::new(file, text))
    }

    /// Reads the text of a regular file of at most `limit_bytes`; `what` names the kind of file in messages.
    ///
    /// # Errors
    /// If it cannot be read, is no regular file, is larger, or is not UTF-8.
    pub fn read(path: &Path, limit_bytes: u64, what: &str) -> Result<Self, FileError> {
        let file = path.display().to_string();
        let fail = |kind, message: String, hint: &str| {
            Err(FileError::new(kind, &file, None, message, Some(hint.to_owned())))
        };
        let unreadable = |error: &io::Error| match error.kind() {
            IoErrorKind::NotFound => fail(
                ErrorKind::Unreadable,
                "no such file".into(),
                "check the path; a relative one starts at the current folder",
            ),
            IoErrorKind::PermissionDenied => fail(
                ErrorKind::Unreadable,
                "no permission to read this file".into(),
                "check its mode",
            ),
            _ => fail(
                ErrorKind::Unreadable,
                format!("this file cannot be read: {error}"),
                "check the path",
            ),
        };
        let too_large = || {
            fail(
                ErrorKind::TooLarge,
                format!("this file is larger than the limit of {limit_bytes} bytes for a {what}"),
                "is it the right file?",
            )
        };

        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) => return unreadable(&error),
        };
        if metadata.is_dir() {
            let hint = format!("name a {what} file inside it");
            return fail(ErrorKind::Unreadable, "this is a folder, not a file".into(), &hint);
        }
        if !metadata.is_file() {
            let hint = "pipes and devices are not read: write the text to a file first";
            return fail(ErrorKind::Unreadable, "this is not a regular file".into(), hint);
        }
        if metadata.len() > limit_bytes {
            return too_large();
        }
        let mut bytes = Vec::new();
        let result = File::open(path).and_then(|file| {
            // One byte more than allowed distinguishes a file at the limit from one beyond it.
            file.take(limit_bytes + 1).read_to_end(&mut bytes)
        });
        if let Err(error) = result {
            return unreadable(&error);
        }
        if bytes.len() as u64 > limit_bytes {
            return too_large();
        }
        match String::from_utf8(bytes) {
            // Some editors begin with a byte order mark, which is not part of the text.
            Ok(text) => Ok(Source::new(file, text.strip_prefix('\u{feff}').unwrap_or(&text))
                .in_folder(path.parent().unwrap_or(Path::new("")))),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let message = format!("this file is not UTF-8 text: byte {} is invalid", at + 1);
                let hint = format!("a {what} is a text file in RON; save it as UTF-8");
                // The text before the bad byte shows the line.
                let valid = String::from_utf8_lossy(&error.as_bytes()[..at]).into_owned();
                let source = Source::new(file, valid);
                Err(source.error(ErrorKind::NotText, Some(at..at), message, Some(hint)))
            }
        }
    }
}
