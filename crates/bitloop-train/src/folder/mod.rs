//! Folders of runs: what is on disk while a search is under way, so that nothing is lost when it ends in its middle.
//!
//! Owns locks, files that are either whole or not there, checkpoints, and the thread that writes them. Knows nothing of
//! what is searched: a state is any value that serde can write, and a scenario is a text.

mod bounded;
mod checkpoint;
mod durable;
mod error;
mod file_system;
mod keeper;
mod lock;
mod run_folder;

pub use bounded::{read_bounded, read_text_bounded};
pub use checkpoint::Origin;
pub use error::FolderError;
pub use keeper::{Keeper, KeeperNews};
pub use run_folder::{Loaded, RunFolder};

pub(crate) use durable::write_file;
pub(crate) use file_system::Disk;

#[cfg(test)]
mod tests;
