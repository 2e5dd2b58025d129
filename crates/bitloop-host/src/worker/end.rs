//! [`WorkerEnd`]: how a worker ended, in words.

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use thiserror::Error;

/// Why a worker answers no more.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{fate}{}", self.said())]
pub struct WorkerEnd {
    /// What happened.
    pub fate: WorkerFate,
    /// The last line that it wrote to standard error, perhaps empty.
    pub last_words: String,
}

/// What happened to a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerFate {
    /// It did not answer in time, and was killed.
    NoAnswer(Duration),
    /// It did not answer soon after the request was canceled, and was killed.
    CalledOff,
    /// It ended by itself with a code.
    Exited(i32),
    /// A signal ended it.
    Signal(i32),
    /// It ran out of stack.
    StackOverflow,
    /// What it answered was no message, or it closed its pipe.
    Garbled,
    /// It answered a request that was not made.
    Foreign,
}

impl WorkerFate {
    /// Whether a signal ended it that a user sends: SIGINT or SIGTERM. A terminal's Ctrl-C reaches a worker in the moment
    /// before it leaves the group of its host, which answers the signal itself; another worker is started then. A plant can
    /// send the same signals, so there is a limit to that, [`MAX_STARTS`](super::MAX_STARTS).
    #[must_use]
    pub const fn is_from_outside(self) -> bool {
        matches!(self, Self::Signal(libc::SIGINT | libc::SIGTERM))
    }
}

/// What Rust's runtime says of itself before it aborts.
const STACK_OVERFLOW: &str = "has overflowed its stack";

impl WorkerEnd {
    /// From the status of a process and what it wrote to standard error.
    pub(super) fn of(status: ExitStatus, said: &str) -> Self {
        let fate = match (status.signal(), status.code()) {
            _ if said.contains(STACK_OVERFLOW) => WorkerFate::StackOverflow,
            (Some(signal), _) => WorkerFate::Signal(signal),
            (None, Some(code)) => WorkerFate::Exited(code),
            (None, None) => WorkerFate::Garbled,
        };
        Self::with(fate, said)
    }

    /// The last words, where they add something.
    fn said(&self) -> String {
        let is_news = !self.last_words.is_empty() && self.fate != WorkerFate::StackOverflow;
        if is_news { format!(": {}", self.last_words) } else { String::new() }
    }

    pub(super) fn with(fate: WorkerFate, said: &str) -> Self {
        let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
        let last_words = last.trim().chars().filter(|c| !c.is_control()).take(200).collect();
        Self { fate, last_words }
    }
}

impl fmt::Display for WorkerFate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match *self {
            Self::NoAnswer(limit) => return write!(f, "no answer for {} s", limit.as_secs_f64()),
            Self::Exited(code) => return write!(f, "called exit({code})"),
            Self::CalledOff => "no answer, and the request was canceled",
            Self::StackOverflow => "stack overflow",
            Self::Garbled => {
                "wrote something else than an answer to the pipe of its host, or closed it"
            }
            Self::Foreign => "answered a request that was not made",
            Self::Signal(libc::SIGSYS) => "stopped by the sandbox",
            Self::Signal(libc::SIGXCPU) => "out of processor time",
            Self::Signal(libc::SIGXFSZ) => "a file grew beyond its limit",
            Self::Signal(libc::SIGSEGV) => "segmentation fault",
            Self::Signal(libc::SIGABRT) => "abort",
            Self::Signal(libc::SIGBUS) => "bus error",
            Self::Signal(libc::SIGFPE) => "arithmetic exception",
            Self::Signal(libc::SIGILL) => "illegal instruction",
            Self::Signal(libc::SIGTRAP) => "trap",
            Self::Signal(libc::SIGKILL) => "killed, perhaps since memory ran out",
            Self::Signal(libc::SIGINT) => "ended by SIGINT",
            Self::Signal(libc::SIGTERM) => "ended by SIGTERM",
            Self::Signal(signal) => return write!(f, "ended by signal {signal}"),
        };
        f.write_str(name)
    }
}
