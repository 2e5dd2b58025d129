//! When a training ends.

use serde::{Deserialize, Deserializer, Serialize};

/// Conditions of which the first to be met ends the training. With none given, one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "StopInFile")]
pub struct Stop {
    /// Error at which the search is done: validation and confirmation must both be at or below it.
    /// Restarts follow until then, so it needs one of the budgets beside it. Default: none.
    pub target: Option<f64>,
    /// Evaluations for which a run goes on once it has reached the target, to lower the error further; where the run ends, by its
    /// patience for one, the training does. Default: none, the target ends the training.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refine: Option<u64>,
    /// Number of runs, that is, of random starts. Default: no limit, or 1 if there is no other
    /// budget and no target.
    pub runs: Option<u32>,
    /// Evaluations of the objective over all runs. Default: no limit.
    pub evaluations: Option<u64>,
    /// Seconds of wall-clock time; the one budget that is not reproducible. Default: no limit.
    pub seconds: Option<f64>,
    /// Evaluations after which a run gives way to the next start. Default: no limit; 500000 for telescopic BLM on examples that
    /// finds the scales of layers.
    pub run_evaluations: Option<u64>,
    /// Progress that a run must make, or else give way to the next start. Default: for telescopic BLM on a plant, unless its
    /// preset is the paper's, `runs` or `run_evaluations` is given, or nothing is, (evaluations: 1000, improvement: 0.1);
    /// else none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patience: Option<Patience>,
}

/// A run is given up when its training error has not fallen by the share `improvement` within so
/// many evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patience {
    /// Evaluations of the objective, at least 1.
    pub evaluations: u64,
    /// Share of the error, from 0 to below 1: 0.1 asks for an error of 90 % or less. Default: 0.1.
    #[serde(default = "default_improvement")]
    pub improvement: f64,
}

fn default_improvement() -> f64 {
    0.1
}

impl Default for Stop {
    fn default() -> Self {
        StopInFile::default().into()
    }
}

/// Names of fields in files of earlier versions, which are read as well.
pub(crate) const FORMER_NAMES: [&str; 2] = ["descents", "descent_evaluations"];

/// The conditions as the file gives them.
#[derive(Default, Deserialize)]
#[serde(rename = "Stop", default, deny_unknown_fields)]
pub(crate) struct StopInFile {
    target: Option<f64>,
    refine: Option<u64>,
    #[serde(alias = "descents")]
    runs: Field<u32>,
    evaluations: Option<u64>,
    seconds: Option<f64>,
    #[serde(alias = "descent_evaluations")]
    run_evaluations: Field<u64>,
    patience: Field<Patience>,
}

/// A field of which a `None` that is written says something else than nothing at all.
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) enum Field<T> {
    #[default]
    LeftOut,
    Written(Option<T>),
}

impl<T> Field<T> {
    pub fn or(self, default: Option<T>) -> Option<T> {
        match self {
            Self::LeftOut => default,
            Self::Written(value) => value,
        }
    }

    const fn is_written(&self) -> bool {
        matches!(self, Self::Written(_))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(Self::Written)
    }
}

impl StopInFile {
    /// The conditions, with `patience` where the file has none and no other end of a run. A text that spells all of an earlier
    /// version out has `runs` and `run_evaluations`, and so no patience but its own.
    pub fn with(self, patience: Option<Patience>) -> Stop {
        let Self { target, refine, evaluations, seconds, .. } = self;
        let has_end_of_run = self.has_end_of_run();
        let runs = self.runs.or(None);
        let nothing_said =
            target.is_none() && runs.is_none() && evaluations.is_none() && seconds.is_none();
        Stop {
            target,
            refine,
            runs: runs.or(nothing_said.then_some(1)),
            evaluations,
            seconds,
            run_evaluations: self.run_evaluations.or(None),
            patience: self.patience.or(patience.filter(|_| !has_end_of_run && !nothing_said)),
        }
    }

    /// Whether runs follow each other until one meets a target, as far as the file says.
    pub fn has_target_of_runs(&self) -> bool {
        self.target.is_some() && !self.has_end_of_run()
    }

    fn has_end_of_run(&self) -> bool {
        self.runs.is_written() || self.run_evaluations.is_written()
    }

    /// The conditions, with `run_evaluations` where the file has none: several runs are each as long as one is.
    pub fn with_run_limit(mut self, run_evaluations: u64) -> Stop {
        if !self.run_evaluations.is_written() {
            self.run_evaluations = Field::Written(Some(run_evaluations));
        }
        self.with(None)
    }
}

impl From<StopInFile> for Stop {
    fn from(file: StopInFile) -> Self {
        file.with(None)
    }
}
