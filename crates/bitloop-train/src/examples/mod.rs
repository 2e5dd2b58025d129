//! Examples: the task of a supervised scenario, its saved models and their predictions.
//!
//! Losses, root mean squared errors and shares of right classes are those of `bitloop_net::report`, for all trainers.
//! Weights are selected by the figure that the scenario's `select_by` names over the validation rows; without validation
//! rows, over the training rows. The test rows are evaluated once.

mod convert;
mod fit;
mod importance;
mod objective;
mod outputs;
mod predictor;
mod save;
mod start;
mod task;
mod trainers;

pub use importance::Importance;
pub use predictor::{Predictions, Predictor};
pub use save::save_model;
pub use task::ExamplesTask;
pub use trainers::{ExtremeLearningMachine, GradientDescent};
