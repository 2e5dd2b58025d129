//! [`Recording`]: the outcome of a recorded set of episodes, which may have been called off.

use crate::outcome::{EpisodeResult, Evaluation, UnfinishedEpisode};
use crate::paused::Paused;

/// The outcome of a recorded set of episodes.
#[derive(Clone, Debug)]
pub enum Recording {
    /// All ran to their end.
    Finished(Evaluation),
    /// They were called off.
    CalledOff {
        /// Those that had ended, by their position, in order.
        ended: Vec<(usize, EpisodeResult)>,
        /// The others.
        unfinished: Vec<UnfinishedEpisode>,
        /// Integration steps taken, summed over episodes.
        plant_steps: u64,
        /// From where they can be resumed; nothing if all have ended.
        paused: Option<Box<Paused>>,
    },
}
