//! [`Checkpointer`]: when checkpoints of a replay are written.

use std::io;
use std::time::{Duration, Instant};

use bitloop_train::TrainError;

use crate::checkpoint::{CheckpointError, Checkpoints, ReplayState};
use crate::pauses::Pauses;
use crate::threads::BlockResult;

/// How long to wait for blocks to pause. A block of a slow plant may take longer; then its last pause is saved.
const PATIENCE: Duration = Duration::from_secs(1);

/// The least time between two checkpoints, as a multiple of the time that the last one took to write.
const REST: u32 = 10;

/// Writes checkpoints of a replay while it runs.
pub struct Checkpointer<'a> {
    pub state: ReplayState,
    every: Duration,
    save: &'a mut dyn FnMut(&ReplayState) -> io::Result<()>,
    started: Instant,
    wall_s_before: f64,
    due: Instant,
    asked_at: Option<Instant>,
    /// Why one could not be written, the first time.
    failure: Option<io::Error>,
}

impl<'a> Checkpointer<'a> {
    pub fn new(Checkpoints { state, every, save }: Checkpoints<'a>) -> Self {
        let started = Instant::now();
        let wall_s_before = state.wall_s;
        Self {
            state,
            every,
            save,
            started,
            wall_s_before,
            due: started + every,
            asked_at: None,
            failure: None,
        }
    }

    /// Notes the result of a block that has ended, unless it was interrupted.
    pub fn take(
        &mut self,
        block: usize,
        result: &Result<BlockResult, TrainError>,
        pauses: &Pauses,
    ) {
        if let Ok(result) = result
            && result.unfinished.is_empty()
        {
            self.state.finished.extend(result.records());
            pauses.remove(block);
        }
    }

    /// Writes a checkpoint if one is due. Blocks are asked to pause first. False once one could not be written.
    pub fn look(&mut self, pauses: &Pauses) -> bool {
        match self.asked_at {
            None if Instant::now() >= self.due => {
                pauses.ask();
                self.asked_at = Some(Instant::now());
            }
            Some(at) if pauses.have_all_answered() || at.elapsed() > PATIENCE => self.write(pauses),
            _ => {}
        }
        self.failure.is_none()
    }

    /// Writes a checkpoint, unless one could not be written before.
    pub fn write(&mut self, pauses: &Pauses) {
        if self.failure.is_some() {
            return;
        }
        let begun = Instant::now();
        self.state.blocks = pauses.all();
        self.state.wall_s = self.wall_s_before + self.started.elapsed().as_secs_f64();
        self.failure = (self.save)(&self.state).err();
        self.asked_at = None;
        self.due = Instant::now() + self.every.max(begun.elapsed() * REST);
    }

    /// The state at the end.
    pub fn finish(self) -> Result<ReplayState, CheckpointError> {
        match self.failure {
            Some(error) => Err(CheckpointError::Save(error)),
            None => Ok(self.state),
        }
    }
}
