//! A supervised scenario: which examples, which network, how it is trained on them.
//!
//! Owns the fields of the second kind of scenario file and their defaults; the rules are `check.rs`. As for the first
//! kind, a new field must be skipped in serialization while it has its default.

mod check;
mod data;
mod error_meaning;
mod regularization;
mod scales;
mod select_by;
mod trainers;

use std::path::{Path, PathBuf};

use bitloop_data::{ClassWeights, Fold, Scaling, Threshold};
use bitloop_net::{Activation, Loss};
use bitloop_text::{Checked, FileError, Problem, RawField, Source, decode};
use serde::{Deserialize, Serialize};

use data::spirals_split;
pub use data::{DataFile, DataSource, RowOrder, Split};
pub use error_meaning::{ErrorMeaning, ErrorUnit};
pub use regularization::Regularization;
pub use scales::{LayerScales, OutputScale};
pub use select_by::{ErrorFigure, SelectBy};
use trainers::SupervisedTrainingInFile;
pub use trainers::{Backpropagation, ExtremeLearning, OneStepSecant, SupervisedTraining};

use crate::{
    controller::LayerActivations,
    file::{File, FileKind},
    scenario::{Scenario, default_seed},
    start::{Start, absolute},
    stop::{Stop, StopInFile},
};

/// Evaluations of a run whose kicks may go on for long: a cost of classes that are all right can fall without an end.
const RUN_EVALUATIONS: u64 = 500_000;

/// A checked supervised scenario and the text it came from.
pub type SupervisedFile = File<Supervised>;

/// Everything that a training on examples depends on, the examples themselves aside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "SupervisedInFile")]
pub struct Supervised {
    /// Where the examples come from.
    pub data: DataSource,
    /// What numbers are scaled to, from the training rows alone. Default: `Standard` where the trainer leaves scales open, else
    /// inputs to [-1, 1], targets to [0, 1].
    pub scaling: Scaling,
    /// Which rows are for training, validation and test. Of the spirals the default is their own; a file needs it, unless other
    /// parts have files of their own.
    pub split: Option<Split>,
    /// The network; its inputs and outputs are those of the data.
    pub network: SupervisedNetwork,
    /// What is minimized. Default: `SoftmaxCrossEntropy` for classes where the trainer leaves scales open, else `SquaredError`.
    pub loss: Loss,
    /// How much a row of each class counts in the loss. Default: `Equal`.
    #[serde(skip_serializing_if = "ClassWeights::are_equal")]
    pub class_weights: ClassWeights,
    /// From which output on the second of two classes is answered. Default: `Half`.
    #[serde(skip_serializing_if = "Threshold::is_half")]
    pub threshold: Threshold,
    /// What selects among networks, and what `stop.target` is of. Default: `Loss`.
    #[serde(skip_serializing_if = "SelectBy::is_loss")]
    pub select_by: SelectBy,
    /// Weight of the mean of the squared weights beside the sum of the losses, 0 or more. Default: `Auto` where the trainer
    /// leaves scales open, else 0.
    pub regularization: Regularization,
    /// The trainer.
    pub training: SupervisedTraining,
    /// What the first run starts from. Default: `Random`.
    #[serde(skip_serializing_if = "Start::is_random")]
    pub start: Start,
    /// When the training ends. Default: after one run. The target is an error as `select_by` has it, over the rows that
    /// select: those for validation or, without such, those for training.
    pub stop: Stop,
    /// Root of all random streams, that of the split too. Default: 1.
    pub seed: u64,
}

/// A feed-forward network between the columns of a data set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Network", deny_unknown_fields)]
pub struct SupervisedNetwork {
    /// Units of each hidden layer, from the input on; an empty list makes a network without.
    pub hidden: Vec<u32>,
    /// Activation of the hidden layers. Default: `Tanh`.
    #[serde(default)]
    pub hidden_activation: LayerActivations,
    /// Activation of the output layer. Default: `Logistic` for classes, unless the loss or the trainer needs `Linear`;
    /// `Linear` for numbers, unless the loss needs `Logistic`.
    #[serde(default)]
    pub output_activation: Option<Activation>,
    /// Powers of two by which the sums of layers are multiplied. Default: `FromData` where the trainer leaves scales open, else
    /// `Same`.
    #[serde(default, skip_serializing_if = "LayerScales::are_same")]
    pub layer_scales: Option<LayerScales>,
    /// Scale and offset of the outputs. Default: `Fitted` where the trainer leaves scales open, the loss is the squared error and
    /// outputs are linear, else `Fixed`.
    #[serde(default, skip_serializing_if = "OutputScale::is_fixed")]
    pub output_scale: Option<OutputScale>,
}

