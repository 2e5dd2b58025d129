//! `bitloop merge` and `bitloop shard-script` on the command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use bitloop_scenario::PlantChoice;
use clap::{Args, ValueEnum};

use super::{
    DataFiles, TestOptions,
    number::{parse_threads, whole},
    parse_plant,
};
use crate::failure::Failure;

/// `bitloop merge`.
#[derive(Debug, Args)]
#[command(after_help = "\
All shards inside the folders are found, whatever engine ran them, in whatever division; a folder that holds nothing finished counts for \
nothing. DIR becomes what the command without --shard makes, byte for byte, but for the files that tell times, machines and \
folders. Nothing is written unless all is there and sound; what is missing is listed as shards to run again. Merging again \
changes nothing.")]
pub struct MergeArgs {
    /// Folders with shards, such as the one that --out named
    #[arg(required = true, value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// Folder for the whole, which is not there yet, is empty, or holds the same
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Plant to use where the one that the shards name is not on this machine
    #[arg(long, value_name = "NAME|PATH", value_parser = parse_plant)]
    pub plant: Option<PlantChoice>,
    /// Files of rows to use instead of those that the shards name, which are not on this machine
    #[command(flatten)]
    pub files: DataFiles,
    /// Threads to test with, and cores that times to a success are given for [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<NonZeroUsize>,
    /// Print the result as one JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

impl MergeArgs {
    /// Puts its plant in the place of the one that a test names.
    pub fn apply(&self, test: &mut TestOptions) -> Result<(), Failure> {
        if let Some((option, _)) = self.files.given().next() {
            return Err(Failure::Usage {
                message: format!("{option} has no meaning for tests of a controller"),
                hint: Some("it is for trainings on examples".to_owned()),
            });
        }
        test.plant = self.plant.clone().or_else(|| test.plant.take());
        Ok(())
    }
}

/// `bitloop shard-script`.
#[derive(Debug, Args)]
#[command(after_help = "\
  bitloop shard-script slurm --shards 100 -- campaign s.ron --runs 1000 --out c > job.sh && sbatch job.sh

The command is the one for a single machine, without --shard; the script adds that with the number that its engine gives. It is \
a file to be read and changed: partitions, memory and time limits differ from place to place.")]
pub struct ShardScriptArgs {
    /// The engine that runs the shards
    #[arg(value_enum)]
    pub engine: Engine,
    /// How many shards the work is split into
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1_000_000))]
    pub shards: u32,
    /// Cores of a shard, which are also its --threads
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_threads)]
    pub cores: NonZeroUsize,
    /// The command after `bitloop`: `campaign`, `train`, `replay`, `map` or `robust`, and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

/// What runs shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// A job array of Slurm
    Slurm,
    /// A task array of `HyperQueue`
    Hq,
    /// An indexed job of Kubernetes
    K8s,
    /// GNU parallel
    Parallel,
}
