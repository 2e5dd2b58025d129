//! [`LibraryError`]: why a library cannot be used as a plant.

use std::env::consts::ARCH;
use std::path::PathBuf;

use bitloop_plant::abi::{AbiError, SYMBOL};
use thiserror::Error;

/// A library that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("plant library {}: {fault}", path.display())]
pub struct LibraryError {
    /// The library, as it was named.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: LibraryFault,
}

/// What is wrong with a library.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LibraryFault {
    /// There is no such file.
    #[error("no such file")]
    Missing,
    /// The file cannot be read, and why.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// The file is something else than a library.
    #[error("not a shared library: {0}")]
    NotALibrary(&'static str),
    /// The library was built for another machine.
    #[error("built for another machine: {0}, but this one is {ARCH}")]
    WrongMachine(String),
    /// The file ends before what it says is in it.
    #[error("the file is cut short")]
    CutShort,
    /// Another library, which this one needs, is not found.
    #[error("it needs the library {0}, which is not found")]
    MissingDependency(String),
    /// A symbol that the library uses is nowhere defined.
    #[error("it uses the symbol `{0}`, which is nowhere defined")]
    UndefinedSymbol(String),
    /// The system's loader refuses the library.
    #[error("the system refuses to load it: {0}")]
    Refused(String),
    /// The library does not export a plant.
    #[error("it holds no plant: there is no symbol `{SYMBOL}`")]
    NoPlant,
    /// The library was asked for the name of its plant, in another process, and gave none.
    #[error("the name of its plant cannot be read: {0}")]
    NoName(String),
    /// The plant in it breaks the contract.
    #[error(transparent)]
    Abi(AbiError),
}

impl LibraryError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        let hint = match &self.fault {
            LibraryFault::Missing => "check the path, and build the library first",
            LibraryFault::Unreadable(_) => "name a file that can be read",
            LibraryFault::NotALibrary(_) => {
                "name the shared library itself, a .so file built with -shared or crate-type cdylib"
            }
            LibraryFault::WrongMachine(_) => "build it for this machine",
            LibraryFault::CutShort => "build or copy it again",
            LibraryFault::MissingDependency(_) => {
                "install it, or name its folder in LD_LIBRARY_PATH; the plant's own folder is not searched"
            }
            LibraryFault::UndefinedSymbol(_) => {
                "link the library that defines it, or write the function"
            }
            LibraryFault::Refused(_) => "try `ldd` on it",
            LibraryFault::NoPlant => {
                "export it with `bitloop_plant::export_plant!` in Rust, or BITLOOP_PLANT in C"
            }
            LibraryFault::NoName(_) => "`bitloop plant check` with its path looks for the cause",
            LibraryFault::Abi(error) => error.hint(),
        };
        hint.to_owned()
    }
}
