//! [`Shard`]: the part of a piece of work that one machine does.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// The most shards that work can be split into.
const MOST_SHARDS: u32 = 1_000_000;

/// The part with the items `index`, `index + count`, `index + 2 count`, ..., counted from 0, as the job arrays of engines count.
/// Each part has items of all kinds of length, and a part's items do not change when more are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard {
    count: u32,
    index: u32,
}

impl Shard {
    /// Part `index` of `count`.
    ///
    /// # Errors
    /// If there is no such part, in words.
    pub fn new(index: u32, count: u32) -> Result<Self, String> {
        if count == 0 {
            return Err("there must be at least one shard, as in 0/1".to_owned());
        }
        if count > MOST_SHARDS {
            return Err(format!("{count} shards, more than {MOST_SHARDS}"));
        }
        if index >= count {
            let last = count - 1;
            return Err(format!(
                "shards are counted from 0: the last of {count} is {last}/{count}"
            ));
        }
        Ok(Self { count, index })
    }

    /// Which part it is, from 0.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// How many parts there are.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.count
    }

    /// Whether an item belongs to it.
    #[must_use]
    pub fn holds(self, item: u64) -> bool {
        item % u64::from(self.count) == u64::from(self.index)
    }

    /// The name of its folder inside that of the whole.
    #[must_use]
    pub fn folder_name(self) -> String {
        format!("shard-{}-of-{}", self.index, self.count)
    }
}

/// The shards that do these items again: of the divisions into so many parts, by the one that does the fewest items. None if
/// no division is known.
#[must_use]
pub fn shards_with(items: &BTreeSet<u64>, counts: &BTreeSet<u32>) -> Vec<Shard> {
    let of = |count: u32| -> BTreeSet<Shard> {
        let index = |item: &u64| u32::try_from(item % u64::from(count)).ok();
        items.iter().filter_map(index).map(|index| Shard { count, index }).collect()
    };
    // The share of all items that a division does again.
    let share = |shards: &BTreeSet<Shard>, count: u32| shards.len() as f64 / f64::from(count);
    let divisions = counts.iter().filter(|&&count| count > 0).map(|&count| (of(count), count));
    let best = divisions.min_by(|(a, n), (b, m)| share(a, *n).total_cmp(&share(b, *m)));
    best.map_or_else(Vec::new, |(shards, _)| shards.into_iter().collect())
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/');
        let numbers = numbers.and_then(|(index, count)| {
            Some((index.trim().parse().ok()?, count.trim().parse().ok()?))
        });
        let (index, count) = numbers.ok_or(
            "it must be a shard's index, from 0, and the number of shards, as in 3/8; is the engine's variable set?",
        )?;
        Self::new(index, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_have_each_item_once() {
        for count in [1, 2, 3, 7] {
            let shards: Vec<Shard> = (0..count).map(|i| Shard::new(i, count).unwrap()).collect();
            for item in 0..20 {
                assert_eq!(shards.iter().filter(|shard| shard.holds(item)).count(), 1);
            }
        }
        let shard: Shard = "3/8".parse().unwrap();
        assert_eq!((shard.index(), shard.count(), shard.to_string().as_str()), (3, 8, "3/8"));
        assert_eq!(shard.folder_name(), "shard-3-of-8");
    }

    #[test]
    fn the_shards_to_run_again_do_as_little_as_is_known() {
        let again = |items: &[u64], counts: &[u32]| {
            let shards =
                shards_with(&items.iter().copied().collect(), &counts.iter().copied().collect());
            shards.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(again(&[3, 11, 4], &[8]), ["3/8", "4/8"]);
        assert_eq!(again(&[3, 11], &[2, 8]), ["3/8"]);
        assert_eq!(again(&[0, 2, 4, 6], &[2, 8]), ["0/2"]);
        assert_eq!(again(&[3], &[]), [""; 0]);
    }

    #[test]
    fn shards_that_there_are_not_are_refused() {
        for (text, fragment) in [
            ("8/8", "counted from 0: the last of 8 is 7/8"),
            ("9/8", "the last of 8"),
            ("0/0", "at least one shard"),
            ("0/1000001", "more than 1000000"),
            ("/8", "as in 3/8"),
            ("3", "as in 3/8"),
            ("-1/8", "as in 3/8"),
            ("1.0/8", "as in 3/8"),
        ] {
            let error = text.parse::<Shard>().unwrap_err();
            assert!(error.contains(fragment), "{text}: {error}");
        }
    }
}
