//! Replays through the library: of controllers that are trained first, interrupted, resumed, written to files.

mod checkpoints;
mod replays;
#[path = "../../../bitloop-train/tests/train/small_trainings.rs"]
mod small_trainings;
