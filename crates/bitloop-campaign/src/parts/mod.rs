//! [`Parts`]: numbered items, each with a result that depends on its number alone, done apart.
//!
//! Episodes of a replay, cells of a map, sweeps of one source: whatever their kind, a shard does those with the numbers I, I + N,
//! ..., a few at a time, and keeps each batch as a [record](crate::records). Results are looked up item by item, so that shards of
//! several divisions go together, and two that were done by several machines must be the same.

mod batch;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use bitloop_folder::FolderError;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::cost_file;
use crate::records::{self, Gathered, InFolder, Origin, RecordError, read_folder};
use crate::shard::Shard;
use crate::training_record::TrainingCost;
use batch::Batch;

/// Items of a batch of the whole, so that it is the same whatever shards it is made of.
const OF_THE_WHOLE: usize = 4096;

/// A piece of work of numbered items.
#[derive(Clone, Debug)]
pub struct Parts {
    noun: &'static str,
    n_items: u32,
    origin: Origin,
}

/// Gives the result of each of some items, or none if it was interrupted.
pub type RunItems<'a, T, E> = dyn FnMut(&[u32]) -> Result<Option<Vec<T>>, E> + 'a;

/// The results of items that are finished.
#[derive(Debug)]
pub struct FinishedItems<T> {
    gathered: Gathered<T>,
    damaged: Vec<PathBuf>,
    wall_s: f64,
}

/// The results of all items, in order of their number.
#[derive(Debug)]
pub struct WholeItems<T> {
    /// Result by result.
    pub results: Vec<T>,
    /// Files that are damaged; their items were found elsewhere.
    pub damaged: Vec<PathBuf>,
    /// Seconds that all of them took, one after the other.
    pub wall_s: f64,
}

/// Why there is no whole.
#[derive(Debug, thiserror::Error)]
pub enum PartsError {
    /// Items are in none of the folders.
    #[error("{} of {n_items} {noun}s are missing, the first is {noun} {}", .missing.len(), .missing[0])]
    Missing {
        /// What an item is.
        noun: &'static str,
        /// The numbers of those that are missing, in order.
        missing: Vec<u32>,
        /// How many there are to be.
        n_items: u32,
        /// Files that are damaged, so that their items count as missing.
        damaged: Vec<PathBuf>,
    },
    /// Files that are none of this work, or contradict each other.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl PartsError {
    /// The numbers of the items that are missing.
    #[must_use]
    pub fn numbers(&self) -> BTreeSet<u64> {
        match self {
            Self::Missing { missing, .. } => missing.iter().map(|&item| item.into()).collect(),
            Self::Record(_) => BTreeSet::new(),
        }
    }
}

impl Parts {
    /// So many items, each called by a noun. `identity` is all that bears on a result, the plant's library aside, which has a digest of
    /// its own.
    #[must_use]
    pub fn new(
        (noun, n_items): (&'static str, u32),
        identity: &str,
        plant_digest: Option<String>,
        bitloop_version: String,
    ) -> Self {
        let work_digest = blake3::hash(identity.as_bytes()).to_hex().to_string();
        Self { noun, n_items, origin: Origin { bitloop_version, work_digest, plant_digest } }
    }

    /// What an item is called.
    #[must_use]
    pub const fn noun(&self) -> &'static str {
        self.noun
    }

