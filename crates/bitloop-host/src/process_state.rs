//! [`ProcessState`]: what a plant's library must leave as it is in the process that it is loaded into.

#![allow(unsafe_code, reason = "system calls that read and write the state of the process")]

use std::ffi::{CStr, CString, OsString};
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::path::PathBuf;

use bitloop_plant::FloatMode;

/// Signals that the host, or the system on its behalf, answers in a way of its own.
const SIGNALS: [libc::c_int; 5] =
    [libc::SIGHUP, libc::SIGINT, libc::SIGPIPE, libc::SIGTERM, libc::SIGXFSZ];

/// A part of the state of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatePart {
    /// How this thread's floating-point units round.
    FloatMode,
    /// The locale.
    Locale,
    /// The working directory.
    WorkingDirectory,
    /// The mask of the rights of new files.
    Umask,
    /// How signals are answered, and which ones this thread blocks.
    Signals,
    /// The environment's variables.
    Environment,
    /// Open files: one that was open is closed, or stands for something else. A file that another thread closes meanwhile
    /// counts too: libraries are opened before threads that do.
    Descriptors,
}

impl fmt::Display for StatePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FloatMode => "the floating-point mode",
            Self::Locale => "the locale",
            Self::WorkingDirectory => "the working directory",
            Self::Umask => "the umask",
            Self::Signals => "the handling of signals",
            Self::Environment => "the environment",
            Self::Descriptors => "open files",
        })
    }
}

/// Parts of the state that were changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Disturbance {
    parts: Vec<StatePart>,
}

impl Disturbance {
    /// Whether this part was changed.
    #[must_use]
    pub fn has(&self, part: StatePart) -> bool {
        self.parts.contains(&part)
    }

    /// The parts that were changed.
    pub fn parts(&self) -> impl Iterator<Item = StatePart> {
        self.parts.iter().copied()
    }

    /// What was changed, in words, if anything was.
    #[must_use]
    pub fn in_words(&self) -> Option<String> {
        let words: Vec<String> = self.parts.iter().map(ToString::to_string).collect();
        let (last, others) = words.split_last()?;
        Some(if others.is_empty() {
            last.clone()
        } else {
            format!("{} and {last}", others.join(", "))
        })
    }
}

/// The state of this process and thread at some moment.
#[derive(Debug)]
pub struct ProcessState {
    float_mode: FloatMode,
    locale: CString,
    directory: Option<PathBuf>,
    umask: Option<libc::mode_t>,
    handlers: Vec<(libc::c_int, Handler)>,
    blocked: SignalSet,
    environment: Vec<(OsString, OsString)>,
    descriptors: Vec<(RawFd, PathBuf)>,
    /// Copies of standard input, output and error, those that were open.
    streams: [Option<File>; 3],
}

/// How a signal is answered.
struct Handler(libc::sigaction);

impl fmt::Debug for Handler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Handler").field(&self.0.sa_sigaction).finish()
    }
}

/// A set of signals.
struct SignalSet(libc::sigset_t);

impl fmt::Debug for SignalSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SignalSet").field(&self.words()).finish()
    }
}

impl SignalSet {
    /// Which of [`SIGNALS`] are in it.
    fn words(&self) -> [bool; SIGNALS.len()] {
        // SAFETY: the set was filled in by the system.
        SIGNALS.map(|signal| unsafe { libc::sigismember(&raw const self.0, signal) } == 1)
    }

    /// The signals that this thread blocks.
    fn blocked() -> Self {
        // SAFETY: all zeros is a value of the set, to which the call writes.
        unsafe {
            let mut set = std::mem::zeroed();
            libc::pthread_sigmask(libc::SIG_BLOCK, std::ptr::null(), &raw mut set);
            Self(set)
        }
    }
}

impl ProcessState {
    /// The state now.
    #[must_use]
    pub fn capture() -> Self {
        let stream = |fd: RawFd| {
            // SAFETY: the descriptor is only copied, which fails if it is not open.
            let borrowed = unsafe { BorrowedFd::borrow_raw(fd) };
            borrowed.try_clone_to_owned().ok().map(File::from)
        };
        // Copies of the streams are among the descriptors from the beginning.
        let streams = [0, 1, 2].map(stream);
        Self {
            float_mode: FloatMode::current(),
            locale: locale(),
            directory: std::env::current_dir().ok(),
            umask: umask(),
            handlers: SIGNALS.iter().filter_map(|&n| Some((n, handler(n)?))).collect(),
            blocked: SignalSet::blocked(),
            environment: environment(),
            descriptors: descriptors(),
            streams,
        }
    }

    /// Puts back what was changed since, as far as that is possible, and gives the parts that were.
    ///
    /// No other thread may read or change the environment meanwhile.
    pub fn restore(&self) -> Disturbance {
        let mut parts = Vec::new();
        let mut note = |part, is_changed| {
            if is_changed {
                parts.push(part);
            }
        };
        note(StatePart::FloatMode, self.float_mode.restore());
        note(StatePart::Locale, self.restore_locale());
        note(StatePart::Environment, self.restore_environment());
        note(StatePart::Descriptors, self.restore_streams() | self.has_lost_descriptor());
        note(StatePart::WorkingDirectory, self.restore_directory());
        note(StatePart::Umask, self.restore_umask());
        note(StatePart::Signals, self.restore_signals());
        Disturbance { parts }
    }

    /// Puts back what belongs to the process as a whole, and can be put back while other threads run: working directory,
    /// umask, handlers of signals, standard streams.
    pub fn restore_shared(&self) -> Disturbance {
        let checks = [
            (StatePart::Descriptors, self.restore_streams()),
            (StatePart::WorkingDirectory, self.restore_directory()),
            (StatePart::Umask, self.restore_umask()),
            (StatePart::Signals, self.restore_handlers()),
        ];
        let changed = checks.into_iter().filter(|(_, is_changed)| *is_changed);
        Disturbance { parts: changed.map(|(part, _)| part).collect() }
    }

