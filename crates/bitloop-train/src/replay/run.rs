//! Running a replay: blocks of episodes on all threads, their results taken in order.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use bitloop_blm::ProbeControl;
use bitloop_plant::Isa;
use bitloop_sim::{
    BehaviorRecorder, Behaviors, ClosedLoop, Controller, EpisodeDigest, EpisodeResult, Evaluation,
    NetworkController, Recorder, Recording, TrajectoryDigest, Workspace,
};

use super::block::{BlockRecorder, Blocks};
use super::order::{StopAtPanic, Turn};
use super::outcome::{ReplayError, ReplayOutcome, ReplayProgress, Unfinished};
use super::prepare::{Replay, unscaled};
use super::record::EpisodeRecord;
use super::trajectory_file::{TrajectoryFile, TrajectoryFormat, write_all};
use crate::error::TrainError;
use crate::execution::NEVER;

/// The most threads that a replay uses.
const MAX_THREADS: usize = 256;

/// How many blocks for each thread may be finished or under way beyond the one whose turn it is.
const BLOCKS_AHEAD: usize = 2;

/// Pieces of trajectories that may wait for the writer.
const PIECES_AHEAD: usize = 4;

/// Between two looks at the interrupt, and two reports of progress.
const PERIOD: Duration = Duration::from_millis(100);

/// How a replay is run. Nothing of it changes a result.
pub struct ReplayExecution<'a> {
    /// Instruction set.
    pub isa: Isa,
    /// Number of threads; at least one is used.
    pub n_threads: usize,
    /// Whether the digest of all trajectories is computed.
    pub has_digest: bool,
    /// Whether the behavior of each episode is measured.
    pub has_behavior: bool,
    /// Ends the replay soon after it was set, with the results so far.
    pub interrupt: &'a AtomicBool,
    /// A file of all trajectories.
    pub trajectories: Option<TrajectoryFile<'a>>,
    /// A controller in place of the saved one, which reads observations in the plant's own units and gives controls in
    /// them: no channel is scaled or bounded.
    pub controller: Option<&'a dyn Controller>,
}

impl ReplayExecution<'_> {
    /// The saved controller, with the digest of all trajectories, without their file and without behavior.
    #[must_use]
    pub const fn new(isa: Isa, n_threads: usize) -> Self {
        Self {
            isa,
            n_threads,
            has_digest: true,
            has_behavior: false,
            interrupt: &NEVER,
            trajectories: None,
            controller: None,
        }
    }
}

impl std::fmt::Debug for ReplayExecution<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReplayExecution")
            .field("isa", &self.isa)
            .field("n_threads", &self.n_threads)
            .field("has_digest", &self.has_digest)
            .finish_non_exhaustive()
    }
}

/// The results of a block.
#[derive(Default)]
struct BlockResult {
    /// With their indices.
    episodes: Vec<(usize, EpisodeResult)>,
    /// Not empty if the block was interrupted; then there are no digests and no text.
    unfinished: Vec<Unfinished>,
    plant_steps: u64,
    /// Of the episodes that have ended, if it is measured.
    behaviors: Option<Behaviors>,
    digests: Vec<EpisodeDigest>,
    text: Vec<Vec<u8>>,
}

/// What all threads share.
struct Shared<'a> {
    replay: &'a Replay,
    closed_loop: &'a ClosedLoop,
    controller: &'a dyn Controller,
    isa: Isa,
    blocks: Blocks,
    n_episodes: usize,
    n_threads: usize,
    next_block: AtomicUsize,
    turn: Turn,
    interrupt: &'a AtomicBool,
    /// Steps of all episodes so far, those that failed episodes left out included.
    done: AtomicU64,
    format: Option<&'a dyn TrajectoryFormat>,
    has_digest: bool,
    has_behavior: bool,
}

impl Replay {
    /// Runs all episodes to their end, with the digest of their trajectories.
    ///
    /// # Errors
    /// As [`run_watched`](Self::run_watched).
    pub fn run(&self, isa: Isa, n_threads: usize) -> Result<ReplayOutcome, ReplayError> {
        self.run_watched(ReplayExecution::new(isa, n_threads), &mut |_| {})
    }

    /// Shows a few of the episodes, given by their indices and run side by side on this thread, to a recorder, which sees
    /// them by their position among these.
    ///
    /// # Errors
    /// If the plant breaks.
    pub fn record(
        &self,
        isa: Isa,
        episodes: Range<usize>,
        recorder: &mut dyn Recorder,
    ) -> Result<(), TrainError> {
        let set = self.draw(episodes)?;
        let controller = NetworkController { network: &self.network, weights: &self.weights };
        let closed_loop = &self.setup.closed_loop;
        let mut work = Workspace::new(closed_loop, &controller, set.n_episodes());
        let control = ProbeControl::alone(f64::INFINITY);
        closed_loop.record(isa, &controller, &set, &mut work, control, recorder)?;
        Ok(())
    }

