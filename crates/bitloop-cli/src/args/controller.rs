//! `bitloop controller` on the command line.

use std::path::PathBuf;

use bitloop_export::Target;
use clap::{Args, Subcommand, ValueEnum};

use super::saved_file;

/// `bitloop controller`.
#[derive(Debug, Subcommand)]
pub enum ControllerCommand {
    /// Write a controller or model of an older format anew, in the format of this version
    Upgrade {
        /// The controllers or models, RON files, or the folders of their trainings
        #[arg(required = true, value_parser = saved_file())]
        files: Vec<PathBuf>,
    },
    /// Show a controller's or a model's shape, connections, errors and origin
    Show {
        /// The controller or model, a RON file, or the folder of its training
        #[arg(value_parser = saved_file())]
        file: PathBuf,
        /// Print it as one JSON object on standard output
        #[arg(long)]
        json: bool,
    },
    /// Write a controller or a model as source code for a device or another language
    Export(ExportArgs),
    /// Make a saved controller of weights or a linear gain that were found elsewhere
    Import(ImportArgs),
}

/// `bitloop controller export`.
#[derive(Debug, Args)]
#[command(after_help = "\
An export holds scaling, bounds, memory and reset of the controller, names its inputs and outputs with their units, and \
carries test vectors with a self-test, whose command is printed.")]
pub struct ExportArgs {
    /// The controller or model, a RON file, or the folder of its training
    #[arg(value_parser = saved_file())]
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
    /// Print what was written as JSON
    #[arg(long)]
    pub json: bool,
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
    /// A graph of one step in ONNX, to within 1e-12
    Onnx,
    /// Archives for co-simulation by FMI 2.0 and 3.0, with the exact C as sources
    Fmu,
}

impl From<ExportTarget> for Target {
    fn from(target: ExportTarget) -> Self {
        match target {
            ExportTarget::C => Self::C,
            ExportTarget::CFixed => Self::CFixed,
            ExportTarget::Rust => Self::Rust,
            ExportTarget::RustFixed => Self::RustFixed,
            ExportTarget::Numpy => Self::NumPy,
            ExportTarget::Onnx => Self::Onnx,
            ExportTarget::Fmu => Self::Fmu,
        }
    }
}

/// `bitloop controller import`.
#[derive(Debug, Args)]
#[command(after_help = "\
The numbers are rounded to the grid of the scenario's training, and evaluated on its episodes, rounded and not, so that the \
cost of rounding is known. The controller can be replayed and exported like a trained one.")]
pub struct ImportArgs {
    /// The scenario that the controller is for, a RON file
    pub scenario: PathBuf,
    /// What the controller is made of
    #[command(flatten)]
    pub numbers: ImportedNumbers,
    /// File for the controller, which must not be there yet
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

/// What a controller is made of.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct ImportedNumbers {
    /// All weights of the scenario's network, as numpy.save writes them: layer by layer, neuron by neuron, of each its
    /// bias, its inputs, its past
    #[arg(long, value_name = "FILE.npy")]
    pub weights: Option<PathBuf>,
    /// K of u = -K y, in the plant's units: a file of numpy.save, or numbers as in '1.5,2;0,-3'
    ///
    /// A row for each control, a column for each observation of the scenario, whose network has no hidden layers. PD and
    /// state feedback are such gains, and so is what `bitloop lqr` prints.
    #[arg(long, value_name = "FILE.npy|NUMBERS", allow_hyphen_values = true)]
    pub gain: Option<String>,
}
