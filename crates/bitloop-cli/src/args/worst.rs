//! `bitloop worst` on the command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::{
    TestOptions,
    number::{parse_level, parse_threads, whole},
    saved_file,
};

/// `bitloop worst`.
#[derive(Debug, Args)]
#[command(after_help = "\
The search is over all that the test draws: starts, parameters, biases, gains, disturbances, and the noise. Normal distributions are \
searched within three standard deviations. Random episodes come first; CMA-ES begins at the worst of them. An episode is as \
long as those of the training, unless --horizon says otherwise. `bitloop replay CONTROLLER --scenario FILE.ron` shows what was found.")]
pub struct WorstArgs {
    /// The controller, a RON file written by `bitloop train`, or the folder of its training
    #[arg(value_parser = saved_file())]
    pub controller: PathBuf,
    /// The scenario to write: a test of one episode, the worst that was found
    #[arg(short, long, value_name = "FILE.ron")]
    pub out: PathBuf,
    #[command(flatten)]
    pub test: TestOptions,
    /// The exit code is 4 if the worst episode fails, or its error is above this
    #[arg(long, value_name = "ERROR", value_parser = parse_level)]
    pub limit: Option<f64>,
    /// Random episodes at the beginning
    #[arg(long, value_name = "N", default_value_t = 2048, value_parser = whole::<u32>(1..=100_000))]
    pub random: u32,
    /// Searches by CMA-ES, each from another of the worst random episodes
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = whole::<u32>(0..=1000))]
    pub starts: u32,
    /// Generations of each search
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = whole::<u32>(1..=100_000))]
    pub generations: u32,
    /// Threads to use [default: all cores]; the result is the same for any number
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<NonZeroUsize>,
    /// Print the result as one JSON object on standard output
    #[arg(long)]
    pub json: bool,
}