    /// The same with all that can be asked for; `watch` is shown the progress from time to time.
    ///
    /// # Errors
    /// [`ReplayError`] if the plant breaks, or the trajectories cannot be written.
    pub fn run_watched(
        &self,
        execution: ReplayExecution<'_>,
        watch: &mut dyn FnMut(ReplayProgress),
    ) -> Result<ReplayOutcome, ReplayError> {
        let (started, has_digest) = (Instant::now(), execution.has_digest);
        let taken = self.simulate(self.indices().collect(), execution, watch)?;
        Ok(taken.outcome(self, has_digest, started.elapsed()))
    }

    /// Runs some of the episodes, given by their indices, whose results can be put together with those of others; none if it
    /// was interrupted. Trajectories are not written.
    ///
    /// # Errors
    /// If the plant breaks.
    pub fn run_apart(
        &self,
        indices: &[usize],
        mut execution: ReplayExecution<'_>,
        watch: &mut dyn FnMut(ReplayProgress),
    ) -> Result<Option<Vec<EpisodeRecord>>, ReplayError> {
        execution.trajectories = None;
        let taken = self.simulate(indices.to_vec(), execution, watch)?;
        Ok((taken.episodes.len() == indices.len()).then(|| taken.records()))
    }

    /// Runs episodes, given by their indices.
    fn simulate(
        &self,
        indices: Vec<usize>,
        execution: ReplayExecution<'_>,
        watch: &mut dyn FnMut(ReplayProgress),
    ) -> Result<Taken, ReplayError> {
        let ReplayExecution {
            isa,
            n_threads,
            has_digest,
            has_behavior,
            interrupt,
            trajectories,
            controller,
        } = execution;
        let saved = NetworkController { network: &self.network, weights: &self.weights };
        let in_units = controller.map(|_| unscaled(&self.setup.closed_loop)).transpose();
        let in_units = in_units.map_err(TrainError::from)?;
        let n_threads = n_threads.clamp(1, MAX_THREADS);
        let (format, out) = match trajectories {
            Some(TrajectoryFile { format, out }) => (Some(format), Some(out)),
            None => (None, None),
        };
        let text_per_episode =
            format.map_or(0, |format| format.bytes_per_episode(self.n_queries()));
        let n_episodes = indices.len();
        let blocks = Blocks::new(indices, n_threads, text_per_episode);
        let shared = Shared {
            replay: self,
            closed_loop: in_units.as_ref().unwrap_or(&self.setup.closed_loop),
            controller: controller.unwrap_or(&saved),
            isa,
            n_threads: n_threads.min(blocks.n_blocks()),
            blocks,
            n_episodes,
            next_block: AtomicUsize::new(0),
            turn: Turn::default(),
            interrupt,
            done: AtomicU64::new(0),
            format,
            has_digest,
            has_behavior,
        };
        let mut taken = Taken::default();
        let written = thread::scope(|scope| {
            let (to_writer, pieces) = sync_channel(PIECES_AHEAD);
            let (to_taker, results) = channel();
            let turn = &shared.turn;
            let writer = out.map(|out| scope.spawn(move || write_all(out, &pieces, turn)));
            for _ in 0..shared.n_threads {
                let (shared, to_writer, to_taker) = (&shared, to_writer.clone(), to_taker.clone());
                scope.spawn(move || {
                    let _stop = StopAtPanic(&shared.turn);
                    shared.run_blocks(to_writer, &|block, result| {
                        // Nobody takes it where the replay has failed.
                        let _ = to_taker.send((block, result));
                    });
                });
            }
            drop(to_taker);
            let mut waiting = BTreeMap::new();
            loop {
                match results.recv_timeout(PERIOD) {
                    Ok((block, result)) => drop(waiting.insert(block, result)),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if interrupt.load(Ordering::Relaxed) {
                    turn.stop();
                }
                while let Some(result) = waiting.remove(&taken.n_blocks) {
                    match taken.take(result) {
                        // The writer is gone where writing has failed.
                        Ok(text) => text.into_iter().for_each(|piece| drop(to_writer.send(piece))),
                        Err(()) => turn.stop(),
                    }
                    turn.advance();
                }
                watch(ReplayProgress {
                    n_finished: taken.episodes.len(),
                    part: shared.part_done(),
                });
            }
            // After a block that is missing: the replay was interrupted.
            for result in std::mem::take(&mut waiting).into_values().flatten() {
                taken.add(result);
            }
            drop(to_writer);
            match writer.map(thread::ScopedJoinHandle::join) {
                Some(Ok(written)) => written,
                Some(Err(panic)) => std::panic::resume_unwind(panic),
                None => Ok(()),
            }
        });
        written.map_err(ReplayError::Trajectories)?;
        if let Some(error) = taken.error {
            return Err(error.into());
        }
        Ok(taken)
    }
}

/// What was taken of the blocks so far, in their order.
#[derive(Default)]
struct Taken {
    n_blocks: usize,
    episodes: Vec<EpisodeResult>,
    indices: Vec<usize>,
    unfinished: Vec<Unfinished>,
    plant_steps: u64,
    behaviors: Option<Behaviors>,
    digests: Vec<EpisodeDigest>,
    /// The first error.
    error: Option<TrainError>,
}

impl Taken {
    /// The result of a replay that took so long.
    fn outcome(self, replay: &Replay, has_digest: bool, elapsed: Duration) -> ReplayOutcome {
        let n_episodes = replay.n_episodes();
        let has_digest = has_digest && self.episodes.len() == n_episodes;
        let mut digest = TrajectoryDigest::default();
        digest.extend(&self.digests);
        let evaluation = Evaluation::of(self.episodes, self.plant_steps);
        ReplayOutcome {
            evaluation: Evaluation { behaviors: self.behaviors, ..evaluation },
            indices: self.indices,
            unfinished: self.unfinished,
            n_episodes,
            horizon_s: replay.horizon_s(),
            seed: replay.seed(),
            trajectory_digest: has_digest.then(|| digest.finish()),
            wall_s: elapsed.as_secs_f64(),
        }
    }

