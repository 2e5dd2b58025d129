//! [`Registry`]: the plants that a program knows by name, linked in or from libraries.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bitloop_fmu::FmuFault;
use bitloop_plant::{DescriptionError, Plant, PlantHandle};
use bitloop_text::FileError;
use thiserror::Error;

use crate::discovery::{AskName, Discovery, Found};
use crate::fmu::{FmuError, FmuPlantFault};
use crate::library::{LibraryError, PlantLibrary};

/// Why a plant cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HostError {
    /// No plant has this name.
    #[error("there is no plant `{name}`")]
    Unknown {
        /// The name asked for.
        name: String,
        /// The known name that is most like it, if one is.
        suggestion: Option<String>,
        /// All known names.
        known: Vec<String>,
        /// Libraries whose names could not be read.
        faulty: Vec<LibraryError>,
    },
    /// The plant's description is faulty, or its structural parameters do not fit.
    #[error("plant `{name}`: {error}")]
    Description {
        /// The plant.
        name: String,
        /// What is wrong.
        error: DescriptionError,
    },
    /// Several plants have this name.
    #[error("there are several plants `{name}`: {}", origins.join(", "))]
    Clash {
        /// The name asked for.
        name: String,
        /// Where they come from.
        origins: Vec<String>,
    },
    /// A library describes its plant by another name than it was found by.
    #[error("the library {} was found by the name `{name}`, but describes a plant `{described}`", path.display())]
    OtherName {
        /// The library.
        path: PathBuf,
        /// The name that it was found by.
        name: String,
        /// The name in its description.
        described: String,
    },
    /// The plant's library cannot be used, or its structural parameters do not fit.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The FMU cannot be used as a plant.
    #[error(transparent)]
    Fmu(#[from] FmuError),
}

impl HostError {
    /// The mistake in the file beside an FMU, if that is what is wrong.
    #[must_use]
    pub const fn in_settings(&self) -> Option<&FileError> {
        match self {
            Self::Fmu(FmuError {
                fault: FmuPlantFault::Files(FmuFault::Settings(error)), ..
            }) => Some(error),
            _ => None,
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Unknown { suggestion, known, faulty, .. } => {
                let meant = suggestion.as_ref();
                let meant =
                    meant.map(|name| format!("did you mean `{name}`? ")).unwrap_or_default();
                let faults: Vec<String> =
                    faulty.iter().map(|error| format!("; not searched: {error}")).collect();
                format!(
                    "{meant}known plants: {}; those in other libraries are found in the folders of BITLOOP_PLANT_PATH, or named by their path{}",
                    known.join(", "),
                    faults.concat()
                )
            }
            Self::Description { .. } => "correct the plant's description".to_owned(),
            Self::Clash { .. } => {
                "name the library by its path, or rename one of the plants".to_owned()
            }
            Self::OtherName { .. } => {
                "export the name that the description has, and build the library again".to_owned()
            }
            Self::Library(error) => error.hint(),
            Self::Fmu(error) => error.hint(),
        }
    }
}

type Opener = fn(Option<&[u64]>) -> Result<PlantHandle, DescriptionError>;

/// The plants that come with bitloop. Their own crates open them, so that their kernels are not compiled again here.
const BUILT_IN: &[(&str, Opener)] = &[
    ("acrobot", bitloop_acrobot::open),
    ("ball-and-beam", bitloop_ball_and_beam::open),
    ("coupled-tanks", bitloop_coupled_tanks::open),
    ("cstr", bitloop_cstr::open),
    ("double-pendulum", bitloop_double_pendulum::open),
    ("inverted-pendulum", bitloop_inverted_pendulum::open),
    ("lane-keeping", bitloop_lane_keeping::open),
    ("magnetic-levitation", bitloop_magnetic_levitation::open),
    ("mass-spring-damper", bitloop_mass_spring_damper::open),
    ("mountain-car", bitloop_mountain_car::open),
    ("pendulum-swing-up", bitloop_pendulum_swing_up::open),
    ("planar-quadrotor", bitloop_planar_quadrotor::open),
    ("van-der-pol", bitloop_van_der_pol::open),
];

/// Plants by name: those that are linked in, and those of libraries, which are searched when a name asks for one, and of
/// which none but that one is opened.
#[derive(Clone)]
pub struct Registry {
    /// In the order of their names.
    linked: Vec<(String, Opener)>,
    discovery: Arc<Discovery>,
    /// Libraries that were opened, by the name that they were asked for by.
    opened: Arc<Mutex<Vec<(String, PlantLibrary)>>>,
}

/// Where a plant comes from.
enum Origin {
    LinkedIn(Opener),
    Library(PathBuf),
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry").field("linked", &self.linked).finish_non_exhaustive()
    }
}