    fn restore_locale(&self) -> bool {
        if locale() == self.locale {
            return false;
        }
        // SAFETY: the name came from the function itself. Libraries are loaded by one thread at a time.
        unsafe { libc::setlocale(libc::LC_ALL, self.locale.as_ptr()) };
        true
    }

    fn restore_environment(&self) -> bool {
        let now = environment();
        if now == self.environment {
            return false;
        }
        let is_kept = |name: &OsString| self.environment.iter().any(|(known, _)| known == name);
        for (name, _) in now.iter().filter(|(name, _)| !is_kept(name)) {
            // SAFETY: promised by the caller.
            unsafe { std::env::remove_var(name) };
        }
        for (name, value) in &self.environment {
            // SAFETY: as above.
            unsafe { std::env::set_var(name, value) };
        }
        true
    }

    fn restore_directory(&self) -> bool {
        let Some(directory) = &self.directory else { return false };
        if std::env::current_dir().is_ok_and(|now| now == *directory) {
            return false;
        }
        // A folder that was removed meanwhile cannot be entered again.
        let _ = std::env::set_current_dir(directory);
        true
    }

    fn restore_umask(&self) -> bool {
        let (Some(before), Some(now)) = (self.umask, umask()) else { return false };
        if before == now {
            return false;
        }
        // SAFETY: the call sets a number.
        unsafe { libc::umask(before) };
        true
    }

    fn restore_signals(&self) -> bool {
        let is_blocking = SignalSet::blocked().words() != self.blocked.words();
        if is_blocking {
            // SAFETY: the set came from the system.
            unsafe {
                libc::pthread_sigmask(
                    libc::SIG_SETMASK,
                    &raw const self.blocked.0,
                    std::ptr::null_mut(),
                );
            }
        }
        self.restore_handlers() | is_blocking
    }

    fn restore_handlers(&self) -> bool {
        let mut is_changed = false;
        for (signal, before) in &self.handlers {
            let is_same =
                handler(*signal).is_none_or(|now| now.0.sa_sigaction == before.0.sa_sigaction);
            if !is_same {
                is_changed = true;
                // SAFETY: the handler was there before, and code is never unloaded.
                unsafe {
                    libc::sigaction(*signal, &raw const before.0, std::ptr::null_mut());
                }
            }
        }
        is_changed
    }

    /// Opens standard streams again that were closed or replaced.
    fn restore_streams(&self) -> bool {
        let mut is_changed = false;
        for (fd, copy) in (0..).zip(&self.streams) {
            let Some(copy) = copy else { continue };
            // SAFETY: the descriptor is only looked at, which fails if it is not open.
            let now = unsafe { BorrowedFd::borrow_raw(fd) };
            if identity(now).is_ok_and(|now| identity(copy.as_fd()).is_ok_and(|copy| copy == now)) {
                continue;
            }
            is_changed = true;
            // SAFETY: the copy is open, and the stream is one of the process's own.
            unsafe { libc::dup2(copy.as_raw_fd(), fd) };
        }
        is_changed
    }

    /// Whether a file that was open is closed, or its descriptor stands for another one.
    fn has_lost_descriptor(&self) -> bool {
        let now = descriptors();
        !self.descriptors.is_empty() && self.descriptors.iter().any(|before| !now.contains(before))
    }
}

/// What a descriptor stands for.
fn identity(fd: BorrowedFd<'_>) -> io::Result<(u64, u64)> {
    // SAFETY: all zeros is a value of the structure, to which the call writes.
    let mut status: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: as above.
    if unsafe { libc::fstat(fd.as_raw_fd(), &raw mut status) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok((status.st_dev, status.st_ino))
}

/// The name of the process's locale.
fn locale() -> CString {
    // SAFETY: without a name, the function only answers; its answer is copied before it is asked again. Libraries are
    // loaded by one thread at a time.
    unsafe {
        let name = libc::setlocale(libc::LC_ALL, std::ptr::null());
        if name.is_null() { CString::default() } else { CStr::from_ptr(name).to_owned() }
    }
}

/// The umask, read in a way that does not change it for other threads.
fn umask() -> Option<libc::mode_t> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("Umask:"))?;
    libc::mode_t::from_str_radix(line.trim(), 8).ok()
}

fn handler(signal: libc::c_int) -> Option<Handler> {
    // SAFETY: all zeros is a value of the structure, to which the call writes.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: as above.
    let result = unsafe { libc::sigaction(signal, std::ptr::null(), &raw mut action) };
    (result == 0).then_some(Handler(action))
}

fn environment() -> Vec<(OsString, OsString)> {
    let mut variables: Vec<_> = std::env::vars_os().collect();
    variables.sort();
    variables
}

/// The open descriptors and what each stands for, as far as the system shows it.
fn descriptors() -> Vec<(RawFd, PathBuf)> {
    let Ok(entries) = fs::read_dir("/proc/self/fd") else { return Vec::new() };
    let mut open: Vec<(RawFd, PathBuf)> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            Some((path.file_name()?.to_str()?.parse().ok()?, fs::read_link(&path).ok()?))
        })
        // The folder itself is among them while it is read.
        .filter(|(_, target)| !target.ends_with("fd") || !target.starts_with("/proc"))
        .collect();
    open.sort();
    open
}

/// How many descriptors are open, if the system shows it.
#[must_use]
pub fn n_open_descriptors() -> Option<usize> {
    let open = descriptors();
    (!open.is_empty()).then_some(open.len())
}
