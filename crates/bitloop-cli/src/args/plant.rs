//! `bitloop plant` on the command line.

use std::path::PathBuf;

use bitloop_scenario::PlantChoice;
use clap::{Args, Subcommand, ValueEnum};

use super::{
    number::{parse_budget, whole},
    parse_plant,
};

/// `bitloop plant`.
#[derive(Debug, Subcommand)]
pub enum PlantCommand {
    /// Make the folder of a new plant: an example that builds, trains and replays at once, to be made yours
    New(NewArgs),
    /// List the plants that scenarios can name
    List {
        /// Leave the processes that describe libraries their rights
        #[arg(long)]
        no_sandbox: bool,
        /// Print one JSON object on standard output
        #[arg(long)]
        json: bool,
    },
    /// Show a plant's states, controls, observations and parameters
    Info {
        /// The plant's name, or the path of its library or FMU
        #[arg(value_name = "NAME|PATH", value_parser = parse_plant)]
        plant: PlantChoice,
        /// Print one JSON object on standard output
        #[arg(long)]
        json: bool,
    },
    /// Check a plant against its contract
    Check(CheckArgs),
}

/// `bitloop plant check`.
#[derive(Debug, Args)]
#[command(after_help = "\
The plant runs in a process of its own: if it crashes or hangs there, that is what a check finds, and the next one goes \
on. Each check draws its random numbers from the seed and its own name, so that `--seed N --only CHECK` repeats it.

Exit code 0 if no check failed, 1 if one did.")]
pub struct CheckArgs {
    /// The plant's name, or the path of its library or FMU
    #[arg(value_name = "NAME|PATH", value_parser = parse_plant)]
    pub plant: PlantChoice,
    /// Root of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    pub seed: u64,
    /// Make this check alone, after those without which none makes sense; may be given several times
    #[arg(long, value_name = "CHECK")]
    pub only: Vec<String>,
    /// Fail on a system that cannot take the rights of the plant's process
    ///
    /// Without this option, the parts of the sandbox that the system lacks are left out, with a warning.
    #[arg(long)]
    pub sandbox: bool,
    /// Leave the plant's process its rights
    #[arg(long, conflicts_with = "sandbox")]
    pub no_sandbox: bool,
    /// Seconds that a check may take, beside those that a slow plant takes for its steps
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = parse_budget)]
    pub time_limit: f64,
    /// Print the result as one JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

/// `bitloop plant new`.
#[derive(Debug, Args)]
#[command(after_help = "\
The folder holds equations, tests of their physics, a scenario and a README, and builds by `cargo build --release` or \
`make`. Nothing that exists is overwritten. The guide `Your first plant` (crates/bitloop-plant/GUIDE.md) continues from \
there.")]
pub struct NewArgs {
    /// The plant's name: lower-case words joined by hyphens
    #[arg(required_unless_present = "fmu")]
    pub name: Option<String>,
    /// The language that it is written in
    #[arg(long, value_enum, default_value_t = Language::Rust)]
    pub lang: Language,
    /// The folder to make, instead of NAME in the current folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write FILE.fmu.ron beside an FMU instead, which makes a plant of it, with all of the model's variables
    #[arg(long, value_name = "FILE.fmu", conflicts_with_all = ["name", "lang", "out"])]
    pub fmu: Option<PathBuf>,
}

/// What a plant is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// Rust, compiled for each instruction set
    Rust,
    /// C99
    C,
}