impl Registry {
    /// No plants.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            linked: Vec::new(),
            discovery: Arc::new(Discovery::nowhere()),
            opened: Arc::default(),
        }
    }

    /// The plants that come with bitloop.
    #[must_use]
    pub fn built_in() -> Self {
        let mut registry = Self::empty();
        registry.linked =
            BUILT_IN.iter().map(|(name, opener)| ((*name).to_owned(), *opener)).collect();
        registry
    }

    /// Adds a plant under the name that it describes itself by; one of the same name is replaced.
    pub fn add<P: Plant>(&mut self) {
        let name = P::default().description().name;
        self.linked.retain(|(known, _)| *known != name);
        self.linked.push((name, PlantHandle::linked::<P>));
        self.linked.sort_by(|(a, _), (b, _)| a.cmp(b));
    }

    /// Finds libraries (`*.so`) in these folders, or at these paths, by the names of their plants, in place of those that
    /// were found so far. Nothing is read before a name that is not linked in is asked for.
    ///
    /// A name that the file holds is read from there; `ask` asks the others for theirs, which runs their code, and so should
    /// do that in another process.
    #[must_use]
    pub fn with_libraries_in(self, places: Vec<PathBuf>, ask: AskName) -> Self {
        Self { discovery: Arc::new(Discovery::in_places(places, ask)), ..self }
    }

    /// Finds the library at `path` by `name`, and no other.
    #[must_use]
    pub fn with_library(self, name: &str, path: &Path) -> Self {
        Self { discovery: Arc::new(Discovery::of(name, path)), ..self }
    }

    /// The names of the plants that are linked in, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.linked.iter().map(|(name, _)| name.as_str())
    }

    /// All libraries that are found by name, in the order of their paths, and those whose names cannot be read.
    pub fn libraries(&self) -> impl Iterator<Item = &Result<Found, LibraryError>> {
        self.discovery.all().iter()
    }

    /// The library that has the plant of this name, `None` for a plant that is linked in. It is not opened.
    ///
    /// # Errors
    /// [`HostError`] if no plant has this name, or several have.
    pub fn library_path(&self, name: &str) -> Result<Option<PathBuf>, HostError> {
        Ok(match self.find(name)? {
            Origin::LinkedIn(_) => None,
            Origin::Library(path) => Some(path),
        })
    }

    /// Opens a plant with the given structural parameters, or its default ones.
    ///
    /// # Errors
    /// [`HostError`] if no plant has this name, or several have, or its description is faulty.
    pub fn open(&self, name: &str, structure: Option<&[u64]>) -> Result<PlantHandle, HostError> {
        match self.find(name)? {
            Origin::LinkedIn(opener) => opener(structure)
                .map_err(|error| HostError::Description { name: name.to_owned(), error }),
            Origin::Library(path) => Ok(self.open_library(name, &path)?.plant(structure)?),
        }
    }

    /// The library that the plant of this name was opened from, if it was opened from one.
    #[must_use]
    pub fn library(&self, name: &str) -> Option<PlantLibrary> {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.iter().find(|(known, _)| known == name).map(|(_, library)| library.clone())
    }

    fn open_library(&self, name: &str, path: &Path) -> Result<PlantLibrary, HostError> {
        if let Some(library) = self.library(name) {
            return Ok(library);
        }
        let library = PlantLibrary::open(path)?;
        let described = &library.description().name;
        if described != name {
            return Err(HostError::OtherName {
                path: path.to_owned(),
                name: name.to_owned(),
                described: described.clone(),
            });
        }
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.push((name.to_owned(), library.clone()));
        Ok(library)
    }

    fn find(&self, name: &str) -> Result<Origin, HostError> {
        let linked = self.linked.iter().find(|(known, _)| known == name).map(|(_, opener)| *opener);
        // A library that does not hold its name in its file is not asked for it without need.
        let paths = match linked {
            Some(_) => self.discovery.named_in_file(name),
            None => self.discovery.named(name),
        };
        match (linked, &paths[..]) {
            (Some(opener), []) => Ok(Origin::LinkedIn(opener)),
            (None, [path]) => Ok(Origin::Library(path.clone())),
            (None, []) => Err(self.unknown(name)),
            (linked, paths) => {
                let linked = linked.map(|_| "built in".to_owned());
                let paths = paths.iter().map(|path| path.display().to_string());
                let origins = linked.into_iter().chain(paths).collect();
                Err(HostError::Clash { name: name.to_owned(), origins })
            }
        }
    }

    fn unknown(&self, name: &str) -> HostError {
        let found = self.libraries().filter_map(|library| Some(library.as_ref().ok()?.name()));
        let mut known: Vec<&str> = self.names().chain(found).collect();
        known.sort_unstable();
        known.dedup();
        let suggestion = known
            .iter()
            .map(|known| (strsim::damerau_levenshtein(known, name), *known))
            .filter(|(distance, known)| *distance <= known.len() / 3)
            .min()
            .map(|(_, known)| known.to_owned());
        HostError::Unknown {
            name: name.to_owned(),
            suggestion,
            known: known.into_iter().map(str::to_owned).collect(),
            faulty: self.libraries().filter_map(|library| library.clone().err()).collect(),
        }
    }
}
