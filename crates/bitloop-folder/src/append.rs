//! Lines at the end of a file, of which the last may be torn.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::error::FolderError;
use crate::regular::open_to_change;

/// Appends a line, without its end, to a file of the caller's own folder; makes the file if need be. A line that an earlier process
/// left torn is ended first. It is not synced: the file is for figures that nothing depends on.
///
/// # Errors
/// If it cannot be written.
pub fn append_line(path: &Path, line: &str) -> Result<(), FolderError> {
    let appended = || -> io::Result<()> {
        let mut file = open_to_change(path)?;
        let mut text = String::new();
        if file.seek(SeekFrom::End(0))? > 0 {
            let mut last = [0];
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
            if last != *b"\n" {
                text.push('\n');
            }
        }
        text.push_str(line);
        text.push('\n');
        file.write_all(text.as_bytes())
    };
    appended().map_err(|error| FolderError::write(path, error))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_torn_line_does_not_spoil_the_next_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        append_line(&path, "one").unwrap();
        append_line(&path, "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n");
        fs::write(&path, "one\ntw").unwrap();
        append_line(&path, "three").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntw\nthree\n");
    }

    #[test]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (other, link) = (folder.path().join("other"), folder.path().join("link"));
        fs::write(&other, "mine").unwrap();
        std::os::unix::fs::symlink(&other, &link).unwrap();
        assert!(append_line(&link, "yours").is_err());
        assert_eq!(fs::read_to_string(&other).unwrap(), "mine");
    }
}
