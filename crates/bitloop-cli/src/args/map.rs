//! `bitloop map` on the command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use bitloop_campaign::Shard;
use clap::Args;
use serde::{Deserialize, Serialize};

use super::{TestOptions, number::parse_threads, saved_file};

/// `bitloop map`.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[command(after_help = "\
Each cell is an episode that starts at its place, with all else that the test draws at the middle of its distribution; noise is \
of its own in each cell. An episode is as long as those of the training, unless --horizon says otherwise. Ctrl-C keeps what \
there is in FILE.svg.part, or beside it, and --resume continues.")]
pub struct MapArgs {
    /// The controller, a RON file written by `bitloop train`, or the folder of its training
    #[arg(value_parser = saved_file())]
    pub controller: PathBuf,
    /// What varies from left to right and from bottom to top: states at the start or parameters, each with the range from LOW
    /// to HIGH, or else the one that the test draws from
    #[arg(long, value_name = "X[=LOW:HIGH],Y[=LOW:HIGH]", value_parser = parse_axes, allow_hyphen_values = true)]
    pub axes: (String, String),
    /// Cells from left to right and from bottom to top
    #[arg(long, value_name = "NxM", default_value = "100x100", value_parser = parse_grid)]
    pub grid: (usize, usize),
    /// The picture to write, as SVG; with --shard, the folder for all shards
    #[arg(short, long, value_name = "FILE.svg")]
    #[serde(skip)]
    pub out: PathBuf,
    /// Write a line for each cell to this file: x, y, error, end (horizon, failed or fault), settling time
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub csv: Option<PathBuf>,
    #[command(flatten)]
    #[serde(flatten)]
    pub test: TestOptions,
    /// Continue the same map where it was interrupted
    #[arg(long)]
    #[serde(skip)]
    pub resume: bool,
    /// Do part I of N alone, counted from 0: the cells I, I + N, I + 2 N, ..., for `bitloop merge`
    ///
    /// They are kept in DIR/shard-I-of-N, where each process has a folder of its own: a shard may be started again, or twice at
    /// once.
    #[arg(long, value_name = "I/N", conflicts_with_all = ["csv", "resume"])]
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

fn parse_axes(text: &str) -> Result<(String, String), String> {
    match text.split(',').collect::<Vec<_>>()[..] {
        [x, y] => Ok((x.to_owned(), y.to_owned())),
        _ => Err("two names with a comma between them are needed: theta,theta_dot".to_owned()),
    }
}

fn parse_grid(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once('x').and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
    match numbers {
        Some((x, y)) if x >= 2 && y >= 2 => Ok((x, y)),
        _ => Err("two numbers of at least 2 are needed: 100x100".to_owned()),
    }
}
