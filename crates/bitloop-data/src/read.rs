//! From a path to text, unpacked where it is gzip, with limits before allocation.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind as IoErrorKind, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use crate::error::{DataError, DataErrorKind};

/// How large data may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of text, after unpacking. 256 MiB by default.
    pub n_bytes: u64,
    /// Cells of the table: rows times columns; likewise inputs and targets times samples. 2^26 by default.
    pub n_cells: usize,
    /// Different words of a column, and so inputs or outputs that it becomes. 256 by default.
    pub n_words: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { n_bytes: 256 << 20, n_cells: 1 << 26, n_words: 256 }
    }
}

/// Reads a regular file. Gzip is known by its first two bytes, whatever the file's name.
pub(crate) fn read_bytes(path: &Path, limits: &Limits) -> Result<Vec<u8>, DataError> {
    let file = path.display().to_string();
    let unreadable = |error: &io::Error| unreadable(&file, error);
    // Asked before opening, since opening a pipe may never end.
    let metadata = fs::metadata(path).map_err(|error| unreadable(&error))?;
    if !metadata.is_file() {
        let message = "this is not a regular file".to_owned();
        return Err(DataError::new(DataErrorKind::Unreadable, &file, message)
            .hint("folders, pipes and devices are not read: name a file"));
    }
    if metadata.len() > limits.n_bytes {
        return Err(too_large(&file, limits, "of text"));
    }
    let packed = BufReader::new(File::open(path).map_err(|error| unreadable(&error))?);
    bytes_of(packed, &file, limits)
}

/// Reads all of what messages call `file`, unpacked.
pub(crate) fn bytes_of(
    mut packed: impl BufRead,
    file: &str,
    limits: &Limits,
) -> Result<Vec<u8>, DataError> {
    let unreadable = |error: &io::Error| unreadable(file, error);
    let first = packed.fill_buf().map_err(|error| unreadable(&error))?;
    let mut bytes = Vec::new();
    // One byte more than allowed shows whether the text is longer than the limit. Reading stops there, however far a small
    // file would unpack, and whatever is appended to a large one meanwhile.
    let result = if first.starts_with(&[0x1f, 0x8b]) {
        MultiGzDecoder::new(packed).take(limits.n_bytes + 1).read_to_end(&mut bytes)
    } else {
        packed.take(limits.n_bytes + 1).read_to_end(&mut bytes)
    };
    result.map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > limits.n_bytes {
        return Err(too_large(file, limits, "of text"));
    }
    Ok(bytes)
}

/// The text of what messages call `file`.
pub(crate) fn text_of(bytes: Vec<u8>, file: &str) -> Result<String, DataError> {
    let text = String::from_utf8(bytes).map_err(|error| not_utf8(file, &error))?;
    // Some editors and spreadsheets begin with a byte order mark, which is not part of the text.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

fn unreadable(file: &str, error: &io::Error) -> DataError {
    let (message, hint) = match error.kind() {
        IoErrorKind::NotFound => (
            "no such file".to_owned(),
            "check the path; a relative one starts at the current folder",
        ),
        IoErrorKind::PermissionDenied => {
            ("no permission to read this file".to_owned(), "check its mode")
        }
        IoErrorKind::InvalidInput | IoErrorKind::InvalidData | IoErrorKind::UnexpectedEof => {
            (format!("this file cannot be unpacked: {error}"), "is the download complete?")
        }
        _ => (format!("this file cannot be read: {error}"), "check the path"),
    };
    DataError::new(DataErrorKind::Unreadable, file, message).hint(hint)
}

/// The error of a file with more than the limit of bytes of a kind.
pub(crate) fn too_large(file: &str, limits: &Limits, kind: &str) -> DataError {
    let message = format!("this file has more than {} bytes {kind}, the limit", limits.n_bytes);
    DataError::new(DataErrorKind::TooLarge, file, message).hint("is it the right file?")
}

fn not_utf8(file: &str, error: &std::string::FromUtf8Error) -> DataError {
    let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
    // The bad byte stands on the last of these lines.
    let line = valid.split(|&byte| byte == b'\n').count();
    DataError::new(DataErrorKind::NotText, file, "this is not UTF-8 text".to_owned())
        .at_line(line as u64)
        .hint("text, or text packed with gzip, is expected")
}
