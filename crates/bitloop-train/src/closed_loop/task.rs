//! [`ClosedLoopTask`]: a controller in a closed loop with a plant.

use std::num::NonZeroUsize;
use std::sync::Arc;

use bitloop_blm::{Probe, WeightGrid};
use bitloop_host::Registry;
use bitloop_net::Network;
use bitloop_plant::{Description, Isa};
use bitloop_scenario::{self as file, Curriculum, Problem, ScenarioFile, Start, TrainingPlan};
use bitloop_sim::{Aggregate, SimError};

use super::candidate::candidate;
use super::episode_sets::EpisodeSets;
use super::isolation::{IsolatedRollouts, Isolation};
use super::lqr_start::lqr_start;
use super::objective::ClosedLoopObjective;
use super::rollouts::{LocalRollouts, Rollouts};
use super::save::save_controller;
use super::setup::{ClosedLoopSetup, OpenedPlant, check_signals};
use super::start::start;
use crate::broken_plant::BrokenPlant;
use crate::error::TrainError;
use crate::execution::Scoring;
use crate::library::Library;
use crate::network_shape::{file_network, integrator_weights, network};
use crate::outcome::Outcome;
use crate::prepared::Prepared;
use crate::product::{Product, ProductKind, SaveInfo};
use crate::score::{BoundedScore, Score, SetName, WorkCounter, WorstEpisode};
use crate::task::{Task, Trial};
use crate::trainer::{Trainer, check_trainer};
use crate::trainers::trainer;

/// The error of a controller over episodes, wherever its plant runs.
#[derive(Debug)]
pub struct ClosedLoopTask<R> {
    /// The closed loop, and where its episodes come from.
    pub setup: ClosedLoopSetup,
    /// The scenario, with the seed of the training.
    pub scenario: file::Scenario,
    /// Evaluations of controllers.
    pub rollouts: R,
    /// The episodes.
    pub(crate) sets: Arc<EpisodeSets>,
    shape: file::Network,
    network: Network,
    integrator_weights: Vec<usize>,
    /// The grid of the weights of a saved controller.
    grid: WeightGrid,
    curriculum: Curriculum,
    n_stages: usize,
    /// Length of the episodes of each set, in the order of [`SetName`].
    horizons_s: [f64; 4],
}

/// A training with a plant in this process.
pub type ClosedLoopTraining = Prepared<ClosedLoopTask<LocalRollouts>>;

impl ClosedLoopTask<LocalRollouts> {
    /// Prepares a training.
    ///
    /// # Errors
    /// A missing or invalid value, with its place in the file.
    pub fn prepare(
        file: &ScenarioFile,
        registry: &Registry,
    ) -> Result<ClosedLoopTraining, TrainError> {
        let plan = file.require_training()?;
        Self::local(file, &plan, ClosedLoopSetup::new(file, registry)?)
    }

    /// Prepares a training with a plant that is already open.
    pub(super) fn with_plant(
        file: &ScenarioFile,
        plant: OpenedPlant,
    ) -> Result<Prepared<Self>, TrainError> {
        let plan = file.require_training()?;
        Self::local(file, &plan, ClosedLoopSetup::of(file, plant)?)
    }

    fn local(
        file: &ScenarioFile,
        plan: &TrainingPlan<'_>,
        setup: ClosedLoopSetup,
    ) -> Result<Prepared<Self>, TrainError> {
        let closed_loop = setup.closed_loop.clone();
        prepare(file, plan, setup, |network, sets, _| {
            Ok(LocalRollouts::new(closed_loop, network.clone(), sets))
        })
    }
}

impl ClosedLoopTask<IsolatedRollouts> {
    /// Prepares a training whose plant runs in processes of its own: the same training, to the last bit.
    ///
    /// # Errors
    /// As [`prepare`](ClosedLoopTask::prepare); also if the plant ends its process.
    pub fn prepare_isolated(
        file: &ScenarioFile,
        isolation: Arc<Isolation>,
    ) -> Result<Prepared<Self>, TrainError> {
        let plan = file.require_training()?;
        if file.value.start == Start::FromLqr {
            let message = "LQR runs the plant in this process, which isolation rules out";
            let hint = "train without --isolate and --sandbox, or start from random weights";
            return Err(file.error_at("start", message, hint).into());
        }
        let setup = ClosedLoopSetup::of(file, isolation.open(file)?)?;
        prepare(file, &plan, setup, |_, sets, grid| {
            isolation.set_up(file)?;
            Ok(IsolatedRollouts::new(isolation, grid, file.value.seed, sets.stages.len()))
        })
    }
}

