//! What is common to all work that is split into shards, and `bitloop shard-script`.

mod local;
mod missing;
mod same_files;
mod script;

pub use local::{Local, scenario_text, shard_counts};
pub use missing::rerun_hint;
pub use same_files::place_or_compare;
pub use script::shard_script;
