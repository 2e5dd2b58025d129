//! [`Sandbox`]: a process gives up its rights before it opens a plant's library.
//!
//! Afterwards the process reads the library, what that depends on, and the system's libraries; it writes no file, opens no
//! socket, starts no process, sends no signal to another one, and has a limit on memory and open files. None of this can be
//! taken back, by the library neither. What is left to a hostile library is to use up processor time, to answer wrong
//! numbers, and to observe what a process can observe of its machine without asking, such as time.
//!
//! Landlock takes the rights on files, a seccomp filter the system calls. A call of the filter's list of forbidden ones ends
//! the process with SIGSYS and a line on standard error that names it; any other that a computation has no use for fails. A
//! file that is not read since Landlock refuses it is named in such a line, too.

#![allow(unsafe_code, reason = "limits and variables of the process")]

#[cfg(target_arch = "x86_64")]
mod call_table;
mod files;
mod system_calls;
#[cfg(target_arch = "x86_64")]
mod trap;

use std::fs;
use std::io;
use std::path::PathBuf;

/// What a line on standard error begins with that names a file which a plant was not allowed to read.
pub(crate) const DENIED: &str = "the sandbox denies reading ";

/// Memory of a process, in bytes: what a training may ask for with one thread, and a GiB for each further one.
const BASE_BYTES: u64 = 4 << 30;
const BYTES_PER_CORE: u64 = 1 << 30;

/// Files that may be open at once.
const MAX_FILES: u64 = 128;

/// The longest file in memory, in bytes, unless the copy of a library is longer.
const FILE_BYTES: u64 = 16 << 20;

/// How much larger a library may be than the archive that it is packed in.
const PACKED: u64 = 8;

/// The rights that a process keeps.
#[derive(Clone, Debug, Default)]
pub struct Sandbox {
    libraries: Vec<PathBuf>,
}

impl Sandbox {
    /// A sandbox in which these libraries may be opened, and nothing else.
    #[must_use]
    pub const fn of_libraries(libraries: Vec<PathBuf>) -> Self {
        Self { libraries }
    }

    /// A sandbox in which one of these files may be opened, that which is a library: a stranger may have chosen the others to
    /// have them read. Where none is a library, so that no code will run, all of them may be looked at.
    #[must_use]
    pub fn of_candidates(mut paths: Vec<PathBuf>) -> Self {
        if paths.iter().any(|path| files::is_library(path)) {
            paths.retain(|path| files::is_library(path));
        }
        Self::of_libraries(paths)
    }

    /// What this system lacks of a sandbox, in words; empty where it has all.
    #[must_use]
    pub fn missing() -> Vec<&'static str> {
        let mut missing = Vec::new();
        if !files::is_supported() {
            missing.push("Landlock, which takes the rights on files (Linux 5.13 or later)");
        }
        if !system_calls::is_supported() {
            missing.push("seccomp filters, which take system calls (x86-64 Linux)");
        }
        missing
    }

    /// Gives up the rights of this process, and empties its environment. Parts that the system lacks are left out.
    ///
    /// No other thread may run yet: threads that are started later have the same rights, earlier ones keep theirs.
    ///
    /// # Errors
    /// If the system refuses a part that it has.
    pub(crate) fn enter(&self) -> io::Result<()> {
        let failed = |part: &str, error: &dyn std::error::Error| {
            io::Error::other(format!("the sandbox cannot be entered: {part}: {error}"))
        };
        let readable = files::readable(&self.libraries);
        clear_environment();
        let n_cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
        let limits = [
            (libc::RLIMIT_AS, BASE_BYTES + n_cores * BYTES_PER_CORE),
            (libc::RLIMIT_NOFILE, MAX_FILES),
            (libc::RLIMIT_FSIZE, self.largest_library().max(FILE_BYTES)),
        ];
        for (resource, most) in limits {
            limit(resource, most).map_err(|error| failed("limits", &error))?;
        }
        files::restrict(&readable).map_err(|error| failed("Landlock", &error))?;
        if system_calls::is_supported() {
            system_calls::restrict().map_err(|error| failed("seccomp", &*error))?;
        }
        Ok(())
    }

    /// The size of the largest library in bytes, of one in an archive an upper bound of what is likely.
    fn largest_library(&self) -> u64 {
        let size = |path: &PathBuf| {
            let is_packed = path.extension().is_some_and(|end| end == "fmu");
            let size = fs::metadata(path).ok()?.len();
            Some(if is_packed { size.saturating_mul(PACKED) } else { size })
        };
        self.libraries.iter().filter_map(size).max().unwrap_or_default()
    }
}

/// Removes all variables of the environment.
fn clear_environment() {
    let names: Vec<_> = std::env::vars_os().map(|(name, _)| name).collect();
    for name in names {
        // SAFETY: no other thread runs yet.
        unsafe { std::env::remove_var(name) };
    }
}

/// Lowers a limit of this process, for good.
pub(crate) fn limit(resource: libc::__rlimit_resource_t, most: u64) -> io::Result<()> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the call writes to the structure.
    if unsafe { libc::getrlimit(resource, &raw mut limit) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let most = most.min(limit.rlim_max);
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: the call reads the structure.
    if unsafe { libc::setrlimit(resource, &raw const limit) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beside_a_library_no_other_candidate_may_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let (text, own) = (folder.path().join("text.so"), PathBuf::from("/proc/self/exe"));
        fs::write(&text, "text").unwrap();
        let nothing = vec![folder.path().to_owned(), PathBuf::from("/"), text];
        let all = [&nothing[..], std::slice::from_ref(&own)].concat();
        assert_eq!(Sandbox::of_candidates(all).libraries, [own]);
        assert_eq!(Sandbox::of_candidates(nothing.clone()).libraries, nothing);
    }
}
