//! [`Pauses`]: blocks under way as they were between two control periods, each at a moment of its own.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bitloop_sim::{Paused, PausedBehavior, PausedDigests};
use serde::{Deserialize, Serialize};

/// A block between two control periods.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PausedBlock {
    /// The indices of its episodes.
    pub episodes: Vec<usize>,
    /// The episodes.
    pub paused: Paused,
    /// What is recorded of them.
    pub behavior: Option<PausedBehavior>,
    /// Of their trajectories.
    pub digests: Option<PausedDigests>,
}

impl PausedBlock {
    /// How many episodes it has.
    pub const fn n_episodes(&self) -> usize {
        self.episodes.len()
    }

    /// The integration steps that are done, those that failed episodes left out included.
    pub const fn n_steps(&self) -> u64 {
        self.paused.tick() * self.episodes.len() as u64
    }
}

/// The blocks under way, as they last paused.
#[derive(Debug, Default)]
pub struct Pauses {
    /// How often all blocks were asked to pause.
    n_asked: AtomicU64,
    blocks: Mutex<BTreeMap<usize, Slot>>,
}

#[derive(Debug)]
struct Slot {
    /// How often it has answered.
    n_answered: u64,
    /// Nothing as long as it has not begun.
    block: Option<PausedBlock>,
}

impl Pauses {
    /// Blocks that were begun before, none of which runs yet.
    pub fn of(begun: &[PausedBlock]) -> Self {
        let pauses = Self::default();
        for (block, begun) in begun.iter().enumerate() {
            pauses.put(block, Some(begun.clone()));
        }
        pauses
    }

    /// How often blocks were asked to pause.
    #[inline]
    pub fn n_asked(&self) -> u64 {
        self.n_asked.load(Ordering::Relaxed)
    }

    /// A block pauses, or begins.
    pub fn put(&self, block: usize, paused: Option<PausedBlock>) {
        self.slots().insert(block, Slot { n_answered: self.n_asked(), block: paused });
    }

    /// A block has ended.
    pub fn remove(&self, block: usize) {
        self.slots().remove(&block);
    }

    pub fn ask(&self) {
        self.n_asked.fetch_add(1, Ordering::Relaxed);
    }

    pub fn have_all_answered(&self) -> bool {
        self.slots().values().all(|slot| slot.n_answered == self.n_asked())
    }

    pub fn all(&self) -> Vec<PausedBlock> {
        self.slots().values().filter_map(|slot| slot.block.clone()).collect()
    }

    /// A panic while it was locked leaves it as it is: changes are whole.
    fn slots(&self) -> MutexGuard<'_, BTreeMap<usize, Slot>> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
