//! [`Paused`]: episodes in the middle of a recording, between two control periods.

use serde::{Deserialize, Serialize};

use crate::outcome::EpisodeResult;
use crate::run::Run;
use crate::workspace::EpisodeBatch;

/// Episodes in the middle of a recording, which can be resumed from here with the same bits, in another process, too.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Paused {
    /// Those that have not ended.
    live: EpisodeBatch,
    /// Of all, by position; those of the live ones mean nothing.
    results: Vec<EpisodeResult>,
    n_faults: u64,
    /// Integration steps so far, summed over episodes.
    plant_steps: u64,
}

impl Paused {
    /// Integration steps so far, summed over episodes.
    #[must_use]
    pub const fn plant_steps(&self) -> u64 {
        self.plant_steps
    }

    /// The integration step that the live episodes are at.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.live.tick
    }
}

impl Run<'_> {
    /// All episodes of the set as they are at `tick`, after so many integration steps.
    pub(crate) fn pause(&mut self, tick: u64, plant_steps: u64) -> Paused {
        Paused {
            live: self.work.batch_from(0, tick),
            results: self.work.results.clone(),
            n_faults: self.work.n_faults,
            plant_steps,
        }
    }

    /// Continues from there, and gives the tick; nothing if these are other episodes.
    pub(crate) fn resume(&mut self, paused: &Paused) -> Option<u64> {
        let Paused { live, results, n_faults, .. } = paused;
        let n_episodes = self.set.n_episodes;
        let mut is_live = vec![false; n_episodes];
        let are_there = live.episodes.iter().all(|&episode| {
            let place = is_live.get_mut(episode);
            place.is_some_and(|is_live| !std::mem::replace(is_live, true))
        });
        let steps_per_query = self.closed_loop.timing().steps_per_query();
        let fits = are_there
            && !live.episodes.is_empty()
            && results.len() == n_episodes
            && live.tick < self.set.horizon
            && live.tick.is_multiple_of(steps_per_query)
            && live.numbers.len() == live.episodes.len() * self.work.n_episode_rows();
        if !fits {
            return None;
        }
        // Padding lanes hold copies of the first.
        self.load(0..n_episodes);
        let tick = self.work.take_on(live);
        self.work.results.clone_from(results);
        self.work.n_faults = *n_faults;
        Some(tick)
    }
}
