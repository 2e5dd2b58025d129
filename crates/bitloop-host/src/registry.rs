//! [`Registry`]: the plants that a program knows by name, linked in or from libraries.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use bitloop_plant::{DescriptionError, Plant, PlantHandle};

use crate::library::{LibraryError, PlantLibrary};

/// Why a plant cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostError {
    /// No plant has this name.
    Unknown {
        /// The name asked for.
        name: String,
        /// The known name that is most like it, if one is.
        suggestion: Option<String>,
        /// All known names.
        known: Vec<String>,
    },
    /// The plant's description is faulty, or its structural parameters do not fit.
    Description {
        /// The plant.
        name: String,
        /// What is wrong.
        error: DescriptionError,
    },
    /// Several plants have this name.
    Clash {
        /// The name asked for.
        name: String,
        /// Where they come from.
        origins: Vec<String>,
    },
    /// The plant's library cannot be used, or its structural parameters do not fit.
    Library(LibraryError),
}

impl HostError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Unknown { suggestion: Some(suggestion), .. } => {
                format!("did you mean `{suggestion}`?")
            }
            Self::Unknown { known, .. } => format!(
                "known plants: {}; those in other libraries are found in the folders of BITLOOP_PLANT_PATH",
                known.join(", ")
            ),
            Self::Description { .. } => "mend the plant's description".to_owned(),
            Self::Clash { .. } => {
                "name the library by its path, or rename one of the plants".to_owned()
            }
            Self::Library(error) => error.hint(),
        }
    }
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, .. } => write!(f, "there is no plant `{name}`"),
            Self::Description { name, error } => write!(f, "plant `{name}`: {error}"),
            Self::Clash { name, origins } => {
                write!(f, "there are several plants `{name}`: {}", origins.join(", "))
            }
            Self::Library(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for HostError {}

impl From<LibraryError> for HostError {
    fn from(error: LibraryError) -> Self {
        Self::Library(error)
    }
}

type Opener = fn(Option<&[u64]>) -> Result<PlantHandle, DescriptionError>;

/// The plants that come with bitloop. Their own crates open them, so that their kernels are not compiled again here.
const BUILT_IN: &[(&str, Opener)] = &[
    ("acrobot", bitloop_acrobot::open),
    ("cstr", bitloop_cstr::open),
    ("inverted-pendulum", bitloop_inverted_pendulum::open),
    ("mass-spring-damper", bitloop_mass_spring_damper::open),
    ("pendulum-swing-up", bitloop_pendulum_swing_up::open),
];

/// Plants by name, in the order of their names.
#[derive(Clone, Debug)]
pub struct Registry {
    plants: Vec<(String, Origin)>,
}

/// Where a plant comes from.
#[derive(Clone, Debug)]
enum Origin {
    LinkedIn(Opener),
    Library(PlantLibrary),
}

impl Registry {
    /// No plants.
    #[must_use]
    pub const fn empty() -> Self {
        Self { plants: Vec::new() }
    }

    /// The plants that come with bitloop.
    #[must_use]
    pub fn built_in() -> Self {
        let mut registry = Self::empty();
        for (name, opener) in BUILT_IN {
            registry.insert((*name).to_owned(), Origin::LinkedIn(*opener));
        }
        registry
    }

    /// Adds a plant under the name that it describes itself by; one of the same name is replaced.
    pub fn add<P: Plant>(&mut self) {
        let name = P::default().description().name;
        self.plants
            .retain(|(known, origin)| *known != name || matches!(origin, Origin::Library(_)));
        self.insert(name, Origin::LinkedIn(PlantHandle::linked::<P>));
    }

    /// Adds the plant of a library, under the name that it describes itself by. Another one of that name stays, and makes
    /// the name ambiguous; the same library again changes nothing.
    pub fn add_library(&mut self, library: PlantLibrary) {
        let digest = library.digest();
        let is_known = self.plants.iter().any(|(_, origin)| match origin {
            Origin::Library(known) => known.digest() == digest,
            Origin::LinkedIn(_) => false,
        });
        if !is_known {
            self.insert(library.description().name.clone(), Origin::Library(library));
        }
    }

    /// Adds the plants of all libraries (`*.so`) in these folders, or at these paths, and gives those that cannot be used.
    pub fn search(&mut self, places: &[PathBuf]) -> Vec<LibraryError> {
        let mut unusable = Vec::new();
        for path in places.iter().flat_map(|place| libraries_at(place)) {
            match PlantLibrary::open(&path) {
                Ok(library) => self.add_library(library),
                Err(error) => unusable.push(error),
            }
        }
        unusable
    }

    fn insert(&mut self, name: String, origin: Origin) {
        self.plants.push((name, origin));
        self.plants.sort_by(|(a, _), (b, _)| a.cmp(b));
    }

    /// The known names in alphabetical order, each once.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let is_new = |i: usize| i == 0 || self.plants[i - 1].0 != self.plants[i].0;
        self.plants
            .iter()
            .enumerate()
            .filter(move |(i, _)| is_new(*i))
            .map(|(_, (name, _))| name.as_str())
    }

    /// Opens a plant with the given structural parameters, or its default ones.
    ///
    /// # Errors
    /// [`HostError`] if no plant has this name, or several have, or its description is faulty.
    pub fn open(&self, name: &str, structure: Option<&[u64]>) -> Result<PlantHandle, HostError> {
        match self.find(name)? {
            Origin::LinkedIn(opener) => opener(structure)
                .map_err(|error| HostError::Description { name: name.to_owned(), error }),
            Origin::Library(library) => Ok(library.plant(structure)?),
        }
    }

    /// The library that the plant of this name comes from, if it comes from one.
    #[must_use]
    pub fn library(&self, name: &str) -> Option<&PlantLibrary> {
        match self.find(name) {
            Ok(Origin::Library(library)) => Some(library),
            _ => None,
        }
    }

    fn find(&self, name: &str) -> Result<&Origin, HostError> {
        let mut found = self.plants.iter().filter(|(known, _)| known == name);
        let (_, first) = found.next().ok_or_else(|| self.unknown(name))?;
        let others: Vec<_> = found.map(|(_, origin)| origin).collect();
        if others.is_empty() {
            return Ok(first);
        }
        let origins = std::iter::once(first).chain(others).map(|origin| match origin {
            Origin::LinkedIn(_) => "built in".to_owned(),
            Origin::Library(library) => library.path().display().to_string(),
        });
        Err(HostError::Clash { name: name.to_owned(), origins: origins.collect() })
    }

    fn unknown(&self, name: &str) -> HostError {
        let suggestion = self
            .names()
            .map(|known| (strsim::damerau_levenshtein(known, name), known))
            .filter(|(distance, known)| *distance <= known.len() / 3)
            .min()
            .map(|(_, known)| known.to_owned());
        HostError::Unknown {
            name: name.to_owned(),
            suggestion,
            known: self.names().map(str::to_owned).collect(),
        }
    }
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
