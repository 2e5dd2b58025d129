//! `bitloop robust` on the command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use bitloop_campaign::Shard;
use clap::Args;
use serde::{Deserialize, Serialize};

use super::{
    EpisodeCount, TestOptions,
    number::{parse_level, parse_threads},
    saved_file,
};

/// `bitloop robust`.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[command(after_help = "\
Each source is added to the test by itself, from almost nothing on up to the level at which half of the episodes fail: larger and \
smaller gains, delays, noise, dropouts, larger and smaller parameters; and all at once, at random. A margin is the largest level \
tried without failure in so many episodes, with none at the levels below. It is what was seen, and no guarantee. Each controller \
runs the test of its own training, unless --scenario names one for all. An episode is \
as long as those of the training, unless --horizon says otherwise.")]
pub struct RobustArgs {
    /// The controllers, RON files written by `bitloop train`, or the folders of their trainings, side by side
    #[arg(required = true, num_args = 1..=2, value_parser = saved_file())]
    pub controllers: Vec<PathBuf>,
    #[command(flatten)]
    #[serde(flatten)]
    pub test: TestOptions,
    #[command(flatten)]
    #[serde(flatten)]
    pub count: EpisodeCount,
    /// An episode with a larger error counts as failed, too
    #[arg(long, value_name = "ERROR", value_parser = parse_level)]
    pub limit: Option<f64>,
    /// Test the linear-quadratic regulator of the first controller's plant beside them, with full feedback
    #[arg(long)]
    pub lqr: bool,
    /// Write the shares of failed episodes over the levels to this file, as SVG, or a page with the table beside them; with
    /// --shard, the folder for all shards
    #[arg(short, long, value_name = "FILE.svg|FILE.html")]
    #[serde(skip)]
    pub out: Option<PathBuf>,
    /// Do part I of N alone, counted from 0: the tests without a source or of all levels of one I, I + N, I + 2 N, ..., for `bitloop merge`
    ///
    /// They are kept in DIR/shard-I-of-N, where each process has a folder of its own: a shard may be started again, or twice at
    /// once.
    #[arg(long, value_name = "I/N", requires = "out")]
    #[serde(skip)]
    pub shard: Option<Shard>,
    /// Threads to use [default: all cores]; the result is the same for any number
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    #[serde(skip)]
    pub threads: Option<NonZeroUsize>,
    /// Print the result as one JSON object on standard output
    #[arg(long)]
    #[serde(skip)]
    pub json: bool,
}
