//! `bitloop merge` and `bitloop shard-script`: what is common to all work that is split into shards.

mod find;
mod local;
mod missing;
mod same_files;
mod script;

use crate::args::MergeArgs;
use crate::campaign;
use crate::failure::{Done, Failure};
use crate::train;
use find::{Kind, find};

pub use local::{Local, shard_counts};
pub use missing::rerun_hint;
pub use same_files::place_or_compare;
pub use script::shard_script;

/// Makes of shards what the command without `--shard` makes.
pub fn merge(args: &MergeArgs) -> Result<Done, Failure> {
    let found = find(&args.folders)?;
    match found.kind {
        Kind::Campaign => campaign::merge(&found.folders, args),
        Kind::Training => train::merge(&found.folders, args),
    }
}
