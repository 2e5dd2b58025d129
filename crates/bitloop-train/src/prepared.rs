//! [`Prepared`]: a task with its trainer, which is a training.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use bitloop_blm::WeightGrid;
use bitloop_data::PartDigests;
use bitloop_net::Network;
use bitloop_plant::Description;
use bitloop_scenario::{self as file, Problem, Stop};

use crate::error::TrainError;
use crate::execution::{Execution, Scoring};
use crate::library::Library;
use crate::outcome::{Outcome, Scores};
use crate::product::{Product, ProductKind, SaveInfo};
use crate::progress::Progress;
use crate::score::{Score, SetName, WorkCounter};
use crate::session::{Session, Setup};
use crate::state::{Candidate, TrainingState};
use crate::state_check::check_state;
use crate::state_fault::StateFault;
use crate::task::Task;
use crate::trainer::Trainer;
use crate::training::Training;
use crate::weights::Weights;

/// A task with its trainer and stopping rules.
#[derive(Debug)]
pub struct Prepared<T: Task> {
    /// What is trained.
    pub task: T,
    /// The search.
    pub trainer: Box<dyn Trainer<T>>,
    /// The weights that the first run starts from; random ones if there are none.
    pub start: Option<Vec<f64>>,
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
        let setup = Setup {
            task: &self.task,
            grid: self.grid(),
            start: self.start.as_deref(),
            stop: &self.stop,
            seed: self.seed,
        };
        self.trainer.train(Session::new(setup, state, execution, &work, observer))
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
    ) -> Result<Option<Score>, TrainError> {
        let Execution { isa, n_threads, interrupt, .. } = execution;
        let weights = Weights::of(candidate, self.grid()).values();
        let work = &WorkCounter::default();
        let stop = &|| interrupt.load(Ordering::Relaxed);
        self.task.score(&weights, set, Scoring { isa, n_threads, work, stop })
    }

    fn rank(&self, candidate: &Candidate) -> f64 {
        self.task.rank(candidate)
    }

    fn report(
        &self,
        winner: &Candidate,
        execution: Execution<'_>,
    ) -> Result<Option<Scores>, TrainError> {
        let mut scores = Scores::default();
        for &set in self.task.reported() {
            let Some(score) = Training::score(self, winner, set, execution)? else {
                return Ok(None);
            };
            scores.set(set, Some(score));
        }
        Ok(Some(scores))
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

    fn plant(&self) -> Option<&Description> {
        self.task.plant()
    }

    fn library(&self) -> Option<&Library> {
        self.task.library()
    }

    fn has_machine_bits(&self) -> bool {
        self.task.has_machine_bits()
    }

    fn episodes(&self) -> Option<&file::Episodes> {
        self.task.episodes()
    }

    fn data_digests(&self) -> BTreeMap<String, String> {
        let parts = self.task.data().into_iter().flat_map(PartDigests::named);
        parts.filter_map(|(name, rows)| Some((name.to_owned(), rows?.to_string()))).collect()
    }

    fn stop(&self) -> &Stop {
        &self.stop
    }

    fn set_runs(&mut self, runs: u32) {
        self.stop.runs = Some(runs);
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

    fn start_zero_share(&self) -> Option<f64> {
        let n_weights = self.network().n_weights();
        self.trainer.n_zeros_at_start(n_weights).map(|n| n as f64 / n_weights as f64)
    }

    fn trainer_name(&self) -> &'static str {
        self.trainer.name()
    }

    fn saves_within_run(&self) -> bool {
        self.trainer.saves_within_run()
    }

    fn error_meaning(&self) -> Option<file::ErrorMeaning> {
        self.task.error_meaning()
    }

    fn subject(&self) -> String {
        self.task.subject()
    }
}
