//! Whether workers give up their rights: on request, or by default where libraries are opened that are not trusted yet.

use std::process::Command;
use std::sync::Once;

use bitloop_host::Sandbox;

use crate::failure::Failure;
use crate::output::print_note;

/// Variables that a worker needs before it opens a library, which finds none of them.
const KEPT: [&str; 2] = ["LD_LIBRARY_PATH", "BITLOOP_ISA"];

/// Refuses a sandbox that was asked for, on a system that lacks a part of it.
pub fn require() -> Result<(), Failure> {
    let missing = Sandbox::missing();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Failure::Sandbox {
        message: format!("--sandbox: this system lacks {}", missing.join(", and ")),
        hint: Some(
            "without --sandbox, run only plants that you would trust with your files".to_owned(),
        ),
    })
}

/// Whether there is a sandbox by default; the parts that the system lacks are named, once.
pub fn by_default(is_off: bool) -> bool {
    static ONCE: Once = Once::new();
    if is_off {
        return false;
    }
    ONCE.call_once(|| {
        let missing = Sandbox::missing();
        if !missing.is_empty() {
            let missing = missing.join(", and ");
            print_note(&format!(
                "warning: the plant's process keeps rights, since this system lacks {missing}"
            ));
        }
    });
    true
}

/// Names the files that plants were kept from reading in a sandbox. A plant may have continued without them, so that
/// nothing else shows it.
pub fn report_denied() {
    for file in bitloop_host::denied_files() {
        print_note(&format!("note: the sandbox kept the plant from reading {file}"));
    }
}

/// Leaves a worker the variables that it needs alone.
pub fn empty_environment(command: &mut Command) {
    command.env_clear();
    for name in KEPT {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
}
