//! Training on examples: the other kind of scenario.
//!
//! [`Fitting`] is a supervised scenario made ready; it runs telescopic BLM, or a baseline, in the same state and with the
//! same events as a closed loop, so that run folders, logs and displays serve both. Root mean squared errors and shares of
//! right classes are those of `bitloop_net::report`, for all trainers.
//!
//! What selects among weights is the RMSE over the validation rows, at every so many accepted moves, each new bit, and
//! the end; without validation rows, that over the training rows. The rows for the test are looked at once.

mod blm;
mod convert;
mod elm;
mod examiner;
mod fitting;
mod gradient;
mod predictor;
mod save;

pub(crate) use fitting::FittingTrainer;
pub use fitting::{Fitting, FittingOutcome};
pub use predictor::{Predictions, Predictor};
pub use save::save_model;
