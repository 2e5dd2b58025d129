//! The command line: commands, options, their help and their limits.
//!
//! What can be checked without opening a file is checked here, so that a wrong number is reported with the option that it was
//! given to.

mod campaign;
mod compare;
mod controller;
mod data_files;
mod map;
mod number;
mod plant;
mod plot;
mod replay;
mod report;
mod robust;
mod shards;
mod test_options;
mod worst;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use bitloop_campaign::Shard;
use bitloop_scenario::{Format, PlantChoice};
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::kind;

use number::{parse_budget, parse_level, parse_seconds, parse_threads, whole};

pub use campaign::CampaignArgs;
pub use compare::CompareArgs;
pub use controller::{ControllerCommand, ExportArgs, ImportArgs};
pub use data_files::DataFiles;
pub use map::MapArgs;
pub use plant::{CheckArgs, Language, NewArgs, PlantCommand};
pub use plot::{Over, PlotArgs, PlotKind};
pub use replay::{ReplayArgs, TestArgs};
pub use report::{ReportArgs, WatchArgs};
pub use robust::RobustArgs;
pub use shards::{Engine, MergeArgs, ShardScriptArgs};
pub use test_options::{EpisodeCount, TestOptions};
pub use worst::WorstArgs;

/// The most runs of a campaign's variant.
pub const MAX_RUNS: u64 = 10_000;

const AFTER_HELP: &str = "\
Exit codes:
  0    done
  1    the work failed: a plant broke or failed a check, a file could not be written
  2    the command line or BITLOOP_ISA is wrong
  3    a scenario, a controller, a model, a plant library or data are wrong or cannot be read
  4    a controller misses a criterion of a test
  130  interrupted by Ctrl-C (143: by SIGTERM); a training has saved its state and its best so far

Environment:
  BITLOOP_ISA  instruction set to use: avx512, avx2 or portable; the fastest by default.
               All give the same bits.
  BITLOOP_PLANT_PATH
               folders, joined by colons, whose plant libraries (*.so) are found by name.

Counts may be written with an exponent: --evaluations 2e5.";

/// Trains small neural controllers in simulation and replays them; trains networks on examples and applies them.
#[derive(Debug, Parser)]
#[command(version, after_help = AFTER_HELP, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Train a controller, or a network on examples, as a scenario says
    Train(TrainArgs),
    /// Train many times, and report how often and how soon it succeeds
    Campaign(CampaignArgs),
    /// Train several scenarios with several settings, and compare what a success costs
    Compare(CompareArgs),
    /// Make of shards what the command without --shard makes
    Merge(MergeArgs),
    /// Print a job file that runs a command in shards
    ShardScript(ShardScriptArgs),
    /// Run a saved controller in a test simulation
    Replay(ReplayArgs),
    /// Run saved controllers through a suite of tests, and report which criteria they miss
    Test(TestArgs),
    /// Map where a controller fails, and its error, over two states at the start or parameters
    Map(MapArgs),
    /// Measure the margins of a controller: gains, delays, noise, parameters
    Robust(RobustArgs),
    /// Search for the episode of a test that costs a controller most
    Worst(WorstArgs),
    /// Draw a controller, a training or a campaign
    Plot(PlotArgs),
    /// Write a page that shows what a controller does, with the plant in motion
    Report(ReportArgs),
    /// Write a page that follows a training while it runs
    Watch(WatchArgs),
    /// Apply a saved model to rows of data, and score it
    Predict(PredictArgs),
    /// Tell what linear-quadratic control comes to on a scenario's test
    Lqr(LqrArgs),
    /// Measure how fast this machine trains
    Bench(BenchArgs),
    /// List plants, explain one, or check it
    #[command(subcommand)]
    Plant(PlantCommand),
    /// Check scenarios
    #[command(subcommand)]
    Scenario(ScenarioCommand),
    /// Explain saved controllers and models
    #[command(subcommand)]
    Controller(ControllerCommand),
    /// Make the checks that `plant check` asks for on standard input
    #[command(hide = true)]
    PlantCheckWorker {
        /// Whether to give up rights first
        #[arg(long)]
        sandbox: bool,
        /// The plant's name, or the path of its library or FMU
        #[arg(value_name = "NAME|PATH", value_parser = parse_plant)]
        plant: PlantChoice,
    },
    /// Describe the plant of a library, for `plant list` and for libraries found by name
    #[command(hide = true)]
    PlantDescribeWorker {
        /// Whether to give up rights first
        #[arg(long)]
        sandbox: bool,
        /// The path of the library
        library: PathBuf,
    },
    /// Run the plant of a training, for `train --isolate`
    #[command(hide = true)]
    TrainWorker {
        /// Whether to give up rights first
        #[arg(long)]
        sandbox: bool,
        /// A library, or another file of a plant, that may be read all the same
        #[arg(long, value_name = "FILE", requires = "sandbox")]
        readable: Vec<PathBuf>,
        /// The name that the scenario has for the plant
        #[arg(requires = "library")]
        name: Option<String>,
        /// The library that has the plant of that name
        library: Option<PathBuf>,
    },
    /// Run a replay, for `replay --isolate`
    #[command(hide = true)]
    ReplayWorker(ReplayArgs),
    /// Make a page, for `report --isolate`
    #[command(hide = true)]
    ReportWorker(ReportArgs),
}

