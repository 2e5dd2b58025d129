//! Blocks of episodes that are run side by side, and what is recorded of one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bitloop_plant::LANE_STEP;
use bitloop_sim::{
    BehaviorRecorder, Behaviors, End, EpisodeDigest, EpisodeDigests, EpisodeSet, Paused, Query,
    Recorder,
};

use crate::beside::Beside;
use crate::pauses::PausedBlock;
use crate::text::{Text, most_text};

/// The most episodes of a block: enough to fill the lanes, few enough for what is kept of each to stay in the cache.
pub const MOST_EPISODES: u32 = 64;

/// The most queries between two reports of how far a block is.
const QUERIES_PER_REPORT: u64 = 64;

/// About the time between two reports of a slow plant.
const REPORT_PERIOD: Duration = Duration::from_millis(20);

/// Episodes cut into blocks.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// Blocks that were begun before, which come first, with the indices of their episodes.
    begun: Vec<Vec<usize>>,
    /// The indices of the others.
    episodes: Vec<usize>,
    size: usize,
}

impl Blocks {
    /// Blocks of about one size, as many for each thread, and none with more than `text_per_episode` bytes of trajectories
    /// in all; a single episode may have more.
    pub fn new(episodes: Vec<usize>, n_threads: usize, text_per_episode: u64) -> Self {
        let by_text = most_text(n_threads) / text_per_episode.max(1);
        let most = usize::try_from(by_text).unwrap_or(usize::MAX).clamp(1, MOST_EPISODES as usize);
        // Lanes are computed in steps.
        let most = if most < LANE_STEP { most } else { most / LANE_STEP * LANE_STEP };
        let per_thread = episodes.len().div_ceil(n_threads).max(1);
        let size = per_thread.div_ceil(per_thread.div_ceil(most));
        let whole = size.next_multiple_of(LANE_STEP);
        Self { begun: Vec::new(), episodes, size: if whole <= most { whole } else { size } }
    }

    /// The same after blocks that were begun before.
    pub fn after(self, begun: Vec<Vec<usize>>) -> Self {
        Self { begun, ..self }
    }

    /// How many there are.
    pub fn n_blocks(&self) -> usize {
        self.begun.len() + self.episodes.len().div_ceil(self.size)
    }

    /// The most episodes in one.
    pub fn size(&self) -> usize {
        self.begun.iter().map(Vec::len).fold(self.size, usize::max)
    }

    /// The indices of the episodes in a block.
    pub fn episodes(&self, block: usize) -> &[usize] {
        let Some(block) = block.checked_sub(self.begun.len()) else { return &self.begun[block] };
        let start = block * self.size;
        &self.episodes[start..(start + self.size).min(self.episodes.len())]
    }
}

/// Records what is asked for of the episodes of one block after another.
pub struct BlockRecorder<'a> {
    digests: Option<EpisodeDigests>,
    behavior: Option<BehaviorRecorder>,
    formatter: Option<Formatter<'a>>,
    progress: Progress<'a>,
}

/// Where trajectories are formatted.
pub enum Formatter<'a> {
    /// By the thread that runs the episodes.
    Here(Text<'a>),
    /// By another one; blocks have a single episode.
    Beside(Beside),
}

/// How far the episodes of the block are, in steps of all of them.
struct Progress<'a> {
    done: &'a AtomicU64,
    steps_per_query: u64,
    /// Steps of this block that are reported.
    n_reported: u64,
    /// Queries since the last report, and how many there may be.
    n_queries: u64,
    n_most: u64,
    reported_at: Instant,
}

impl Progress<'_> {
    /// Counts a query of so many episodes.
    #[inline]
    fn query(&mut self, n_episodes: usize) {
        self.n_queries += 1;
        if self.n_queries >= self.n_most {
            self.report(n_episodes);
        }
    }

    fn report(&mut self, n_episodes: usize) {
        let n_steps = self.n_queries * self.steps_per_query * n_episodes as u64;
        self.n_reported += n_steps;
        self.done.fetch_add(n_steps, Ordering::Relaxed);
        // However slow the plant is, it is seen that it goes on.
        let is_slow = self.reported_at.elapsed() > REPORT_PERIOD;
        let n_most = if is_slow { self.n_most / 2 } else { self.n_most * 2 };
        self.n_most = n_most.clamp(1, QUERIES_PER_REPORT);
        (self.n_queries, self.reported_at) = (0, Instant::now());
    }
}

impl<'a> BlockRecorder<'a> {
    /// Counts its steps in `done`, with so many integration steps in a control period.
    pub fn new(done: &'a AtomicU64, steps_per_query: u64, has_digests: bool) -> Self {
        Self {
            digests: has_digests.then(EpisodeDigests::default),
            behavior: None,
            formatter: None,
            progress: Progress {
                done,
                steps_per_query,
                n_reported: 0,
                n_queries: 0,
                n_most: 1,
                reported_at: Instant::now(),
            },
        }
    }

    /// Measures behavior, too.
    pub fn measuring(mut self, behavior: BehaviorRecorder) -> Self {
        self.behavior = Some(behavior);
        self
    }

