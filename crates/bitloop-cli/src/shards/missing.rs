//! What is missing, as the shards to run again.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use bitloop_campaign::{Shard, shards_with};

/// What to do about items that are missing, where shards of these numbers of parts were found.
pub fn rerun_hint(items: &BTreeSet<u64>, counts: &BTreeSet<u32>) -> Option<String> {
    let shards = shards_with(items, counts);
    let count = shards.first()?.count();
    let indices = ranges(shards.iter().map(|shard| Shard::index(*shard)));
    Some(format!(
        "run these shards of {count} again, which go on from what they have finished: {indices} (as in --array={indices})"
    ))
}

/// A message, with a line for each file that is damaged.
pub fn with_damaged(mut message: String, damaged: &[PathBuf]) -> String {
    for path in damaged {
        // Writing to a string cannot fail.
        let _ = write!(message, "\n  {} is damaged", path.display());
    }
    message
}

/// Ascending numbers as engines take them: `3,5-7`.
fn ranges(numbers: impl Iterator<Item = u32>) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let text = ranges.iter().map(|(first, last)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    });
    text.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_shards_are_written_as_engines_take_them() {
        let hint = rerun_hint(&[3, 5, 6, 15].into(), &[8].into()).unwrap();
        assert!(hint.contains("shards of 8") && hint.ends_with("--array=3,5-7)"), "{hint}");
        assert_eq!(rerun_hint(&[3].into(), &BTreeSet::new()), None);
    }
}
