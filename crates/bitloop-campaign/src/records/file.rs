//! The file of a [`Record`].
//!
//! The file is written whole or not at all. It can still be damaged later, by a disk that loses what it has confirmed. Its
//! first line, which also holds the number of the format, distinguishes a damaged record from a foreign file.

use std::fs;
use std::io;
use std::path::Path;

use bitloop_folder::{FolderError, read_bounded, write_file};

use super::Record;

/// What is at the place of a record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Found<R> {
    /// Nothing.
    Nothing,
    /// A record, whole, and the digest of all that it says.
    Record(R, blake3::Hash),
    /// A record that was cut short or changed.
    Damaged,
    /// A record in a format that another version of bitloop has written.
    OtherFormat(u32),
    /// Something else.
    Foreign,
}

/// The first line, without the format's number.
pub(crate) fn header<R: Record>() -> String {
    format!("// {}, format ", R::WHAT)
}

/// Looks for a record.
pub(crate) fn find<R: Record>(path: &Path) -> io::Result<Found<R>> {
    let bytes = match read_bounded(path, R::LIMIT_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(Found::Foreign),
        Err(error) => return Err(error),
    };
    let header = header::<R>();
    let Some(rest) = bytes.strip_prefix(header.as_bytes()) else {
        let is_cut = header.as_bytes().starts_with(&bytes);
        return Ok(if is_cut { Found::Damaged } else { Found::Foreign });
    };
    let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    let (number, body) = (&rest[..end], rest.get(end + 1..).unwrap_or_default());
    let number = str::from_utf8(number).ok().and_then(|number| number.parse().ok());
    Ok(match (number, R::from_body(body)) {
        (Some(format), _) if format != R::FORMAT => Found::OtherFormat(format),
        (Some(_), Some(record)) => Found::Record(record, blake3::hash(body)),
        _ => Found::Damaged,
    })
}

/// Writes a record into a folder.
pub(crate) fn write<R: Record>(folder: &Path, record: &R) -> Result<(), FolderError> {
    let path = folder.join(R::name(record.number()));
    let body = record.to_body().map_err(|error| FolderError::write(&path, error))?;
    let mut bytes = format!("{}{}\n", header::<R>(), R::FORMAT).into_bytes();
    bytes.extend(body);
    write_file(&path, &bytes)
}

/// A body of these bytes that finds every change: their digest, and they themselves.
pub(crate) fn with_digest(bytes: &[u8]) -> Vec<u8> {
    [blake3::hash(bytes).as_bytes(), bytes].concat()
}

/// The bytes of such a body, unless they were changed.
pub(crate) fn verified(body: &[u8]) -> Option<&[u8]> {
    let (digest, bytes) = body.split_at_checked(blake3::OUT_LEN)?;
    (digest == blake3::hash(bytes).as_bytes()).then_some(bytes)
}

/// Makes the folder of a variant inside that of its campaign, if need be. A link there is not followed.
pub(crate) fn make_folder(folder: &Path) -> Result<(), FolderError> {
    let failed = |error| FolderError::write(folder, error);
    if fs::symlink_metadata(folder).is_ok_and(|found| found.is_symlink()) {
        return Err(failed(io::Error::other("this is a link, and not a folder")));
    }
    fs::create_dir_all(folder).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_in_the_place_of_a_folder_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (elsewhere, link) = (folder.path().join("elsewhere"), folder.path().join("link"));
        make_folder(&elsewhere.join("inside")).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &link).unwrap();
        let error = make_folder(&link).unwrap_err().to_string();
        assert!(error.contains("this is a link"), "{error}");
    }
}
