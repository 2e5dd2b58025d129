//! Trainings: from a scenario to a trained controller or model, and predictions of a model.
//!
//! [`open_training`] prepares a scenario of either kind. What is trained is a [`Task`]: a network in a closed loop
//! ([`ClosedLoopTask`]) or on examples ([`ExamplesTask`]). How it is trained is a [`Trainer`]. Runs, validation,
//! confirmation, restarts, stopping and the final test are those of a [`Session`], once for all of them. [`Predictor`] applies
//! a saved model. This crate must not print, read the environment, or decide exit codes; it knows neither run folders nor
//! what a saved controller is used for.

#![forbid(unsafe_code)]

mod behavior_summary;
mod broken_plant;
mod budget;
mod closed_loop;
mod error;
mod examples;
mod execution;
mod first_scenario;
mod isolation_error;
mod library;
mod lqr_baseline;
mod lqr_sweep;
mod network_shape;
mod open;
mod outcome;
mod prepared;
mod product;
mod progress;
mod score;
mod search_log;
mod session;
mod state;
mod state_check;
mod state_fault;
mod task;
mod throughput;
mod trainer;
mod trainers;
mod training;
mod warnings;
mod weights;

pub use behavior_summary::{
    BehaviorSummary, FigureOverEpisodes, Figures, NamedWarning, episode_figures,
};
pub use broken_plant::BrokenPlant;
pub use closed_loop::{
    ClosedLoopObjective, ClosedLoopSetup, ClosedLoopTask, ClosedLoopTraining, Isolation,
    LocalRollouts, PlantWorker, Rollouts, check_signals, only_noise_key, save_controller,
};
pub use error::TrainError;
pub use examples::{
    ExamplesTask, ExtremeLearningMachine, GradientDescent, Importance, Predictions, Predictor,
    save_model,
};
pub use execution::{Execution, Scoring};
pub use first_scenario::FirstScenario;
pub use isolation_error::IsolationError;
pub use library::{Library, plant_notes};
pub use lqr_baseline::LqrBaseline;
pub use lqr_sweep::{LqrTrial, RefusedWeights};
pub use network_shape::network;
pub use open::{PlantAccess, open_training};
pub use outcome::{Outcome, Scores};
pub use prepared::Prepared;
pub use product::{Product, ProductKind, SaveInfo};
pub use progress::{Event, Progress};
pub use score::{BoundedScore, RowFit, Score, SetName, WorkCounter, WorstEpisode};
pub use search_log::log_line;
pub use session::{Next, Session, Standing, TrainingError};
pub use state::{
    Candidate, Mark, Reached, RestartState, Sample, SamplingState, Spent, StopReason, TrainingState,
};
pub use state_fault::StateFault;
pub use task::{Task, TaskObjective, Trial};
pub use throughput::Throughput;
pub use trainer::Trainer;
pub use trainers::{CmaEs, RandomSearch, TelescopicBlm};
pub use training::Training;
pub use warnings::warnings;
pub use weights::Weights;
