//! Running a replay: blocks of episodes on all threads, their results taken in order.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use bitloop_blm::ProbeControl;
use bitloop_plant::Isa;
use bitloop_sim::{
    Behaviors, Controller, EpisodeDigest, EpisodeResult, Evaluation, NetworkController, Recorder,
    TrajectoryDigest, Workspace,
};
use bitloop_train::TrainError;

use crate::block::Blocks;
use crate::checkpoint::{CheckpointError, Checkpoints, ReplayState};
use crate::checkpointer::Checkpointer;
use crate::order::{StopAtPanic, Turn};
use crate::outcome::{ReplayError, ReplayOutcome, ReplayProgress, Unfinished};
use crate::pauses::{PausedBlock, Pauses};
use crate::pieces::{Pool, write_all};
use crate::prepare::{Replay, unscaled};
use crate::record::EpisodeRecord;
use crate::threads::{BlockResult, Shared};
use crate::trajectory_file::TrajectoryFile;

/// An interrupt that does not come.
static NEVER: AtomicBool = AtomicBool::new(false);

/// The most threads that a replay uses.
const MAX_THREADS: usize = 256;

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
        let taken = self.simulate(self.indices().collect(), execution, None, (false, watch))?;
        Ok(taken.outcome(self, has_digest, started.elapsed()))
    }

    /// Runs all episodes that have not ended in the state of `checkpoints`, and keeps the state: from time to time, when it is
    /// interrupted, and at the end. The result has the bits of a replay without checkpoints. Trajectories are not written.
    ///
    /// # Errors
    /// As [`run_watched`](Self::run_watched); or if the state is that of another replay, or cannot be kept.
    pub fn run_with_checkpoints(
        &self,
        mut execution: ReplayExecution<'_>,
        mut checkpoints: Checkpoints<'_>,
        watch: &mut dyn FnMut(ReplayProgress),
    ) -> Result<ReplayOutcome, CheckpointError> {
        execution.trajectories = None;
        let (has_digest, has_behavior) = (execution.has_digest, execution.has_behavior);
        if !checkpoints.state.fits(self, has_digest, has_behavior) {
            return Err(CheckpointError::OtherState);
        }
        let begun = std::mem::take(&mut checkpoints.state.blocks);
        let mut open: BTreeSet<usize> = self.indices().collect();
        let in_blocks = begun.iter().flat_map(|block| &block.episodes);
        for index in in_blocks.chain(checkpoints.state.finished.keys()) {
            open.remove(index);
        }
        let mut checkpointer = Checkpointer::new(checkpoints);
        let kept = Some((&mut checkpointer, begun));
        let taken = self.simulate(open.into_iter().collect(), execution, kept, (false, watch))?;
        let ReplayState { mut finished, wall_s, .. } = checkpointer.finish()?;
        for (index, record) in taken.ended() {
            finished.entry(index).or_insert(record);
        }
        let (indices, records): (Vec<_>, Vec<_>) = finished.into_iter().unzip();
        let outcome = self.put_together_part(indices, &records, wall_s);
        let outcome = outcome.ok_or(CheckpointError::OtherState)?;
        Ok(ReplayOutcome { unfinished: taken.unfinished, ..outcome })
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
        let taken = self.simulate(indices.to_vec(), execution, None, (true, watch))?;
        Ok((taken.episodes.len() == indices.len()).then(|| taken.records()))
    }

    /// Runs episodes, given by their indices, after blocks that were begun before, whose state is kept.
    fn simulate(
        &self,
        indices: Vec<usize>,
        execution: ReplayExecution<'_>,
        kept: Option<(&mut Checkpointer<'_>, Vec<PausedBlock>)>,
        (keeps_digests, watch): (bool, &mut dyn FnMut(ReplayProgress)),
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
        let (mut checkpointer, begun) =
            kept.map_or((None, Vec::new()), |(checkpointer, begun)| (Some(checkpointer), begun));
        let n_before =
            checkpointer.as_ref().map_or(0, |checkpointer| checkpointer.state.n_finished());
        let n_open = indices.len();
        let blocks = Blocks::new(indices, n_threads, text_per_episode)
            .after(begun.iter().map(|block| block.episodes.clone()).collect());
        let shared = Shared {
            replay: self,
            closed_loop: in_units.as_ref().unwrap_or(&self.setup.closed_loop),
            controller: controller.unwrap_or(&saved),
            isa,
            n_threads: n_threads.min(blocks.n_blocks()),
            blocks,
            n_episodes: n_before
                + n_open
                + begun.iter().map(PausedBlock::n_episodes).sum::<usize>(),
            next_block: AtomicUsize::new(0),
            turn: Turn::default(),
            pool: Pool::default(),
            interrupt,
            done: AtomicU64::new(
                n_before as u64 * self.horizon()
                    + begun.iter().map(PausedBlock::n_steps).sum::<u64>(),
            ),
            format,
            // A thread that would idle.
            formats_beside: n_threads > 1 && n_open == 1,
            has_digest,
            has_behavior,
            pauses: checkpointer.is_some().then(|| Pauses::of(&begun)),
            begun,
        };
        let mut taken = Taken { keeps_digests, ..Taken::default() };
        let written = thread::scope(|scope| {
            let (to_writer, pieces) = sync_channel(PIECES_AHEAD);
            let (to_taker, results) = channel();
            let (turn, pool) = (&shared.turn, &shared.pool);
            let writer = out.map(|out| scope.spawn(move || write_all(out, &pieces, turn, pool)));
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
            // The writer is gone where writing has failed.
            let mut write = |piece| drop(to_writer.send(piece));
            collect(
                &shared,
                &results,
                checkpointer.as_deref_mut(),
                &mut write,
                (&mut taken, watch),
            );
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
        if let (Some(checkpointer), Some(pauses)) = (checkpointer, &shared.pauses) {
            checkpointer.write(pauses);
        }
        Ok(taken)
    }
}

/// Takes the results of blocks as they come, in order of the blocks, until no thread gives any more.
fn collect(
    shared: &Shared<'_>,
    results: &Receiver<(usize, Result<BlockResult, TrainError>)>,
    mut checkpointer: Option<&mut Checkpointer<'_>>,
    write: &mut dyn FnMut(Vec<u8>),
    (taken, watch): (&mut Taken, &mut dyn FnMut(ReplayProgress)),
) {
    let n_before = checkpointer.as_ref().map_or(0, |checkpointer| checkpointer.state.n_finished());
    let mut waiting = BTreeMap::new();
    loop {
        match results.recv_timeout(PERIOD) {
            Ok((block, result)) => {
                if let (Some(checkpointer), Some(pauses)) = (&mut checkpointer, &shared.pauses) {
                    checkpointer.take(block, &result, pauses);
                }
                waiting.insert(block, result);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if shared.interrupt.load(Ordering::Relaxed) {
            shared.turn.stop();
        }
        if let (Some(checkpointer), Some(pauses)) = (&mut checkpointer, &shared.pauses)
            && !checkpointer.look(pauses)
        {
            shared.turn.stop();
        }
        while let Some(result) = waiting.remove(&taken.n_blocks) {
            match taken.take(result) {
                Ok(text) => text.into_iter().for_each(&mut *write),
                Err(()) => shared.turn.stop(),
            }
            shared.turn.advance();
        }
        let n_finished = n_before + taken.episodes.len();
        watch(ReplayProgress { n_finished, part: shared.part_done() });
    }
    // After a block that is missing: the replay was interrupted.
    for result in waiting.into_values().flatten() {
        taken.add(result);
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
    /// Of all blocks that were taken in their order.
    digest: TrajectoryDigest,
    /// Of each episode, if they are wanted.
    digests: Vec<EpisodeDigest>,
    keeps_digests: bool,
    /// The first error.
    error: Option<TrainError>,
}

impl Taken {
    /// The result of a replay that took so long.
    fn outcome(self, replay: &Replay, has_digest: bool, elapsed: Duration) -> ReplayOutcome {
        let n_episodes = replay.n_episodes();
        let has_digest = has_digest && self.episodes.len() == n_episodes;
        let evaluation = Evaluation::of(self.episodes, self.plant_steps);
        ReplayOutcome {
            evaluation: Evaluation { behaviors: self.behaviors, ..evaluation },
            indices: self.indices,
            unfinished: self.unfinished,
            n_episodes,
            horizon_s: replay.horizon_s(),
            seed: replay.seed(),
            trajectory_digest: has_digest.then(|| self.digest.finish()),
            wall_s: elapsed.as_secs_f64(),
        }
    }

    /// The results of all episodes that have ended, by their indices, without digests.
    fn ended(&self) -> impl Iterator<Item = (usize, EpisodeRecord)> {
        let results = self.indices.iter().zip(&self.episodes).enumerate();
        results.map(|(position, (&index, &result))| {
            let figures = self.behaviors.as_ref().map(|all| all.episode(position).to_vec());
            (index, EpisodeRecord::new(result, None, figures.unwrap_or_default()))
        })
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
                self.digest.extend(&result.digests);
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
        if self.keeps_digests {
            self.digests.extend(result.digests);
        }
        if let Some(more) = result.behaviors {
            self.behaviors.get_or_insert_with(|| Behaviors::new(more.shape())).extend(more);
        }
    }
}