/// Prepares a training with any kind of rollouts, which are made from the network, the episodes and the grid of the weights.
fn prepare<R: Rollouts>(
    file: &ScenarioFile,
    plan: &TrainingPlan<'_>,
    setup: ClosedLoopSetup,
    rollouts: impl FnOnce(&Network, Arc<EpisodeSets>, WeightGrid) -> Result<R, TrainError>,
) -> Result<Prepared<ClosedLoopTask<R>>, TrainError> {
    let interface = setup.closed_loop.interface();
    let (n_inputs, n_outputs) = (interface.inputs.len(), interface.outputs.len());
    let shape = file_network(plan.controller, n_outputs);
    let network = network(&shape, n_inputs)
        .map_err(|error| file.error_at("controller", error.to_string(), "make it smaller"))?;
    let trainer: Box<dyn Trainer<ClosedLoopTask<R>>> = trainer(plan.training)
        .map_err(|error| file.error_at("training", error.to_string(), "change this"))?;
    let grid = trainer.grid().expect("the trainers of controllers have a grid");
    check_trainer(&*trainer, plan.stop, network.n_weights(), &file.source)?;
    let sets = [
        plan.training_episodes,
        plan.validation_episodes,
        plan.confirmation_episodes,
        plan.test_episodes,
    ];
    let horizons_s = sets.map(|set| set.horizon_s);
    let n_hard = u32::try_from(file.value.against.len()).unwrap_or(u32::MAX);
    let most = sets.iter().map(|set| set.count).max().unwrap_or(0).saturating_add(n_hard);
    check_signals(&network, most).map_err(|message| {
        file.error_at("controller", message, "use fewer units or fewer episodes")
    })?;
    let start = match file.value.start {
        Start::FromLqr => Some(lqr_start(file, plan, &setup, &network, grid)?),
        _ => start(file, &setup, &shape)?,
    };
    let curriculum = file.value.curriculum.unwrap_or_default();
    let sets = Arc::new(EpisodeSets::draw(&setup, file, plan, &curriculum)?);
    let n_stages = sets.stages.len();
    let rollouts = rollouts(&network, Arc::clone(&sets), grid)?;
    let scenario = file.value.clone();
    let (stop, seed) = (plan.stop.clone(), scenario.seed);
    let task = ClosedLoopTask {
        setup,
        scenario,
        rollouts,
        sets,
        shape,
        integrator_weights: integrator_weights(plan.controller, &network),
        network,
        grid,
        curriculum,
        n_stages,
        horizons_s,
    };
    Ok(Prepared { task, trainer, start, stop, seed })
}

impl<R> ClosedLoopTask<R> {
    /// The grid of the weights of a saved controller.
    pub(super) const fn grid(&self) -> WeightGrid {
        self.grid
    }

    /// An error with the episodes and the candidate, if a plant broke there.
    fn located(&self, error: TrainError, set: SetName, weights: &[f64]) -> TrainError {
        match error {
            TrainError::Sim(SimError::Plant(error)) => {
                let candidate = candidate(self.scenario.seed, &self.grid, weights);
                let during = format!("on the {} episodes, with {candidate}", set.word());
                TrainError::Plant(Box::new(BrokenPlant { error, during }))
            }
            error => error,
        }
    }

    /// The episode of the test at `position`, which has the largest error.
    fn worst_of_test(&self, position: usize, error: f64) -> WorstEpisode {
        let plant = self.setup.closed_loop.plant().description();
        let which = (position, self.scenario.seed, error);
        WorstEpisode::of(plant, self.setup.parameters(), (&self.sets.test, position), which)
    }

    /// Length of the episodes of a set in seconds.
    const fn horizon_s(&self, set: SetName) -> f64 {
        self.horizons_s[set as usize]
    }
}

impl<R: Rollouts> Task for ClosedLoopTask<R> {
    type Objective<'t>
        = ClosedLoopObjective<'t, R>
    where
        R: 't;
    type Scratch = R::Workspace;
    const PRODUCT: ProductKind = ProductKind::Controller;

