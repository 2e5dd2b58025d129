//! [`Training`]: a scenario of either kind, ready to train, and [`Outcome`], its result.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bitloop_blm::WeightGrid;
use bitloop_host::Registry;
use bitloop_net::Network;
use bitloop_plant::Isa;
use bitloop_scenario::{self as file, AnyScenario, Problem, Stop};

use crate::closed_loop::{ClosedLoopTask, Isolation, Library};
use crate::error::TrainError;
use crate::examples::ExamplesTask;
use crate::product::{Product, ProductKind, SaveInfo};
use crate::progress::Progress;
use crate::session::Session;
use crate::state::{Candidate, StopReason, TrainingState};
use crate::state_check::{StateFault, check_state};
use crate::task::{Score, SetName, Task, WorkCounter};
use crate::trainer::Trainer;
use crate::weights::Weights;

/// How a training is carried out; none of it changes the result.
#[derive(Clone, Copy, Debug)]
pub struct Execution<'a> {
    /// The instruction set.
    pub isa: Isa,
    /// Threads to use.
    pub n_threads: NonZeroUsize,
    /// Set by another thread to interrupt the training.
    pub interrupt: &'a AtomicBool,
}

/// Where plants run.
#[derive(Clone, Debug)]
pub enum PlantAccess<'a> {
    /// In this process, those of a registry.
    Here(&'a Registry),
    /// In processes of their own: the same training, to the last bit.
    Isolated(Arc<Isolation>),
}

/// The result of a training.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The winner, with the errors that selected it.
    pub best: Candidate,
    /// Its weights.
    pub weights: Weights,
    /// Its scores on the sets that are reported.
    pub scores: Scores,
    /// Why the training ended.
    pub stop_reason: StopReason,
    /// Runs begun.
    pub n_runs: u64,
    /// Accepted moves; generations of CMA-ES, improvements of a random search, steps along gradients.
    pub n_moves: u64,
    /// Evaluations of the cost: first costs and probes in order, not speculation, not validation; values and gradients of
    /// trainers that use gradients.
    pub n_evaluations: u64,
    /// Integration steps simulated, validation and test included.
    pub plant_steps: u64,
    /// Evaluations that counted as worst, because the plant broke or gave a negative or infinite cost.
    pub n_faults: u64,
    /// Seconds from start to end.
    pub wall_s: f64,
}

/// Scores on the sets that a training reports: the test of a closed loop, all sets with rows of examples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scores {
    /// On the training set.
    pub training: Option<Score>,
    /// On the validation set.
    pub validation: Option<Score>,
    /// On the test set.
    pub test: Option<Score>,
}

impl Scores {
    /// The score on the set that was used least for selection: the test, or else validation, or else training.
    #[must_use]
    pub fn least_selected(&self) -> Option<&Score> {
        self.test.as_ref().or(self.validation.as_ref()).or(self.training.as_ref())
    }
}

