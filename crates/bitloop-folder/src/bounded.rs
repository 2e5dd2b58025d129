//! Files of a folder, read whole and never beyond a limit.

use std::io::{self, Read};
use std::path::Path;

use crate::regular::open_to_read;

/// The bytes of a regular file of at most `limit_bytes`. A symbolic link is not followed.
///
/// # Errors
/// If there is no such file, it is no regular one, it is larger, or the system cannot read it.
pub fn read_bounded(path: &Path, limit_bytes: u64) -> io::Result<Vec<u8>> {
    let file = open_to_read(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    if length <= limit_bytes {
        // It may grow meanwhile.
        file.take(limit_bytes + 1).read_to_end(&mut bytes)?;
    }
    if length.max(bytes.len() as u64) > limit_bytes {
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
