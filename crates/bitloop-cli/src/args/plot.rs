//! `bitloop plot` on the command line.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{
    EpisodeCount, TestOptions,
    number::{parse_moment, whole},
};

/// `bitloop plot`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Pictures of a controller run its test again, as `bitloop replay` does: without options, the test at the end of its training. The \
same input gives the same bytes. A name that ends in .png gives an image with twice the width and height of the SVG in pixels.")]
pub struct PlotArgs {
    /// The kind of picture
    pub kind: PlotKind,
    /// A saved controller or model, or the folder of a training or a campaign
    pub source: PathBuf,
    /// The file to write, as SVG or PNG
    #[arg(short, long, value_name = "FILE.svg|FILE.png")]
    pub out: PathBuf,
    #[command(flatten)]
    pub test: TestOptions,
    #[command(flatten)]
    pub count: EpisodeCount,
    /// The episode that is drawn as a line, from 0 on [default: the one with the largest error]
    #[arg(long, value_name = "K", value_parser = whole::<usize>(0..=u64::MAX))]
    pub episode: Option<usize>,
    /// What is from left to right in a picture of kind phase or error-map: a state, or a parameter that is drawn at random
    #[arg(long, value_name = "NAME")]
    pub x: Option<String>,
    /// What is from bottom to top in it
    #[arg(long, value_name = "NAME")]
    pub y: Option<String>,
    /// The rows in a picture of kind answers or cuts, of a model whose data are in a file
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// The weights in a picture of kind cuts, by their position in the file, or the one in a picture of kind neighbors or network
    /// [default: the first ones]
    #[arg(long, value_name = "I,J,...", value_delimiter = ',', value_parser = whole::<usize>(0..=u64::MAX))]
    pub weights: Vec<usize>,
    /// The moments in a picture of kind plant, in seconds
    #[arg(long, value_name = "S,T,...", value_delimiter = ',', value_parser = parse_moment)]
    pub times: Vec<f64>,
    /// What is from left to right in a picture of kind training
    #[arg(long, value_enum, default_value_t = Over::Evaluations)]
    pub over: Over,
    /// Use a logarithmic axis from left to right in a picture of kind training
    #[arg(long)]
    pub log_x: bool,
}

/// What a training is drawn over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Over {
    /// Evaluations of the objective, which are the same on any machine
    #[default]
    Evaluations,
    /// Seconds on the machine of the training
    Seconds,
}

impl PlotKind {
    /// Whether the picture is of a test that is run again.
    pub const fn runs_a_test(self) -> bool {
        matches!(
            self,
            Self::Trajectory | Self::Control | Self::Phase | Self::Plant | Self::ErrorMap
        )
    }

    /// Whether the picture is of a controller or a model, and not of the course of trainings.
    pub const fn reads_a_saved_file(self) -> bool {
        use PlotKind::{Campaign, Convergence, Training, ValidationTest, Variants};
        !matches!(self, Training | Campaign | Convergence | Variants | ValidationTest)
    }

    /// Whether the picture shows signals over the time of an episode.
    pub const fn is_over_time(self) -> bool {
        matches!(self, Self::Trajectory | Self::Control)
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
    /// The plant at some moments, as its own picture says
    Plant,
    /// Errors of episodes over where they start
    ErrorMap,
    /// Errors, target, bits and the share of neighbors that were tried of a training, over evaluations or seconds, from its folder
    Training,
    /// Share of successful trainings of a campaign over evaluations, from its folder
    Campaign,
    /// Error of the best so far of a campaign's variants over evaluations
    Convergence,
    /// Errors that the trainings of a campaign's variants end with, over a number that is varied if there is one
    Variants,
    /// Errors of a campaign's trainings on the test set over those on the validation set
    ValidationTest,
    /// Bits of the weights of a controller
    Weights,
    /// How the weights of a controller or a model are distributed
    WeightValues,
    /// Cuts through the error of a controller or a model, over one weight after another
    Cuts,
    /// Neurons and weights of a controller or a model, and what a change of one weight changes
    Network,
    /// Where a flip of a bit leads from a weight, in Gray code and in base 2, and what is in reach of the unlocked bits
    Neighbors,
    /// What a model of two inputs answers over their plane, with the rows of its data; of a campaign, the best of each variant
    Answers,
}
