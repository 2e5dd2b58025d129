//! What is common to all work that is split into shards, and `bitloop shard-script`.

mod collect;
mod local;
mod missing;
mod part;
mod plan;
mod same_files;
mod script;

pub use collect::Collected;
pub use local::{Local, shard_counts};
pub use missing::{rerun_hint, with_damaged};
pub use part::{Carried, Divisible, Job};
pub use plan::{Asked, Plan, refused as refused_plan};
pub use same_files::place_or_compare;
pub use script::shard_script;