/// The fields as the file gives them.
#[derive(Deserialize)]
#[serde(rename = "Supervised", deny_unknown_fields)]
struct SupervisedInFile {
    data: DataSource,
    #[serde(default)]
    scaling: Option<Scaling>,
    #[serde(default)]
    split: Option<Split>,
    network: SupervisedNetwork,
    #[serde(default)]
    loss: Option<Loss>,
    #[serde(default)]
    class_weights: ClassWeights,
    #[serde(default)]
    threshold: Threshold,
    #[serde(default)]
    select_by: SelectBy,
    #[serde(default)]
    regularization: Option<Regularization>,
    training: SupervisedTrainingInFile,
    #[serde(default)]
    start: Start,
    #[serde(default)]
    stop: StopInFile,
    #[serde(default = "default_seed")]
    seed: u64,
}

impl From<SupervisedInFile> for Supervised {
    fn from(file: SupervisedInFile) -> Self {
        let SupervisedInFile { data, split, mut network, training, .. } = file;
        let default_split = match &data {
            DataSource::Spirals(set) => Some(spirals_split(*set)),
            DataSource::File(_) => None,
        };
        let is_open = training.leaves_scales_open();
        let training = SupervisedTraining::from(training);
        let loss = file.loss.unwrap_or(if is_open && data.has_classes() {
            Loss::SoftmaxCrossEntropy
        } else {
            Loss::SquaredError
        });
        let scaling =
            file.scaling.unwrap_or(if is_open { Scaling::STANDARD } else { Scaling::default() });
        let output = *network.output_activation.get_or_insert(match (loss, &training) {
            (Loss::SoftmaxCrossEntropy, _) | (_, SupervisedTraining::ExtremeLearning(_)) => {
                Activation::Linear
            }
            (Loss::LogisticCrossEntropy, _) => Activation::Logistic,
            (Loss::SquaredError, _) if data.has_classes() => Activation::Logistic,
            (Loss::SquaredError, _) => Activation::Linear,
        });
        let can_fit =
            loss == Loss::SquaredError && output == Activation::Linear && !data.has_classes();
        network.layer_scales.get_or_insert(if is_open {
            LayerScales::FromData
        } else {
            LayerScales::Same
        });
        network.output_scale.get_or_insert(if is_open && can_fit {
            OutputScale::Fitted
        } else {
            OutputScale::Fixed
        });
        Self {
            data,
            scaling,
            split: split.or(default_split),
            network,
            loss,
            class_weights: file.class_weights,
            threshold: file.threshold,
            select_by: file.select_by,
            regularization: file.regularization.unwrap_or(if is_open {
                Regularization::Auto
            } else {
                Regularization::default()
            }),
            training,
            start: file.start,
            stop: if is_open {
                file.stop.with_run_limit(RUN_EVALUATIONS)
            } else {
                file.stop.into()
            },
            seed: file.seed,
        }
    }
}

impl Supervised {
    /// The scenario for so many outputs: of the two classes of a single one, the softmax is the logistic function.
    #[must_use]
    pub fn for_outputs(&self, n_outputs: usize) -> Self {
        let mut scenario = self.clone();
        if n_outputs == 1 && self.loss == Loss::SoftmaxCrossEntropy && self.data.has_classes() {
            scenario.loss = Loss::LogisticCrossEntropy;
            scenario.network.output_activation = Some(Activation::Logistic);
        }
        scenario
    }

    /// Units of the hidden layers: those of the network, unless the trainer has its own.
    pub fn hidden(&self) -> &[u32] {
        match &self.training {
            SupervisedTraining::ExtremeLearning(ExtremeLearning { units: Some(units), .. }) => {
                std::slice::from_ref(units)
            }
            _ => &self.network.hidden,
        }
    }

