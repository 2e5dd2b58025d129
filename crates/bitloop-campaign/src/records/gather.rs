//! Records of several folders, put together.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bitloop_folder::numbers_in;

use super::file::{Found, find};
use super::{Origin, Record};

/// Why records cannot be put together.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A file in the place of a record is none of this work.
    #[error("{}: {message}", .path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
        /// What it is.
        message: String,
    },
    /// The same piece of work has two results.
    #[error("{} and {} are results of the same {noun}, and differ", .first.display(), .second.display())]
    Contradiction {
        /// What the results are of.
        noun: &'static str,
        /// The record that was found first.
        first: PathBuf,
        /// The other one.
        second: PathBuf,
    },
    /// A folder or a file could not be read.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

/// A record in its place.
#[derive(Debug)]
pub(crate) struct InFolder<R> {
    pub number: u32,
    pub record: R,
    /// The digest of all that it says.
    pub bits: blake3::Hash,
    pub path: PathBuf,
}

/// The records in a folder whose numbers are `wanted`, in order; each must be of the origin that is expected of its number.
/// Damaged ones are noted and left out. A folder that does not exist has none.
pub(crate) fn read_folder<R: Record>(
    folder: &Path,
    wanted: impl Fn(u32) -> bool,
    expected: impl Fn(u32) -> Origin,
    damaged: &mut Vec<PathBuf>,
) -> Result<Vec<InFolder<R>>, RecordError> {
    let numbers = numbers_in(folder, |_, name| {
        let number = name.strip_prefix(R::NOUN)?.strip_prefix('-')?.strip_suffix(R::ENDING)?;
        let number = number.parse().ok()?;
        // Other spellings of a number are not the name of a record.
        (name == R::name(number)).then_some(number)
    });
    let failed = |path: &Path, error| RecordError::Io { path: path.to_owned(), error };
    let mut records = Vec::new();
    for number in numbers.map_err(|error| failed(folder, error))? {
        if !wanted(number) {
            continue;
        }
        let path = folder.join(R::name(number));
        let message = match find::<R>(&path).map_err(|error| failed(&path, error))? {
            Found::Nothing => continue,
            Found::Damaged => {
                damaged.push(path);
                continue;
            }
            Found::Record(record, bits) => match record.difference(number, &expected(number)) {
                None => {
                    records.push(InFolder { number, record, bits, path });
                    continue;
                }
                Some(difference) => difference,
            },
            Found::Foreign => format!("this is no record of a {}", R::NOUN),
            Found::OtherFormat(format) => format!(
                "this {} is in format {format}, which another version of bitloop has written",
                R::NOUN
            ),
        };
        return Err(RecordError::NotOurs { path, message });
    }
    Ok(records)
}

/// Results by their number, the first that was found of each.
#[derive(Debug)]
pub(crate) struct Gathered<T> {
    noun: &'static str,
    found: BTreeMap<u32, Place<T>>,
}

/// A result, and where it was found.
#[derive(Debug)]
struct Place<T> {
    value: T,
    bits: blake3::Hash,
    path: Arc<Path>,
}

impl<T> Gathered<T> {
    /// None yet, of this kind of work.
    pub const fn new(noun: &'static str) -> Self {
        Self { noun, found: BTreeMap::new() }
    }

    /// Whether a result is known already, which must then be the same.
    ///
    /// # Errors
    /// [`RecordError::Contradiction`]
    pub fn has(&self, number: u32, bits: &blake3::Hash, path: &Path) -> Result<bool, RecordError> {
        match self.found.get(&number) {
            None => Ok(false),
            Some(place) if place.bits == *bits => Ok(true),
            Some(place) => Err(RecordError::Contradiction {
                noun: self.noun,
                first: place.path.to_path_buf(),
                second: path.to_owned(),
            }),
        }
    }

    /// Adds the result of a number that is not known yet.
    pub fn add(&mut self, number: u32, value: T, bits: blake3::Hash, path: Arc<Path>) {
        self.found.insert(number, Place { value, bits, path });
    }

    /// Whether there is a result of this number.
    pub fn contains(&self, number: u32) -> bool {
        self.found.contains_key(&number)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// The results with their numbers, in order.
    pub fn into_values(self) -> impl Iterator<Item = (u32, T)> {
        self.found.into_iter().map(|(number, place)| (number, place.value))
    }
}
