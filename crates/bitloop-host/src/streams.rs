//! Standard output kept away from plants, and what one prints.

#![allow(unsafe_code, reason = "moves standard streams")]

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::fd::{AsRawFd, FromRawFd};

/// Where copies of standard output begin, out of the way of a plant that closes the first few descriptors.
const FIRST_COPY: libc::c_int = 200;

/// Takes standard output over: what the program has to say goes to the file that is returned, and what plants print goes to
/// standard error from now on.
///
/// # Errors
/// If standard output is not open.
pub fn take_stdout() -> io::Result<File> {
    // SAFETY: the call copies a descriptor, or fails.
    let copy = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_DUPFD_CLOEXEC, FIRST_COPY) };
    let copy = if copy >= 0 {
        copy
    } else {
        // SAFETY: as above; where few descriptors are allowed, one of the first will do.
        unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_DUPFD_CLOEXEC, 3) }
    };
    if copy < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor is new, and belongs to nobody else.
    let copy = unsafe { File::from_raw_fd(copy) };
    // SAFETY: both are streams of this process. If standard error is closed, standard output stays what it is.
    unsafe { libc::dup2(libc::STDERR_FILENO, libc::STDOUT_FILENO) };
    Ok(copy)
}

/// Does something, and gives what was written to standard output meanwhile, through the C library or past it.
///
/// # Errors
/// If standard output cannot be moved.
pub fn captured_stdout<T>(work: impl FnOnce() -> T) -> io::Result<(T, Vec<u8>)> {
    // SAFETY: writes out what the C library holds back, so that it does not count.
    unsafe { libc::fflush(std::ptr::null_mut()) };
    // SAFETY: the name is a text ended by 0.
    let memory = unsafe { libc::memfd_create(c"standard output".as_ptr(), libc::MFD_CLOEXEC) };
    if memory < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor is new, and belongs to nobody else.
    let mut memory = unsafe { File::from_raw_fd(memory) };
    // SAFETY: the call copies a descriptor, or fails.
    let usual = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_DUPFD_CLOEXEC, 3) };
    if usual < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: as above.
    let usual = unsafe { File::from_raw_fd(usual) };
    // SAFETY: both are open.
    unsafe { libc::dup2(memory.as_raw_fd(), libc::STDOUT_FILENO) };
    let result = work();
    // SAFETY: as above; what the C library holds back goes to the memory first.
    unsafe {
        libc::fflush(std::ptr::null_mut());
        libc::dup2(usual.as_raw_fd(), libc::STDOUT_FILENO);
    }
    let mut text = Vec::new();
    memory.rewind()?;
    memory.read_to_end(&mut text)?;
    Ok((result, text))
}
