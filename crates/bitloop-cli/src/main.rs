//! The command `bitloop`, with the plants that come with it.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use bitloop_host::Registry;

fn main() -> ExitCode {
    bitloop_cli::main_with(Registry::built_in())
}
