//! The handler of trapped system calls: it names a forbidden one and ends the process, or opens a file for reading and names
//! it if that is refused.
//!
//! Whether a file may be read is Landlock's to decide, so that nothing depends on this handler but messages: a library that
//! replaces it, or makes marked calls, gains no right.

#![allow(unsafe_code, reason = "system calls, and a signal handler")]

use std::ffi::{CStr, c_char};
use std::io;

use libc::c_long;

use super::DENIED;
use super::call_table::{FORBIDDEN, FORBIDDEN_ARGUMENTS};

/// An argument that `openat` does not have, and its value in calls of the handler, which are not trapped.
pub(super) const MARKED_ARGUMENT: u8 = 4;
pub(super) const MARK: u64 = 0x6269_746c;

/// Handles trapped calls from now on.
pub(super) fn listen() -> io::Result<()> {
    // SAFETY: all zeros is a value of the structure.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = on_trapped_call as *const () as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: the handler has the type that the flags say.
    if unsafe { libc::sigaction(libc::SIGSYS, &raw const action, std::ptr::null_mut()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// All that this calls may be called in a handler.
extern "C" fn on_trapped_call(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    /// Where the kernel writes the number of the call, after three numbers, a gap, and the address of the call.
    const CALL_OFFSET: usize = 24;
    const ARGUMENTS: [usize; 4] = [
        libc::REG_RDI as usize,
        libc::REG_RSI as usize,
        libc::REG_RDX as usize,
        libc::REG_R10 as usize,
    ];
    const READING: i64 = libc::O_RDONLY as i64;
    // SAFETY: the kernel lends a structure of 128 bytes, and has filled in this field for this signal.
    let call = unsafe { info.cast::<u8>().add(CALL_OFFSET).cast::<libc::c_int>().read_unaligned() };
    let call = c_long::from(call);
    // SAFETY: the kernel lends the context of the interrupted code, which nobody else uses meanwhile.
    let registers = unsafe { &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
    let first = ARGUMENTS.map(|register| registers[register]);
    let arguments = match (call, first) {
        (libc::SYS_openat, all) => all,
        (libc::SYS_open, [path, flags, mode, _]) => [libc::AT_FDCWD.into(), path, flags, mode],
        _ => end_by(signal, call),
    };
    if arguments[2] & i64::from(libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC) != READING {
        end_by(signal, call);
    }
    registers[libc::REG_RAX as usize] = open(arguments);
}

/// Names a forbidden call on standard error, and ends the process by the signal.
fn end_by(signal: libc::c_int, call: c_long) -> ! {
    let all = FORBIDDEN.iter().chain(FORBIDDEN_ARGUMENTS);
    let purpose = all.into_iter().find(|(known, _)| *known == call);
    let purpose = purpose.map_or("make a system call", |(_, purpose)| purpose);
    write(&[b"it tried to ", purpose.as_bytes()]);
    // SAFETY: these calls may be made in a handler. The signal is blocked there, and ends the process as soon as it is not.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
        let mut own: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut own);
        libc::sigaddset(&raw mut own, signal);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const own, std::ptr::null_mut());
        libc::_exit(128 + signal)
    }
}

/// Opens a file for reading: its descriptor, or the negative number of an error. One that the kernel refuses is named on
/// standard error.
fn open([folder, path, flags, mode]: [i64; 4]) -> i64 {
    // SAFETY: the interrupted code must find this number, which belongs to the thread, as it was.
    let number = unsafe { libc::__errno_location() };
    // SAFETY: as above.
    let before = unsafe { *number };
    // SAFETY: the arguments are those of the call that was trapped, which the kernel checks as it would have there.
    let opened = unsafe { libc::syscall(libc::SYS_openat, folder, path, flags, mode, MARK) };
    // SAFETY: as above.
    let error = unsafe { std::mem::replace(&mut *number, before) };
    if opened >= 0 {
        return opened;
    }
    if error == libc::EACCES {
        // SAFETY: the kernel has read the text up to its 0.
        let path = unsafe { CStr::from_ptr(path as *const c_char) };
        write(&[DENIED.as_bytes(), path.to_bytes()]);
    }
    i64::from(-error)
}

/// Writes a line to standard error by one call, so that those of several threads stay apart; whether that is open makes no
/// difference. What is too long for a line is cut off.
fn write(parts: &[&[u8]]) {
    const MAX_BYTES: usize = 512;
    let mut line = [0; MAX_BYTES];
    let mut length = 0;
    for byte in parts.iter().copied().flatten().take(MAX_BYTES - 1).chain(b"\n") {
        line[length] = *byte;
        length += 1;
    }
    // SAFETY: reads the line; the call may be made in a handler.
    unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), length) };
}
