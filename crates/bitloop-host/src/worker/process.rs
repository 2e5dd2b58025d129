//! The host's side: a child process, asked and waited for.

#![allow(unsafe_code, reason = "ends groups of processes")]

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::frame::{Frame, FrameReader, PART, write_frame};
use super::said::Said;
use super::{WorkerEnd, WorkerFate};

/// How often a worker is started that is ended by SIGINT or SIGTERM before it is of use, as by a user's Ctrl-C.
pub const MAX_STARTS: usize = 3;

/// How often it is looked whether a request was canceled.
const LOOK_PERIOD: Duration = Duration::from_millis(50);

/// How long a worker may take to answer a request that was canceled.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long a worker may take to end once its pipe is closed.
const GRACE: Duration = Duration::from_secs(1);

/// Takes parts of an answer; a break says that no more are wanted.
type Receive<'a> = dyn FnMut(&[u8]) -> ControlFlow<()> + 'a;

/// A child process that answers requests. Dropping it ends it, and all processes that it has started.
#[derive(Debug)]
pub struct Worker {
    child: Child,
    requests: ChildStdin,
    answers: FrameReader<ChildStdout>,
    /// The number of the latest request.
    number: u64,
    said: Arc<Mutex<Said>>,
    end: Option<WorkerEnd>,
}

