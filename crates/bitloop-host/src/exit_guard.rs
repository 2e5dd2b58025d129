//! A plant that calls `exit` must not end the program as if its work was done.
//!
//! The C library runs the handlers of `atexit` whatever code calls `exit`; before the program calls it itself, it says so
//! by [`allow_exit`]. A plant that calls `_exit` is not seen; only another process is safe from that.

#![allow(unsafe_code, reason = "a handler of the C library")]

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once};

/// The exit code of a program that a plant has ended.
const CODE: libc::c_int = 1;

/// The most threads that may call `exit` at once: the C library takes a handler off its list when it calls it, so that
/// each of them needs one.
const MOST_THREADS: usize = 512;

static IS_ENDING: AtomicBool = AtomicBool::new(false);
static IS_OVER: AtomicBool = AtomicBool::new(false);
static MESSAGE: Mutex<String> = Mutex::new(String::new());

/// From now on, a call of `exit` ends the program with code 1 and this message on standard error, until
/// [`allow_exit`]. A later message replaces an earlier one.
pub fn forbid_exit(message: String) {
    static ONCE: Once = Once::new();
    if let Ok(mut known) = MESSAGE.lock() {
        *known = message;
    }
    IS_OVER.store(false, Ordering::SeqCst);
    // SAFETY: the handler may be called by any thread, and never returns into the plant. Where it cannot be registered,
    // `exit` is not seen.
    ONCE.call_once(|| unsafe {
        for _ in 0..MOST_THREADS {
            libc::atexit(on_exit);
        }
    });
}

/// The program is about to end by itself.
pub fn allow_exit() {
    IS_OVER.store(true, Ordering::SeqCst);
}

extern "C" fn on_exit() {
    if IS_OVER.load(Ordering::SeqCst) {
        return;
    }
    if IS_ENDING.swap(true, Ordering::SeqCst) {
        // Another thread prints the message, and ends the process.
        loop {
            // SAFETY: waits for a signal.
            unsafe { libc::pause() };
        }
    }
    // A thread that holds the lock is about to change the message, and may never continue.
    let message = MESSAGE.try_lock().map(|message| message.clone()).unwrap_or_default();
    let _ = std::io::stderr().write_all(format!("error: {message}\n").as_bytes());
    // SAFETY: ends the process at once.
    unsafe { libc::_exit(CODE) }
}
