//! From a path to its text, with limits before allocation.
//!
//! Owns what can be wrong with a file before its first character is looked at: missing, a folder, a
//! pipe or a device (reading those may never end), too large, empty, not UTF-8. The size is checked
//! before reading, and reading stops at the limit all the same, since a file may grow meanwhile.

use std::{
    fs::{self, File},
    io::{ErrorKind as IoErrorKind, Read},
    path::Path,
};

use crate::{
    error::{ErrorKind, FileError},
    source::Source,
};

/// Largest scenario that is read, in bytes.
pub const SCENARIO_LIMIT_BYTES: u64 = 1 << 20;

/// Largest saved controller that is read, in bytes.
pub const CONTROLLER_LIMIT_BYTES: u64 = 64 << 20;

/// A text that goes by the name `file`, of at most `limit_bytes`.
pub(crate) fn text_source(text: &str, file: &str, limit_bytes: u64) -> Result<Source, FileError> {
    if text.len() as u64 > limit_bytes {
        let message = format!("this text is larger than {limit_bytes} bytes");
        return Err(FileError::new(ErrorKind::TooLarge, file, None, message, None));
    }
    Ok(Source::new(file, text))
}

/// Reads the text of a regular file of at most `limit_bytes`.
pub(crate) fn read_source(path: &Path, limit_bytes: u64, what: &str) -> Result<Source, FileError> {
    let file = path.display().to_string();
    let fail = |kind, message: String, hint: &str| {
        Err(FileError::new(kind, &file, None, message, Some(hint.to_owned())))
    };
    let unreadable = |error: &std::io::Error| match error.kind() {
        IoErrorKind::NotFound => fail(
            ErrorKind::Unreadable,
            "no such file".into(),
            "check the path; a relative one starts at the current folder",
        ),
        IoErrorKind::PermissionDenied => {
            fail(ErrorKind::Unreadable, "no permission to read this file".into(), "check its mode")
        }
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
        // One byte more than allowed tells a file at the limit from one beyond it.
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

/// The error of a saved file whose digest is not that of its contents.
pub(crate) fn damaged(source: &Source, message: &str) -> FileError {
    let hint = "the file was edited or damaged: take a fresh copy, or train it again with the command in `made_by`";
    source.error_at("digest", message, hint).with_kind(ErrorKind::Damaged)
}
