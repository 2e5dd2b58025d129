//! [`SearchCheckpoint`]: the state of a training or a run that is not finished, from which it is resumed.

use std::fs;
use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bitloop_folder::FolderError;
use bitloop_train::{Event, Progress, StopReason, TrainingState};
use serde::{Deserialize, Serialize};

use crate::milestones::Milestones;
use crate::records::{self, Found, Origin, Record};

/// Time from one checkpoint of a training or a run to the next, unless another one is asked for.
pub const CHECKPOINT_PERIOD: Duration = Duration::from_secs(10);

/// The least time between two checkpoints, as a multiple of the time that the last one took to write.
const REST: u32 = 20;

/// A checkpoint of a search that ends with a record of kind `R`. With the scenario it determines all that follows.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound = "")]
pub(crate) struct SearchCheckpoint<R> {
    source: Source,
    number: u32,
    /// The best candidates until then; empty for a run, which has none.
    pub milestones: Milestones,
    /// The state of the search.
    pub state: TrainingState,
    #[serde(skip)]
    record: PhantomData<R>,
}

/// What must be the same where a search is resumed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Source {
    /// Where its record will come from.
    pub origin: Origin,
    /// What of the machine decides on its bits.
    pub machine: String,
}

impl<R: Record> Record for SearchCheckpoint<R> {
    const WHAT: &'static str = "A checkpoint of a bitloop search";
    const NOUN: &'static str = R::NOUN;
    const ENDING: &'static str = ".checkpoint";
    const OTHER: &'static str = R::OTHER;
    const FORMAT: u32 = 1;
    const LIMIT_BYTES: u64 = 256 << 20;

    fn number(&self) -> u32 {
        self.number
    }

    fn origin(&self) -> Origin {
        self.source.origin.clone()
    }

    fn to_body(&self) -> io::Result<Vec<u8>> {
        let text = ron::to_string(self).map_err(io::Error::other)?;
        Ok(records::with_digest(text.as_bytes()))
    }

    fn from_body(body: &[u8]) -> Option<Self> {
        ron::de::from_bytes(records::verified(body)?).ok()
    }
}

/// The checkpoint of a search in one of these folders, the latest of several. One that is damaged or of other work is not
/// used: the search then starts from its beginning.
pub(crate) fn find<R: Record>(
    folders: impl Iterator<Item = PathBuf>,
    number: u32,
    source: impl Fn() -> Source,
) -> Option<SearchCheckpoint<R>> {
    let found = folders.filter_map(|folder| {
        let path = folder.join(SearchCheckpoint::<R>::name(number));
        match records::find::<SearchCheckpoint<R>>(&path).ok()? {
            Found::Record(checkpoint, _) => Some(checkpoint),
            _ => None,
        }
    });
    found
        .filter(|checkpoint| checkpoint.number == number && checkpoint.source == source())
        .max_by_key(|checkpoint| checkpoint.state.n_evaluations())
}

/// Removes the checkpoint of a search that is finished from a folder.
pub(crate) fn remove<R: Record>(folder: &Path, number: u32) {
    // Nothing reads the checkpoint of a finished search.
    let _ = fs::remove_file(folder.join(SearchCheckpoint::<R>::name(number)));
}

/// Writes checkpoints of a search while it runs.
#[derive(Debug)]
pub(crate) struct Checkpointer<'a, R> {
    folder: &'a Path,
    /// The last checkpoint; what does not change is there from the start.
    checkpoint: SearchCheckpoint<R>,
    period: Duration,
    due: Instant,
    /// Set where a checkpoint cannot be written, so that the search ends.
    stop: &'a AtomicBool,
    failure: Option<FolderError>,
}

impl<'a, R: Record> Checkpointer<'a, R> {
    /// Writes into a folder, for the first time after a period.
    pub fn new(
        folder: &'a Path,
        number: u32,
        source: Source,
        period: Duration,
        stop: &'a AtomicBool,
    ) -> Self {
        let checkpoint = SearchCheckpoint {
            source,
            number,
            milestones: Milestones::default(),
            state: TrainingState::new(),
            record: PhantomData,
        };
        Self { folder, checkpoint, period, due: Instant::now() + period, stop, failure: None }
    }

    /// Writes a checkpoint if one is due, or if the search is interrupted.
    pub fn note(&mut self, progress: &Progress<'_>, milestones: &Milestones) {
        let is_interrupted = matches!(progress.event, Event::Pausing(StopReason::Interrupted));
        let has_state = progress.is_resumable && progress.state.is_in_run();
        if !has_state || self.failure.is_some() {
            return;
        }
        let begun = Instant::now();
        if !is_interrupted && begun < self.due {
            return;
        }
        self.checkpoint.state.clone_from(progress.state);
        self.checkpoint.milestones.clone_from(milestones);
        let written = records::make_folder(self.folder)
            .and_then(|()| records::write(self.folder, &self.checkpoint));
        if let Err(error) = written {
            self.failure = Some(error);
            self.stop.store(true, Ordering::Relaxed);
        }
        self.due = Instant::now() + self.period.max(begun.elapsed() * REST);
    }

    /// Whether all checkpoints were written.
    ///
    /// # Errors
    /// The first that could not be written.
    pub fn finish(self) -> Result<(), FolderError> {
        self.failure.map_or(Ok(()), Err)
    }
}
