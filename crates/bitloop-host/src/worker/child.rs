//! The child's side: requests answered one after the other.

#![allow(unsafe_code, reason = "moves standard streams out of a plant's way")]

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::thread;

use rustix::event::PollFlags;

use super::frame::{Frame, FrameReader, MAX_BYTES, PART, wait_for, write_frame};
use crate::sandbox::{self, Sandbox};

/// Answers the host's requests in this process, on this thread, until the host goes away, which ends the process. Before
/// the first one, the process enters the sandbox, if there is one.
///
/// What a plant prints goes to standard error, where the host finds its last line, and standard input is empty for it. No
/// image of a crashed process is written to disk. A process that a plant forks off this one does not answer.
///
/// # Errors
/// If standard input and output are no pipes that can be taken over, or the sandbox cannot be entered.
pub fn serve(
    sandbox: Option<&Sandbox>,
    mut answer: impl FnMut(&[u8]) -> Vec<u8>,
) -> io::Result<()> {
    serve_in_parts(sandbox, |request, _| answer(request))
}

/// [`serve`] for answers of any length: what is written to the second argument goes to the host at once.
///
/// # Errors
/// As [`serve`].
pub fn serve_in_parts(
    sandbox: Option<&Sandbox>,
    mut answer: impl FnMut(&[u8], &mut (dyn Write + Send)) -> Vec<u8>,
) -> io::Result<()> {
    let (requests, mut answers) = take_over_pipes()?;
    // That a system may refuse it does not matter.
    let _ = sandbox::limit(libc::RLIMIT_CORE, 0);
    if let Some(sandbox) = sandbox {
        sandbox.enter()?;
    }
    let own_id = std::process::id();
    end_with_host(requests.try_clone()?);
    let mut requests = FrameReader::new(requests);
    while let Ok(Frame { number, bytes }) = requests.next() {
        let mut parts = Parts { answers: &mut answers, number, own_id };
        let bytes = answer(&bytes, &mut parts);
        end_copy(own_id);
        write_frame(&mut answers, number, &bytes)?;
    }
    end_at_once()
}

/// Ends this process, without what the program does at its end: exit handlers of a plant may never return.
fn end_at_once() -> ! {
    // SAFETY: the call does not return, and touches nothing of this process.
    unsafe { libc::_exit(0) }
}

/// Ends this process if it is a copy that the plant has made of the one that the host asked.
fn end_copy(own_id: u32) {
    if std::process::id() != own_id {
        end_at_once();
    }
}

/// Sends what is written to it as parts of the answer to a request.
struct Parts<'a> {
    answers: &'a mut File,
    number: u64,
    own_id: u32,
}

impl Write for Parts<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        end_copy(self.own_id);
        let bytes = &bytes[..bytes.len().min(MAX_BYTES as usize)];
        write_frame(self.answers, self.number | PART, bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Closes what the parent of the host has left open, all but the standard streams: a plant has no use for it. A worker does
/// so first of all, before it opens anything itself.
pub fn close_inherited() {
    // SAFETY: nothing in this process has opened a descriptor yet. Where the system does not know the call, they stay open.
    unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, 0) };
}

/// The pipes to the host, where no plant finds them.
fn take_over_pipes() -> io::Result<(File, File)> {
    let requests = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let answers = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let nothing = File::open("/dev/null")?;
    for (from, to) in
        [(nothing.as_raw_fd(), libc::STDIN_FILENO), (libc::STDERR_FILENO, libc::STDOUT_FILENO)]
    {
        // SAFETY: both are open descriptors of this process; what `to` stood for has been copied.
        if unsafe { libc::dup2(from, to) } < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok((requests, answers))
}

/// Ends this process when the host goes away, even where a plant hangs.
fn end_with_host(requests: File) {
    thread::spawn(move || {
        // Nothing is waited for but the other end, which is always reported.
        while let Ok(false) = wait_for(&requests, PollFlags::empty(), None) {}
        end_at_once()
    });
}
