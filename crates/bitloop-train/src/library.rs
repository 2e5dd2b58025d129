//! [`Library`]: which library or FMU a plant comes from.

use std::path::PathBuf;

use bitloop_host::{FmuPlant, PlantLibrary};
use serde::{Deserialize, Serialize};

/// The identity of a plant's library, or of its FMU with the file beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Library {
    /// Where it is.
    pub path: PathBuf,
    /// The digest of its contents.
    pub digest: String,
    /// What loading it changed in the process, in words; it was restored.
    pub disturbed: Option<String>,
}

impl Library {
    /// A warning to the user about the library.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let disturbed = self.disturbed.as_ref()?;
        Some(format!(
            "warning: loading {} changes {disturbed}, which was put back; `bitloop plant check` explains it",
            self.path.display()
        ))
    }
}

/// What a user should know of a plant: what its library changed, and whose bits it gives.
#[must_use]
pub fn plant_notes(library: Option<&Library>, has_machine_bits: bool) -> Vec<String> {
    let bits = "note: the plant's bits hold on one machine alone: on another one, the same seed may give another controller, \
                and a controller other errors";
    let bits = has_machine_bits.then(|| bits.to_owned());
    library.and_then(Library::warning).into_iter().chain(bits).collect()
}

impl From<&PlantLibrary> for Library {
    fn from(library: &PlantLibrary) -> Self {
        Self {
            path: library.path().to_owned(),
            digest: library.digest().to_owned(),
            disturbed: library.disturbance().in_words(),
        }
    }
}

impl From<&FmuPlant> for Library {
    fn from(fmu: &FmuPlant) -> Self {
        Self {
            path: fmu.path().to_owned(),
            digest: fmu.digest().to_owned(),
            disturbed: fmu.disturbance().in_words(),
        }
    }
}
