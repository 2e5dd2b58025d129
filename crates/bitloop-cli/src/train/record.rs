//! [`Record`]: what a training leaves on the disk while it runs, and what of that is told.

use bitloop_run::{CheckpointWriter, FolderError, WriterNews};
use bitloop_train::{Event, Progress, StopReason, TrainingState, log_line};

use crate::train::watch::Watch;

/// Hands a training's events to its writer.
#[derive(Debug)]
pub struct Record {
    writer: CheckpointWriter<TrainingState>,
    /// The command that goes on with the training.
    resume: String,
    /// Whether the plant may be lost at any moment.
    is_isolated: bool,
    paused: Result<(), FolderError>,
}

impl Record {
    /// A record of a training under way.
    pub fn new(writer: CheckpointWriter<TrainingState>, resume: String, is_isolated: bool) -> Self {
        Self { writer, resume, is_isolated, paused: Ok(()) }
    }

    /// Takes note of what happened.
    pub fn note(&mut self, progress: &Progress<'_>, watch: &mut dyn Watch) {
        if let Some(line) = log_line(progress) {
            self.writer.log(line);
        }
        if self.is_isolated && progress.is_resumable {
            self.writer.remember(progress.state);
        }
        match progress.event {
            Event::Pausing(reason) => self.pause(progress, reason, watch),
            Event::Validated { is_best: true, .. } | Event::RunFinished { is_best: true } => {
                self.writer.request();
            }
            // Of a search that cannot be saved in its middle, there is no other state to go on from.
            Event::RunStarted if progress.is_resumable => self.writer.require(progress.state),
            _ if progress.is_resumable => self.writer.offer(progress.state),
            _ => self.writer.retry(),
        }
        for news in self.writer.news() {
            watch.say(&match news {
                WriterNews::Failed(error) => {
                    format!(
                        "warning: {error}; the training goes on, and tries again to save its state"
                    )
                }
                WriterNews::Recovered => "note: the training's state is saved again".to_owned(),
            });
        }
    }

    /// Waits until all is on the disk.
    pub fn close(mut self, is_whole: bool) -> Result<(), FolderError> {
        if !is_whole && self.is_isolated {
            return self.writer.rescue();
        }
        self.paused.and(self.writer.settle(None))
    }

    fn pause(&mut self, progress: &Progress<'_>, reason: StopReason, watch: &mut dyn Watch) {
        let state = progress.is_resumable.then_some(progress.state);
        self.paused = self.writer.settle(state);
        match (&self.paused, reason) {
            (Err(error), _) => {
                watch.say(&format!("warning: {error}; this training cannot go on from here"));
            }
            (Ok(()), StopReason::Interrupted) => {
                watch.say(
                    "interrupted: the best so far is tested and saved; Ctrl-C again leaves at once",
                );
                watch.say(&format!("to go on: {}", self.resume));
            }
            (Ok(()), _) => {
                watch.say(&format!("the seconds are over; to go on: {} --seconds N", self.resume));
            }
        }
    }
}
