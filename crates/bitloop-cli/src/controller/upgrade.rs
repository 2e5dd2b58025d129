//! `bitloop controller upgrade`: saved files of an older format, written anew.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bitloop_scenario::AnySaved;

use crate::failure::Failure;
use crate::output::print;

/// Writes each file in the format of this version. Those that have it already are left as they are.
pub fn upgrade(files: &[PathBuf]) -> Result<(), Failure> {
    for path in files {
        let done = match AnySaved::upgraded(path)? {
            None => "has the format of this version",
            Some(text) => {
                replace(path, &text).map_err(|error| Failure::output(path, &error))?;
                "was written anew"
            }
        };
        print(&format!("{} {done}\n", path.display()))?;
    }
    Ok(())
}

/// Writes a file beside the old one, and gives it its name once it is whole. A link still leads to the file.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    let mut beside = path.clone().into_os_string();
    beside.push(".new");
    let mut file = OpenOptions::new().write(true).create_new(true).open(&beside)?;
    let written = write_and_rename(&mut file, text, Path::new(&beside), &path);
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

fn write_and_rename(file: &mut File, text: &str, beside: &Path, path: &Path) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(beside, path)
}
