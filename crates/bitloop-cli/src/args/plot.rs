//! `bitloop plot` on the command line.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{EpisodeCount, TestOptions};

/// `bitloop plot`.
#[derive(Debug, Args)]
#[command(after_help = "\
Pictures of a controller run its test again, as `bitloop replay` does: without options, the test at the end of its training. The \
same input gives the same bytes. Other programs turn SVG into other formats: rsvg-convert FILE.svg -o FILE.png")]
pub struct PlotArgs {
    /// The kind of picture
    pub kind: PlotKind,
    /// A saved controller or model, or the folder of a training or a campaign
    pub source: PathBuf,
    /// The file to write, as SVG
    #[arg(short, long, value_name = "FILE.svg")]
    pub out: PathBuf,
    #[command(flatten)]
    pub test: TestOptions,
    #[command(flatten)]
    pub count: EpisodeCount,
    /// The episode that is drawn as a line, from 0 on [default: the one with the largest error]
    #[arg(long, value_name = "K")]
    pub episode: Option<usize>,
    /// What is from left to right in a picture of kind phase or error-map: a state, or a parameter that is drawn at random
    #[arg(long, value_name = "NAME")]
    pub x: Option<String>,
    /// What is from bottom to top in it
    #[arg(long, value_name = "NAME")]
    pub y: Option<String>,
    /// The rows in a picture of kind answers, of a model whose data are in a file
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
}

impl PlotKind {
    /// Whether the picture is of a test that is run again.
    pub const fn runs_a_test(self) -> bool {
        matches!(self, Self::Trajectory | Self::Control | Self::Phase | Self::ErrorMap)
    }
}

/// Kinds of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlotKind {
    /// All signals of a controller's loop over time, of one episode, with the range over all episodes
    Trajectory,
    /// Controls over time, with their limits
    Control,
    /// Two states against each other, of a few episodes
    Phase,
    /// Errors of episodes over where they start
    ErrorMap,
    /// Errors, target and bits of a training over its evaluations, from its folder
    Training,
    /// Share of successful trainings of a campaign over evaluations, from its folder
    Campaign,
    /// Bits of the weights of a controller
    Weights,
    /// How the weights of a controller or a model are distributed
    WeightValues,
    /// What a model of two inputs answers over their plane, with the rows of its data
    Answers,
}
