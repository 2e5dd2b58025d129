//! What each thread of a replay does: block after block, with what all threads share.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;
use std::thread;

use bitloop_blm::ProbeControl;
use bitloop_plant::Isa;
use bitloop_sim::{
    BehaviorRecorder, Behaviors, ClosedLoop, Controller, EpisodeDigest, EpisodeResult, Evaluation,
    Recorder, Recording, SimError, Workspace,
};
use bitloop_train::TrainError;

use crate::beside::Beside;
use crate::block::{BlockRecorder, Blocks, Formatter};
use crate::order::Turn;
use crate::outcome::Unfinished;
use crate::pauses::{PausedBlock, Pauses};
use crate::pieces::Pool;
use crate::prepare::Replay;
use crate::record::EpisodeRecord;
use crate::text::{TEXT_BLOCKS_AHEAD, Text, most_text};
use crate::trajectory_file::TrajectoryFormat;

/// How many blocks without trajectories each thread may run or have finished beyond the one whose turn it is.
const BLOCKS_AHEAD: usize = 2;

/// The results of a block.
#[derive(Default)]
pub struct BlockResult {
    /// With their indices.
    pub episodes: Vec<(usize, EpisodeResult)>,
    /// Not empty if the block was interrupted; then there are no digests and no text.
    pub unfinished: Vec<Unfinished>,
    pub plant_steps: u64,
    /// Of the episodes that have ended, if it is measured.
    pub behaviors: Option<Behaviors>,
    pub digests: Vec<EpisodeDigest>,
    pub text: Vec<Vec<u8>>,
}

impl BlockResult {
    /// What is kept of each episode that has ended, with its index.
    pub fn records(&self) -> impl Iterator<Item = (usize, EpisodeRecord)> {
        let of_episode = move |(position, &(index, result)): (usize, &(usize, EpisodeResult))| {
            let figures = self.behaviors.as_ref().map(|all| all.episode(position).to_vec());
            let digest = self.digests.get(position).copied();
            (index, EpisodeRecord::new(result, digest, figures.unwrap_or_default()))
        };
        self.episodes.iter().enumerate().map(of_episode)
    }
}

/// What all threads share.
pub struct Shared<'a> {
    pub replay: &'a Replay,
    pub closed_loop: &'a ClosedLoop,
    pub controller: &'a dyn Controller,
    pub isa: Isa,
    pub blocks: Blocks,
    pub n_episodes: usize,
    pub n_threads: usize,
    pub next_block: AtomicUsize,
    pub turn: Turn,
    pub pool: Pool,
    pub interrupt: &'a AtomicBool,
    /// Steps of all episodes so far, those that failed episodes left out included.
    pub done: AtomicU64,
    pub format: Option<&'a dyn TrajectoryFormat>,
    /// Whether another thread formats the trajectory of the only episode.
    pub formats_beside: bool,
    pub has_digest: bool,
    pub has_behavior: bool,
    /// Blocks that were begun before, the first ones, and where all pause, if the state is kept.
    pub begun: Vec<PausedBlock>,
    pub pauses: Option<Pauses>,
}

