//! Files and folders whose names hold a number.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry};
use std::io;
use std::path::Path;

/// The numbers of the entries of a folder, as `number` finds them in each entry and its name, in order; none if there is no
/// such folder. Names that are not UTF-8 have none.
///
/// # Errors
/// If the folder cannot be read.
pub fn numbers_in(
    folder: &Path,
    number: impl Fn(&DirEntry, &str) -> Option<u32>,
) -> io::Result<BTreeSet<u32>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        entries => entries?,
    };
    let mut numbers = BTreeSet::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        numbers.extend(name.to_str().and_then(|name| number(&entry, name)));
    }
    Ok(numbers)
}
