//! Files that may be anything: regular ones only, since opening or reading others may never end, and never more than a
//! limit.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// The bytes of a regular file of at most `limit_bytes`.
///
/// # Errors
/// If there is no such file, it is no regular one, it is larger, or the system cannot read it.
pub fn read_bounded(path: &Path, limit_bytes: u64) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    check_regular(&metadata)?;
    let mut bytes = Vec::new();
    if metadata.len() <= limit_bytes {
        // It may grow meanwhile.
        File::open(path)?.take(limit_bytes + 1).read_to_end(&mut bytes)?;
    }
    if metadata.len().max(bytes.len() as u64) > limit_bytes {
        let message = format!("this file is larger than {limit_bytes} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    Ok(bytes)
}

/// The same, of a file that is text.
///
/// # Errors
/// As [`read_bounded`]; also if it is not UTF-8.
pub fn read_text_bounded(path: &Path, limit_bytes: u64) -> io::Result<String> {
    String::from_utf8(read_bounded(path, limit_bytes)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "this file is not UTF-8 text"))
}

/// Refuses to write where something is that is no regular file.
///
/// # Errors
/// If there is such a thing.
pub(crate) fn check_writable(path: &Path) -> io::Result<()> {
    // What else may be wrong shows when the file is opened.
    fs::metadata(path).map_or(Ok(()), |metadata| check_regular(&metadata))
}

/// To be asked before a file is opened: of a pipe, that alone may wait for ever.
fn check_regular(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, "this is no regular file"))
}
