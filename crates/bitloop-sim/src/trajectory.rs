//! What an episode looked like: samples at each query of the controller, and their digest.

use crate::outcome::EpisodeResult;

/// The loop at one query: what the plant was in, what was seen of it, what was commanded.
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

/// Takes samples as they come: in order of time, and at one time in no particular order of episodes.
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
/// It does not depend on the order in which episodes are sampled; NaNs count as one value.
#[derive(Clone, Debug)]
pub struct TrajectoryDigest {
    episodes: Vec<blake3::Hasher>,
}

impl TrajectoryDigest {
    /// The digest of `n_episodes` episodes, nothing recorded yet.
    #[must_use]
    pub fn new(n_episodes: usize) -> Self {
        Self { episodes: vec![blake3::Hasher::new(); n_episodes] }
    }

    /// The digest of what was recorded, in hexadecimal.
    #[must_use]
    pub fn finish(&self) -> String {
        let mut all = blake3::Hasher::new();
        for episode in &self.episodes {
            all.update(episode.finalize().as_bytes());
        }
        all.finalize().to_hex().to_string()
    }

    fn update(&mut self, episode: usize, values: &[f64]) {
        for value in values {
            let canonical = if value.is_nan() { f64::NAN } else { *value };
            self.episodes[episode].update(&canonical.to_bits().to_le_bytes());
        }
    }
}

impl Recorder for TrajectoryDigest {
    fn sample(&mut self, sample: &Sample<'_>) {
        self.update(sample.episode, sample.state);
        self.update(sample.episode, sample.control);
    }

    fn end(&mut self, episode: usize, tick: u64, state: &[f64], result: &EpisodeResult) {
        self.episodes[episode].update(&tick.to_le_bytes());
        self.update(episode, state);
        self.update(episode, &[result.error]);
    }
}