/// `bitloop train`.
#[derive(Debug, Args)]
#[command(after_help = "\
Ctrl-C ends the training at its next look at the clock: its state is saved, and then the best controller so far is \
tested and saved, too. A second one leaves at once. `--resume DIR` continues from the last checkpoint, also after a crash.

The same scenario and seed give the same controller on any machine and with any number of threads, unless the \
scenario's budget in seconds is what ended the search.")]
pub struct TrainArgs {
    /// The scenario, a RON file; or a plant's name or library, to train in what `scenario new` writes for it
    #[arg(
        required_unless_present = "resume",
        conflicts_with = "resume",
        value_name = "SCENARIO|PLANT"
    )]
    pub scenario: Option<PathBuf>,
    /// Go on with the training in this folder; the result is the same as if it had never stopped
    #[arg(long, value_name = "DIR", conflicts_with_all = ["seed", "out", "plant", "data", "validation_data", "test_data", "against"])]
    pub resume: Option<PathBuf>,
    /// Root of all random numbers, instead of the scenario's
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// Folder for all files of the training, made if need be [default: runs/SCENARIO-seedN]
    ///
    /// DIR/controller.ron is the controller, DIR/model.ron the network, once the training is over. Nothing is lost: the files of another training
    /// that is finished are moved to DIR/earlier-1 and so on, one that is not finished is left alone, and a controller
    /// that would be written over is renamed to controller-XXXXXXXX.ron, after its digest.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Evaluations in all, instead of the scenario's; a training that has used them up is given more by --resume
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX))]
    pub evaluations: Option<u64>,
    /// Seconds in all, those before a resumption included, instead of the scenario's
    #[arg(long, value_name = "S", value_parser = parse_budget)]
    pub seconds: Option<f64>,
    /// Seconds from one checkpoint to the next; each new best is saved at once
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = parse_budget)]
    pub checkpoint_every: f64,
    /// Threads to use [default: all cores]; the result is the same for any number
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<NonZeroUsize>,
    /// Plant to use instead of the scenario's: a name, or the path of a library or FMU
    #[arg(long, value_name = "NAME|PATH", value_parser = parse_plant)]
    pub plant: Option<PlantChoice>,
    /// Run the plant in processes of its own: one that crashes or hangs ends the training, which can be resumed, and nothing else
    ///
    /// An evaluation, all episodes of a candidate, that takes longer than SECONDS (60 if left out) counts as hanging.
    /// The result is the same, to the last bit. `bitloop plant check` looks for the cause of a crash.
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, default_missing_value = "60",
        value_parser = parse_budget)]
    pub isolate: Option<f64>,
    /// Run an FMU in this process, which it may end; without this option, an FMU is isolated
    #[arg(long, conflicts_with_all = ["isolate", "sandbox"])]
    pub no_isolate: bool,
    /// Run the plant in processes that have given up their rights; implies --isolate
    ///
    /// Such a process reads the plant's library and the system's libraries, and no other file; it writes no file, opens no
    /// socket, starts no process and sends no signal to another one; memory is limited. On a system that cannot do that,
    /// the command fails.
    #[arg(long)]
    pub sandbox: bool,
    /// Files of rows to use instead of the scenario's
    #[command(flatten)]
    pub files: DataFiles,
    /// An episode to train against, a scenario whose test is that episode alone, as `bitloop worst` writes it; may be repeated
    ///
    /// It is added to the training episodes, and to no other set, and is kept with the scenario in the training's folder.
    #[arg(long, value_name = "FILE.ron")]
    pub against: Vec<PathBuf>,
    /// Do part I of N alone, counted from 0: the runs I, I + N, I + 2 N, ... from random starts, for `bitloop merge`
    ///
    /// They are kept in DIR/shard-I-of-N, where each process has a folder of its own: a shard may be started again, or
    /// twice at once. Evaluations and seconds over all runs cannot be limited then, only those of each.
    #[arg(long, value_name = "I/N", conflicts_with_all = ["resume", "isolate", "sandbox", "evaluations", "seconds", "checkpoint_every", "against"])]
    pub shard: Option<Shard>,
    /// With --shard: a file that tells all shards of the first run that met the target; later runs are then left out
    ///
    /// A shard that meets the target writes the number of its run into it. A file with anything else in it ends each shard
    /// at once. The winner does not depend on it.
    #[arg(long, value_name = "FILE", requires = "shard")]
    pub stop_file: Option<PathBuf>,
    /// Write a page that follows the training, and becomes its report in the end
    ///
    /// It is opened from the disk, beside a script of the same name that ends in .live.js, as `bitloop watch` writes it.
    #[arg(long, value_name = "FILE.html", conflicts_with = "shard")]
    pub watch: Option<PathBuf>,
    /// Print the result as one JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

