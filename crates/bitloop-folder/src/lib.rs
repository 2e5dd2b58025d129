//! Folders of runs: what is on disk while a training is under way, so that nothing is lost when it ends in its middle.
//!
//! Owns locks, folders of attempts, files and folders that are either whole or not there, checkpoints, and the thread that
//! writes them. Knows nothing of what is searched: a state is any value that serde can write, and a scenario is a text. No
//! symbolic link inside a folder is followed. This crate must not print, read the environment, or decide exit codes.

#![forbid(unsafe_code)]

mod append;
mod assembly;
mod attempt;
mod begin;
mod beginning;
mod bounded;
mod checkpoint;
mod checkpoint_writer;
mod durable;
mod error;
mod file_system;
mod locked_folder;
mod log_file;
mod name;
mod numbered;
mod regular;
mod run_folder;

pub use append::append_line;
pub use assembly::Assembly;
pub use attempt::{attempts, begin_attempt};
pub use beginning::Texts;
pub use bounded::{read_bounded, read_text_bounded};
pub use checkpoint::Provenance;
pub use checkpoint_writer::{CheckpointWriter, WriterNews};
pub use durable::write_file;
pub use error::FolderError;
pub use locked_folder::LockedFolder;
pub use name::{CAMPAIGN, CONTROLLER, LOG, MODEL, RESOLVED, RESULT, SCENARIO};
pub use numbered::numbers_in;
pub use run_folder::{Loaded, RESULT_FORMAT, RunFolder};

#[cfg(test)]
mod tests;
