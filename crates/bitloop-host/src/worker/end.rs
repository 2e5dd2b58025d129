//! [`WorkerEnd`]: what became of a worker, in words.

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

/// Why a worker answers no more.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// It did not answer soon after the request was called off, and was killed.
    CalledOff,
    /// It ended by itself with a code.
    Exited(i32),
    /// A signal ended it.
    Signal(i32),
    /// It ran out of stack.
    StackOverflow,
    /// What it answered was no message, or it closed its pipe.
    Garbled,
}

/// What Rust's runtime says of itself before it aborts.
const STACK_OVERFLOW: &str = "has overflowed its stack";

impl WorkerEnd {
    /// Reads the status of a process and what it said.
    pub(super) fn of(status: ExitStatus, said: &str) -> Self {
        let fate = match (status.signal(), status.code()) {
            _ if said.contains(STACK_OVERFLOW) => WorkerFate::StackOverflow,
            (Some(signal), _) => WorkerFate::Signal(signal),
            (None, Some(code)) => WorkerFate::Exited(code),
            (None, None) => WorkerFate::Garbled,
        };
        Self::with(fate, said)
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
            Self::CalledOff => "no answer, and it was called off",
            Self::StackOverflow => "stack overflow",
            Self::Garbled => "garbled the pipe to its host",
            Self::Signal(libc::SIGSEGV) => "segmentation fault",
            Self::Signal(libc::SIGABRT) => "abort",
            Self::Signal(libc::SIGBUS) => "bus error",
            Self::Signal(libc::SIGFPE) => "arithmetic exception",
            Self::Signal(libc::SIGILL) => "illegal instruction",
            Self::Signal(libc::SIGTRAP) => "trap",
            Self::Signal(libc::SIGKILL) => "killed, perhaps for want of memory",
            Self::Signal(signal) => return write!(f, "ended by signal {signal}"),
        };
        f.write_str(name)
    }
}

impl fmt::Display for WorkerEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fate.fmt(f)?;
        let is_news = !self.last_words.is_empty() && self.fate != WorkerFate::StackOverflow;
        if is_news { write!(f, ": {}", self.last_words) } else { Ok(()) }
    }
}

impl std::error::Error for WorkerEnd {}
