//! [`Library`]: which library a plant comes from.

use std::path::PathBuf;

use bitloop_host::PlantLibrary;
use serde::{Deserialize, Serialize};

/// The identity of a plant's library.
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

impl From<&PlantLibrary> for Library {
    fn from(library: &PlantLibrary) -> Self {
        Self {
            path: library.path().to_owned(),
            digest: library.digest().to_owned(),
            disturbed: library.disturbance().in_words(),
        }
    }
}
