//! [`Registry`]: the plants that a program knows by name.

use std::fmt;

use bitloop_inverted_pendulum::InvertedPendulum;
use bitloop_plant::{DescriptionError, Plant, PlantHandle};

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
}

impl HostError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Unknown { suggestion: Some(suggestion), .. } => {
                format!("did you mean `{suggestion}`?")
            }
            Self::Unknown { known, .. } => format!("known plants: {}", known.join(", ")),
            Self::Description { .. } => "mend the plant's description".to_owned(),
        }
    }
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, .. } => write!(f, "there is no plant `{name}`"),
            Self::Description { name, error } => write!(f, "plant `{name}`: {error}"),
        }
    }
}

impl std::error::Error for HostError {}

type Opener = fn(Option<&[u64]>) -> Result<PlantHandle, DescriptionError>;

/// Plants by name, in the order of their names.
#[derive(Clone, Debug)]
pub struct Registry {
    plants: Vec<(String, Opener)>,
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
        registry.add::<InvertedPendulum>();
        registry
    }

    /// Adds a plant under the name that it describes itself by; one of the same name is replaced.
    pub fn add<P: Plant>(&mut self) {
        let name = P::default().description().name;
        self.plants.retain(|(known, _)| *known != name);
        self.plants.push((name, PlantHandle::linked::<P>));
        self.plants.sort_by(|(a, _), (b, _)| a.cmp(b));
    }

    /// The known names in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.plants.iter().map(|(name, _)| name.as_str())
    }

    /// Opens a plant with the given structural parameters, or its default ones.
    ///
    /// # Errors
    /// [`HostError`] if no plant has this name, or its description is faulty.
    pub fn open(&self, name: &str, structure: Option<&[u64]>) -> Result<PlantHandle, HostError> {
        let Some((_, opener)) = self.plants.iter().find(|(known, _)| known == name) else {
            return Err(self.unknown(name));
        };
        opener(structure).map_err(|error| HostError::Description { name: name.to_owned(), error })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plants_are_found_by_name() {
        let plant = Registry::built_in().open("inverted-pendulum", None).unwrap();
        assert_eq!(plant.description().name, "inverted-pendulum");
    }

    #[test]
    fn a_misspelt_name_gets_a_suggestion() {
        let error = Registry::built_in().open("inverted-pendlum", None).unwrap_err();
        assert_eq!(error.to_string(), "there is no plant `inverted-pendlum`");
        assert_eq!(error.hint(), "did you mean `inverted-pendulum`?");
        let error = Registry::built_in().open("x", None).unwrap_err();
        assert!(error.hint().starts_with("known plants: "), "{}", error.hint());
    }

    #[test]
    fn a_structure_of_the_wrong_length_is_refused() {
        let error = Registry::built_in().open("inverted-pendulum", Some(&[3])).unwrap_err();
        assert!(matches!(error, HostError::Description { .. }), "{error}");
    }
}
