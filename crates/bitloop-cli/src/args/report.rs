//! `bitloop report` and `bitloop watch` on the command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::{
    EpisodeCount, TestOptions,
    number::{parse_budget, parse_threads},
};

/// `bitloop report`.
#[derive(Clone, Debug, Default, Args)]
#[command(after_help = "\
The test of a controller is run again, as `bitloop replay` does. Ctrl-C ends that, and no page is written.

The page holds all that it shows: it can be mailed, opens without a network, and loads nothing.")]
pub struct ReportArgs {
    /// A saved controller or model, or the folder of a training or a campaign
    pub source: PathBuf,
    /// The page to write
    #[arg(short, long, value_name = "FILE.html")]
    pub out: PathBuf,
    #[command(flatten)]
    pub test: TestOptions,
    #[command(flatten)]
    pub count: EpisodeCount,
    /// Threads to use [default: all cores]; the page is the same for any number
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<NonZeroUsize>,
    /// Run the plant in a process of its own: one that crashes or hangs ends the report, and nothing else
    ///
    /// A report that takes longer than SECONDS (60 if left out) counts as hanging.
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, default_missing_value = "60",
        value_parser = parse_budget)]
    pub isolate: Option<f64>,
    /// Run the plant in a process that has given up its rights; implies --isolate
    ///
    /// Such a process reads the plant's library and the system's libraries, and no other file; it writes no file, opens no
    /// socket, starts no process and sends no signal to another one; memory is limited. On a system that cannot do that,
    /// the command fails.
    #[arg(long)]
    pub sandbox: bool,
    /// Run an FMU in this process, which it may end; without this option, an FMU is isolated
    #[arg(long, conflicts_with_all = ["isolate", "sandbox"])]
    pub no_isolate: bool,
    /// Add how far the controller holds: its margins, as `bitloop robust` measures them
    #[arg(long)]
    pub robust: bool,
    /// The rows that a model answers for, in place of those of its training
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
}

/// `bitloop watch`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
The page is opened from the disk, without a server: every two seconds it loads the script that is written beside it. It may be \
opened before the training has found anything, and continues after `train --resume`. Once the training is finished, it \
becomes the page of `bitloop report`, and the command ends. Ctrl-C ends this command, and not the training.")]
pub struct WatchArgs {
    /// The folder of a training
    pub folder: PathBuf,
    /// The page to write, beside a script of the same name that ends in .live.js
    #[arg(short, long, value_name = "FILE.html")]
    pub out: PathBuf,
}
