//! [`RestartWork`]: the runs of a shard, one after the other.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

use bitloop_folder::{FolderError, write_file};
use bitloop_train::{Execution, PlantAccess, Progress, StopReason, TrainingState, open_training};

use super::error::RestartsError;
use super::record::RestartRecord;
use super::{FinishedRuns, Restarts};
use crate::cost_file;
use crate::milestones::Milestones;
use crate::records;
use crate::search_checkpoint::{self, Checkpointer};
use crate::shard::Shard;
use crate::training_record::TrainingCost;

/// Between two looks at the file of a run that met the target elsewhere.
const LOOK_PERIOD: Duration = Duration::from_millis(200);

/// The largest such file that is read, in bytes.
const LIMIT_BYTES: u64 = 64;

/// The runs of a shard.
#[derive(Debug)]
pub struct RestartWork<'a> {
    /// The training.
    pub restarts: &'a Restarts,
    /// Which runs.
    pub shard: Shard,
    /// Where records of finished runs and checkpoints of others are written.
    pub folder: PathBuf,
    /// Folders of earlier attempts, whose checkpoints are read.
    pub earlier: Vec<PathBuf>,
    /// Time from one checkpoint of a run to the next, as [`CHECKPOINT_PERIOD`](crate::CHECKPOINT_PERIOD).
    pub checkpoint_period: Duration,
    /// The file that names a run that met the target, in whatever shard.
    pub stop_file: Option<PathBuf>,
}

/// A run that has just finished.
#[derive(Clone, Copy, Debug)]
pub struct RestartFinished<'a> {
    /// Its number.
    pub run: u32,
    /// Its result.
    pub record: &'a RestartRecord,
}

/// What a stop file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StopNotice {
    /// There is none.
    None,
    /// This run met the target, so that later ones are needless.
    Met(u32),
    /// To stop at once: a file with anything else in it.
    Stop,
}

