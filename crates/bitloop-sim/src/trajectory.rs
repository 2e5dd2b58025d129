//! Trajectories: samples at each query of the controller, and their digest.

use std::collections::VecDeque;

use crate::outcome::EpisodeResult;

/// Bytes of an episode that are digested at once. The digest takes whole pieces of this size several times as fast as single
/// numbers.
const PIECE: usize = 8192;

/// The loop at one query: the state of the plant, its observations, and the control.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// Which episode.
    pub episode: usize,
    /// Integration steps since its start.
    pub tick: u64,
    /// x: `[n_states]`.
    pub state: &'a [f64],
    /// y, of the plant, all of it: `[n_observations]`.
    pub observation: &'a [f64],
    /// u, as applied from now on: `[n_controls]`.
    pub control: &'a [f64],
}

/// Takes samples as they come: episodes block by block in order of their index, within a block in order of time, and at one
/// time in no particular order of episodes.
pub trait Recorder {
    /// The controller was queried.
    fn sample(&mut self, sample: &Sample<'_>);

    /// An episode ended at `tick` in `state`.
    fn end(&mut self, episode: usize, tick: u64, state: &[f64], result: &EpisodeResult) {
        let _ = (episode, tick, state, result);
    }
}

/// A digest of trajectories: states and controls at every query of every episode, bit for bit.
///
/// It is the digest of the digests of all episodes in order of their index, so that it does not depend on the order in which
/// episodes are sampled. NaNs count as one value. Memory is needed for those episodes alone that have begun and not ended.
#[derive(Clone, Debug)]
pub struct TrajectoryDigest {
    n_episodes: usize,
    /// Of all episodes before `first_open`.
    all: blake3::Hasher,
    first_open: usize,
    /// The episodes from `first_open` on.
    open: VecDeque<EpisodeDigest>,
    /// Emptied buffers, to be used again.
    spare: Vec<Vec<u8>>,
}

/// The digest of one episode so far.
#[derive(Clone, Debug)]
struct EpisodeDigest {
    hasher: blake3::Hasher,
    /// Room for a piece; of it the first `n_pending` bytes are not digested yet.
    pending: Vec<u8>,
    n_pending: usize,
    is_complete: bool,
}

impl TrajectoryDigest {
    /// The digest of `n_episodes` episodes, nothing recorded yet.
    #[must_use]
    pub fn new(n_episodes: usize) -> Self {
        let (all, open, spare) = (blake3::Hasher::new(), VecDeque::new(), Vec::new());
        Self { n_episodes, all, first_open: 0, open, spare }
    }

    /// The digest of what was recorded, in hexadecimal.
    #[must_use]
    pub fn finish(mut self) -> String {
        for _ in self.first_open..self.n_episodes {
            self.close_first();
        }
        self.all.finalize().to_hex().to_string()
    }

    /// # Panics
    /// If the episode has ended.
    fn episode(&mut self, episode: usize) -> &mut EpisodeDigest {
        let index = episode.checked_sub(self.first_open).expect("an episode that has not ended");
        while self.open.len() <= index {
            self.open.push_back(EpisodeDigest::new(self.spare.pop().unwrap_or_default()));
        }
        &mut self.open[index]
    }

    /// Digests the first open episode as it is.
    fn close_first(&mut self) {
        let mut episode = match self.open.pop_front() {
            Some(episode) => episode,
            None => EpisodeDigest::new(self.spare.pop().unwrap_or_default()),
        };
        episode.hasher.update(&episode.pending[..episode.n_pending]);
        self.all.update(episode.hasher.finalize().as_bytes());
        self.first_open += 1;
        self.spare.push(episode.pending);
    }
}

impl EpisodeDigest {
    /// With a buffer that was used before, or an empty one.
    fn new(mut pending: Vec<u8>) -> Self {
        pending.resize(PIECE, 0);
        Self { hasher: blake3::Hasher::new(), pending, n_pending: 0, is_complete: false }
    }

    fn update(&mut self, values: &[f64]) {
        for value in values {
            let canonical = if value.is_nan() { f64::NAN } else { *value };
            self.update_word(canonical.to_bits());
        }
    }

    fn update_word(&mut self, word: u64) {
        self.pending[self.n_pending..][..8].copy_from_slice(&word.to_le_bytes());
        self.n_pending += 8;
        // A whole number of words.
        if self.n_pending == PIECE {
            self.hasher.update(&self.pending);
            self.n_pending = 0;
        }
    }
}

impl Recorder for TrajectoryDigest {
    fn sample(&mut self, sample: &Sample<'_>) {
        let episode = self.episode(sample.episode);
        episode.update(sample.state);
        episode.update(sample.control);
    }

    fn end(&mut self, episode: usize, tick: u64, state: &[f64], result: &EpisodeResult) {
        let digest = self.episode(episode);
        digest.update_word(tick);
        digest.update(state);
        digest.update(&[result.error]);
        digest.is_complete = true;
        while self.open.front().is_some_and(|first| first.is_complete) {
            self.close_first();
        }
    }
}
