//! Text for people and for programs.

pub mod json;
pub mod number;
pub mod shell;
pub mod table;
pub mod target;

use std::io::{self, Write};

use bitloop_scenario::printable;

use crate::failure::Failure;

/// Writes to standard output what people read. What a file or a plant put into it cannot drive their terminal.
pub fn print(text: &str) -> Result<(), Failure> {
    write(&printable(text))
}

/// Writes to standard output; a reader that went away ends the command quietly.
fn write(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::stdout(&error))
}

/// Writes a line to standard error; whether anybody reads it makes no difference.
pub fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(line));
}