impl Worker {
    /// Starts `command`, which must come to [`serve`](super::serve), in a group of processes of its own. Its standard
    /// streams are taken over. A terminal sends Ctrl-C to the group of the host alone.
    ///
    /// # Errors
    /// If the process cannot be started.
    ///
    /// # Panics
    /// Never: pipes that were asked for are there.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        let mut child = command
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let requests = child.stdin.take().expect("a pipe");
        let stdout = child.stdout.take().expect("a pipe");
        let stderr = child.stderr.take().expect("a pipe");
        let said = Arc::default();
        listen(stderr, Arc::clone(&said));
        Ok(Self { child, requests, answers: FrameReader::new(stdout), number: 0, said, end: None })
    }

    /// Sends a request, and waits for its answer until `limit`; then the worker is killed.
    ///
    /// # Errors
    /// [`WorkerEnd`] if the worker ends instead, or ended before.
    pub fn ask(&mut self, request: &[u8], limit: Duration) -> Result<Vec<u8>, WorkerEnd> {
        self.ask_unless(request, limit, &|| false)
    }

    /// [`ask`](Self::ask), but once the request is canceled, the worker has two seconds left to answer.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    pub fn ask_unless(
        &mut self,
        request: &[u8],
        limit: Duration,
        is_called_off: &dyn Fn() -> bool,
    ) -> Result<Vec<u8>, WorkerEnd> {
        self.ask_with(request, limit, is_called_off, None)
    }

    /// [`ask`](Self::ask) with an answer in parts, each of which is handed to `receive` as it comes. The limit is on the time
    /// without one, however long all of them take.
    ///
    /// # Errors
    /// As [`ask`](Self::ask); the request counts as canceled where `receive` breaks off.
    pub fn ask_in_parts(
        &mut self,
        request: &[u8],
        limit: Duration,
        receive: &mut Receive<'_>,
    ) -> Result<Vec<u8>, WorkerEnd> {
        self.ask_with(request, limit, &|| false, Some(receive))
    }

    fn ask_with(
        &mut self,
        request: &[u8],
        limit: Duration,
        is_called_off: &dyn Fn() -> bool,
        receive: Option<&mut Receive<'_>>,
    ) -> Result<Vec<u8>, WorkerEnd> {
        if let Some(end) = &self.end {
            return Err(end.clone());
        }
        self.number += 1;
        let answer = match write_frame(&mut self.requests, self.number, request) {
            Ok(()) => self.answer(limit, is_called_off, receive),
            // The worker has ended; its status has the reason.
            Err(_) => Err(WorkerFate::Garbled),
        };
        answer.map_err(|fate| self.bury(fate))
    }

    /// The answer to the latest request, or the fate of a worker that gives none, if it is still alive.
    fn answer(
        &mut self,
        limit: Duration,
        is_called_off: &dyn Fn() -> bool,
        mut receive: Option<&mut Receive<'_>>,
    ) -> Result<Vec<u8>, WorkerFate> {
        let mut start = Instant::now();
        let mut called_off: Option<Instant> = None;
        loop {
            let left = limit.saturating_sub(start.elapsed());
            match self.answers.next_within(left.min(LOOK_PERIOD)) {
                Ok(Some(Frame { number, bytes })) if number == self.number => return Ok(bytes),
                Ok(Some(Frame { number, bytes })) => match &mut receive {
                    Some(receive) if number == self.number | PART => {
                        if receive(&bytes).is_break() {
                            return Err(WorkerFate::CalledOff);
                        }
                        // The time that it took is not the worker's.
                        start = Instant::now();
                    }
                    _ => return Err(WorkerFate::Foreign),
                },
                Ok(None) => {}
                Err(_) => return Err(WorkerFate::Garbled),
            }
            if start.elapsed() >= limit {
                return Err(WorkerFate::NoAnswer(limit));
            }
            if called_off.is_none() && is_called_off() {
                called_off = Some(Instant::now());
            }
            if called_off.is_some_and(|since| since.elapsed() >= PATIENCE) {
                return Err(WorkerFate::CalledOff);
            }
        }
    }

    /// Ends the worker if it runs, and gives its end: that of its status, or `fate_if_alive` for one that must be killed.
    fn bury(&mut self, fate_if_alive: WorkerFate) -> WorkerEnd {
        let grace = if fate_if_alive == WorkerFate::Garbled { GRACE } else { Duration::ZERO };
        let status = self.wait(grace);
        if status.is_none() {
            self.kill();
        }
        let said = self.said();
        let end = match status {
            Some(status) => WorkerEnd::of(status, &said),
            None => WorkerEnd::with(fate_if_alive, &said),
        };
        self.end.insert(end).clone()
    }

    /// The status of a worker that ends within `grace`; with it end all processes that it has left behind.
    fn wait(&mut self, grace: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        while !self.has_ended() {
            if start.elapsed() >= grace {
                return None;
            }
            thread::sleep(Duration::from_millis(2));
        }
        self.kill_group();
        self.child.wait().ok()
    }

    /// Whether the process has ended. Its status is not fetched yet, so that its number still belongs to it.
    fn has_ended(&self) -> bool {
        // SAFETY: all zeros is a value of the structure.
        let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
        let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        // SAFETY: the call writes to the structure, and concerns a child whose status is not fetched.
        let result = unsafe { libc::waitid(libc::P_PID, self.child.id(), &raw mut info, options) };
        // SAFETY: the call has filled in the structure, or left the zeros.
        result != 0 || unsafe { info.si_pid() } != 0
    }

    fn kill(&mut self) {
        self.kill_group();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Kills the group that the worker leads, unless its status is fetched and its number may be another's.
    fn kill_group(&mut self) {
        let Ok(group) = libc::pid_t::try_from(self.child.id()) else { return };
        if self.is_reaped() {
            return;
        }
        // SAFETY: the child leads the group, and its number is its own until its status is fetched.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }

    /// Whether the status of the process was fetched.
    const fn is_reaped(&self) -> bool {
        self.end.is_some()
    }

    /// What the worker wrote to standard error, its end at least.
    fn said(&self) -> String {
        // The thread that listens holds the other reference until the stream ends, which is at once, unless the plant
        // left a process behind.
        let start = Instant::now();
        while Arc::strong_count(&self.said) > 1 && start.elapsed() < GRACE {
            thread::sleep(Duration::from_millis(1));
        }
        self.said.lock().unwrap_or_else(PoisonError::into_inner).text()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if !self.is_reaped() {
            self.kill();
            // What it was denied is known once all that it has said is.
            let _ = self.said();
        }
    }
}

/// Keeps the end of what a worker says.
fn listen(mut stderr: ChildStderr, said: Arc<Mutex<Said>>) {
    thread::spawn(move || {
        let mut room = [0; 1024];
        while let Ok(n_read @ 1..) = stderr.read(&mut room) {
            said.lock().unwrap_or_else(PoisonError::into_inner).take(&room[..n_read]);
        }
    });
}