    /// The digest of all that bears on a result.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.origin.work_digest
    }

    /// The items of a shard.
    fn items(&self, shard: Shard) -> impl Iterator<Item = u32> {
        (shard.index()..self.n_items).step_by(shard.count() as usize)
    }

    /// How many items a shard has.
    #[must_use]
    pub fn n_items_of(&self, shard: Shard) -> usize {
        self.items(shard).count()
    }

    /// The results that are in these folders.
    ///
    /// # Errors
    /// A file of other work, or two results of one item that differ.
    pub fn finished<T: Serialize + DeserializeOwned>(
        &self,
        folders: &[PathBuf],
    ) -> Result<FinishedItems<T>, RecordError> {
        let mut finished =
            FinishedItems { gathered: Gathered::new(self.noun), damaged: Vec::new(), wall_s: 0.0 };
        for folder in folders {
            let costs = cost_file::read(folder);
            let damaged = &mut finished.damaged;
            for found in read_folder(folder, |_| true, |_| self.origin.clone(), damaged)? {
                let InFolder { number, record, path, .. }: InFolder<Batch<T>> = found;
                let path: Arc<Path> = path.into();
                if record.items.iter().any(|(item, _)| *item >= self.n_items) {
                    finished.damaged.push(path.to_path_buf());
                    continue;
                }
                let mut is_new = false;
                for (item, result) in record.items {
                    let bits = batch::bits(&result);
                    if !finished.gathered.has(item, &bits, &path)? {
                        finished.gathered.add(item, result, bits, path.clone());
                        is_new = true;
                    }
                }
                // What another folder has too was paid for once.
                let wall_s = costs.get(&number).map_or(0.0, |cost| cost.wall_s);
                finished.wall_s += if is_new { wall_s } else { 0.0 };
            }
        }
        Ok(finished)
    }

    /// The items of a shard that are not finished, in order.
    #[must_use]
    pub fn missing<T>(&self, finished: &FinishedItems<T>, shard: Shard) -> Vec<u32> {
        self.items(shard).filter(|&item| !finished.gathered.contains(item)).collect()
    }

    /// Does items, so many `at_once`, by `run`, which gives none if it was interrupted, and keeps each batch in a folder; `observer` is shown
    /// how many are done. Returns whether all are; the batch that was interrupted is lost.
    ///
    /// # Errors
    /// What `run` fails with, or a batch that cannot be written; what was finished until then is kept.
    ///
    /// # Panics
    /// If `run` gives another number of results than there are items.
    pub fn work<T: Serialize + DeserializeOwned, E: From<FolderError>>(
        &self,
        (folder, n_threads): (&Path, usize),
        (items, at_once): (&[u32], usize),
        run: &mut RunItems<'_, T, E>,
        observer: &mut dyn FnMut(usize),
    ) -> Result<bool, E> {
        let mut n_done = 0;
        for batch in items.chunks(at_once.max(1)) {
            let started = Instant::now();
            let Some(results) = run(batch)? else { return Ok(false) };
            assert_eq!(results.len(), batch.len(), "a result of each item");
            let cost = TrainingCost {
                wall_s: started.elapsed().as_secs_f64(),
                threads: u32::try_from(n_threads).unwrap_or(u32::MAX),
                plant_steps: 0,
                to_target: None,
            };
            self.save(folder, batch.iter().copied().zip(results).collect(), cost)?;
            n_done += batch.len();
            observer(n_done);
        }
        Ok(true)
    }

    /// The results of all items.
    ///
    /// # Errors
    /// Items that are missing.
    pub fn whole<T>(&self, finished: FinishedItems<T>) -> Result<WholeItems<T>, PartsError> {
        let FinishedItems { gathered, damaged, wall_s } = finished;
        let missing: Vec<u32> =
            (0..self.n_items).filter(|&item| !gathered.contains(item)).collect();
        if !missing.is_empty() {
            let Self { noun, n_items, .. } = *self;
            return Err(PartsError::Missing { noun, missing, n_items, damaged });
        }
        let results = gathered.into_values().map(|(_, result)| result).collect();
        Ok(WholeItems { results, damaged, wall_s })
    }

    /// Keeps the results of all items in a folder, as a shard of one part would.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_whole<T: Serialize + DeserializeOwned + Clone>(
        &self,
        folder: &Path,
        whole: &WholeItems<T>,
    ) -> Result<(), FolderError> {
        let wall_s = whole.wall_s;
        let mut cost = TrainingCost { wall_s, threads: 1, plant_steps: 0, to_target: None };
        for (batch, first) in whole.results.chunks(OF_THE_WHOLE).zip((0..).step_by(OF_THE_WHOLE)) {
            self.save(folder, (first..).zip(batch.iter().cloned()).collect(), cost)?;
            // The whole is counted with the first batch.
            cost.wall_s = 0.0;
        }
        Ok(())
    }

    fn save<T: Serialize + DeserializeOwned>(
        &self,
        folder: &Path,
        items: Vec<(u32, T)>,
        cost: TrainingCost,
    ) -> Result<(), FolderError> {
        let batch = Batch::new(self.origin.clone(), items);
        cost_file::append(folder, records::Record::number(&batch), cost)?;
        records::write(folder, &batch)
    }
}

impl<T> FinishedItems<T> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.gathered.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Files that are damaged, so that their items are done again.
    #[must_use]
    pub fn damaged(&self) -> &[PathBuf] {
        &self.damaged
    }
}

#[cfg(test)]
mod tests;
