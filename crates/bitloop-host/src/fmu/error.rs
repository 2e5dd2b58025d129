//! [`FmuError`]: why an FMU cannot be used as a plant.

use std::path::PathBuf;

use bitloop_fmu::FmuFault;
use thiserror::Error;

use crate::library::LibraryFault;

/// An FMU that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("FMU {}: {fault}", path.display())]
pub struct FmuError {
    /// The FMU, as it was named.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: FmuPlantFault,
}

/// What is wrong with an FMU.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FmuPlantFault {
    /// The archive, its description, or the file beside it.
    #[error(transparent)]
    Files(#[from] FmuFault),
    /// The library in it.
    #[error("its library: {0}")]
    Library(LibraryFault),
    /// The library lacks a function of its version.
    #[error("its library has no function `{0}`")]
    NoFunction(&'static str),
    /// Its files cannot be unpacked, and why.
    #[error("it has files beside its library, which cannot be unpacked: {0}")]
    Unpack(String),
    /// The model does not start, in words.
    #[error("the model does not start: {0}")]
    Start(String),
    /// What the plant shows depends on a control at once.
    #[error("{what} depends at once on the control `{control}`, and not on the state alone")]
    Feedthrough {
        /// An observation, or the failure.
        what: String,
        /// The control.
        control: String,
    },
}

impl FmuError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        let hint = match &self.fault {
            FmuPlantFault::Files(fault) => return fault.hint(),
            FmuPlantFault::Library(LibraryFault::MissingDependency(_)) => {
                "install it, or name its folder in LD_LIBRARY_PATH"
            }
            FmuPlantFault::Library(_) | FmuPlantFault::NoFunction(_) => {
                "export it again, for this machine"
            }
            FmuPlantFault::Unpack(_) => {
                "run it without a sandbox, with a folder for temporary files that can be written"
            }
            FmuPlantFault::Start(_) => "try other parameters and starts in the file beside it",
            FmuPlantFault::Feedthrough { .. } => {
                "a controller sees y = h(x), from which its control follows: leave it out, or observe a filtered variable"
            }
        };
        hint.to_owned()
    }
}
