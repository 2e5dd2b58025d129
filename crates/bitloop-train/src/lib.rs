//! From a scenario to a trained controller, and from a controller to a replay.
//!
//! This crate turns what files say into what runs: a plant with its closed loop and episodes ([`Rig`]), a network, a
//! search. It owns the objective over episodes, validation, confirmation, restarts and stopping ([`Training`]), and the
//! replay of saved controllers ([`Replay`]). It must not print, read the environment, or decide exit codes.

#![forbid(unsafe_code)]

mod convert;
mod error;
mod objective;
mod replay;
mod rig;
mod save;
mod state;
mod training;

pub use error::TrainError;
pub use objective::ClosedLoopObjective;
pub use replay::{Replay, ReplayOptions, ReplayOutcome};
pub use rig::Rig;
pub use save::{SaveInfo, save_controller};
pub use state::{Candidate, StopReason, TrainingState};
pub use training::{Event, Execution, Progress, Training, TrainingOutcome};