/// `bitloop predict`.
#[derive(Debug, Args)]
#[command(after_help = "\
The columns are found by their names in a file with a header, else by their numbers. The root mean squared error is over \
rows and outputs, in the scaled units that the network was trained in; a model trained by a cross-entropy has that too. Below it, \
each target has its errors in its own unit, beside the mean of these rows, or which classes were answered.")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub struct PredictArgs {
    /// The model, a RON file written by `bitloop train`, or the folder of its training
    #[arg(value_parser = saved_file())]
    pub model: PathBuf,
    /// The rows, which may be packed with gzip; - is standard input
    #[arg(long, value_name = "FILE")]
    pub data: PathBuf,
    /// How lines are cut into cells, instead of as in the model's training
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<FormatArg>,
    /// Whether the first line names the columns, instead of as in the model's training
    #[arg(long, value_name = "BOOL")]
    pub header: Option<bool>,
    /// The rows hold no targets: nothing is scored, and --csv takes the answers
    #[arg(long, requires = "csv")]
    pub unlabeled: bool,
    /// Show how much the error rises when the values of an input column are dealt out anew among the rows, for each column
    #[arg(long, conflicts_with = "unlabeled")]
    pub importance: bool,
    /// Words of nominal inputs that the training has not seen are taken as none of its words, instead of refused
    #[arg(long)]
    pub unknown_words: bool,
    /// Columns of the rows that go into --csv as they are, by their names or numbers: ids, true values
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', requires = "csv")]
    pub keep: Vec<String>,
    /// Write the answers to this file as comma-separated values; - is standard output
    ///
    /// A line for each row: its number, the columns of --keep, the answer for each target column in that column's own terms, and the
    /// probabilities of the classes, of models trained by a cross-entropy, or else the outputs of the network.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Print the result as one JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

/// How lines are cut into cells.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum FormatArg {
    /// By commas
    Csv,
    /// By tabs
    Tsv,
    /// By semicolons; numbers may have a decimal comma
    Semicolon,
    /// By blanks and tabs
    Whitespace,
}

impl From<FormatArg> for Format {
    fn from(format: FormatArg) -> Self {
        match format {
            FormatArg::Csv => Self::Csv,
            FormatArg::Tsv => Self::Tsv,
            FormatArg::Semicolon => Self::Semicolon,
            FormatArg::Whitespace => Self::Whitespace,
        }
    }
}

