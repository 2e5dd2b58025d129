//! Replays: a saved controller in a test simulation.
//!
//! The episodes are those of the test set of a scenario: the one that the controller was trained in, unless another is
//! given. They are drawn from the test's streams under the seed of the training, so that a replay gives the test error of
//! the training to the last bit; another scenario has its own seed.
//!
//! Episodes are run in blocks, a few dozen side by side, and each block is drawn just before it is run. So memory does not
//! grow with the number of episodes, their results aside. Threads run blocks at once, and their results are taken in order of
//! the blocks: neither a digest nor a file depends on the number of threads.
//!
//! This crate must not print or read the environment, and knows neither searches nor folders: trajectories and states go to
//! what it is given. What is compiled here is hot, up to the text of each number.

#![forbid(unsafe_code)]

mod beside;
mod block;
mod checkpoint;
mod checkpointer;
mod columns;
mod csv;
mod differences;
mod drawn_parameters;
mod mcap_format;
mod order;
mod outcome;
pub mod parquet;
mod pauses;
mod pieces;
mod prepare;
mod record;
mod run;
mod text;
mod threads;
mod trajectory_file;
mod verdict;

pub use checkpoint::{CheckpointError, Checkpoints, ReplayState};
pub use csv::{CsvFormat, Pack, quoted_name};
pub use differences::Difference;
pub use mcap_format::{Frame, McapFormat, Topic};
pub use outcome::{ReplayError, ReplayOutcome, ReplayProgress, Unfinished};
pub use prepare::{Replay, ReplayOptions};
pub use record::EpisodeRecord;
pub use run::ReplayExecution;
pub use trajectory_file::{TrajectoryFile, TrajectoryFormat};
pub use verdict::{Miss, misses, paired_difference};
