//! What is on the disk, whatever fails and whatever is in the way.

mod beginnings;
mod checkpoints;
mod foreign_files;
mod locks;
mod support;
mod writer;
