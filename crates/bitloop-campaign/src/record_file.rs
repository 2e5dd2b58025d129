//! The file of a [`TrainingRecord`].
//!
//! The file is written whole or not at all. It can still be damaged later, by a disk that loses what it has confirmed. Its
//! first line, which also holds the number of the format, distinguishes a damaged record from a foreign file.

use std::fs;
use std::io;
use std::path::Path;

use bitloop_folder::{FolderError, read_bounded, write_file};

use crate::training_record::TrainingRecord;

/// First line of a record, without its number.
const HEADER: &str = "// A training of a bitloop campaign, format ";

/// The format that is written and read.
const FORMAT: u32 = 3;

/// The largest record that is read, in bytes.
const LIMIT_BYTES: u64 = 1 << 20;

/// What is at the place of a record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Found {
    /// Nothing.
    Nothing,
    /// A record, whole.
    Record(Box<TrainingRecord>),
    /// A record that was cut short or changed.
    Damaged,
    /// A record in a format that another version of bitloop has written.
    OtherFormat(u32),
    /// Something that no campaign has written.
    Foreign,
}

/// Looks for a record.
pub(crate) fn find(path: &Path) -> io::Result<Found> {
    let bytes = match read_bounded(path, LIMIT_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(Found::Foreign),
        Err(error) => return Err(error),
    };
    let text = String::from_utf8_lossy(&bytes);
    let Some(rest) = text.strip_prefix(HEADER) else {
        let is_cut = HEADER.starts_with(&*text);
        return Ok(if is_cut { Found::Damaged } else { Found::Foreign });
    };
    let (number, body) = rest.split_once('\n').unwrap_or(("", ""));
    Ok(match (number.parse(), ron::from_str(body)) {
        (Ok(FORMAT), Ok(record)) => Found::Record(Box::new(record)),
        (Ok(FORMAT) | Err(_), _) => Found::Damaged,
        (Ok(other), _) => Found::OtherFormat(other),
    })
}

/// Writes a record.
pub(crate) fn write(path: &Path, record: &TrainingRecord) -> Result<(), FolderError> {
    let text =
        to_text(record).map_err(|error| FolderError::write(path, io::Error::other(error)))?;
    write_file(path, text.as_bytes())
}

/// The text of a record's file.
pub(crate) fn to_text(record: &TrainingRecord) -> Result<String, ron::Error> {
    let body = ron::ser::to_string_pretty(record, ron::ser::PrettyConfig::new())?;
    Ok(format!("{HEADER}{FORMAT}\n{body}\n"))
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
    use crate::training_record::tests::record;

    #[test]
    fn records_come_back_to_the_bit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("training.ron");
        assert_eq!(find(&path).unwrap(), Found::Nothing);
        write(&path, &record()).unwrap();
        assert_eq!(find(&path).unwrap(), Found::Record(Box::new(record())));
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        write(&path, &TrainingRecord { error: f64::NAN, ..record() }).unwrap();
        let Found::Record(found) = find(&path).unwrap() else { panic!("it was written") };
        assert!(found.error.is_nan());
    }

    #[test]
    fn a_link_in_the_place_of_a_folder_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (elsewhere, link) = (folder.path().join("elsewhere"), folder.path().join("link"));
        make_folder(&elsewhere.join("inside")).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &link).unwrap();
        let error = make_folder(&link).unwrap_err().to_string();
        assert!(error.contains("this is a link"), "{error}");
    }

    #[test]
    fn cut_foreign_and_other_records_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("training.ron");
        write(&path, &record()).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        for length in [0, 10, HEADER.len(), HEADER.len() + 1, text.len() / 2, text.len() - 3] {
            fs::write(&path, &text[..length]).unwrap();
            assert_eq!(find(&path).unwrap(), Found::Damaged, "{length}");
        }
        for other in ["Scenario(plant: \"x\")", "x", "\u{0}", text.split_once('\n').unwrap().1] {
            fs::write(&path, other).unwrap();
            assert_eq!(find(&path).unwrap(), Found::Foreign, "{other}");
        }
        fs::write(&path, text.replacen("format 3\n", "format 4\n", 1)).unwrap();
        assert_eq!(find(&path).unwrap(), Found::OtherFormat(4));
        assert_eq!(find(folder.path()).unwrap(), Found::Foreign);
    }
}
