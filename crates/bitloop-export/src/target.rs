//! [`Target`] and [`export`]: what a controller can be exported to.

use crate::c;
use crate::error::ExportError;
use crate::files::Export;
use crate::fmu;
use crate::names::file_identifier;
use crate::onnx;
use crate::portable::Portable;
use crate::python;
use crate::rust;

/// What to export to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// C99 in double precision, bit for bit what bitloop computes.
    C,
    /// C99 in fixed point, for processors without double precision in hardware.
    CFixed,
    /// Rust in double precision, bit for bit what bitloop computes.
    Rust,
    /// Rust in fixed point.
    RustFixed,
    /// One Python file for `NumPy`.
    NumPy,
    /// A graph of one step in ONNX.
    Onnx,
    /// Archives for co-simulation by FMI 2.0 and 3.0, with the exact C as sources.
    Fmu,
}

/// Exports a controller or a model under a name, which becomes that of files and functions.
///
/// # Errors
/// [`ExportError::Refused`] if it cannot be had in this form.
pub fn export(portable: &Portable, target: Target, name: &str) -> Result<Export, ExportError> {
    portable.check()?;
    let identifier = file_identifier(name);
    let mut export = match target {
        Target::C => c::exact(portable, &identifier)?,
        Target::CFixed => c::fixed(portable, &identifier)?,
        Target::Rust => rust::exact(portable, &identifier)?,
        Target::RustFixed => rust::fixed(portable, &identifier)?,
        Target::NumPy => python::numpy(portable, &identifier)?,
        Target::Onnx => onnx::onnx(portable, &identifier)?,
        Target::Fmu => fmu::fmu(portable, &identifier)?,
    };
    if identifier != name {
        export.notes.insert(0, format!("`{name}` is called {identifier} in the code"));
    }
    Ok(export)
}