/// A scenario of either kind, ready to train. [`open_training`] makes one.
pub trait Training: fmt::Debug + Send + Sync {
    /// Trains from `state` on, which is [`TrainingState::new`] at first. Returns none if it is stopped before it has found
    /// any weights.
    ///
    /// # Errors
    /// [`TrainError`] if the search refuses its settings, the state does not fit, or the plant breaks on a validation or
    /// test.
    fn train(
        &self,
        state: TrainingState,
        execution: Execution<'_>,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Option<Outcome>, TrainError>;

    /// Checks a state that was saved.
    ///
    /// # Errors
    /// The first number that this training cannot have reached.
    fn check_state(&self, state: &TrainingState) -> Result<(), StateFault>;

    /// Scores a candidate on a set, in full.
    ///
    /// # Errors
    /// If the plant breaks.
    fn score(
        &self,
        candidate: &Candidate,
        set: SetName,
        execution: Execution<'_>,
    ) -> Result<Score, TrainError>;

    /// The first bad value of a candidate on the training set, in words: of a training without a finite error.
    fn diagnose(&self, candidate: &Candidate, execution: Execution<'_>) -> Option<String>;

    /// The file of an outcome's network.
    ///
    /// # Errors
    /// If a rule of the format is broken, so that the file could not be read back.
    fn product(&self, outcome: &Outcome, info: SaveInfo) -> Result<Product, Problem>;

    /// Whether it trains a controller or a model.
    fn product_kind(&self) -> ProductKind;

    /// Whether there is such a set.
    fn has(&self, set: SetName) -> bool;

    /// The library that the plant comes from, if there is a plant and it comes from one.
    fn library(&self) -> Option<&Library>;

    /// When to stop.
    fn stop(&self) -> &Stop;

    /// The network's shape, as it will be saved.
    fn shape(&self) -> &file::Network;

    /// The network.
    fn network(&self) -> &Network;

    /// The grid of the weights, if the trainer has one.
    fn grid(&self) -> Option<WeightGrid>;

    /// The trainer's name in scenarios.
    fn trainer_name(&self) -> &'static str;

    /// What the network is trained for, in words: "for inverted-pendulum", "on 1038 rows".
    fn subject(&self) -> String;
}

/// Prepares a training. This is the only place that matches the kind of a scenario.
///
/// # Errors
/// A missing or invalid value, with its place in the scenario or in the data.
pub fn open_training(
    scenario: &AnyScenario,
    plants: &PlantAccess<'_>,
) -> Result<Box<dyn Training>, TrainError> {
    Ok(match (scenario, plants) {
        (AnyScenario::ClosedLoop(file), PlantAccess::Here(registry)) => {
            Box::new(ClosedLoopTask::prepare(file, registry)?)
        }
        (AnyScenario::ClosedLoop(file), PlantAccess::Isolated(isolation)) => {
            Box::new(ClosedLoopTask::prepare_isolated(file, Arc::clone(isolation))?)
        }
        (AnyScenario::Supervised(file), _) => Box::new(ExamplesTask::prepare(file)?),
    })
}

/// A task with its trainer and stopping rules.
#[derive(Debug)]
pub struct Prepared<T: Task> {
    /// What is trained.
    pub task: T,
    /// The search.
    pub trainer: Box<dyn Trainer<T>>,
    /// When to stop.
    pub stop: Stop,
    pub(crate) seed: u64,
}

impl<T: Task> Training for Prepared<T> {
    fn train(
        &self,
        state: TrainingState,
        execution: Execution<'_>,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Option<Outcome>, TrainError> {
        Training::check_state(self, &state)?;
        let work = WorkCounter::default();
        self.trainer.train(Session::new(self, state, execution, &work, observer))
    }

    fn check_state(&self, state: &TrainingState) -> Result<(), StateFault> {
        check_state(state, &self.task, self.trainer.grid())?;
        self.trainer.check_state(state, &self.task, self.seed)
    }

    fn score(
        &self,
        candidate: &Candidate,
        set: SetName,
        execution: Execution<'_>,
    ) -> Result<Score, TrainError> {
        let weights = Weights::of(candidate, self.grid()).values();
        let work = WorkCounter::default();
        self.task.score(&weights, set, execution.isa, execution.n_threads, &work)
    }

    fn diagnose(&self, candidate: &Candidate, execution: Execution<'_>) -> Option<String> {
        self.task.diagnose(&Weights::of(candidate, self.grid()).values(), execution.isa)
    }

    fn product(&self, outcome: &Outcome, info: SaveInfo) -> Result<Product, Problem> {
        self.task.product(outcome, info)
    }

    fn product_kind(&self) -> ProductKind {
        T::PRODUCT
    }

    fn has(&self, set: SetName) -> bool {
        self.task.has(set)
    }

    fn library(&self) -> Option<&Library> {
        self.task.library()
    }

    fn stop(&self) -> &Stop {
        &self.stop
    }

    fn shape(&self) -> &file::Network {
        self.task.shape()
    }

    fn network(&self) -> &Network {
        self.task.network()
    }

    fn grid(&self) -> Option<WeightGrid> {
        self.trainer.grid()
    }

    fn trainer_name(&self) -> &'static str {
        self.trainer.name()
    }

    fn subject(&self) -> String {
        self.task.subject()
    }
}