/// `bitloop lqr`.
#[derive(Debug, Args)]
#[command(after_help = "\
The plant is linearized about its default state, with each parameter at the middle of its distribution, and fed back all \
that it lets be observed, whatever the scenario's controller sees. The best linear feedback for the sum of the stage \
costs plus the control weight times the squared controls then runs the scenario's test. Without --control-weight, weights \
from 1e-4 to 100 are tried on the training episodes, and the largest within a hundredth of the lowest error is taken. It is a baseline with full \
feedback near an equilibrium: of the states themselves, without sensors, where the observations do not determine them. Plants without \
an equilibrium are refused with the reason.")]
pub struct LqrArgs {
    /// The scenario, a RON file
    pub scenario: PathBuf,
    /// Weight of the squared controls, each over its scale, beside the stage cost [default: the best on the training episodes]
    #[arg(long, value_name = "R", value_parser = parse_level)]
    pub control_weight: Option<f64>,
    /// Root of all random numbers, instead of the scenario's
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// Print the result as one JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

/// `bitloop bench`.
#[derive(Debug, Args)]
#[command(after_help = "\
A third of the time goes to each of: the scenario's own search on all threads, whatever its target and budgets; whole \
evaluations of the best controller that it found on one thread; the same on all threads at once.")]
pub struct BenchArgs {
    /// The scenario, a RON file [default: the inverted pendulum with full feedback and 5 tanh units]
    pub scenario: Option<PathBuf>,
    /// Seconds that the measurement takes
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = parse_seconds)]
    pub seconds: f64,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<NonZeroUsize>,
    /// Print the result as one JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

const NEW_SCENARIO_HELP: &str = "\
Episodes start around the plant's default state and last some 200 control periods. Controls are scaled by their bounds, \
observations by their motion under linear-quadratic control or, where there is none, by what short rollouts show. Where controls are \
found that hold the default state, they are the centers, and the error of linear-quadratic control on 1000 such episodes gives a \
target, and a penalty on changes of the controls that keeps those which switch to and fro from it. Where what is drawn moves the \
goal or the plant, there is none. Where states are not observed, the \
controller sees the last queries too, and the target is further above that error, of a regulator that sees them. All of it stands in \
the file as numbers. After a change of its starts or observations, --from FILE finds the others anew.";

/// `bitloop scenario`.
#[derive(Debug, Subcommand)]
pub enum ScenarioCommand {
    /// Write a scenario for a plant, to be read and changed: starts, scales, a controller and a target for a first training
    #[command(after_help = NEW_SCENARIO_HELP)]
    New {
        /// The plant's name, or the path of its library or FMU
        #[arg(value_name = "NAME|PATH", value_parser = parse_plant)]
        plant: PlantChoice,
        /// Take observations, starts, parameters, simulation and uncertainty from this scenario, and find all else anew for them
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,
        /// The file to write, which must not be there yet [default: standard output]
        #[arg(short, long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Say what is wrong with a scenario, or what it amounts to
    Check {
        /// The scenario, a RON file
        file: PathBuf,
        /// Print one JSON object on standard output
        #[arg(long)]
        json: bool,
    },
    /// Explain the fields of scenarios: type, unit, default, meaning
    Fields {
        /// Field names joined by dots, such as `training.bits`; without it, all fields
        #[arg(default_value = "")]
        path: String,
    },
}

/// A path holds a slash or ends in `.so` or `.fmu`; it is made absolute, since a relative one in a scenario starts at its file.
pub fn parse_plant(text: &str) -> Result<PlantChoice, String> {
    let ends_in = |end: &str| Path::new(text).extension().is_some_and(|found| found == end);
    if !text.contains('/') && !ends_in("so") && !ends_in("fmu") {
        return Ok(PlantChoice::Named(text.to_owned()));
    }
    let path = std::path::absolute(text).map_err(|error| error.to_string())?;
    let path = path.into_os_string().into_string();
    let path = path.map_err(|path| format!("{} is not UTF-8", path.display()))?;
    Ok(if ends_in("fmu") { PlantChoice::Fmu(path) } else { PlantChoice::Library(path) })
}

/// A controller or a model, which the folder of a training has one of.
fn saved_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(kind::saved)
}

/// Reads the command line. One that is wrong ends the program, as one that asks for help does.
pub fn parse() -> Command {
    let parsed = Cli::from_arg_matches(&definition().get_matches());
    parsed.map_or_else(|error| error.exit(), |cli| cli.command)
}

fn definition() -> clap::Command {
    number::with_negative_values(Cli::command())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_contradicts_itself_nowhere() {
        definition().debug_assert();
    }
}
