//! [`AbiError`]: why a library cannot be used as a plant.

use std::fmt;

use super::descriptor::ABI_VERSION;
use crate::description::DescriptionError;

/// Why a library cannot be used as a plant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AbiError {
    /// The descriptor is a null pointer or a misaligned one.
    NoDescriptor,
    /// The library speaks another version of the ABI.
    Version {
        /// Its version.
        found: u32,
    },
    /// A structure is smaller than in this version, or larger than any plausible later version.
    StructSize {
        /// The structure.
        what: &'static str,
        /// Its size as the library has it, in bytes.
        found: u32,
        /// The size that this version has, in bytes.
        expected: u32,
    },
    /// A function that every plant has is a null pointer.
    NoFunction(&'static str),
    /// The plant gave no description; the text is its reason, or empty.
    NotDescribed(String),
    /// The description of the plant is faulty.
    Description(DescriptionError),
}

impl AbiError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Version { found } if *found > ABI_VERSION => {
                "use a newer bitloop, or build the plant with the SDK of this one"
            }
            Self::Version { .. } | Self::StructSize { .. } => {
                "build the plant again, with the SDK of this bitloop"
            }
            Self::NoDescriptor => "return the address of a static descriptor",
            Self::NoFunction(_) => "fill in every function of the descriptor",
            Self::NotDescribed(_) | Self::Description(_) => "mend the plant's description",
        }
    }
}

impl fmt::Display for AbiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDescriptor => f.write_str("its descriptor is a null or misaligned pointer"),
            Self::Version { found } => {
                let age = if *found > ABI_VERSION { "newer" } else { "older" };
                write!(
                    f,
                    "it speaks version {found} of the plant ABI, {age} than this bitloop's {ABI_VERSION}"
                )
            }
            Self::StructSize { what, found, expected } => {
                let how = if found < expected { "short" } else { "long" };
                write!(f, "its {what} is too {how}: {found} bytes, expected {expected}")
            }
            Self::NoFunction(name) => write!(f, "its function `{name}` is a null pointer"),
            Self::NotDescribed(message) if message.is_empty() => {
                f.write_str("it does not describe itself, and gives no reason")
            }
            Self::NotDescribed(message) => write!(f, "it does not describe itself: {message}"),
            Self::Description(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AbiError {}

impl From<DescriptionError> for AbiError {
    fn from(error: DescriptionError) -> Self {
        Self::Description(error)
    }
}