    fn shape(&self) -> &file::Network {
        &self.shape
    }

    fn integrator_weights(&self) -> &[usize] {
        &self.integrator_weights
    }

    fn network(&self) -> &Network {
        &self.network
    }

    fn plant(&self) -> Option<&Description> {
        Some(self.setup.closed_loop.plant().description())
    }

    fn library(&self) -> Option<&Library> {
        self.setup.library.as_ref()
    }

    fn has_machine_bits(&self) -> bool {
        self.setup.closed_loop.plant().has_machine_bits()
    }

    fn episodes(&self) -> Option<&file::Episodes> {
        Some(&self.scenario.episodes)
    }

    fn n_stages(&self) -> usize {
        self.n_stages
    }

    fn fresh_every(&self) -> Option<u64> {
        self.scenario.fresh_every
    }

    fn fresh_after_miss(&self) -> bool {
        self.scenario.fresh_after_miss
    }

    fn advance_below(&self) -> f64 {
        self.curriculum.advance_below
    }

    fn has(&self, _set: SetName) -> bool {
        true
    }

    fn reported(&self) -> &[SetName] {
        &[SetName::Test]
    }

    fn objective<'t>(
        &'t self,
        isa: Isa,
        work: &'t WorkCounter,
        stop: &'t (dyn Fn() -> bool + Sync),
    ) -> Result<ClosedLoopObjective<'t, R>, TrainError> {
        Ok(ClosedLoopObjective::new(&self.rollouts, self.network.n_weights(), isa, work, stop))
    }

    fn scratch(&self) -> Result<R::Workspace, TrainError> {
        Ok(self.rollouts.workspace())
    }

    fn cost(
        &self,
        trial: &Trial<'_>,
        scratch: &mut R::Workspace,
        work: &WorkCounter,
    ) -> Result<Probe, TrainError> {
        let &Trial { isa, stage, weights, control } = trial;
        self.rollouts.probe(isa, stage, weights, control, scratch, work)
    }

    fn score(
        &self,
        weights: &[f64],
        set: SetName,
        scoring: Scoring<'_>,
    ) -> Result<Option<Score>, TrainError> {
        let evaluation = self.rollouts.evaluate(weights, set, scoring);
        let evaluation = evaluation.map_err(|error| self.located(error, set, weights))?;
        let Some(evaluation) = evaluation else { return Ok(None) };
        let worst = evaluation.worst().filter(|_| set == SetName::Test);
        let worst = worst.map(|at| self.worst_of_test(at, evaluation.episodes[at].error));
        let aggregate = self.scenario.aggregate;
        let is_other = set == SetName::Test && !aggregate.is_mean();
        Ok(Some(Score {
            error: evaluation.error,
            aggregate_error: is_other.then(|| (aggregate, evaluation.aggregate(aggregate))),
            own_error: evaluation.own_error(),
            n_samples: evaluation.episodes.len(),
            episodes: evaluation.episodes,
            horizon_s: Some(self.horizon_s(set)),
            fit: None,
            behaviors: evaluation.behaviors,
            worst,
        }))
    }

    fn error_below(
        &self,
        weights: &[f64],
        set: SetName,
        bound: f64,
        scoring: Scoring<'_>,
    ) -> Result<BoundedScore, TrainError> {
        let score = self.rollouts.error_below(weights, set, bound, scoring);
        score.map_err(|error| self.located(error, set, weights))
    }

    fn diagnose(&self, weights: &[f64], isa: Isa) -> Option<String> {
        self.rollouts.diagnose(isa, weights)
    }

    fn useful_threads(&self, n_threads: NonZeroUsize) -> NonZeroUsize {
        n_threads
    }

    fn cost_is_error(&self) -> bool {
        true
    }

    fn error_of_cost(&self, cost: f64) -> f64 {
        cost
    }

    fn subject(&self) -> String {
        let plant = &self.setup.closed_loop.plant().description().name;
        match self.scenario.aggregate {
            Aggregate::Mean => format!("for {plant}"),
            other => format!("for {plant}, by {other}"),
        }
    }

    fn product(&self, outcome: &Outcome, info: SaveInfo) -> Result<Product, Problem> {
        Product::try_from(&save_controller(self, outcome, info))
    }
}
