//! `bitloop campaign` on the command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use bitloop_campaign::{Shard, Success, Vary};
use bitloop_scenario::PlantChoice;
use clap::Args;

use super::{
    DataFiles, MAX_RUNS,
    number::{parse_threads, whole},
    parse_plant,
};

/// `bitloop campaign`.
#[derive(Debug, Args)]
#[command(after_help = "\
A training is one run without restart (one of each that is tried with `regularization: Auto`), within the evaluations that the scenario allows; its target does not count. It has \
random starts of its own, and episodes or a random split of its own. Training i of seed N has the same ones in every variant. \
With --search, a training is all that `bitloop train` does.

Each finished training is kept in DIR at once. The same command, or `--resume DIR`, resumes an interrupted campaign; \
trainings that had begun are resumed from checkpoints, which are written every 10 s. Errors, evaluations and controllers do not depend on that, nor on the number of threads, unless \
the scenario's budget is in seconds; times and plant steps do.")]
pub struct CampaignArgs {
    /// The scenario, a RON file
    #[arg(required_unless_present = "resume", conflicts_with = "resume")]
    pub scenario: Option<PathBuf>,
    /// Resume the campaign in this folder, as it was asked for
    #[arg(long, value_name = "DIR", conflicts_with_all = ["runs", "folds", "vary", "success", "search", "seed", "out", "plant", "data", "validation_data", "test_data"])]
    pub resume: Option<PathBuf>,
    /// Trainings of each variant [default: 30; with --folds one for each fold]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=MAX_RUNS))]
    pub runs: Option<u32>,
    /// Cross-validation of a scenario on examples: the rows make K parts, and training i tests part i modulo K
    ///
    /// The other rows are shared out in the proportion of the scenario's training and validation rows. --runs 2K makes two rounds,
    /// each with an order of rows of its own.
    #[arg(long, value_name = "K", value_parser = whole::<u32>(2..=MAX_RUNS))]
    pub folds: Option<u32>,
    /// Field of the scenario and values for it, as in training.bits=8,16; several fields multiply
    ///
    /// The field is a path of names joined by dots. It may be one that the file leaves to its default. Values are
    /// written as in the file, and split at commas outside of brackets and quotes:
    /// `--vary 'controller.hidden=[5],[10,5]'`.
    ///
    /// A value is the whole of its field: what the file has inside it is not kept. `--vary 'training=TelescopicBlm()'` leaves a
    /// `max_weight` of the file to its default; `--vary training.bits=8,16` keeps it.
    #[arg(long, value_name = "KEY=V1,V2,...")]
    pub vary: Vec<Vary>,
    /// Error below which a training is a success: on the test set or, without one, on the set that selects; or `target`: it
    /// has reached the scenario's own target in validation and confirmation
    #[arg(long, value_name = "E|target", default_value_t = Success::Below(0.1))]
    pub success: Success,
    /// Trainings follow the scenario's own stopping rules: restarts, target and all
    #[arg(long)]
    pub search: bool,
    /// Root of the seeds of the trainings, instead of the scenario's
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<NonZeroUsize>,
    /// Do part I of N alone, counted from 0: the trainings I, I + N, I + 2 N, ... of each variant, for `bitloop merge`
    ///
    /// They are kept in DIR/shard-I-of-N, where each process has a folder of its own: a shard may be started again, or
    /// twice at once.
    #[arg(long, value_name = "I/N", conflicts_with = "resume")]
    pub shard: Option<Shard>,
    /// Folder for the trainings and what they end with [default: runs/SCENARIO-campaign-seedN]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Plant to use instead of the scenario's: a name, or the path of a library or FMU
    #[arg(long, value_name = "NAME|PATH", value_parser = parse_plant)]
    pub plant: Option<PlantChoice>,
    /// Files of rows to use instead of the scenario's
    #[command(flatten)]
    pub files: DataFiles,
    /// Print the result as one JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

impl CampaignArgs {
    /// Trainings of each variant.
    pub fn n_trainings(&self) -> u32 {
        const USUAL: u32 = 30;
        self.runs.or(self.folds).unwrap_or(USUAL)
    }
}
