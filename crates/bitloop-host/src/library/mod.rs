//! [`PlantLibrary`]: a plant from a dynamic library, checked before it is called.
//!
//! A library is read once, and what is loaded is a copy of those bytes in memory: the digest is that of the code that runs,
//! a library that is built anew while it is in use breaks nothing, and opened again it is a new one, where the system's
//! loader would hand out the old one. It is never unloaded, and the same bytes are loaded once in a process.

mod elf;
mod error;
mod exported;
mod load;

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use bitloop_plant::abi::{AbiError, Descriptor};
use bitloop_plant::{Description, PlantHandle};

pub(crate) use elf::check as check_elf;
pub use error::{LibraryError, LibraryFault};
pub(crate) use exported::{Exported, Needs, exported, needs};
use load::load;
pub(crate) use load::{load_copy, load_file};

use crate::process_state::Disturbance;

/// The largest library that is read, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// The exported function.
type Entry = unsafe extern "C" fn() -> *const Descriptor;

/// A library that holds a plant, opened and checked.
#[derive(Clone, Debug)]
pub struct PlantLibrary {
    path: PathBuf,
    loaded: Loaded,
    plant: PlantHandle,
}

/// What is known of a library's bytes once they are loaded.
#[derive(Clone, Debug)]
struct Loaded {
    digest: String,
    entry: Entry,
    disturbs: Disturbance,
}

/// The libraries of this process. The system's loader has one such table anyway, and nothing is ever taken out.
static LOADED: Mutex<Vec<Loaded>> = Mutex::new(Vec::new());

impl PlantLibrary {
    /// Opens the library at `path`, with the usual structure of its plant.
    ///
    /// # Errors
    /// [`LibraryError`] says what is wrong with the file, or with the plant in it.
    pub fn open(path: &Path) -> Result<Self, LibraryError> {
        let fail = |fault| LibraryError { path: path.to_owned(), fault };
        let bytes = read(path).map_err(fail)?;
        elf::check(&bytes).map_err(fail)?;
        let digest = blake3::hash(&bytes).to_hex().to_string();
        let mut all = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.iter().find(|loaded| loaded.digest == digest).cloned();
        let loaded = if let Some(loaded) = known {
            loaded
        } else {
            let (entry, disturbs) = load(path, &bytes).map_err(fail)?;
            let loaded = Loaded { digest, entry, disturbs };
            all.push(loaded.clone());
            loaded
        };
        drop(all);
        let plant =
            load::plant(loaded.entry, None).map_err(|error| fail(LibraryFault::Abi(error)))?;
        Ok(Self { path: path.to_owned(), loaded, plant })
    }

    /// The plant, with its usual structure or the given one.
    ///
    /// # Errors
    /// [`LibraryError`] if the structure does not fit.
    pub fn plant(&self, structure: Option<&[u64]>) -> Result<PlantHandle, LibraryError> {
        if structure.is_none() {
            return Ok(self.plant.clone());
        }
        load::plant(self.loaded.entry, structure).map_err(|error: AbiError| LibraryError {
            path: self.path.clone(),
            fault: LibraryFault::Abi(error),
        })
    }

    /// What the plant says of itself, with its usual structure.
    #[must_use]
    pub fn description(&self) -> &Description {
        self.plant.description()
    }

    /// Where it was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// BLAKE3 of the file, 64 hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.loaded.digest
    }

    /// What loading it changed in this process.
    #[must_use]
    pub const fn disturbance(&self) -> &Disturbance {
        &self.loaded.disturbs
    }
}

/// BLAKE3 of a file, as [`PlantLibrary::digest`] has it.
pub(crate) fn digest_of(path: &Path) -> Result<String, LibraryFault> {
    Ok(blake3::hash(&read(path)?).to_hex().to_string())
}

/// The bytes of a regular file.
fn read(path: &Path) -> Result<Vec<u8>, LibraryFault> {
    let mut bytes = Vec::new();
    let file = open_regular(path)?;
    file.take(MAX_BYTES).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    Ok(bytes)
}

fn open_regular(path: &Path) -> Result<File, LibraryFault> {
    bitloop_text::open_regular(path, MAX_BYTES).map_err(|error| unreadable(&error))
}

fn unreadable(error: &std::io::Error) -> LibraryFault {
    match error.kind() {
        ErrorKind::NotFound => LibraryFault::Missing,
        _ => LibraryFault::Unreadable(error.to_string()),
    }
}