impl RestartWork<'_> {
    /// Does the runs that are missing, saves them, and shows each to `observer`, until none is left that could count. Returns
    /// whether that is so; if not, it was interrupted, or a stop file asked it to stop, and the run that had begun has
    /// a checkpoint.
    ///
    /// # Errors
    /// The first run that fails, or cannot be saved; what was finished until then is kept.
    pub fn run(
        &self,
        finished: &mut FinishedRuns,
        execution: Execution<'_>,
        observer: &mut dyn FnMut(&RestartFinished<'_>),
    ) -> Result<bool, RestartsError> {
        loop {
            let met = match self.stop_notice() {
                StopNotice::None => None,
                StopNotice::Met(run) => Some(run),
                StopNotice::Stop => return Ok(false),
            };
            if execution.interrupt.load(Ordering::Relaxed) {
                return Ok(false);
            }
            let next = self.restarts.missing(finished, self.shard, met).next();
            let Some(run) = next else { return Ok(true) };
            let Some(record) = self.watched(run, execution)? else { continue };
            self.save(run, &record)?;
            if record.stop_reason == StopReason::Target {
                self.announce(run)?;
            }
            observer(&RestartFinished { run, record: &record });
            finished.insert(run, record);
        }
    }

    /// Does a run; nothing if it was interrupted, or has become needless meanwhile.
    fn watched(
        &self,
        run: u32,
        execution: Execution<'_>,
    ) -> Result<Option<RestartRecord>, RestartsError> {
        let stop = AtomicBool::new(false);
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    let is_needless = match self.stop_notice() {
                        StopNotice::None => false,
                        StopNotice::Met(other) => other < run,
                        StopNotice::Stop => true,
                    };
                    if is_needless || execution.interrupt.load(Ordering::Relaxed) {
                        stop.store(true, Ordering::Relaxed);
                        return;
                    }
                    thread::park_timeout(LOOK_PERIOD);
                }
            });
            // Dropped in a panic too, for which the scope would wait otherwise.
            let _end = EndOfRun { is_over: &is_over, watcher: watcher.thread() };
            self.one(run, execution, &stop)
        })
    }

    fn save(&self, run: u32, record: &RestartRecord) -> Result<(), RestartsError> {
        if let Some(cost) = record.cost {
            cost_file::append(&self.folder, run, cost)?;
        }
        records::write(&self.folder, record)?;
        search_checkpoint::remove::<RestartRecord>(&self.folder, run);
        Ok(())
    }

    /// Does one run, from its checkpoint if it has one; nothing if it was stopped.
    fn one(
        &self,
        run: u32,
        execution: Execution<'_>,
        stop: &AtomicBool,
    ) -> Result<Option<RestartRecord>, RestartsError> {
        let restarts = self.restarts;
        let folders = std::iter::once(&self.folder).chain(&self.earlier).cloned();
        let source = restarts.source();
        let found = search_checkpoint::find::<RestartRecord>(folders, run, || source.clone());
        let beginning = || TrainingState { run: run.into(), ..TrainingState::new() };
        let state = found.map_or_else(beginning, |checkpoint| checkpoint.state);
        let (folder, period) = (&self.folder, self.checkpoint_period);
        let mut checkpointer =
            Checkpointer::<RestartRecord>::new(folder, run, source, period, stop);
        let execution = Execution { interrupt: stop, ..execution };
        let record = restarts.one(run, state, execution, &mut |progress| {
            checkpointer.note(progress, &Milestones::default());
        })?;
        checkpointer.finish()?;
        Ok(record)
    }

    /// Announces to other shards that a run met the target, unless they know of an earlier one. Two that announce at once may leave the later
    /// one, which costs time and changes no result.
    fn announce(&self, run: u32) -> Result<(), FolderError> {
        let Some(path) = &self.stop_file else { return Ok(()) };
        match self.stop_notice() {
            StopNotice::Met(other) if other <= run => Ok(()),
            // Under a name of its own until it is whole, for each run another one.
            _ => {
                let aside = aside(path, run);
                write_file(&aside, format!("{run}\n").as_bytes())?;
                fs::rename(&aside, path).map_err(|error| FolderError::write(path, error))
            }
        }
    }

    fn stop_notice(&self) -> StopNotice {
        let Some(path) = &self.stop_file else { return StopNotice::None };
        match bitloop_folder::read_text_bounded(path, LIMIT_BYTES) {
            Ok(text) => text.trim().parse().map_or(StopNotice::Stop, StopNotice::Met),
            Err(_) if fs::symlink_metadata(path).is_err() => StopNotice::None,
            Err(_) => StopNotice::Stop,
        }
    }
}

/// Ends the watcher of a run when it is dropped.
struct EndOfRun<'a> {
    is_over: &'a AtomicBool,
    watcher: &'a Thread,
}

impl Drop for EndOfRun<'_> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.watcher.unpark();
    }
}

fn aside(path: &Path, run: u32) -> PathBuf {
    let mut aside = path.as_os_str().to_owned();
    aside.push(format!(".run-{run}"));
    PathBuf::from(aside)
}

impl Restarts {
    /// Does one run from a state; nothing if it was interrupted.
    fn one(
        &self,
        run: u32,
        state: TrainingState,
        execution: Execution<'_>,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Option<RestartRecord>, RestartsError> {
        let mut training = open_training(&self.scenario, &PlantAccess::Here(&self.registry))?;
        // The last one: the training ends with it.
        training.set_runs(run + 1);
        let outcome = training.train(state, execution, observer)?;
        let Some(outcome) = outcome.filter(|end| end.stop_reason != StopReason::Interrupted) else {
            return Ok(None);
        };
        Ok(Some(RestartRecord {
            bitloop_version: self.bitloop_version.clone(),
            scenario_digest: self.scenario_digest.clone(),
            plant_digest: self.plant_digest.clone(),
            stop_reason: outcome.stop_reason,
            moves: outcome.n_moves,
            evaluations: outcome.n_evaluations,
            evaluations_to_target: outcome.reached.map(|reached| reached.n_evaluations),
            faults: outcome.n_faults,
            cost: Some(TrainingCost::new(&outcome, execution.n_threads)),
            candidate: outcome.best,
        }))
    }
}