    /// What is kept of each episode, all of which have ended.
    fn records(self) -> Vec<EpisodeRecord> {
        let mut digests = self.digests.into_iter();
        let behaviors = self.behaviors.as_ref();
        let episodes = self.episodes.into_iter().enumerate();
        let record = episodes.map(|(position, result)| {
            let figures = behaviors.map(|all| all.episode(position).to_vec());
            EpisodeRecord::new(result, digests.next(), figures.unwrap_or_default())
        });
        record.collect()
    }

    /// Takes the next block, and returns its text; an error if there is one in this block or before.
    fn take(&mut self, result: Result<BlockResult, TrainError>) -> Result<Vec<Vec<u8>>, ()> {
        self.n_blocks += 1;
        match result {
            Ok(mut result) if self.error.is_none() => {
                let text = std::mem::take(&mut result.text);
                self.add(result);
                Ok(text)
            }
            Ok(_) => Err(()),
            Err(error) => {
                self.error.get_or_insert(error);
                Err(())
            }
        }
    }

    fn add(&mut self, result: BlockResult) {
        for (index, episode) in result.episodes {
            self.indices.push(index);
            self.episodes.push(episode);
        }
        self.unfinished.extend(result.unfinished);
        self.plant_steps += result.plant_steps;
        self.digests.extend(result.digests);
        if let Some(more) = result.behaviors {
            self.behaviors.get_or_insert_with(|| Behaviors::new(more.shape())).extend(more);
        }
    }
}

impl Shared<'_> {
    /// Runs blocks until there are no more.
    fn run_blocks(
        &self,
        writer: SyncSender<Vec<u8>>,
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
        if let Some(format) = self.format {
            recorder = recorder.writing(format, writer, &self.turn);
        }
        loop {
            let block = self.next_block.fetch_add(1, Ordering::Relaxed);
            let ahead = BLOCKS_AHEAD * self.n_threads;
            if block >= self.blocks.n_blocks()
                || !self.turn.wait_for(block.saturating_sub(ahead))
                || self.interrupt.load(Ordering::Relaxed)
            {
                return;
            }
            let episodes = self.blocks.episodes(block);
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
        let is_stopped = || self.turn.is_stopped() || self.interrupt.load(Ordering::Relaxed);
        let control = ProbeControl::alone(f64::INFINITY).stopped_by(&is_stopped);
        recorder.begin(block, episodes, &set);
        let recorded =
            self.closed_loop.record(self.isa, self.controller, &set, work, control, recorder)?;
        match recorded {
            Recording::Finished(Evaluation { episodes: results, plant_steps, .. }) => {
                let (digests, text) = recorder.finish(set.horizon() * episodes.len() as u64);
                let episodes = episodes.iter().copied().zip(results).collect();
                let behaviors = recorder.behaviors();
                let unfinished = Vec::new();
                Ok(BlockResult { episodes, unfinished, plant_steps, behaviors, digests, text })
            }
            Recording::CalledOff { ended, unfinished, plant_steps } => {
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
                    time_s: self.closed_loop.timing().seconds(episode.tick),
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

    /// The part of the steps of all episodes that is done.
    fn part_done(&self) -> f64 {
        let all = self.replay.horizon() as f64 * self.n_episodes as f64;
        (self.done.load(Ordering::Relaxed) as f64 / all).clamp(0.0, 1.0)
    }
}
