//! [`WorkQueue`]: episodes of a probe, offered to threads that have nothing else to do.
//!
//! Lanes are independent of each other, so that an episode comes to the same bits wherever it runs, and Err of all results
//! in order of their index is that of the undivided rollout. No thread waits for ever: the thread of the probe takes back a
//! task that no other has taken, and a task counts as ended also if the thread that took it panics.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::outcome::EpisodeResult;
use crate::progress::Progress;
use crate::workspace::EpisodeBatch;

/// Where probes put episodes that other threads may run, one task at a time.
///
/// A probe offers a task only while a thread is idle and of the probes that run it is the one to be helped; see
/// [`ProbeControl::wants_help`](bitloop_blm::ProbeControl::wants_help).
#[derive(Debug, Default)]
pub struct WorkQueue {
    /// Whether there is a task, to be read without the lock.
    is_full: AtomicBool,
    task: Mutex<Option<Arc<EpisodeTask>>>,
}

impl WorkQueue {
    /// The task that was offered, to be run by [`ClosedLoop::run_task`](crate::ClosedLoop::run_task).
    pub fn take(&self) -> Option<Arc<EpisodeTask>> {
        if self.is_empty() { None } else { self.replace(None) }
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.is_full.load(Ordering::Relaxed)
    }

    /// Offers a task. One that is replaced is finished by the probe that it belongs to.
    pub(crate) fn offer(&self, task: Arc<EpisodeTask>) {
        self.replace(Some(task));
    }

    fn replace(&self, task: Option<Arc<EpisodeTask>>) -> Option<Arc<EpisodeTask>> {
        let mut place = self.task.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_full.store(task.is_some(), Ordering::Relaxed);
        std::mem::replace(&mut *place, task)
    }
}

/// Some of the episodes of a probe, from a tick on, for another thread to finish.
#[derive(Debug)]
pub struct EpisodeTask {
    controller_parameters: Vec<f64>,
    /// Until a thread takes it.
    batch: Mutex<Option<EpisodeBatch>>,
    /// How much Err grows by these episodes from the time when they were handed over.
    pub(crate) progress: Progress,
    is_called_off: AtomicBool,
    is_faulty: AtomicBool,
    is_over: AtomicBool,
    results: Mutex<Option<EpisodeResults>>,
}

/// The results of some episodes, each with its index.
pub(crate) type EpisodeResults = Vec<(usize, EpisodeResult)>;

impl EpisodeTask {
    pub(crate) fn new(
        controller_parameters: Vec<f64>,
        batch: EpisodeBatch,
        progress: Progress,
    ) -> Self {
        Self {
            controller_parameters,
            batch: Mutex::new(Some(batch)),
            progress,
            is_called_off: AtomicBool::new(false),
            is_faulty: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
            results: Mutex::new(None),
        }
    }

    /// The [parameters](crate::Controller::parameters) of the controller that the probe runs.
    pub fn controller_parameters(&self) -> &[f64] {
        &self.controller_parameters
    }

    /// The episodes, if no thread has taken them yet.
    pub(crate) fn take(&self) -> Option<EpisodeBatch> {
        self.batch.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The results are not needed any more.
    pub(crate) fn call_off(&self) {
        self.is_called_off.store(true, Ordering::Relaxed);
        self.take();
    }

    pub(crate) fn is_called_off(&self) -> bool {
        self.is_called_off.load(Ordering::Relaxed)
    }

    /// Whether an episode met a fault of the plant.
    pub(crate) fn is_faulty(&self) -> bool {
        self.is_faulty.load(Ordering::Relaxed)
    }

    /// Whether the thread that took it has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// The results, if the thread that took it got to the end of all episodes.
    pub(crate) fn take_results(&self) -> Option<EpisodeResults> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A task in the hands of the thread that took it, which is over when this is dropped, also by a panic.
pub(crate) struct RunningTask<'a>(pub &'a EpisodeTask);

impl RunningTask<'_> {
    pub fn report_fault(&self) {
        self.0.is_faulty.store(true, Ordering::Relaxed);
    }

    pub fn report(&self, results: EpisodeResults) {
        *self.0.results.lock().unwrap_or_else(PoisonError::into_inner) = Some(results);
    }
}

impl Drop for RunningTask<'_> {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::Release);
    }
}
