//! [`RunRecorder`]: what a training leaves on the disk while it runs, and when.

use bitloop_folder::{CheckpointWriter, FolderError, WriterNews};
use bitloop_train::{Event, Progress, TrainingState, log_line};

/// Hands a training's events to the writer of its log and checkpoints.
#[derive(Debug)]
pub(crate) struct RunRecorder {
    writer: CheckpointWriter<TrainingState>,
    /// Whether the plant may be lost at any moment.
    is_isolated: bool,
    paused: Result<(), FolderError>,
}

impl RunRecorder {
    /// Of a training that runs.
    pub fn new(writer: CheckpointWriter<TrainingState>, is_isolated: bool) -> Self {
        Self { writer, is_isolated, paused: Ok(()) }
    }

    /// Records what happened; returns what the user should know of the writing.
    pub fn record(&mut self, progress: &Progress<'_>) -> Vec<WriterNews> {
        if let Some(line) = log_line(progress) {
            self.writer.log(line);
        }
        if self.is_isolated && progress.is_resumable {
            self.writer.remember(progress.state);
        }
        match progress.event {
            Event::Pausing(_) => {
                let state = progress.is_resumable.then_some(progress.state);
                self.paused = self.writer.settle(state);
            }
            Event::Validated { is_best: true, .. } | Event::RunFinished { is_best: true } => {
                self.writer.request();
            }
            // Of a search that cannot be saved in its middle, there is no other state to resume.
            Event::RunStarted if progress.is_resumable => self.writer.require(progress.state),
            _ if progress.is_resumable => self.writer.offer(progress.state),
            _ => self.writer.retry(),
        }
        self.writer.news()
    }

    /// What prevented that the state of a pause was saved, if something did.
    pub const fn paused(&self) -> Result<(), &FolderError> {
        match &self.paused {
            Ok(()) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Waits until all is on the disk; of a training that broke, the last state that can be resumed.
    pub fn close(mut self, is_whole: bool) -> Result<(), FolderError> {
        if !is_whole && self.is_isolated {
            return self.writer.rescue();
        }
        self.paused.and(self.writer.settle(None))
    }
}
