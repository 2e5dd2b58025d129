//! Closed loops: the task of a scenario with a plant, here or in processes of its own, and its saved controllers.

mod candidate;
mod disturbance;
mod episode_sets;
mod hard_episodes;
mod interface;
mod isolation;
mod lqr_start;
mod objective;
mod plant_worker;
mod rollouts;
mod save;
mod setup;
mod start;
mod task;
mod uncertainty;

pub use hard_episodes::only_noise_key;
pub use isolation::Isolation;
pub use objective::ClosedLoopObjective;
pub use plant_worker::PlantWorker;
pub use rollouts::{LocalRollouts, Rollouts};
pub use save::save_controller;
pub use setup::{ClosedLoopSetup, check_signals};
pub use task::{ClosedLoopTask, ClosedLoopTraining};
