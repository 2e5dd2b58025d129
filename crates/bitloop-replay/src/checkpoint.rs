//! [`ReplayState`]: how far a replay is, so that it can be resumed with the same bits, by another process, too.
//!
//! Episodes that have ended are kept by their index. Blocks under way are kept as they were between two control periods, each
//! at a moment of its own: they have nothing to do with each other.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::block::MOST_EPISODES;
use crate::outcome::ReplayError;
use crate::pauses::PausedBlock;
use crate::prepare::Replay;
use crate::record::EpisodeRecord;

/// How far a replay is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ReplayState {
    /// The episodes that have ended, by their index.
    pub(crate) finished: BTreeMap<usize, EpisodeRecord>,
    /// The blocks under way.
    pub(crate) blocks: Vec<PausedBlock>,
    /// Seconds that it took so far.
    pub(crate) wall_s: f64,
}

/// When and where the state of a replay is kept.
pub struct Checkpoints<'a> {
    /// The state from which it is resumed; the default to begin.
    pub state: ReplayState,
    /// From one checkpoint to the next.
    pub every: Duration,
    /// Keeps a state.
    pub save: &'a mut dyn FnMut(&ReplayState) -> io::Result<()>,
}

impl std::fmt::Debug for Checkpoints<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checkpoints").field("every", &self.every).finish_non_exhaustive()
    }
}

/// Why a replay with checkpoints has no result.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// As without checkpoints.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// Its state could not be kept.
    #[error("the state cannot be kept: {0}")]
    Save(#[source] io::Error),
    /// The state is that of another replay.
    #[error("the state is that of another replay")]
    OtherState,
}

impl ReplayState {
    /// As bytes; numbers keep their bits.
    ///
    /// # Panics
    /// Never: plain numbers are always written.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("plain numbers")
    }

    /// From bytes, unless they are none of a state.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (state, rest) = postcard::take_from_bytes(bytes).ok()?;
        rest.is_empty().then_some(state)
    }

    /// How many episodes have ended.
    #[must_use]
    pub fn n_finished(&self) -> usize {
        self.finished.len()
    }

    /// Whether it can be a state of this replay, with or without digests and figures of behavior.
    pub(crate) fn fits(&self, replay: &Replay, has_digest: bool, has_behavior: bool) -> bool {
        let indices = replay.indices();
        let n_figures = if has_behavior { replay.behavior_shape().width() } else { 0 };
        let mut seen = BTreeSet::new();
        let is_block_sound = |block: &PausedBlock| {
            (1..=MOST_EPISODES as usize).contains(&block.episodes.len())
                && block.digests.is_some() == has_digest
                && block.behavior.is_some() == has_behavior
        };
        self.wall_s >= 0.0
            && self.wall_s.is_finite()
            && self
                .finished
                .iter()
                .all(|(index, record)| indices.contains(index) && record.has(has_digest, n_figures))
            && self.blocks.iter().all(is_block_sound)
            && self.blocks.iter().flat_map(|block| &block.episodes).all(|index| {
                indices.contains(index) && !self.finished.contains_key(index) && seen.insert(*index)
            })
    }
}
