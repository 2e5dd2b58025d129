//! Digests of trajectories: states and controls at every query of every episode, bit for bit.
//!
//! The digest of a rollout is that of the digests of its episodes, in order of their index. So it depends neither on the order
//! in which episodes are run, nor on how they are divided among threads and lanes. NaNs count as one value.

use bitloop_plant::LaneMatrix;

use crate::outcome::EpisodeResult;
use crate::trajectory::{Query, Recorder};

/// Bytes of an episode that are digested at once. The digest takes whole pieces of this size several times as fast as single
/// numbers.
const PIECE: usize = 8192;

/// A cache line.
const LINE: usize = 64;

/// The digest of one episode.
pub type EpisodeDigest = [u8; 32];

/// The digests of episodes that run side by side. Its memory is used again for the next ones.
#[derive(Clone, Debug, Default)]
pub struct EpisodeDigests {
    hashers: Vec<blake3::Hasher>,
    /// For each episode room for a piece and the sample that completes it.
    pending: Vec<u8>,
    /// Bytes from one episode's room to the next one's.
    stride: usize,
    /// How many bytes of each episode's room are not digested yet.
    n_pending: Vec<usize>,
    digests: Vec<EpisodeDigest>,
}

impl EpisodeDigests {
    /// Begins with `n_episodes` other episodes.
    pub fn begin(&mut self, n_episodes: usize) {
        self.hashers.truncate(n_episodes);
        for hasher in &mut self.hashers {
            hasher.reset();
        }
        self.hashers.resize_with(n_episodes, blake3::Hasher::new);
        self.n_pending.clear();
        self.n_pending.resize(n_episodes, 0);
        self.digests.clear();
        self.digests.resize(n_episodes, EpisodeDigest::default());
    }

    /// The digests of the episodes since `begin`, which have all ended.
    #[must_use]
    pub fn digests(&self) -> &[EpisodeDigest] {
        &self.digests
    }

    /// Makes room for samples of `width` bytes.
    fn make_room(&mut self, width: usize) {
        let lines = (PIECE + width).div_ceil(LINE);
        // An odd number of cache lines, so that episodes, which are written to in turn, do not all share a few sets of the
        // cache.
        self.stride = (lines | 1) * LINE;
        self.pending.resize(self.hashers.len() * self.stride, 0);
    }

    fn put(&mut self, episode: usize, value: f64) {
        let canonical = if value.is_nan() { f64::NAN } else { value };
        self.hashers[episode].update(&canonical.to_bits().to_le_bytes());
    }
}

impl Recorder for EpisodeDigests {
    fn query(&mut self, query: &Query<'_>) {
        let n_words = query.state.n_rows() + query.control.n_rows();
        if query.tick == 0 {
            self.make_room(8 * n_words);
        }
        for (word, row) in rows(query.state).chain(rows(query.control)).enumerate() {
            for (&episode, &value) in query.episodes.iter().zip(row) {
                let canonical = if value.is_nan() { f64::NAN } else { value };
                let place = episode * self.stride + self.n_pending[episode] + 8 * word;
                self.pending[place..][..8].copy_from_slice(&canonical.to_bits().to_le_bytes());
            }
        }
        for &episode in query.episodes {
            let n_pending = self.n_pending[episode] + 8 * n_words;
            self.n_pending[episode] = n_pending;
            if n_pending >= PIECE {
                let whole = n_pending / PIECE * PIECE;
                let room = &mut self.pending[episode * self.stride..][..n_pending];
                self.hashers[episode].update(&room[..whole]);
                room.copy_within(whole.., 0);
                self.n_pending[episode] -= whole;
            }
        }
    }

    fn end(&mut self, episode: usize, tick: u64, state: &[f64], result: &EpisodeResult) {
        let room = self.pending.get(episode * self.stride..).unwrap_or_default();
        self.hashers[episode].update(&room[..self.n_pending[episode]]);
        self.hashers[episode].update(&tick.to_le_bytes());
        for &value in state.iter().chain([&result.error]) {
            self.put(episode, value);
        }
        self.digests[episode] = self.hashers[episode].finalize().into();
    }
}

fn rows(matrix: &LaneMatrix) -> impl Iterator<Item = &[f64]> {
    (0..matrix.n_rows()).map(|row| matrix.row(row))
}

/// The digest of the trajectories of all episodes.
#[derive(Clone, Debug, Default)]
pub struct TrajectoryDigest {
    all: blake3::Hasher,
}

impl TrajectoryDigest {
    /// Adds the next episodes, in order of their index.
    pub fn extend(&mut self, episodes: &[EpisodeDigest]) {
        for digest in episodes {
            self.all.update(digest);
        }
    }

    /// The digest of all that was added, in hexadecimal.
    #[must_use]
    pub fn finish(&self) -> String {
        self.all.finalize().to_hex().to_string()
    }
}
