//! [`CheckpointWriter`]: writes the log and the checkpoints of a search on a thread of its own.
//!
//! The search hands over lines and copies of its state, and never waits for the disk, but at its end or if the disk has
//! fallen behind by a thousand lines. When a checkpoint is written depends on the clock; what is searched does not.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::checkpoint::Provenance;
use crate::error::FolderError;
use crate::file_system::FileSystem;
use crate::log_file::LogFile;
use crate::run_folder::{RunFolder, write_checkpoint};

/// Jobs that may wait for the disk.
const MOST_JOBS: usize = 1024;

/// After a checkpoint, the disk and the processor are left alone for so many times as long as it took.
const REST: u32 = 20;

/// The most of the log that waits for a disk that is full.
const MOST_PENDING: u64 = 4 << 20;

/// Writes what is needed to resume a search.
#[derive(Debug)]
pub struct CheckpointWriter<S> {
    jobs: Option<SyncSender<Job<S>>>,
    thread: Option<JoinHandle<()>>,
    shared: Arc<Shared>,
    period: Duration,
    last: Instant,
    is_due: bool,
    /// A state that has to be written, and could not be handed over yet.
    held: Option<(S, u64)>,
    /// The last state to resume from, should the run break.
    remembered: Option<(S, u64)>,
    log_bytes: u64,
}

/// What the user should know of the writing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriterNews {
    /// A checkpoint or the log could not be written, in words; it is tried again, and not reported again before it has
    /// worked.
    Failed(String),
    /// It works again.
    Recovered,
}

#[derive(Debug)]
enum Job<S> {
    Line(String),
    Checkpoint(S, u64),
    /// Answer when all before is done.
    Answer(mpsc::Sender<()>),
}

#[derive(Debug)]
struct Shared {
    is_busy: AtomicBool,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// Until when no checkpoint is wanted.
    rests_until: Instant,
    /// What prevented the last write, unless it was returned at the end.
    failure: Option<FolderError>,
    news: Vec<WriterNews>,
}

impl<S: Serialize + Clone + Send + 'static> CheckpointWriter<S> {
    /// Begins at a checkpoint with so many bytes of log. Checkpoints follow each other after `period`, or at once when they
    /// are requested.
    ///
    /// # Errors
    /// If the log cannot be opened, or the system gives no thread.
    pub fn start(
        folder: &RunFolder,
        provenance: Provenance,
        log_bytes: u64,
        period: Duration,
    ) -> Result<Self, FolderError> {
        let log = folder.open_log(log_bytes)?;
        let log_bytes = log.length();
        let rests_until = Instant::now();
        let inner = Mutex::new(Inner { rests_until, failure: None, news: Vec::new() });
        let shared = Arc::new(Shared { is_busy: AtomicBool::new(false), inner });
        let mut writer = Writer {
            files: folder.files(),
            folder: folder.place().to_owned(),
            provenance,
            log,
            shared: Arc::clone(&shared),
        };
        let (jobs, receiver) = mpsc::sync_channel(MOST_JOBS);
        let thread = std::thread::Builder::new()
            .name("bitloop-checkpoint".to_owned())
            .spawn(move || writer.work(&receiver))
            .map_err(|error| FolderError::write(folder.path(), error))?;
        Ok(Self {
            jobs: Some(jobs),
            thread: Some(thread),
            shared,
            period,
            last: rests_until,
            is_due: false,
            held: None,
            remembered: None,
            log_bytes,
        })
    }

    /// Adds a line to the log, its end included.
    pub fn log(&mut self, line: String) {
        self.log_bytes += line.len() as u64;
        self.send(Job::Line(line));
    }

    /// Asks for a checkpoint as soon as a state is offered.
    pub fn request(&mut self) {
        self.is_due = true;
    }

    /// Offers a state, which is copied and written if it is time for a checkpoint.
    pub fn offer(&mut self, state: &S) {
        self.is_due |= self.last.elapsed() >= self.period;
        if self.is_due && self.is_ready() {
            self.hand_over(state.clone(), self.log_bytes);
        } else {
            self.retry();
        }
    }

    /// Takes a state that must be written, though not at once: for searches that have few states to resume from.
    pub fn require(&mut self, state: &S) {
        self.held = Some((state.clone(), self.log_bytes));
        self.retry();
    }

    /// Remembers a state that [`rescue`](Self::rescue) writes, and nothing else does.
    pub fn remember(&mut self, state: &S) {
        self.remembered = Some((state.clone(), self.log_bytes));
    }

    /// Writes the state that was remembered last, of a run that broke.
    ///
    /// # Errors
    /// As [`settle`](Self::settle).
    pub fn rescue(&mut self) -> Result<(), FolderError> {
        self.held = self.remembered.take().or(self.held.take());
        self.settle(None)
    }

    /// Hands over what had to wait, if the disk is free now.
    pub fn retry(&mut self) {
        if self.held.is_some()
            && self.is_ready()
            && let Some((state, log_bytes)) = self.held.take()
        {
            self.hand_over(state, log_bytes);
        }
    }

    /// Writes a last state, if there is one, and all that had to wait; returns when it is on the disk, or else what
    /// prevented it.
    ///
    /// # Errors
    /// If the last checkpoint or the log could not be written.
    pub fn settle(&mut self, state: Option<&S>) -> Result<(), FolderError> {
        if let Some(state) = state {
            self.held = Some((state.clone(), self.log_bytes));
        }
        if let Some((state, log_bytes)) = self.held.take() {
            self.hand_over(state, log_bytes);
        }
        let (sender, receiver) = mpsc::channel();
        self.send(Job::Answer(sender));
        // The writer ends when its channel is closed; if it is gone, it has left its news.
        let _ = receiver.recv();
        let mut inner = self.shared.lock();
        inner.news.clear();
        inner.failure.take().map_or(Ok(()), Err)
    }

    /// What has happened since the last time.
    pub fn news(&self) -> Vec<WriterNews> {
        std::mem::take(&mut self.shared.lock().news)
    }

    fn hand_over(&mut self, state: S, log_bytes: u64) {
        self.held = None;
        self.is_due = false;
        self.last = Instant::now();
        self.shared.is_busy.store(true, Ordering::Relaxed);
        self.send(Job::Checkpoint(state, log_bytes));
    }

    fn is_ready(&self) -> bool {
        !self.shared.is_busy.load(Ordering::Relaxed)
            && self.shared.lock().rests_until <= Instant::now()
    }
}

