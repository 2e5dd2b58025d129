//! Trainings: from a scenario to a trained controller or model, and from there to a replay or a prediction.
//!
//! [`open_training`] prepares a scenario of either kind. What is trained is a [`Task`]: a network in a closed loop
//! ([`ClosedLoopTask`]) or on examples ([`ExamplesTask`]). How it is trained is a [`Trainer`]. Runs, validation,
//! confirmation, restarts, stopping and the final test are those of a [`Session`], once for all of them. [`Replay`] runs a
//! saved controller in a test, [`Predictor`] applies a saved model. This crate must not print, read the environment, or
//! decide exit codes; it knows no run folders.

#![forbid(unsafe_code)]

mod budget;
mod closed_loop;
mod convert;
mod error;
mod examples;
mod lqr_baseline;
mod model_selection;
mod product;
mod progress;
mod replay;
mod search_log;
mod session;
mod state;
mod state_check;
mod task;
mod throughput;
mod trainer;
mod trainers;
mod training;
mod warnings;
mod weights;

pub use closed_loop::{
    ClosedLoopObjective, ClosedLoopSetup, ClosedLoopTask, ClosedLoopTraining, Isolation,
    IsolationError, Library, LocalRollouts, PlantWorker, Rollouts, save_controller,
};
pub use error::TrainError;
pub use examples::{ExamplesTask, Predictions, Predictor, save_model};
pub use lqr_baseline::LqrBaseline;
pub use model_selection::TrainingError;
pub use product::{Product, ProductKind, SaveInfo};
pub use progress::{Event, Progress};
pub use replay::{Replay, ReplayOptions, ReplayOutcome};
pub use search_log::log_line;
pub use session::{Next, Session, Standing};
pub use state::{
    Candidate, Mark, RestartState, Sample, SamplingState, Spent, StopReason, TrainingState,
};
pub use state_check::StateFault;
pub use task::{Score, SetName, Task, TaskObjective, Trial, WorkCounter};
pub use throughput::Throughput;
pub use trainer::Trainer;
pub use trainers::{
    CmaEs, CmaEsOptions, ExtremeLearningMachine, GradientDescent, RandomSearch, Restarts,
    TelescopicBlm,
};
pub use training::{Execution, Outcome, PlantAccess, Prepared, Scores, Training, open_training};
pub use warnings::warnings;
pub use weights::Weights;
