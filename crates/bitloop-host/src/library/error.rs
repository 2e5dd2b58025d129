//! [`LibraryError`]: why a library cannot be used as a plant.

use std::fmt;
use std::path::PathBuf;

use bitloop_plant::abi::{AbiError, SYMBOL};

/// A library that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryError {
    /// The library, as it was named.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: LibraryFault,
}

/// What is wrong with a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LibraryFault {
    /// There is no such file.
    Missing,
    /// The file cannot be read, and why.
    Unreadable(String),
    /// The file is something else than a library.
    NotALibrary(&'static str),
    /// The library was built for another machine.
    WrongMachine(String),
    /// The file ends before what it says is in it.
    CutShort,
    /// Another library, which this one needs, is not found.
    MissingDependency(String),
    /// A symbol that the library uses is nowhere defined.
    UndefinedSymbol(String),
    /// The system's loader refuses the library.
    Refused(String),
    /// The library does not export a plant.
    NoPlant,
    /// The plant in it breaks the contract.
    Abi(AbiError),
}

impl LibraryError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match &self.fault {
            LibraryFault::Missing => "check the path, and build the library first".to_owned(),
            LibraryFault::Unreadable(_) => "name a file that can be read".to_owned(),
            LibraryFault::NotALibrary(_) => {
                "name the shared library itself, a .so file built with -shared or crate-type cdylib".to_owned()
            }
            LibraryFault::WrongMachine(_) => "build it for this machine".to_owned(),
            LibraryFault::CutShort => "build or copy it again".to_owned(),
            LibraryFault::MissingDependency(_) => {
                "install it, or name its folder in LD_LIBRARY_PATH; the plant's own folder is not searched".to_owned()
            }
            LibraryFault::UndefinedSymbol(_) => {
                "link the library that defines it, or write the function".to_owned()
            }
            LibraryFault::Refused(_) => "try `ldd` on it".to_owned(),
            LibraryFault::NoPlant => {
                "export it with `bitloop_plant::export_plant!` in Rust, or BITLOOP_PLANT in C".to_owned()
            }
            LibraryFault::Abi(error) => error.hint().to_owned(),
        }
    }
}

impl fmt::Display for LibraryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "plant library {}: ", self.path.display())?;
        match &self.fault {
            LibraryFault::Missing => f.write_str("no such file"),
            LibraryFault::Unreadable(why) => write!(f, "it cannot be read: {why}"),
            LibraryFault::NotALibrary(why) => write!(f, "not a shared library: {why}"),
            LibraryFault::WrongMachine(found) => {
                write!(
                    f,
                    "built for another machine: {found}, but this one is {}",
                    std::env::consts::ARCH
                )
            }
            LibraryFault::CutShort => f.write_str("the file is cut short"),
            LibraryFault::MissingDependency(name) => {
                write!(f, "it needs the library {name}, which is not found")
            }
            LibraryFault::UndefinedSymbol(name) => {
                write!(f, "it uses the symbol `{name}`, which is nowhere defined")
            }
            LibraryFault::Refused(why) => write!(f, "the system refuses to load it: {why}"),
            LibraryFault::NoPlant => write!(f, "it holds no plant: there is no symbol `{SYMBOL}`"),
            LibraryFault::Abi(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LibraryError {}
