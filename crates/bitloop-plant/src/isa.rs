//! The instruction sets that kernels are compiled for, and which of them this machine has.

use std::fmt;
use std::sync::LazyLock;

/// An instruction set that this machine is known to have.
///
/// A value can only be had from a check of the processor, so holding one is the proof that [`dispatch`](crate::dispatch()) needs.
/// Every instruction set gives the same bits; they differ in speed alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Isa(Level);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Level {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Why an instruction set cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IsaError {
    /// The name is none of `avx512`, `avx2`, `portable`.
    Unknown(String),
    /// The name is known, but this processor lacks the instructions.
    Unsupported(&'static str),
}

impl fmt::Display for IsaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => {
                write!(f, "unknown instruction set `{name}`: use avx512, avx2 or portable")
            }
            Self::Unsupported(name) => {
                write!(f, "this processor lacks `{name}`: use a smaller instruction set")
            }
        }
    }
}

impl std::error::Error for IsaError {}

impl Isa {
    /// Plain scalar code, which every machine runs.
    pub const PORTABLE: Self = Self(Level::Portable);

    /// The fastest instruction set of this machine.
    #[must_use]
    pub fn best() -> Self {
        Self::available().next().unwrap_or(Self::PORTABLE)
    }

    /// Every instruction set of this machine, fastest first.
    pub fn available() -> impl Iterator<Item = Self> {
        ["avx512", "avx2", "portable"].into_iter().filter_map(|name| Self::named(name).ok())
    }

    /// The instruction set called `avx512`, `avx2` or `portable`.
    ///
    /// # Errors
    /// [`IsaError`] when the name is unknown or the processor lacks the instructions.
    pub fn named(name: &str) -> Result<Self, IsaError> {
        match name {
            "portable" => Ok(Self::PORTABLE),
            #[cfg(target_arch = "x86_64")]
            "avx2" if *HAS_AVX2 => Ok(Self(Level::Avx2)),
            #[cfg(target_arch = "x86_64")]
            "avx512" if *HAS_AVX512 => Ok(Self(Level::Avx512)),
            "avx2" => Err(IsaError::Unsupported("avx2")),
            "avx512" => Err(IsaError::Unsupported("avx512")),
            _ => Err(IsaError::Unknown(name.to_owned())),
        }
    }

    /// The name that [`Isa::named`] takes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            Level::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "avx512",
        }
    }

    /// The code that crosses the plant boundary.
    #[must_use]
    pub const fn code(self) -> u32 {
        match self.0 {
            Level::Portable => 0,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => 1,
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => 2,
        }
    }

    /// The instruction set of a code, if this machine has it.
    #[inline]
    #[must_use]
    pub fn from_code(code: u32) -> Option<Self> {
        match code {
            0 => Some(Self::PORTABLE),
            #[cfg(target_arch = "x86_64")]
            1 if *HAS_AVX2 => Some(Self(Level::Avx2)),
            #[cfg(target_arch = "x86_64")]
            2 if *HAS_AVX512 => Some(Self(Level::Avx512)),
            _ => None,
        }
    }

    pub(crate) const fn level(self) -> Level {
        self.0
    }
}

/// Looked up once: a plant's table checks the code that it is given at every call.
#[cfg(target_arch = "x86_64")]
static HAS_AVX2: LazyLock<bool> =
    LazyLock::new(|| is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"));

/// As [`HAS_AVX2`].
#[cfg(target_arch = "x86_64")]
static HAS_AVX512: LazyLock<bool> = LazyLock::new(|| {
    *HAS_AVX2
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
});