impl<S> CheckpointWriter<S> {
    fn send(&self, job: Job<S>) {
        if let Some(jobs) = &self.jobs {
            // The writer outlives the sender.
            let _ = jobs.send(job);
        }
    }
}

impl<S> Drop for CheckpointWriter<S> {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The thread's own.
struct Writer {
    files: Arc<dyn FileSystem>,
    folder: PathBuf,
    provenance: Provenance,
    log: LogFile,
    shared: Arc<Shared>,
}

impl Writer {
    fn work<S: Serialize>(&mut self, jobs: &Receiver<Job<S>>) {
        let mut next = jobs.recv().ok();
        while let Some(job) = next {
            self.carry_out(job);
            next = match jobs.try_recv() {
                Ok(job) => Some(job),
                Err(TryRecvError::Disconnected) => None,
                Err(TryRecvError::Empty) => {
                    if let Err(error) = self.log.write(&*self.files) {
                        self.report(Err(error));
                    }
                    jobs.recv().ok()
                }
            };
        }
        let _ = self.log.write(&*self.files);
    }

    fn carry_out<S: Serialize>(&mut self, job: Job<S>) {
        match job {
            // What a full disk does not take, and does not fit here either, is left out.
            Job::Line(line) if self.log.n_pending() + line.len() as u64 <= MOST_PENDING => {
                self.log.push(&line);
            }
            Job::Line(_) => {}
            Job::Checkpoint(state, log_bytes) => {
                let begun = Instant::now();
                let result = self.checkpoint(&state, log_bytes);
                self.report(result);
                self.shared.lock().rests_until = Instant::now() + begun.elapsed() * REST;
                self.shared.is_busy.store(false, Ordering::Relaxed);
            }
            Job::Answer(sender) => {
                if let Err(error) = self.log.write(&*self.files) {
                    self.report(Err(error));
                }
                let _ = sender.send(());
            }
        }
    }

    /// The log first, so that a checkpoint never speaks of lines that are not there.
    fn checkpoint<S: Serialize>(&mut self, state: &S, log_bytes: u64) -> Result<(), FolderError> {
        let synced = self.log.sync(&*self.files);
        write_checkpoint(&*self.files, &self.folder, &self.provenance, log_bytes, state)?;
        synced
    }

    fn report(&self, result: Result<(), FolderError>) {
        let mut inner = self.shared.lock();
        match result {
            Ok(()) => {
                if inner.failure.take().is_some() {
                    inner.news.push(WriterNews::Recovered);
                }
            }
            Err(error) => {
                if inner.failure.is_none() {
                    inner.news.push(WriterNews::Failed(error.to_string()));
                }
                inner.failure = Some(error);
            }
        }
    }
}
