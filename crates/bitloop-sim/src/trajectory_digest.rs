//! Digests of trajectories: states and controls at every query of every episode, bit for bit.
//!
//! The digest of a rollout is that of the digests of its episodes, in order of their index. So it depends neither on the order
//! in which episodes are run, nor on how they are divided among threads and lanes. NaNs count as one value.

use bitloop_plant::LaneMatrix;
use serde::{Deserialize, Serialize};

use crate::hash_tree::{HashTree, PIECE};
use crate::trajectory::{End, Query, Recorder};

/// Rows that are copied at once.
const TILE: usize = 4;

/// A cache line.
const LINE: usize = 64;

/// The digest of one episode.
pub type EpisodeDigest = [u8; 32];

/// The digests of episodes that run side by side. Its memory is used again for the next ones.
#[derive(Clone, Debug, Default)]
pub struct EpisodeDigests {
    trees: Vec<HashTree>,
    /// For each episode room for a piece and the sample that completes it.
    pending: Vec<u8>,
    /// Bytes from one episode's room to the next one's.
    stride: usize,
    /// How many bytes of each episode's room are not digested yet.
    n_pending: Vec<usize>,
    digests: Vec<EpisodeDigest>,
}

/// Digests under way, as they are kept between two queries.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PausedDigests {
    /// Of each episode, its tree and the bytes that are not digested yet.
    episodes: Vec<(HashTree, Vec<u8>)>,
    digests: Vec<EpisodeDigest>,
}

impl PausedDigests {
    /// Of how many episodes they are.
    #[must_use]
    pub const fn n_episodes(&self) -> usize {
        self.episodes.len()
    }
}

impl EpisodeDigests {
    /// Begins with `n_episodes` other episodes.
    pub fn begin(&mut self, n_episodes: usize) {
        self.trees.truncate(n_episodes);
        self.trees.iter_mut().for_each(HashTree::clear);
        self.trees.resize_with(n_episodes, HashTree::default);
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

    /// The digests as they are between two queries.
    #[must_use]
    pub fn pause(&self) -> PausedDigests {
        let rooms = self.pending.chunks(self.stride.max(1)).zip(&self.n_pending);
        let pending = rooms.map(|(room, &n)| room[..n].to_vec());
        let episodes = self.trees.iter().cloned().zip(pending).collect();
        PausedDigests { episodes, digests: self.digests.clone() }
    }

    /// Continues with digests that were paused, of episodes whose samples have `n_words` numbers; false if they are those of
    /// other episodes.
    #[must_use]
    pub fn resume(&mut self, paused: &PausedDigests, n_words: usize) -> bool {
        let n_episodes = paused.episodes.len();
        self.begin(n_episodes);
        self.make_room(8 * n_words);
        let is_sound = |(tree, bytes): &(HashTree, Vec<u8>)| tree.is_sound() && bytes.len() < PIECE;
        if paused.digests.len() != n_episodes || !paused.episodes.iter().all(is_sound) {
            return false;
        }
        self.digests.clone_from(&paused.digests);
        for (episode, (tree, bytes)) in paused.episodes.iter().enumerate() {
            self.trees[episode].clone_from(tree);
            self.pending[episode * self.stride..][..bytes.len()].copy_from_slice(bytes);
            self.n_pending[episode] = bytes.len();
        }
        true
    }

    /// Makes room for samples of `width` bytes.
    fn make_room(&mut self, width: usize) {
        let lines = (PIECE + width).div_ceil(LINE);
        // An odd number of cache lines, so that episodes, which are written to in turn, do not all share a few sets of the
        // cache.
        self.stride = (lines | 1) * LINE;
        self.pending.resize(self.trees.len() * self.stride, 0);
    }

    /// Appends the rows of `matrix` to what is pending of each episode, `offset` bytes further on.
    ///
    /// Rows are taken four at a time, so that an episode's numbers are written together.
    fn write(&mut self, episodes: &[usize], matrix: &LaneMatrix, offset: usize) {
        let (numbers, n_lanes) = (matrix.as_slice(), matrix.n_lanes());
        for (tile, rows) in numbers.chunks(TILE * n_lanes).enumerate() {
            let offset = offset + 8 * TILE * tile;
            if rows.len() == TILE * n_lanes {
                let [a, b, c, d] = [0, 1, 2, 3].map(|row| &rows[row * n_lanes..][..n_lanes]);
                for ((((&episode, a), b), c), d) in episodes.iter().zip(a).zip(b).zip(c).zip(d) {
                    let bytes = [*a, *b, *c, *d].map(word);
                    let place = episode * self.stride + self.n_pending[episode] + offset;
                    self.pending[place..][..8 * TILE].copy_from_slice(bytes.as_flattened());
                }
                continue;
            }
            for (row, values) in rows.chunks(n_lanes).enumerate() {
                for (&episode, &value) in episodes.iter().zip(values) {
                    let place = episode * self.stride + self.n_pending[episode] + offset + 8 * row;
                    self.pending[place..][..8].copy_from_slice(&word(value));
                }
            }
        }
    }
}

impl Recorder for EpisodeDigests {
    fn query(&mut self, query: &Query<'_>) {
        let n_words = query.state.n_rows() + query.control.n_rows();
        if query.tick == 0 {
            self.make_room(8 * n_words);
        }
        let (state, control) = (query.state, query.control);
        self.write(query.episodes, state, 0);
        self.write(query.episodes, control, 8 * state.n_rows());
        for &episode in query.episodes {
            let n_pending = self.n_pending[episode] + 8 * n_words;
            self.n_pending[episode] = n_pending;
            if n_pending >= PIECE {
                let room = &mut self.pending[episode * self.stride..][..n_pending];
                let whole = n_pending / PIECE * PIECE;
                room[..whole].chunks(PIECE).for_each(|piece| self.trees[episode].add(piece));
                room.copy_within(whole.., 0);
                self.n_pending[episode] -= whole;
            }
        }
    }

    fn end(&mut self, episode: usize, end: &End<'_>) {
        let room = self.pending.get(episode * self.stride..).unwrap_or_default();
        let mut rest = room[..self.n_pending[episode]].to_vec();
        rest.extend(end.tick.to_le_bytes());
        rest.extend(end.state.iter().chain([&end.result.error]).flat_map(|&value| word(value)));
        let mut rest = &rest[..];
        let tree = &mut self.trees[episode];
        while rest.len() > PIECE {
            let (piece, others) = rest.split_at(PIECE);
            tree.add(piece);
            rest = others;
        }
        self.digests[episode] = tree.finish(rest);
    }
}

/// The bytes of a number that are digested.
fn word(value: f64) -> [u8; 8] {
    let canonical = if value.is_nan() { f64::NAN } else { value };
    canonical.to_bits().to_le_bytes()
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