impl Shared<'_> {
    /// Runs blocks until there are no more.
    pub fn run_blocks(
        &self,
        writer: SyncSender<Vec<u8>>,
        give: &dyn Fn(usize, Result<BlockResult, TrainError>),
    ) {
        let most = most_text(self.n_threads);
        let text =
            self.format.map(|format| Text::new(format, writer, &self.turn, &self.pool, most));
        if !self.formats_beside {
            return self.run_blocks_with(text.map(Formatter::Here), give);
        }
        thread::scope(|scope| {
            let sizes = self.closed_loop.plant().sizes();
            let beside = text.map(|text| Formatter::Beside(Beside::new(scope, text, sizes)));
            self.run_blocks_with(beside, give);
        });
    }

    fn run_blocks_with<'a>(
        &'a self,
        formatter: Option<Formatter<'a>>,
        give: &dyn Fn(usize, Result<BlockResult, TrainError>),
    ) {
        let mut work = Workspace::new(self.closed_loop, self.controller, self.blocks.size());
        let steps_per_query = u64::from(self.closed_loop.timing().steps_per_period());
        let mut recorder = BlockRecorder::new(&self.done, steps_per_query, self.has_digest);
        if self.has_behavior {
            // In the bounds and scales of the saved controller, wherever another one takes its place.
            let closed_loop = &self.replay.setup.closed_loop;
            recorder = recorder.measuring(BehaviorRecorder::new(closed_loop, self.isa));
        }
        if let Some(formatter) = formatter {
            recorder = recorder.writing(formatter);
        }
        loop {
            let block = self.next_block.fetch_add(1, Ordering::Relaxed);
            let has_text = self.format.is_some();
            let per_thread = if has_text { TEXT_BLOCKS_AHEAD } else { BLOCKS_AHEAD };
            let ahead = per_thread * self.n_threads;
            if block >= self.blocks.n_blocks()
                || !self.turn.wait_for(block.saturating_sub(ahead))
                || self.interrupt.load(Ordering::Relaxed)
            {
                return;
            }
            let episodes = self.blocks.episodes(block);
            if let Some(pauses) = &self.pauses {
                pauses.put(block, self.begun.get(block).cloned());
            }
            give(block, self.run_block(block, episodes, &mut work, &mut recorder));
        }
    }

    /// Runs a block, or a part of it if no more are wanted.
    fn run_block(
        &self,
        block: usize,
        episodes: &[usize],
        work: &mut Workspace,
        recorder: &mut BlockRecorder<'_>,
    ) -> Result<BlockResult, TrainError> {
        let set = self.replay.draw_all(episodes)?;
        recorder.begin(block, episodes, &set);
        let begun = self.begun.get(block);
        if begun.is_some_and(|begun| !recorder.resume(begun, &set, self.n_words())) {
            return Err(SimError::OtherEpisodes.into());
        }
        let mut paused = begun.map(|begun| Box::new(begun.paused.clone()));
        let recorded = loop {
            let n_asked = self.pauses.as_ref().map(Pauses::n_asked);
            let is_over = || self.turn.is_stopped() || self.interrupt.load(Ordering::Relaxed);
            let is_stopped = || is_over() || self.pauses.as_ref().map(Pauses::n_asked) != n_asked;
            let control = (
                ProbeControl::alone(f64::INFINITY).stopped_by(&is_stopped),
                &mut *recorder as &mut dyn Recorder,
            );
            let (isa, controller) = (self.isa, self.controller);
            let recorded = self.closed_loop.record_from(
                isa,
                controller,
                &set,
                work,
                paused.as_deref(),
                control,
            )?;
            if let (Some(pauses), Recording::CalledOff { paused: Some(at), .. }) =
                (&self.pauses, &recorded)
            {
                // At the very start there is nothing to keep.
                let has_begun = at.tick() > 0;
                pauses.put(block, has_begun.then(|| recorder.pause(episodes, (**at).clone())));
                if !is_over() {
                    paused = has_begun.then(|| at.clone());
                    continue;
                }
            }
            break recorded;
        };
        match recorded {
            Recording::Finished(Evaluation { episodes: results, plant_steps, .. }) => {
                let (digests, text) = recorder.finish(set.horizon() * episodes.len() as u64);
                let episodes = episodes.iter().copied().zip(results).collect();
                let behaviors = recorder.behaviors();
                let unfinished = Vec::new();
                Ok(BlockResult { episodes, unfinished, plant_steps, behaviors, digests, text })
            }
            Recording::CalledOff { ended, unfinished, plant_steps, .. } => {
                let index = |position: usize| episodes[position];
                let behaviors = recorder.behaviors().map(|all| {
                    let mut of_ended = Behaviors::new(all.shape());
                    for &(position, _) in &ended {
                        of_ended.push(&all, position);
                    }
                    of_ended
                });
                let unfinished = unfinished.into_iter().map(|episode| Unfinished {
                    episode: index(episode.position),
                    time_s: self.closed_loop.timing().decimal_seconds(episode.tick),
                    error: episode.error,
                });
                let ended = ended.into_iter().map(|(position, result)| (index(position), result));
                Ok(BlockResult {
                    episodes: ended.collect(),
                    unfinished: unfinished.collect(),
                    plant_steps,
                    behaviors,
                    ..BlockResult::default()
                })
            }
        }
    }

    /// Numbers of a sample of a trajectory.
    fn n_words(&self) -> usize {
        let sizes = self.closed_loop.plant().sizes();
        sizes.n_states + sizes.n_controls
    }

    /// The part of the steps of all episodes that is done.
    pub fn part_done(&self) -> f64 {
        let all = self.replay.horizon() as f64 * self.n_episodes as f64;
        (self.done.load(Ordering::Relaxed) as f64 / all).clamp(0.0, 1.0)
    }
}
