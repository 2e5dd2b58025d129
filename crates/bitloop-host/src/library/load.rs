//! The calls into the system's loader and into a library.

#![allow(unsafe_code, reason = "loads foreign code")]

use std::ffi::CString;
use std::fs::File;
use std::io::Write;
use std::mem::forget;
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::{Path, PathBuf};

use bitloop_plant::abi::{AbiError, SYMBOL};
use bitloop_plant::{FloatMode, PlantHandle};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

use super::{Entry, LibraryFault};
use crate::process_state::{Disturbance, ProcessState};

/// Loads a copy of `bytes` and finds the exported function. Neither is ever let go.
pub(super) fn load(path: &Path, bytes: &[u8]) -> Result<(Entry, Disturbance), LibraryFault> {
    let (library, disturbance) = load_copy(path, bytes)?;
    // SAFETY: a function of this name has this type: it is the contract.
    let entry = unsafe { library.get::<Entry>(SYMBOL) }.map(|symbol| *symbol);
    forget(library);
    Ok((entry.map_err(|_| LibraryFault::NoPlant)?, disturbance))
}

/// Loads a copy of `bytes`, which stays in memory. The library must not be closed.
pub(crate) fn load_copy(path: &Path, bytes: &[u8]) -> Result<(Library, Disturbance), LibraryFault> {
    let (file, name) = copy(path, bytes).map_err(|error| {
        LibraryFault::Refused(format!("no copy of it can be made in memory: {error}"))
    })?;
    let loaded = load_file(&name)?;
    // The loader knows the library by the name of the open file, so another file must never get that name.
    forget(file);
    Ok(loaded)
}

/// Loads the library at a path. It must not be closed.
pub(crate) fn load_file(path: &Path) -> Result<(Library, Disturbance), LibraryFault> {
    let state = ProcessState::capture();
    // SAFETY: the library was named by the user, and runs its constructors with the user's rights; its bytes were checked to
    // be a whole library for this machine.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
    let disturbance = state.restore();
    Ok((library.map_err(|error| fault(&reason(&error), path))?, disturbance))
}

/// The plant of an exported function, with its usual structure or the given one.
pub(super) fn plant(entry: Entry, structure: Option<&[u64]>) -> Result<PlantHandle, AbiError> {
    let mode = FloatMode::current();
    // SAFETY: the function comes from a library that stays loaded, and takes no arguments.
    let descriptor = unsafe { entry() };
    let _ = mode.restore();
    // SAFETY: it was returned by the exported function of a library that is never unloaded.
    unsafe { PlantHandle::from_descriptor(descriptor, structure) }
}

/// A copy in memory, and the path that it has while it is open.
fn copy(path: &Path, bytes: &[u8]) -> std::io::Result<(File, PathBuf)> {
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    // At most 249 bytes are allowed; the name only shows up in debuggers.
    let name: String =
        name.unwrap_or_default().chars().filter(char::is_ascii_graphic).take(64).collect();
    let name = CString::new(name).unwrap_or_default();
    // SAFETY: the name is a text ended by 0.
    let fd = unsafe { libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(std::io::Error::last_os_error());
    }
    // SAFETY: the descriptor is new, and belongs to nobody else.
    let mut file = unsafe { File::from_raw_fd(fd) };
    file.write_all(bytes)?;
    let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    Ok((file, path))
}

/// What the loader says, with the causes behind it.
fn reason(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = cause_text;
        }
        source = cause.source();
    }
    text
}

/// Reads the loader's message, which begins with the file that it is about.
fn fault(message: &str, name: &Path) -> LibraryFault {
    let own = format!("{}: ", name.display());
    let message = message.strip_prefix(&own).unwrap_or(message);
    if let Some((library, _)) = message.split_once(": cannot open shared object file") {
        return LibraryFault::MissingDependency(library.to_owned());
    }
    if let Some((_, symbol)) = message.split_once("undefined symbol: ") {
        let end = symbol.find([',', ' ']).unwrap_or(symbol.len());
        return LibraryFault::UndefinedSymbol(symbol[..end].to_owned());
    }
    LibraryFault::Refused(message.to_owned())
}
