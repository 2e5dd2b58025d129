//! [`Isolation`]: the plant of a training in processes of its own, so that the training survives a plant that crashes or hangs.
//!
//! A request is a whole evaluation: weights and a bound are sent to a worker, and a cost is returned, with the same bits as
//! without isolation. The plant is never loaded into this process, which knows its description only; its handle refuses all
//! calls. There are as many workers as evaluations that run at once, at most one for each thread of the search. If one
//! worker ends, the training ends.
//!
//! An evaluation in a worker cannot be canceled: the search waits for its answer even where it is no longer needed. Only if
//! the user interrupts the training, a worker whose evaluation does not end soon is killed. A lost probe ends the training as
//! if the worker were lost.

pub(super) mod message;
mod rollouts;

use std::fmt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bitloop_host::{MAX_STARTS, Worker, WorkerEnd};
use bitloop_plant::{Isa, PlantCallError, PlantHandle};
use bitloop_scenario::{ScenarioFile, ScenarioKind as _};
use bitloop_sim::{Evaluation, SimError};

use crate::closed_loop::setup::{OpenedPlant, check_fmu};
use crate::error::TrainError;
use crate::execution::Scoring;
use crate::isolation_error::IsolationError;
use crate::score::SetName;
use message::{Answer, Request, decode, encode};

pub use rollouts::IsolatedRollouts;

/// Runs evaluations in workers.
pub struct Isolation {
    command: Box<dyn Fn() -> Command + Send + Sync>,
    limit: Duration,
    interrupt: Arc<AtomicBool>,
    /// The first requests to each worker.
    preparations: Mutex<Vec<Vec<u8>>>,
    idle: Mutex<Vec<Worker>>,
    failure: Mutex<Option<IsolationError>>,
}

impl fmt::Debug for Isolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Isolation").field("limit", &self.limit).finish_non_exhaustive()
    }
}

/// The answer of a probe: a cost below the bound, the integration steps that it took, and whether it was faulty.
struct Probed {
    cost: Option<f64>,
    plant_steps: u64,
    is_faulty: bool,
}

impl Isolation {
    /// Workers that `command` starts, each of which has `limit` to answer a request. The command must call
    /// [`bitloop_host::serve`] with a [`PlantWorker`](super::PlantWorker). Once `interrupt` is set, a probe is given little time.
    pub fn new(
        command: impl Fn() -> Command + Send + Sync + 'static,
        limit: Duration,
        interrupt: Arc<AtomicBool>,
    ) -> Self {
        Self {
            command: Box::new(command),
            limit,
            interrupt,
            preparations: Mutex::default(),
            idle: Mutex::default(),
            failure: Mutex::default(),
        }
    }

    /// Opens the plant of a scenario in a worker.
    pub(crate) fn open(&self, file: &ScenarioFile) -> Result<OpenedPlant, TrainError> {
        // What can be read is checked here, where mistakes keep their place.
        check_fmu(file)?;
        let absolute = |path: &str| {
            let path = file.source.folder().join(path);
            std::path::absolute(&path).unwrap_or(path).to_string_lossy().into_owned()
        };
        let request = encode(&Request::open(&file.value.plant, absolute));
        match self.prepare(request, "while it was opened")? {
            Answer::Opened { description, capabilities, library } => {
                let plant = PlantHandle::elsewhere((*description).into(), capabilities);
                let plant = plant.map_err(|error| {
                    file.error_at("plant", error.to_string(), "mend the plant's description")
                })?;
                Ok(OpenedPlant { plant, library })
            }
            Answer::Refused { message, hint } => Err(file.error_at("plant", message, hint).into()),
            _ => Err(garbled("while it was opened").into()),
        }
    }

    /// Prepares a scenario in the workers.
    pub(crate) fn set_up(&self, file: &ScenarioFile) -> Result<(), TrainError> {
        let request =
            Request::Train { file: file.source.file().to_owned(), scenario: file.value.to_text() };
        let during = "while its episodes were prepared";
        match self.prepare(encode(&request), during)? {
            Answer::Ready => Ok(()),
            Answer::Refused { message, .. } => {
                Err(IsolationError { what: message, during: during.to_owned() }.into())
            }
            _ => Err(garbled(during).into()),
        }
    }

    /// The cost of a candidate on the training episodes of a stage, if less than `bound`; `during` says what was done, for
    /// the message of a lost worker.
    fn probe(
        &self,
        isa: Isa,
        stage: usize,
        weights: &[f64],
        bound: f64,
        during: impl Fn() -> String,
    ) -> Result<Probed, IsolationError> {
        let request =
            Request::Probe { isa: isa.name().to_owned(), stage, weights: weights.to_vec(), bound };
        let is_called_off = || self.is_interrupted();
        let answer = self.ask(&request, &is_called_off, during)?;
        let Answer::Probed { cost, plant_steps, is_faulty } = answer else {
            let IsolationError { what, during } = garbled("on the training episodes");
            return Err(self.lost_by(what, during));
        };
        Ok(Probed { cost, plant_steps, is_faulty })
    }