    /// Writes trajectories, too.
    pub fn writing(self, formatter: Formatter<'a>) -> Self {
        Self { formatter: Some(formatter), ..self }
    }

    /// Begins with a block, the indices of its episodes, and the episodes.
    ///
    /// Where trajectories are written, the episodes must follow each other.
    pub fn begin(&mut self, block: usize, episodes: &[usize], set: &EpisodeSet) {
        if let Some(behavior) = &mut self.behavior {
            behavior.begin(set, episodes.len());
        }
        if let Some(digests) = &mut self.digests {
            digests.begin(episodes.len());
        }
        match &mut self.formatter {
            Some(Formatter::Here(text)) => text.begin(block, episodes[0], episodes.len()),
            Some(Formatter::Beside(beside)) => beside.begin(block, episodes[0]),
            None => {}
        }
        (self.progress.n_queries, self.progress.n_reported) = (0, 0);
        self.progress.reported_at = Instant::now();
    }

    /// What was recorded of a block so far, between two control periods, beside the indices and the state of its episodes.
    pub fn pause(&mut self, episodes: &[usize], paused: Paused) -> PausedBlock {
        PausedBlock {
            episodes: episodes.to_vec(),
            paused,
            behavior: self.behavior.as_mut().map(BehaviorRecorder::pause),
            digests: self.digests.as_ref().map(EpisodeDigests::pause),
        }
    }

    /// Continues with a block after `begin`; false if it is one of another replay.
    #[must_use]
    pub fn resume(&mut self, block: &PausedBlock, set: &EpisodeSet, n_words: usize) -> bool {
        let (n_episodes, tick) = (block.episodes.len(), block.paused.tick());
        self.progress.n_reported = tick * n_episodes as u64;
        let has_behavior = match (&mut self.behavior, &block.behavior) {
            (Some(behavior), Some(paused)) => behavior.resume(paused, (set, n_episodes), tick),
            (behavior, paused) => behavior.is_none() && paused.is_none(),
        };
        let has_digests = match (&mut self.digests, &block.digests) {
            (Some(digests), Some(paused)) => {
                paused.n_episodes() == n_episodes && digests.resume(paused, n_words)
            }
            (digests, paused) => digests.is_none() && paused.is_none(),
        };
        has_behavior && has_digests
    }

    /// The behavior of the episodes since `begin`, by their position; of those that have ended.
    pub fn behaviors(&self) -> Option<Behaviors> {
        self.behavior.as_ref().map(BehaviorRecorder::behaviors)
    }

    /// What was recorded since `begin`: digests, and pieces of text. The episodes have taken `n_steps` steps in all, or
    /// would have.
    pub fn finish(&mut self, n_steps: u64) -> (Vec<EpisodeDigest>, Vec<Vec<u8>>) {
        let left = n_steps.saturating_sub(self.progress.n_reported);
        self.progress.done.fetch_add(left, Ordering::Relaxed);
        let digests = self.digests.as_ref().map(|digests| digests.digests().to_vec());
        let text = match &mut self.formatter {
            Some(Formatter::Here(text)) => text.take(),
            Some(Formatter::Beside(beside)) => beside.take(),
            None => Vec::new(),
        };
        (digests.unwrap_or_default(), text)
    }
}

impl Recorder for BlockRecorder<'_> {
    fn query(&mut self, query: &Query<'_>) {
        if let Some(digests) = &mut self.digests {
            digests.query(query);
        }
        if let Some(behavior) = &mut self.behavior {
            behavior.query(query);
        }
        match &mut self.formatter {
            Some(Formatter::Here(text)) => text.query(query),
            Some(Formatter::Beside(beside)) => beside.query(query),
            None => {}
        }
        self.progress.query(query.episodes.len());
    }

    fn end(&mut self, episode: usize, end: &End<'_>) {
        if let Some(digests) = &mut self.digests {
            digests.end(episode, end);
        }
        if let Some(behavior) = &mut self.behavior {
            behavior.end(episode, end);
        }
        match &mut self.formatter {
            Some(Formatter::Here(text)) => text.end(episode, end.tick, end.state),
            Some(Formatter::Beside(beside)) => beside.end(end.tick, end.state),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_all_episodes_once_and_share_them_out() {
        for (n, n_threads, text, size) in [
            (50, 1, 0, 52),
            (50, 2, 0, 28),
            (1, 8, 0, 4),
            (150, 2, 0, 40),
            (1_000_000, 2, 0, 64),
            (1_000_000, 2, 4 << 20, 40),
            (1_000_000, 64, 4 << 20, 8),
            (50, 2, 35 << 20, 4),
            (50, 2, 70 << 20, 2),
            (9, 2, 1 << 40, 1),
        ] {
            let blocks = Blocks::new((7..7 + n).collect(), n_threads, text);
            assert_eq!(blocks.size(), size, "{n} {n_threads}");
            let all = (0..blocks.n_blocks()).flat_map(|b| blocks.episodes(b).iter().copied());
            let all: Vec<usize> = all.collect();
            assert_eq!(all, (7..7 + n).collect::<Vec<_>>());
        }
    }
}
