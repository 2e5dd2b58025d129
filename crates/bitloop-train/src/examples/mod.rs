//! Examples: the task of a supervised scenario, its saved models and their predictions.
//!
//! Root mean squared errors and shares of right classes are those of `bitloop_net::report`, for all trainers. What selects
//! among weights is the RMSE over the validation rows; without validation rows, that over the training rows. The rows for
//! the test are evaluated once.

mod convert;
mod predictor;
mod save;
mod task;
mod trainers;

pub use predictor::{Predictions, Predictor};
pub use save::save_model;
pub use task::ExamplesTask;
