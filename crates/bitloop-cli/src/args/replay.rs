//! `bitloop replay` and `bitloop test` on the command line.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use bitloop_campaign::Shard;
use bitloop_scenario::Pass;
use clap::Args;
use serde::{Deserialize, Serialize};

use super::{
    EpisodeCount, TestOptions,
    number::{parse_budget, parse_threads, whole},
    saved_file,
};

/// The most episodes of a replay, as in a scenario.
pub(super) const MAX_EPISODES: u64 = 1_000_000;

/// `bitloop replay`.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[command(after_help = "\
Without options, the episodes are those of the test at the end of the controller's training, and the mean error is its \
test error, to the last bit.

Ctrl-C ends the replay with the results so far: those of the episodes that have ended, and how far the others are. With --isolate or --sandbox there are none.")]
#[expect(clippy::struct_excessive_bools, reason = "one for each switch")]
pub struct ReplayArgs {
    /// The controller, a RON file written by `bitloop train`, or the folder of its training
    #[arg(value_parser = saved_file())]
    pub controller: PathBuf,
    #[command(flatten)]
    #[serde(flatten)]
    pub test: TestOptions,
    #[command(flatten)]
    #[serde(flatten)]
    pub count: EpisodeCount,
    /// Run the episode with this index alone, from 0 on; it is the same as among the others, to the last bit
    #[arg(long, value_name = "K", value_parser = whole::<usize>(0..=u64::MAX))]
    #[serde(skip)]
    pub episode: Option<usize>,
    /// Write all trajectories to this file as comma-separated values; `-` is standard output
    ///
    /// A name that ends in .gz packs the file; one that ends in .parquet makes it a Parquet file.
    /// A row for each query of the controller, and one for the end of the episode, which has no controls; episode by
    /// episode, each in order of time. Columns: episode, time in seconds, parameters that are drawn at random (parameter.NAME), states,
    /// observations that are no states, what sensors that are not perfect read of states (reading.NAME), controls as commanded.
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub csv: Option<PathBuf>,
    /// Write all trajectories to this file as MCAP, which Foxglove and `PlotJuggler` open; `-` is standard output
    ///
    /// A message in JSON for each query, with its schema and units: state, observation as the controller reads it, control as
    /// commanded, sum of the costs so far; and the parameters at the start. Times are those of the episode, from 0 on. Of several episodes,
    /// each has channels of its own, `/episode_K/state` and so on, for up to 10 000 episodes.
    #[arg(long, value_name = "FILE.mcap", conflicts_with = "csv")]
    #[serde(skip)]
    pub mcap: Option<PathBuf>,
    /// Write a file for each episode, named after that of --csv or --mcap: a-07.csv of a.csv
    #[arg(long)]
    #[serde(skip)]
    pub per_episode: bool,
    /// Write every Nth query only, from the first one on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(1..=u64::MAX))]
    #[serde(skip)]
    pub every: u64,
    /// Write a line for each episode to this file: error, end, start, drawn parameters, behavior; `-` is standard output
    ///
    /// Columns: episode, error, end (horizon, failed or fault), time of the end in seconds, initial states, parameters
    /// that are drawn at random, and the figures of behavior. A name that ends in .gz packs the file, one that ends in
    /// .parquet makes it a Parquet file.
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub episodes_csv: Option<PathBuf>,
    /// What must hold of the result, as in a suite: `mean_error: 1e-3, failed: 0`; if it does not, the exit code is 4
    #[arg(long, value_name = "CRITERIA", value_parser = parse_pass)]
    pub pass: Option<Pass>,
    /// Save the state of the replay to this file from time to time, so that it can be resumed; it must not be there yet
    ///
    /// It is saved when the replay is interrupted, too, and at the end; a replay that was killed is resumed from the last one.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["csv", "mcap", "fixed", "isolate", "sandbox", "shard"])]
    #[serde(skip)]
    pub checkpoint: Option<PathBuf>,
    /// Seconds from one checkpoint to the next; writing takes at most a tenth of the time
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = parse_budget)]
    #[serde(skip)]
    pub checkpoint_every: f64,
    /// Resume the replay whose state is in this file, with the same controller and options, and save it there further on
    ///
    /// The result has the same bits as that of a replay that was never interrupted.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["checkpoint", "csv", "mcap", "fixed", "isolate", "sandbox", "shard"])]
    #[serde(skip)]
    pub resume: Option<PathBuf>,
    /// Leave out the digest of all trajectories, which takes about a third of the time
    #[arg(long)]
    pub no_digest: bool,
    /// Leave out the figures of behavior, which take about a sixth of the time
    #[arg(long)]
    pub no_behavior: bool,
    /// Threads to use [default: all cores]; the result is the same for any number
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    #[serde(skip)]
    pub threads: Option<NonZeroUsize>,
    /// Run the controller in fixed point, as `controller export --to c-fixed` writes it, and print what that costs
    ///
    /// The same episodes are run in double precision, too, for comparison.
    #[arg(long)]
    #[serde(skip)]
    pub fixed: bool,
    /// Run the plant in processes of its own: one that crashes or hangs ends the replay, and nothing else
    ///
    /// A replay that does not advance for SECONDS (60 if left out) counts as hanging, however long it takes.
    /// The result is the same, to the last bit. `bitloop plant check` looks for the cause of a crash.
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, default_missing_value = "60",
        value_parser = parse_budget)]
    #[serde(skip)]
    pub isolate: Option<f64>,
    /// Run an FMU in this process, which it may end; without this option, an FMU is isolated
    #[arg(long, conflicts_with_all = ["isolate", "sandbox"])]
    #[serde(skip)]
    pub no_isolate: bool,
    /// Run the plant in processes that have given up their rights; implies --isolate
    ///
    /// Such a process reads the plant's library and the system's libraries, and no other file; it writes no file, opens no
    /// socket, starts no process and sends no signal to another one; memory is limited. On a system that cannot do that,
    /// the command fails.
    #[arg(long)]
    #[serde(skip)]
    pub sandbox: bool,
    /// Do part I of N alone, counted from 0: the episodes I, I + N, I + 2 N, ..., for `bitloop merge`
    ///
    /// They are kept in DIR/shard-I-of-N, where each process has a folder of its own: a shard may be started again, or twice at
    /// once.
    #[arg(long, value_name = "I/N", requires = "out",
        conflicts_with_all = ["episode", "csv", "mcap", "per_episode", "every", "checkpoint_every", "no_behavior", "episodes_csv", "fixed", "isolate", "sandbox"])]
    #[serde(skip)]
    pub shard: Option<Shard>,
    /// With --shard: folder for all shards
    #[arg(long, value_name = "DIR", requires = "shard")]
    #[serde(skip)]
    pub out: Option<PathBuf>,
    /// Print the result as one JSON object on standard output
    #[arg(long)]
    #[serde(skip)]
    pub json: bool,
}

