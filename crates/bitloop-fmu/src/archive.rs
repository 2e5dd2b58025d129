//! [`Archive`]: an FMU as a zip archive, read within limits.
//!
//! An archive comes from a stranger: its sizes are checked while it is unpacked, whatever it announces, and a file whose place
//! would be outside of the folder that it is unpacked to makes the whole archive unusable.

use std::io::{Cursor, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};

use zip::ZipArchive;

use crate::error::FmuFault;
use crate::model::Version;

/// The largest archive, in bytes.
const MAX_ARCHIVE: u64 = 1 << 30;

/// The largest description, in bytes.
const MAX_DESCRIPTION: u64 = 64 << 20;

/// The most that is unpacked of one archive, in bytes.
const MAX_UNPACKED: u64 = 2 << 30;

/// The most files in an archive.
const MAX_FILES: usize = 100_000;

/// An FMU's files.
#[derive(Debug)]
pub struct Archive {
    zip: ZipArchive<Cursor<Vec<u8>>>,
    digest: blake3::Hash,
}

/// A file of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unpacked {
    /// Its place below the folder of the archive.
    pub path: PathBuf,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl Archive {
    /// Reads the archive at `path` and the list of its files.
    ///
    /// # Errors
    /// [`FmuFault`] if it cannot be read, is no archive, or holds a file at an unsafe place.
    pub fn open(path: &Path) -> Result<Self, FmuFault> {
        Self::of_bytes(read(path)?)
    }

    /// An archive in memory.
    ///
    /// # Errors
    /// As [`Archive::open`].
    pub fn of_bytes(bytes: Vec<u8>) -> Result<Self, FmuFault> {
        let digest = blake3::hash(&bytes);
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(&error))?;
        if zip.len() > MAX_FILES {
            return Err(FmuFault::TooLarge(format!("it holds more than {MAX_FILES} files")));
        }
        for name in zip.file_names() {
            safe_path(name)?;
        }
        Ok(Self { zip, digest })
    }

    /// BLAKE3 of the archive.
    #[must_use]
    pub const fn digest(&self) -> blake3::Hash {
        self.digest
    }

    /// The text of the model description.
    ///
    /// # Errors
    /// [`FmuFault`] if there is none, or it is too large or no text.
    pub fn description(&mut self) -> Result<String, FmuFault> {
        let index = self.zip.index_for_name("modelDescription.xml");
        let bytes = self.read(index.ok_or(FmuFault::NoDescription)?, MAX_DESCRIPTION)?;
        String::from_utf8(bytes)
            .map_err(|_| FmuFault::Description("it is no text in UTF-8".to_owned()))
    }

    /// The platforms that it has libraries for, in alphabetical order.
    #[must_use]
    pub fn platforms(&self) -> Vec<String> {
        let mut all: Vec<String> = self
            .zip
            .file_names()
            .filter_map(|name| Some(name.strip_prefix("binaries/")?.split_once('/')?.0.to_owned()))
            .collect();
        all.sort();
        all.dedup();
        all
    }

    /// The library of a model for this machine, and all other files that it may need: libraries beside it, and resources.
    ///
    /// # Errors
    /// [`FmuFault`] if there is none for this machine, or what it needs is too large.
    pub fn library(
        &mut self,
        version: Version,
        identifier: &str,
    ) -> Result<(Unpacked, Vec<Unpacked>), FmuFault> {
        let platform = version.platform().unwrap_or("a machine that this version has no name for");
        let folder = format!("binaries/{platform}/");
        let library = format!("{folder}{identifier}.so");
        let index = self.zip.index_for_name(&library);
        let index = index.ok_or_else(|| FmuFault::OtherPlatform {
            found: self.platforms(),
            needed: platform.to_owned(),
        })?;
        let mut left = MAX_UNPACKED;
        let mut unpack = |archive: &mut Self, index| {
            let name = archive.zip.name_for_index(index).unwrap_or_default().to_owned();
            let bytes = archive.read(index, left)?;
            left -= bytes.len() as u64;
            Ok::<_, FmuFault>(Unpacked { path: safe_path(&name)?, bytes })
        };
        let own = unpack(self, index)?;
        let is_needed = |name: &str| {
            let is_file = !name.ends_with('/') && name != library;
            is_file && (name.starts_with(&folder) || name.starts_with("resources/"))
        };
        let others: Vec<usize> = (0..self.zip.len())
            .filter(|&index| self.zip.name_for_index(index).is_some_and(is_needed))
            .collect();
        let others = others.into_iter().map(|index| unpack(self, index));
        Ok((own, others.collect::<Result<_, _>>()?))
    }

    /// The bytes of a file of at most `limit` bytes.
    fn read(&mut self, index: usize, limit: u64) -> Result<Vec<u8>, FmuFault> {
        let file = self.zip.by_index(index).map_err(|error| damaged(&error))?;
        let name = file.name().to_owned();
        let mut bytes = Vec::new();
        // What the archive says of the size is not relied on.
        file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| damaged(&error))?;
        if bytes.len() as u64 > limit {
            let message = format!("unpacked, {name:?} would need more than {limit} bytes");
            return Err(FmuFault::TooLarge(message));
        }
        Ok(bytes)
    }
}

fn damaged(error: &dyn std::error::Error) -> FmuFault {
    FmuFault::NotAnArchive(error.to_string())
}

/// The place of a file below the folder of its archive.
fn safe_path(name: &str) -> Result<PathBuf, FmuFault> {
    let path = Path::new(name);
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    let is_safe = path.components().all(is_plain) && !name.contains(['\\', '\0']);
    if is_safe { Ok(path.to_owned()) } else { Err(FmuFault::UnsafePath(name.to_owned())) }
}

/// The bytes of a regular file.
fn read(path: &Path) -> Result<Vec<u8>, FmuFault> {
    let unreadable = |error: &std::io::Error| match error.kind() {
        ErrorKind::NotFound => FmuFault::Missing,
        _ => FmuFault::Unreadable(error.to_string()),
    };
    let file = bitloop_text::open_regular(path, MAX_ARCHIVE).map_err(|error| unreadable(&error))?;
    let mut bytes = Vec::new();
    file.take(MAX_ARCHIVE).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    Ok(bytes)
}
