//! Digests of trajectories: states and controls at every query of every episode, bit for bit.
//!
//! The digest of a rollout is that of the digests of its episodes, in order of their index. So it depends neither on the order
//! in which episodes are run, nor on how they are divided among threads and lanes. NaNs count as one value.

use bitloop_plant::LaneMatrix;

use crate::trajectory::{End, Query, Recorder};

/// Bytes of an episode that are digested at once. The digest takes whole pieces of this size several times as fast as single
/// numbers.
const PIECE: usize = 8192;

/// Rows that are copied at once.
const TILE: usize = 4;

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

    fn put(&mut self, episode: usize, value: f64) {
        self.hashers[episode].update(&word(value));
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
                let whole = n_pending / PIECE * PIECE;
                let room = &mut self.pending[episode * self.stride..][..n_pending];
                self.hashers[episode].update(&room[..whole]);
                room.copy_within(whole.., 0);
                self.n_pending[episode] -= whole;
            }
        }
    }

    fn end(&mut self, episode: usize, end: &End<'_>) {
        let room = self.pending.get(episode * self.stride..).unwrap_or_default();
        self.hashers[episode].update(&room[..self.n_pending[episode]]);
        self.hashers[episode].update(&end.tick.to_le_bytes());
        for &value in end.state.iter().chain([&end.result.error]) {
            self.put(episode, value);
        }
        self.digests[episode] = self.hashers[episode].finalize().into();
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
