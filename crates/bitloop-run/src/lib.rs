//! A training in a folder: what a program calls that trains without the command line.
//!
//! [`begin()`] makes the folder, [`resume()`] finds what an earlier process has left in one, and [`RunHandle::run`] trains,
//! writes log and checkpoints on the way, and leaves a controller or a model and a result. Owns all policy of that: when a
//! checkpoint is due, what is written where and under which name, which plant and which budgets a resumed training may
//! have, and when a finished one has something left to do. [`write_finished`] makes the folder of a training that was done
//! elsewhere. `examples/train_and_replay.rs` is a whole program.
//!
//! The files themselves are those of `bitloop-folder`. This crate must not print, read the environment, or decide exit
//! codes.

#![forbid(unsafe_code)]

mod begin;
mod error;
mod finished_folder;
mod product_file;
mod recorder;
mod result;
mod resume;
mod run_handle;

pub use begin::{Begin, begin, default_folder};
pub use error::RunError;
pub use finished_folder::write_finished;
pub use result::{ProductJson, TrainingResult};
pub use resume::{Budgets, FinishedRun, Resumed, SavedRun, resume};
pub use run_handle::{RunEnd, RunEvent, RunHandle, RunOptions, Trained};

/// The version that is saved with what is made, and that a checkpoint must have to be resumed.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
