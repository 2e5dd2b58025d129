//! `bitloop merge`: what kind of work was split into shards, and who merges it.

mod find;

use crate::args::MergeArgs;
use crate::campaign;
use crate::failure::{Done, Failure};
use crate::map;
use crate::replay;
use crate::robust;
use crate::train;
use find::{Kind, find};

/// Makes of shards what the command without `--shard` makes.
pub fn merge(args: &MergeArgs) -> Result<Done, Failure> {
    let found = find(&args.folders)?;
    match found.kind {
        Kind::Campaign => campaign::merge(&found.folders, args),
        Kind::Training => train::merge(&found.folders, args),
        Kind::Replay => replay::merge(&found.folders, args),
        Kind::Map => map::merge(&found.folders, args),
        Kind::Robust => robust::merge(&found.folders, args),
    }
}
