//! `bitloop compare` on the command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use bitloop_campaign::{Success, Vary};
use clap::Args;

use super::{
    MAX_RUNS,
    number::{parse_threads, whole},
};

/// `bitloop compare`.
#[derive(Debug, Args)]
#[command(after_help = "\
  bitloop compare scenarios/shelf/*.ron --runs 10

Each scenario is a campaign of its own with --search, in a folder of its name in DIR: what is finished is kept, the same command \
resumes, and the commands for campaigns work on it. The ratio is that of plant steps to a success, or of evaluations where no plant is \
simulated, to those of the last variant, the reference; over several scenarios the geometric mean is given.")]
pub struct CompareArgs {
    /// The scenarios, RON files
    #[arg(required = true, value_name = "SCENARIO")]
    pub scenarios: Vec<PathBuf>,
    /// Field of the scenarios and values for it, as for `bitloop campaign` [default: `training=TelescopicBlm(),CmaEs()`]
    ///
    /// A value is the whole of its field: what the file has inside it is not kept. `--vary 'training=TelescopicBlm()'` leaves a
    /// `max_weight` of the file to its default; `--vary training.bits=8,16` keeps it.
    #[arg(long, value_name = "KEY=V1,V2,...")]
    pub vary: Vec<Vary>,
    /// Trainings of each variant of each scenario
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<u32>(1..=MAX_RUNS))]
    pub runs: u32,
    /// What a success is: the scenario's target reached in validation and confirmation, or an error below this level
    #[arg(long, value_name = "E|target", default_value_t = Success::Target)]
    pub success: Success,
    /// Root of the seeds of the trainings, instead of each scenario's
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<NonZeroUsize>,
    /// Folder for the campaigns
    #[arg(long, value_name = "DIR", default_value = "runs/compare")]
    pub out: PathBuf,
    /// Print the result as one JSON object on standard output
    #[arg(long)]
    pub json: bool,
}