    /// The first bad value of a candidate on the training episodes, in words, if the workers still answer.
    fn diagnose(
        &self,
        isa: Isa,
        weights: &[f64],
        candidate: impl FnOnce() -> String,
    ) -> Option<String> {
        let request = Request::Diagnose { isa: isa.name().to_owned(), weights: weights.to_vec() };
        let is_called_off = || self.is_interrupted();
        let during = || format!("on the training episodes, with {}", candidate());
        match self.ask(&request, &is_called_off, during) {
            Ok(Answer::Diagnosed(fault)) => fault,
            _ => None,
        }
    }

    /// Runs a candidate over a set in full; none if that is called off, which ends the worker.
    fn evaluate(
        &self,
        set: SetName,
        weights: &[f64],
        Scoring { isa, n_threads, work, stop }: Scoring<'_>,
        candidate: impl FnOnce() -> String,
    ) -> Result<Option<Evaluation>, TrainError> {
        let request = Request::Evaluate {
            isa: isa.name().to_owned(),
            set,
            weights: weights.to_vec(),
            n_threads: n_threads.get(),
        };
        self.check()?;
        let during = || format!("on the {} episodes, with {}", set.word(), candidate());
        let mut worker = self.worker()?;
        let answer = match worker.ask_unless(&encode(&request), self.limit, stop) {
            Ok(answer) => self.understood(worker, &answer, during)?,
            Err(_) if stop() => return Ok(None),
            Err(end) => return Err(self.lost(&end, during()).into()),
        };
        match answer {
            Answer::Evaluated(evaluation) => {
                let evaluation = Evaluation::from(evaluation);
                work.add(evaluation.plant_steps);
                Ok(Some(evaluation))
            }
            Answer::Broke { plant, function, status, message } => {
                let names = ["advance", "observe", "terminal_cost", "failure_cost"];
                let function = names.into_iter().find(|name| *name == function);
                let function = function.unwrap_or("a function");
                Err(SimError::Plant(PlantCallError { plant, function, status, message }).into())
            }
            _ => Err(garbled(&format!("on the {} episodes", set.word())).into()),
        }
    }

    /// The failure that ended the training, if there is one.
    fn check(&self) -> Result<(), IsolationError> {
        lock(&self.failure).clone().map_or(Ok(()), Err)
    }

    /// Sends a request that later workers will get too when they start. Until all of these are sent, there is one worker.
    fn prepare(&self, request: Vec<u8>, during: &str) -> Result<Answer, IsolationError> {
        let (worker, answer) = self.asked(&request, during)?;
        lock(&self.idle).push(worker);
        lock(&self.preparations).push(request);
        decode(&answer).ok_or_else(|| garbled(during))
    }

    /// A worker that has answered `request`; one that is ended from outside gets a few successors.
    fn asked(&self, request: &[u8], during: &str) -> Result<(Worker, Vec<u8>), IsolationError> {
        let mut n_left = MAX_STARTS;
        loop {
            let mut worker = self.worker()?;
            n_left -= 1;
            match worker.ask_unless(request, self.limit, &|| self.is_interrupted()) {
                Ok(answer) => return Ok((worker, answer)),
                Err(end) if end.fate.is_from_outside() && n_left > 0 => {}
                Err(end) => return Err(self.lost(&end, during.to_owned())),
            }
        }
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    fn ask(
        &self,
        request: &Request,
        is_called_off: &dyn Fn() -> bool,
        during: impl FnOnce() -> String,
    ) -> Result<Answer, IsolationError> {
        self.check()?;
        let mut worker = self.worker()?;
        match worker.ask_unless(&encode(request), self.limit, is_called_off) {
            Ok(answer) => self.understood(worker, &answer, during),
            Err(end) => Err(self.lost(&end, during())),
        }
    }

    /// The answer of a worker, which may be asked again.
    fn understood(
        &self,
        worker: Worker,
        answer: &[u8],
        during: impl FnOnce() -> String,
    ) -> Result<Answer, IsolationError> {
        lock(&self.idle).push(worker);
        decode(answer).ok_or_else(|| {
            let IsolationError { what, during } = garbled(&during());
            self.lost_by(what, during)
        })
    }

    /// A worker that knows the plant.
    fn worker(&self) -> Result<Worker, IsolationError> {
        if let Some(worker) = lock(&self.idle).pop() {
            return Ok(worker);
        }
        let during = || "while it was started".to_owned();
        let preparations = lock(&self.preparations).clone();
        let mut n_left = MAX_STARTS;
        loop {
            n_left -= 1;
            let mut worker = Worker::start(&mut (self.command)()).map_err(|error| {
                self.lost_by(format!("it cannot be started: {error}"), during())
            })?;
            let answers = preparations
                .iter()
                .map(|request| worker.ask_unless(request, self.limit, &|| self.is_interrupted()));
            match answers.collect::<Result<Vec<_>, _>>() {
                Ok(_) => return Ok(worker),
                Err(end) if end.fate.is_from_outside() && n_left > 0 => {}
                Err(end) => return Err(self.lost(&end, during())),
            }
        }
    }

    fn lost(&self, end: &WorkerEnd, during: String) -> IsolationError {
        self.lost_by(end.to_string(), during)
    }

    /// Keeps the first failure, and returns it.
    fn lost_by(&self, what: String, during: String) -> IsolationError {
        lock(&self.failure).get_or_insert(IsolationError { what, during }).clone()
    }
}

fn garbled(during: &str) -> IsolationError {
    let what = "it answered something else than was asked".to_owned();
    IsolationError { what, during: during.to_owned() }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
