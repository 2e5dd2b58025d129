//! `bitloop controller` on the command line.

use std::path::PathBuf;

use bitloop_export::Target;
use clap::{Args, Subcommand, ValueEnum};

/// `bitloop controller`.
#[derive(Debug, Subcommand)]
pub enum ControllerCommand {
    /// Write a controller or model of an older format anew, in the format of this version
    Upgrade {
        /// The controllers or models, RON files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Show a controller's or a model's shape, connections, errors and origin
    Show {
        /// The controller or model, a RON file
        file: PathBuf,
    },
    /// Write a controller or a model as source code for a device or another language
    Export(ExportArgs),
}

/// `bitloop controller export`.
#[derive(Debug, Args)]
#[command(after_help = "\
An export holds scaling, bounds, memory and reset of the controller, names its inputs and outputs with their units, and \
carries test vectors with a self-test, whose command is printed.")]
pub struct ExportArgs {
    /// The controller or model, a RON file
    pub file: PathBuf,
    /// What to write
    #[arg(long, value_enum, value_name = "TARGET")]
    pub to: ExportTarget,
    /// Folder for the files, which must be empty or not there yet
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Name of files and functions, instead of the file's
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
}

/// What a controller is exported to.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ExportTarget {
    /// C99 in double precision: the bits of `bitloop replay`, wherever doubles are IEEE in hardware
    C,
    /// C99 in fixed point, for microcontrollers without double precision: the bits of `bitloop replay --fixed`
    CFixed,
    /// Rust without the standard library, in double precision: the bits of `bitloop replay`
    Rust,
    /// Rust without the standard library, in fixed point
    RustFixed,
    /// Python with `numpy`, to within 1e-12
    Numpy,
}

impl From<ExportTarget> for Target {
    fn from(target: ExportTarget) -> Self {
        match target {
            ExportTarget::C => Self::C,
            ExportTarget::CFixed => Self::CFixed,
            ExportTarget::Rust => Self::Rust,
            ExportTarget::RustFixed => Self::RustFixed,
            ExportTarget::Numpy => Self::NumPy,
        }
    }
}
