//! Closed loops: the task of a scenario with a plant, here or in processes of its own, and its saved controllers.

mod candidate;
mod episode_sets;
mod interface;
mod isolation;
mod objective;
mod rollouts;
mod save;
mod setup;
mod task;

pub use isolation::{Isolation, PlantWorker};
pub use objective::ClosedLoopObjective;
pub use rollouts::{LocalRollouts, Rollouts};
pub use save::save_controller;
pub use setup::ClosedLoopSetup;
pub(crate) use setup::check_signals;
pub use task::{ClosedLoopTask, ClosedLoopTraining};
