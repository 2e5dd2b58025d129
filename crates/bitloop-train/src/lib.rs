//! From a scenario to a trained controller or model, and from there to a replay or a prediction.
//!
//! This crate turns what files say into what runs: a plant with its closed loop and episodes ([`Rig`]), a network, a
//! search. It owns the objective over episodes, validation, confirmation, restarts and stopping ([`Training`]), whatever
//! the search ([`Trainer`]), the files from which an interrupted training goes on ([`RunFolder`], [`Keeper`]), and the
//! replay of saved controllers ([`Replay`]), and plants in processes of their own ([`Isolation`]). LQR is a baseline
//! ([`LqrBaseline`]). Networks on examples are trained by [`Fitting`] and applied by [`Predictor`];
//! [`AnyTraining`] is either. It must not print, read the environment, or decide exit codes.

#![forbid(unsafe_code)]

mod any_training;
mod campaign;
mod cma_es;
mod convert;
mod descent;
mod error;
mod exchange;
mod folder;
mod isolation;
mod judge;
mod ledger;
mod lqr_baseline;
mod milestones;
mod objective;
mod random_search;
mod replay;
mod restarts;
mod rig;
mod run_record;
mod sampling;
mod save;
mod search;
mod search_log;
mod state;
mod state_check;
mod statistics;
mod supervised;
mod throughput;
mod trainer;
mod training;
mod vary;

pub use any_training::{AnyTraining, Product};
pub use campaign::{Books, Campaign, CampaignError, CampaignOptions, CampaignVariant, RunNews};
pub use error::TrainError;
pub use folder::{
    FolderError, Keeper, KeeperNews, Loaded, Origin, RunFolder, read_bounded, read_text_bounded,
};
pub use isolation::{Isolation, IsolationError, PlantWorker};
pub use lqr_baseline::LqrBaseline;
pub use objective::ClosedLoopObjective;
pub use replay::{Replay, ReplayOptions, ReplayOutcome};
pub use restarts::{CmaEsOptions, Restarts};
pub use rig::{Library, Rig};
pub use run_record::{Milestone, RunRecord};
pub use save::{SaveInfo, save_controller};
pub use search_log::log_line;
pub use state::{
    Candidate, Mark, RestartState, Sample, SamplingState, Spent, StopReason, TrainingState,
};
pub use state_check::StateFault;
pub use statistics::{
    Cutoff, ExpectedCost, Interval, RunFacts, Summary, best_cutoff, quantile, wilson,
};
pub use supervised::{Fitting, FittingOutcome, Predictions, Predictor, save_model};
pub use throughput::Throughput;
pub use trainer::Trainer;
pub use training::{Event, Execution, Progress, Training, TrainingOutcome};
pub use vary::{Variant, Vary, VaryError, variants};
