//! The outcomes of an episode, of a set of them, and of a rollout under a bound.

/// How an episode ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EpisodeEnd {
    /// It reached its horizon.
    Horizon,
    /// Its state was in the failure set after integration step `tick`.
    Failed {
        /// The integration step.
        tick: u64,
    },
    /// The plant gave a cost that is negative or NaN.
    Fault {
        /// The integration step.
        tick: u64,
    },
}

/// The outcome of an episode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpisodeResult {
    /// Its error, infinite after a fault.
    pub error: f64,
    /// How it ended.
    pub end: EpisodeEnd,
}

/// The outcome of a set of episodes that were all run to their end.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The mean error, infinite after a fault.
    pub error: f64,
    /// Episode by episode.
    pub episodes: Vec<EpisodeResult>,
    /// Integration steps taken, summed over episodes.
    pub plant_steps: u64,
}

impl Evaluation {
    /// The outcome of these episodes, in order of their index.
    #[must_use]
    pub fn of(episodes: Vec<EpisodeResult>, plant_steps: u64) -> Self {
        Self { error: mean_error(&episodes), episodes, plant_steps }
    }

    /// How many episodes did not reach their horizon.
    #[must_use]
    pub fn n_failed(&self) -> usize {
        self.episodes.iter().filter(|episode| episode.end != EpisodeEnd::Horizon).count()
    }

    /// The error of the worst episode.
    #[must_use]
    pub fn max_error(&self) -> f64 {
        self.episodes.iter().map(|episode| episode.error).fold(0.0, f64::max)
    }
}

/// The outcome of a rollout under a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub enum Rollout {
    /// The mean error, below the bound, exact to the bit.
    Below(f64),
    /// The mean error is not below the bound.
    NotBelow,
    /// Before that was certain, the plant broke, or gave a cost that is negative or NaN, or the mean error became infinite. The
    /// same for any number of threads.
    Faulty,
    /// The rollout was called off.
    CalledOff,
}

/// Err of episodes in order of their index.
pub(crate) fn mean_error(episodes: &[EpisodeResult]) -> f64 {
    let sum = episodes.iter().fold(0.0, |sum, episode| sum + episode.error);
    sum / episodes.len() as f64
}
