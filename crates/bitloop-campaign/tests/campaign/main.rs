//! Whole campaigns through the library: what must not change their results, and what is kept of them.

mod folder;
mod restarts;
mod results;
mod shards;
mod support;
