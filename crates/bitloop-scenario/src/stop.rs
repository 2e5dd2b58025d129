//! When a training ends.

use serde::{Deserialize, Serialize};

/// Conditions of which the first to be met ends the training. With none given, one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "StopInFile")]
pub struct Stop {
    /// Error at which the search is done: validation and confirmation must both be at or below it.
    /// Restarts follow until then, so it needs one of the budgets beside it. Default: none.
    pub target: Option<f64>,
    /// Number of runs, that is, of random starts. Default: no limit, or 1 if there is no other
    /// budget and no target.
    pub runs: Option<u32>,
    /// Evaluations of the objective over all runs. Default: no limit.
    pub evaluations: Option<u64>,
    /// Seconds of wall-clock time; the one budget that is not reproducible. Default: no limit.
    pub seconds: Option<f64>,
    /// Evaluations after which a run gives way to the next start. Default: no limit.
    pub run_evaluations: Option<u64>,
    /// Progress that a run must make, or else give way to the next start. Default: none.
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
struct StopInFile {
    target: Option<f64>,
    #[serde(alias = "descents")]
    runs: Option<u32>,
    evaluations: Option<u64>,
    seconds: Option<f64>,
    #[serde(alias = "descent_evaluations")]
    run_evaluations: Option<u64>,
    patience: Option<Patience>,
}

impl From<StopInFile> for Stop {
    fn from(file: StopInFile) -> Self {
        let nothing_said = file.target.is_none()
            && file.runs.is_none()
            && file.evaluations.is_none()
            && file.seconds.is_none();
        Stop {
            target: file.target,
            runs: file.runs.or(nothing_said.then_some(1)),
            evaluations: file.evaluations,
            seconds: file.seconds,
            run_evaluations: file.run_evaluations,
            patience: file.patience,
        }
    }
}