impl ReplayArgs {
    /// The file of all trajectories, in either format.
    pub fn trajectories(&self) -> Option<&Path> {
        self.csv.as_deref().or(self.mcap.as_deref())
    }
}

/// `bitloop test`.
#[derive(Debug, Args)]
#[command(after_help = "\
A suite is a RON file: Tests([(name: \"heavy cart\", parameters: {\"cart_mass\": 2}, pass: (failed: 0)), ...]). What a test \
leaves out is as in the training of the controller; `bitloop scenario fields Tests` explains the fields.

A controller that does not fit a test is reported, and the others are run. The exit code is 4 if a criterion is missed, and 1 \
or 3 if a test could not be run.")]
pub struct TestArgs {
    /// The controllers, RON files written by `bitloop train`, or the folders of their trainings
    #[arg(required = true, value_parser = saved_file())]
    pub controllers: Vec<PathBuf>,
    /// The suite, a RON file
    #[arg(long, value_name = "FILE")]
    pub suite: PathBuf,
    /// Write the results to this file as `JUnit` XML, which build servers read
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Run episodes of more than 1e9 integration steps, too, which are refused otherwise
    #[arg(long)]
    pub yes: bool,
    /// Save the state of the tests to files in this new folder from time to time, so that they can be resumed
    ///
    /// Each test of each controller has a file. It is saved when the suite is interrupted, too, and at the end of the test. Tests of
    /// plants that own their state are not saved: they are run anew.
    #[arg(long, value_name = "DIR")]
    pub checkpoint: Option<PathBuf>,
    /// Seconds from one checkpoint to the next; writing takes at most a tenth of the time
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = parse_budget)]
    pub checkpoint_every: f64,
    /// Resume the tests whose state is in this folder, of the same controllers and suite, and save it there further on
    ///
    /// The result has the same bits as that of tests that were never interrupted. Criteria may be others.
    #[arg(long, value_name = "DIR", conflicts_with = "checkpoint")]
    pub resume: Option<PathBuf>,
    /// Threads to use [default: all cores]; the result is the same for any number
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<NonZeroUsize>,
    /// Print the result as one JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

fn parse_pass(text: &str) -> Result<Pass, String> {
    Pass::parse(text).map_err(|(message, hint)| format!("{message} ({hint})"))
}
