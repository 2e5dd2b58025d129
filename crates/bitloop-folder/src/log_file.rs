//! The file of a run's log: a first line that names the format, then a JSON object a line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::durable::write_all;
use crate::error::FolderError;
use crate::file_system::FileSystem;
use crate::regular::open_to_change;

/// The format that is written and read.
const FORMAT: u64 = 1;

/// The longest first line that is looked at, in bytes.
const LIMIT_BYTES: u64 = 1000;

#[derive(Deserialize)]
struct Header {
    format: u64,
}

/// A log that lines are added to.
#[derive(Debug)]
pub(crate) struct LogFile {
    path: PathBuf,
    file: File,
    /// Bytes on disk, written by this process or before.
    n_written: u64,
    /// Bytes that are still to be written.
    pending: Vec<u8>,
}

impl LogFile {
    /// Opens a log at the end of its first `length` bytes, and cuts off the rest. An empty one begins with its format.
    pub fn open(path: PathBuf, length: u64) -> Result<Self, FolderError> {
        let failed = |error| FolderError::write(&path, error);
        let file = open_to_change(&path).map_err(failed)?;
        let n_written = file.metadata().map_err(failed)?.len().min(length);
        if n_written > 0 {
            check_format(&path, &file)?;
        }
        file.set_len(n_written).map_err(failed)?;
        let header = format!("{{\"log\":\"bitloop training\",\"format\":{FORMAT}}}\n");
        let pending = if n_written == 0 { header.into_bytes() } else { Vec::new() };
        Ok(Self { path, file, n_written, pending })
    }

    /// The length of the log with all that is still to be written.
    pub fn length(&self) -> u64 {
        self.n_written + self.n_pending()
    }

    /// Bytes that are still to be written.
    pub fn n_pending(&self) -> u64 {
        self.pending.len() as u64
    }

    /// Adds a line, its end included.
    pub fn push(&mut self, line: &str) {
        self.pending.extend_from_slice(line.as_bytes());
    }

    /// Writes what is pending.
    pub fn write(&mut self, files: &dyn FileSystem) -> Result<(), FolderError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        // At its place, over what an earlier attempt may have left there.
        let written = (|| {
            self.file.seek(SeekFrom::Start(self.n_written))?;
            write_all(files, &mut self.file, &self.pending)
        })();
        written.map_err(|error| FolderError::write(&self.path, error))?;
        self.n_written += self.n_pending();
        self.pending.clear();
        Ok(())
    }

    /// Writes what is pending, and returns once all is on the disk.
    pub fn sync(&mut self, files: &dyn FileSystem) -> Result<(), FolderError> {
        self.write(files)?;
        files.sync(&self.file).map_err(|error| FolderError::write(&self.path, error))
    }
}

fn check_format(path: &Path, file: &File) -> Result<(), FolderError> {
    let mut line = String::new();
    match BufReader::new(io::Read::take(file, LIMIT_BYTES)).read_line(&mut line) {
        Err(error) if error.kind() != io::ErrorKind::InvalidData => {
            return Err(FolderError::read(path, error));
        }
        // What is no text has no format.
        _ => {}
    }
    let found = serde_json::from_str::<Header>(&line).ok().map(|header| header.format);
    if found == Some(FORMAT) {
        return Ok(());
    }
    Err(FolderError::OtherFormat { path: path.to_owned(), found, expected: FORMAT })
}