    /// The same scenario with the name of its data file alone, without folders: what can be shown to others.
    #[must_use]
    pub fn without_folders(&self) -> Self {
        let mut scenario = self.clone();
        if let DataSource::File(file) = &mut scenario.data {
            for path in file.paths_mut() {
                if let Some(name) = Path::new(path).file_name() {
                    *path = name.to_string_lossy().into_owned();
                }
            }
        }
        scenario
    }

    /// Makes one of several parts of equal size the test. The order of rows is drawn by `seed`, if there is one and the split says
    /// nothing else.
    pub fn set_fold(&mut self, fold: Fold, seed: Option<u64>) {
        let split =
            self.split.get_or_insert_with(|| Split { order: RowOrder::Random, ..Split::all() });
        split.fold = Some(fold);
        if split.order == RowOrder::Random {
            split.seed = split.seed.or(seed);
        }
    }

    /// Whether all trainings have the same order of rows, whatever their seed.
    #[must_use]
    pub fn has_fixed_order(&self) -> bool {
        self.split
            .as_ref()
            .is_some_and(|split| split.order == RowOrder::File || split.seed.is_some())
    }
}

impl FileKind for Supervised {
    const NAME: &'static str = "Supervised";
    const WHAT: &'static str = "scenario";
    const LIMIT_BYTES: u64 = Scenario::LIMIT_BYTES;

    fn raw_fields() -> Vec<RawField> {
        vec![
            LayerActivations::raw_field("network.hidden_activation"),
            Regularization::raw_field("regularization"),
        ]
    }

    fn decode(source: &Source) -> Result<Self, FileError> {
        decode(source, &Self::raw_fields()).map_err(|error| with_better_hint(source, error))
    }

    fn check_rules(&self) -> Checked {
        self.check()
    }
}

/// Where a value of another form than expected is often written, and what is meant instead.
const OFTEN_MISTAKEN: [(&str, &str); 5] = [
    (
        "data.targets",
        "write `targets: Numbers([\"y\"])` for numbers, or `targets: Classes(\"y\")` for classes",
    ),
    ("data.targets.0", "write `Numbers([\"y\"])`, with a list, and `Classes(\"y\")`, without one"),
    ("split.training", OF_ROWS),
    ("split.validation", OF_ROWS),
    ("split.test", OF_ROWS),
];

const OF_ROWS: &str = "a whole number is one of rows, one with a decimal point a share: `training: 140`, or `training: 0.7`";

/// An error with the hint for a value that is often mistaken, where it is at such a place.
fn with_better_hint(source: &Source, error: FileError) -> FileError {
    let is_at = |path: &str| {
        let depth = path.split('.').count();
        let is_there = source.locate(path).is_some_and(|located| located.n_found == depth);
        let (value, found) = (source.error_at(path, "", ""), error.place.as_ref());
        // Of a number, the error may be at its decimal point.
        let is_inside = value.place.as_ref().zip(found).is_some_and(|(value, found)| {
            let columns = value.column..value.column + value.width;
            value.line == found.line && columns.contains(&found.column)
        });
        is_there && is_inside
    };
    match OFTEN_MISTAKEN.into_iter().find(|(path, _)| is_at(path)) {
        Some((_, hint)) => error.with_hint(hint),
        None => error,
    }
}

impl File<Supervised> {
    /// Where the data file is, seen from the current folder; nothing for data from a formula.
    pub fn data_path(&self) -> Option<PathBuf> {
        self.data_paths().into_iter().next()
    }

    /// Where all files of rows are, that of `path` first, seen from the current folder.
    pub fn data_paths(&self) -> Vec<PathBuf> {
        match &self.value.data {
            DataSource::File(file) => {
                file.paths().map(|(_, path)| self.source.folder().join(path)).collect()
            }
            DataSource::Spirals(_) => Vec::new(),
        }
    }

    /// Makes the paths of files absolute, so that the scenario may be kept in another folder.
    ///
    /// # Errors
    /// If a path is not valid UTF-8, or there is no current folder.
    pub fn make_absolute(&mut self) -> Result<(), FileError> {
        if let DataSource::File(file) = &mut self.value.data {
            for path in file.paths_mut() {
                *path = absolute(&self.source, "data", path, "file")?;
            }
        }
        self.value.start.make_absolute(&self.source)?;
        self.value.check().map_err(|problem: Problem| problem.place_in(&self.source))
    }
}
