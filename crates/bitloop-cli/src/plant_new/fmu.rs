//! `bitloop plant new --fmu`: the file beside an FMU.

use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use bitloop_fmu::{Fmu, settings_path, template};
use bitloop_host::{FmuError, HostError};

use crate::environment;
use crate::failure::Failure;
use crate::output::{print, shell};

/// Writes the file, unless there is one, and prints what to type next.
pub fn new(path: &Path) -> Result<(), Failure> {
    let (_, model) = Fmu::read_model(path).map_err(|fault| {
        HostError::from(FmuError { path: path.to_owned(), fault: fault.into() })
    })?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let out = settings_path(path);
    let mut file = File::create_new(&out).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Failure::Usage {
            message: format!("{} is there already", out.display()),
            hint: Some("edit it, or remove it first".to_owned()),
        },
        _ => Failure::output(&out, &error),
    })?;
    file.write_all(template(&model, &name).as_bytes())
        .map_err(|error| Failure::output(&out, &error))?;
    let (program, quoted) = (environment::program_from_anywhere(), shell::quoted(path));
    print(&format!(
        "wrote {}: inputs are controls, outputs are observed, and the cost is the sum of their squares

Say in it what is controlled and what it costs, then:
  {program} plant info {quoted}
  {program} plant check {quoted}
  {program} train {quoted}
",
        out.display()
    ))
}
