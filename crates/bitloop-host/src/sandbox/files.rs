//! Rights on files and TCP ports, by Landlock: to read the library, its dependencies and the system's libraries.

#![allow(unsafe_code, reason = "a system call")]

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};

use crate::library::{LibraryFault, Needs, exported, needs};

/// The version whose rights are taken, as far as the system knows them.
const VERSION: ABI = ABI::V6;

/// Where the loader finds libraries, and what the C library and Rust's read of the process and of the processors that it has.
const SYSTEM: [&str; 9] = [
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
    "/proc/self",
    "/sys/devices/system/cpu",
    "/sys/fs/cgroup",
];

/// The most libraries that one may depend on, directly or not.
const MAX_LIBRARIES: usize = 256;

/// Whether this system knows Landlock.
pub(super) fn is_supported() -> bool {
    const ASK_VERSION: u32 = 1;
    let nothing = std::ptr::null::<u8>();
    // SAFETY: with this flag, the call returns a number and reads nothing.
    let version =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, nothing, 0_usize, ASK_VERSION) };
    version >= 1
}

/// The files and folders that may be read: those of the system, the libraries, and what these depend on in the folders that
/// they, or `LD_LIBRARY_PATH`, name. Outside of the system's folders only shared libraries count, so that no library can ask
/// for another file by calling it a dependency.
pub(super) fn readable(libraries: &[PathBuf]) -> Vec<PathBuf> {
    let named = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let named: Vec<PathBuf> = std::env::split_paths(&named).filter(|p| p.is_absolute()).collect();
    let mut found = libraries.to_vec();
    let mut index = 0;
    while index < found.len().min(MAX_LIBRARIES) {
        let Needs { libraries, folders } = needs(&found[index]);
        for name in libraries {
            let places = folders.iter().chain(&named).map(|folder| folder.join(&name));
            let is_new = |path: &PathBuf| !found.contains(path) && is_library(path);
            let new: Vec<PathBuf> = places.filter(is_new).collect();
            found.extend(new);
        }
        index += 1;
    }
    found.extend(SYSTEM.iter().map(PathBuf::from));
    found
}

pub(super) fn is_library(path: &Path) -> bool {
    matches!(exported(path), Ok(_) | Err(LibraryFault::NoPlant))
}

/// Takes all rights on files and ports but the right to read these. On a system without Landlock nothing happens.
pub(super) fn restrict(readable: &[PathBuf]) -> Result<(), RulesetError> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(VERSION))?
        .handle_access(AccessNet::from_all(VERSION))?
        .scope(Scope::from_all(VERSION))?
        .create()?
        .add_rules(path_beneath_rules(readable, read))?
        .restrict_self()?;
    Ok(())
}
