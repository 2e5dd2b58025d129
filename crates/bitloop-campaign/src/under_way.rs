//! [`UnderWay`]: a training or a run as far as it got, kept so that one of hours loses seconds.

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

/// How often trainings and runs are kept while they go on, where nothing else is asked for.
pub const KEPT_EVERY: Duration = Duration::from_secs(10);

/// After it was kept, a search goes on for so many times as long as that took.
const REST: u32 = 20;

/// A search whose end will be a record of kind `R`. With its scenario it determines all that follows.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound = "")]
pub(crate) struct UnderWay<R> {
    bitloop_version: String,
    scenario_digest: String,
    plant_digest: Option<String>,
    /// What of the machine decides on the bits.
    machine: String,
    number: u32,
    /// The best candidates until then, of a training of a campaign.
    pub milestones: Milestones,
    /// The state of the search.
    pub state: TrainingState,
    #[serde(skip)]
    end: PhantomData<R>,
}

/// What a search must be of to go on from a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// Where its record will come from.
    pub origin: Origin,
    /// What of the machine decides on its bits: a record is of one machine.
    pub machine: String,
}

impl<R: Record> Record for UnderWay<R> {
    const WHAT: &'static str = "The state of a bitloop search under way";
    const NOUN: &'static str = R::NOUN;
    const ENDING: &'static str = "-state.ron";
    const OTHER: &'static str = R::OTHER;
    const FORMAT: u32 = 1;
    const LIMIT_BYTES: u64 = 256 << 20;

    fn number(&self) -> u32 {
        self.number
    }

    fn origin(&self) -> Origin {
        Origin {
            bitloop_version: self.bitloop_version.clone(),
            work_digest: self.scenario_digest.clone(),
            plant_digest: self.plant_digest.clone(),
        }
    }

    /// In one line: a state has thousands of numbers.
    fn to_body(&self) -> io::Result<Vec<u8>> {
        let text = ron::to_string(self).map_err(io::Error::other)?;
        Ok(format!("{text}\n").into_bytes())
    }
}

/// What was kept of a search in one of these folders, where it got furthest. What cannot be read, or is of other work, is not
/// used: then the search begins anew.
pub(crate) fn find<R: Record>(
    folders: impl Iterator<Item = PathBuf>,
    number: u32,
    expected: impl Fn() -> Source,
) -> Option<UnderWay<R>> {
    let kept = folders.filter_map(|folder| {
        let path = folder.join(UnderWay::<R>::name(number));
        match records::find::<UnderWay<R>>(&path).ok()? {
            Found::Record(kept, _) => Some(kept),
            _ => None,
        }
    });
    let is_expected = |kept: &UnderWay<R>| {
        let Source { origin, machine } = expected();
        kept.difference(number, &origin).is_none() && kept.machine == machine
    };
    kept.filter(is_expected).max_by_key(|kept| kept.state.n_evaluations())
}

/// Removes from a folder what was kept of a search that is finished now.
pub(crate) fn remove<R: Record>(folder: &Path, number: u32) {
    // One that stays is not read again.
    let _ = fs::remove_file(folder.join(UnderWay::<R>::name(number)));
}

/// Keeps a search while it goes on.
#[derive(Debug)]
pub(crate) struct Keeper<'a, R> {
    folder: &'a Path,
    /// What is written, but for the state and the milestones.
    kept: UnderWay<R>,
    period: Duration,
    next: Instant,
    /// Set where the search cannot be kept, so that it ends.
    stop: &'a AtomicBool,
    failure: Option<FolderError>,
}

impl<'a, R: Record> Keeper<'a, R> {
    /// Keeps a search of this number and source in a folder, for the first time after a period.
    pub fn new(
        folder: &'a Path,
        number: u32,
        Source { origin, machine }: Source,
        period: Duration,
        stop: &'a AtomicBool,
    ) -> Self {
        let kept = UnderWay {
            bitloop_version: origin.bitloop_version,
            scenario_digest: origin.work_digest,
            plant_digest: origin.plant_digest,
            machine,
            number,
            milestones: Milestones::default(),
            state: TrainingState::new(),
            end: PhantomData,
        };
        Self { folder, kept, period, next: Instant::now() + period, stop, failure: None }
    }

    /// Keeps the search if it is time, or if it is being interrupted.
    pub fn note(&mut self, progress: &Progress<'_>, milestones: &Milestones) {
        let is_interrupted = matches!(progress.event, Event::Pausing(StopReason::Interrupted));
        let can_be_kept = progress.is_resumable && progress.state.is_in_run();
        if !can_be_kept || self.failure.is_some() {
            return;
        }
        let begun = Instant::now();
        if !is_interrupted && begun < self.next {
            return;
        }
        self.kept.state.clone_from(progress.state);
        self.kept.milestones.clone_from(milestones);
        let kept = records::make_folder(self.folder)
            .and_then(|()| records::write(self.folder, &self.kept));
        if let Err(error) = kept {
            self.failure = Some(error);
            self.stop.store(true, Ordering::Relaxed);
        }
        self.next = Instant::now() + self.period.max(begun.elapsed() * REST);
    }

    /// Whether the search was kept each time that it had to be.
    ///
    /// # Errors
    /// What prevented it.
    pub fn result(self) -> Result<(), FolderError> {
        self.failure.map_or(Ok(()), Err)
    }
}
