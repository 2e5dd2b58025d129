//! [`Discovery`]: libraries found by the names of their plants, none of which is opened for that.
//!
//! A library may hold the name of its plant in its symbol table, which is read from the file. For one that does not, code of
//! the library has to run: the caller does that, in another process, and only where no file holds the name.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::library::{Exported, LibraryError, LibraryFault, digest_of, exported};

/// Asks the library at a path for the name of its plant, by running its code in another process. The error is in words.
pub type AskName = Arc<dyn Fn(&Path) -> Result<String, String> + Send + Sync>;

/// A library and the name of its plant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    name: String,
    path: PathBuf,
}

impl Found {
    /// The name of its plant.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Libraries that are looked for in folders.
pub(crate) struct Discovery {
    places: Vec<PathBuf>,
    ask: AskName,
    /// What their files hold, in the order of the places, and of the paths within each.
    files: OnceLock<Vec<(PathBuf, Result<Exported, LibraryFault>)>>,
    /// The same, after those that hold no name were asked for it.
    all: OnceLock<Vec<Result<Found, LibraryError>>>,
}

impl Discovery {
    /// Finds nothing.
    pub fn nowhere() -> Self {
        Self::in_places(Vec::new(), Arc::new(|_| Err("it is not asked".to_owned())))
    }

    /// Finds the libraries in these folders, or at these paths.
    pub fn in_places(places: Vec<PathBuf>, ask: AskName) -> Self {
        Self { places, ask, files: OnceLock::new(), all: OnceLock::new() }
    }

    /// Finds one library by a name that is known.
    pub fn of(name: &str, path: &Path) -> Self {
        let discovery = Self::nowhere();
        let exported = Exported::Name(name.to_owned());
        let files = discovery.files.set(vec![(path.to_owned(), Ok(exported))]);
        debug_assert!(files.is_ok(), "nothing was looked for yet");
        discovery
    }

    /// The libraries whose files hold this name.
    pub fn named_in_file(&self, name: &str) -> Vec<PathBuf> {
        let named = self.files().iter().filter(|(_, exported)| match exported {
            Ok(Exported::Name(known)) => known == name,
            _ => false,
        });
        distinct(named.map(|(path, _)| path.clone()).collect())
    }

    /// The libraries whose files hold this name, or else those that give it when they are asked.
    pub fn named(&self, name: &str) -> Vec<PathBuf> {
        let in_file = self.named_in_file(name);
        if !in_file.is_empty() {
            return in_file;
        }
        let found = self.all().iter().filter_map(|library| library.as_ref().ok());
        distinct(found.filter(|found| found.name == name).map(|found| found.path.clone()).collect())
    }

    /// All libraries; those that do not hold their names are asked for it once.
    pub fn all(&self) -> &[Result<Found, LibraryError>] {
        self.all.get_or_init(|| {
            self.files()
                .iter()
                .map(|(path, exported)| {
                    let name = match exported {
                        Ok(Exported::Name(name)) => Ok(name.clone()),
                        Ok(Exported::Code) => (self.ask)(path).map_err(LibraryFault::NoName),
                        Err(fault) => Err(fault.clone()),
                    };
                    match name {
                        Ok(name) => Ok(Found { name, path: path.clone() }),
                        Err(fault) => Err(LibraryError { path: path.clone(), fault }),
                    }
                })
                .collect()
        })
    }

    fn files(&self) -> &[(PathBuf, Result<Exported, LibraryFault>)] {
        self.files.get_or_init(|| {
            let mut paths: Vec<PathBuf> = Vec::new();
            for path in self.places.iter().flat_map(|place| libraries_at(place)) {
                if !paths.contains(&path) {
                    paths.push(path);
                }
            }
            paths.into_iter().map(|path| (path.clone(), exported(&path))).collect()
        })
    }
}

/// Libraries that differ: copies of the same file are no conflict.
fn distinct(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    if paths.len() < 2 {
        return paths;
    }
    let mut digests = Vec::new();
    let is_new = |path: &PathBuf| match digest_of(path) {
        Ok(digest) if digests.contains(&digest) => false,
        Ok(digest) => {
            digests.push(digest);
            true
        }
        Err(_) => true,
    };
    paths.into_iter().filter(is_new).collect()
}

/// The libraries in a folder by their names, or the path itself if it is no folder.
fn libraries_at(place: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(place) else { return vec![place.to_owned()] };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "so"))
        .collect();
    paths.sort();
    paths
}
