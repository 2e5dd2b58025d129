//! Text for people and for programs.

pub mod json;
pub mod number;
pub mod picture_file;
pub mod progress;
pub mod shell;
pub mod table;
pub mod target;

use std::fs::File;
use std::io::{self, Write};
use std::sync::OnceLock;

use bitloop_scenario::printable;

use crate::failure::Failure;

/// Standard output, once it is taken over.
static STDOUT: OnceLock<File> = OnceLock::new();

/// Takes standard output over, so that what a plant prints is not mistaken for a result. A standard output that is closed
/// stays where it is.
pub fn take_stdout() {
    if let Ok(file) = bitloop_host::take_stdout() {
        let _ = STDOUT.set(file);
    }
}

/// Another handle of standard output, if it was taken over.
pub fn stdout_file() -> Option<File> {
    STDOUT.get()?.try_clone().ok()
}

/// Writes to standard output what people read. What a file or a plant put into it cannot drive their terminal.
pub fn print(text: &str) -> Result<(), Failure> {
    write(&printable(text))
}

/// Writes to standard output; a reader that went away ends the command quietly.
fn write(text: &str) -> Result<(), Failure> {
    let written = if let Some(mut file) = STDOUT.get() {
        file.write_all(text.as_bytes())
    } else {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush())
    };
    written.map_err(|error| Failure::stdout(&error))
}

/// Writes a line to standard error; whether anybody reads it makes no difference.
pub fn print_note(line: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(line));
}
