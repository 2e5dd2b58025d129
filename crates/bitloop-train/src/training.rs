//! [`Training`]: descents, validation, confirmation, restarts, and when to stop.
//!
//! Four sets of episodes have a part, each with its own streams. The search minimizes over the training set. The best of a
//! descent is the one with the lowest error on the validation set, which is run in full every so many accepted moves, at
//! each new bit, and at the end. The best of a descent meets the confirmation set, whose episodes are as long as those of
//! the test: a controller that balances for 100 s may fall after 500. A target is met when validation and confirmation
//! agree on it; without one, the descent wins whose worse error of the two is the lowest. The test set is run once, at the
//! end.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bitloop_blm::{SearchOptions, WeightGrid, speculate};
use bitloop_host::Registry;
use bitloop_net::Network;
use bitloop_plant::Isa;
use bitloop_random::Purpose;
use bitloop_scenario::{self as file, Curriculum, ScenarioFile, Stop};
use bitloop_sim::{EpisodeSet, Evaluation};

use crate::cma_es::Generations;
use crate::convert::{file_network, network, trainer, validate_every, weight_grid};
use crate::descent::Descents;
use crate::error::TrainError;
use crate::isolation::{Isolation, SetName};
use crate::judge::Judge;
use crate::objective::ClosedLoopObjective;
use crate::random_search::RandomDraws;
use crate::restarts::CmaEsOptions;
use crate::rig::{Opened, Rig, check_signals};
use crate::sampling::Sampling;
use crate::search::Search;
use crate::state::{Candidate, StopReason, TrainingState};
use crate::trainer::Trainer;

/// The most numbers in a matrix of CMA-ES; with 2^24, one takes 128 MiB.
const MOST_IN_MATRIX: usize = 1 << 24;

/// The most numbers in the initial states and parameters of all stages of a curriculum.
const MOST_IN_STAGES: usize = 1 << 27;

/// A scenario made ready to train.
#[derive(Debug)]
pub struct Training {
    /// The closed loop and its episodes.
    pub rig: Rig,
    /// The controller's shape, as it will be saved.
    pub shape: file::Network,
    /// The controller's shape.
    pub network: Network,
    /// The weights that a saved controller can have.
    pub grid: WeightGrid,
    /// The search.
    pub trainer: Trainer,
    /// When to stop.
    pub stop: Stop,
    /// Where the plant runs, if not in this process.
    pub(crate) isolation: Option<Arc<Isolation>>,
    pub(crate) seed: u64,
    pub(crate) validate_every: u64,
    pub(crate) curriculum: Curriculum,
    /// The training episodes of each stage, the full ones last.
    pub(crate) stages: Vec<EpisodeSet>,
    pub(crate) validation: EpisodeSet,
    pub(crate) confirmation: EpisodeSet,
    pub(crate) test: EpisodeSet,
}

/// How a training goes, for whoever watches.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// All that is known.
    pub state: &'a TrainingState,
    /// Error of the current weights over the training episodes; of CMA-ES and random search, of the best of the descent,
    /// infinite at first.
    pub current_error: f64,
    /// Bits of each weight that may flip.
    pub unlocked_bits: u32,
    /// Bits of each weight.
    pub bits: u32,
    /// Integration steps simulated so far.
    pub plant_steps: u64,
    /// What just happened.
    pub event: Event,
    /// Whether a training that is given this state goes on exactly from here: all that it tells is what this one is still
    /// to tell.
    pub is_resumable: bool,
}

/// What happened in a training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A descent started.
    DescentStarted,
    /// A saved state was taken up in the middle of a descent, or at its beginning if its search cannot be saved.
    Resumed,
    /// A look around between two steps of the search.
    Probing,
    /// A move was accepted.
    Moved,
    /// A bit was unlocked.
    BitUnlocked,
    /// The current weights were validated.
    Validated {
        /// Their error over the validation episodes.
        error: f64,
        /// Whether they are the best of the descent now.
        is_best: bool,
    },
    /// The descent ended; its best is about to meet the confirmation set.
    DescentEnded,
    /// The best of the descent met the confirmation set.
    DescentJudged {
        /// Whether it is the best of all descents now.
        is_best: bool,
    },
    /// The clock or the user cuts the search off. What follows makes the best of what there is, and no state after this
    /// one is resumable.
    Pausing(StopReason),
}

/// What came of a training.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingOutcome {
    /// The controller that won.
    pub best: Candidate,
    /// What it did on the test set.
    pub test: Evaluation,
    /// Why the training ended.
    pub stop_reason: StopReason,
    /// Descents begun.
    pub n_descents: u64,
    /// Accepted moves; generations of CMA-ES, improvements of a random search.
    pub n_moves: u64,
    /// Evaluations of the objective.
    pub n_evaluations: u64,
    /// Integration steps simulated, validation and test included.
    pub plant_steps: u64,
    /// Evaluations that were worst because the plant broke in them, or gave a cost that is negative or not finite.
    pub n_faults: u64,
    /// Seconds from start to end.
    pub wall_s: f64,
}

/// How the run is carried out; none of it changes the result.
#[derive(Clone, Copy, Debug)]
pub struct Execution<'a> {
    /// The instruction set.
    pub isa: Isa,
    /// Threads to use.
    pub n_threads: NonZeroUsize,
    /// Set from elsewhere to end the training early.
    pub interrupt: &'a AtomicBool,
}

impl Training {
    /// Makes a scenario ready.
    ///
    /// # Errors
    /// What is missing or makes no sense, at its place in the file.
    pub fn new(scenario: &ScenarioFile, registry: &Registry) -> Result<Self, TrainError> {
        Self::with_rig(scenario, || Rig::new(scenario, registry))
    }

    /// Makes a scenario ready whose plant runs in processes of its own: the same training, to the last bit.
    ///
    /// # Errors
    /// As [`new`](Self::new); also if the plant takes its process down.
    pub fn isolated(
        scenario: &ScenarioFile,
        isolation: Arc<Isolation>,
    ) -> Result<Self, TrainError> {
        let rig = || Rig::of(scenario, isolation.open(scenario)?);
        let mut training = Self::with_rig(scenario, rig)?;
        isolation.set_up(scenario)?;
        training.isolation = Some(isolation);
        Ok(training)
    }

    /// Makes a scenario ready with a plant that is open already.
    pub(crate) fn build(scenario: &ScenarioFile, opened: Opened) -> Result<Self, TrainError> {
        Self::with_rig(scenario, || Rig::of(scenario, opened))
    }

    fn with_rig(
        scenario: &ScenarioFile,
        rig: impl FnOnce() -> Result<Rig, TrainError>,
    ) -> Result<Self, TrainError> {
        let plan = scenario.require_training()?;
        let rig = rig()?;
        let interface = rig.closed_loop.interface();
        let (n_inputs, n_outputs) = (interface.inputs.len(), interface.outputs.len());
        let shape = file_network(plan.controller, n_outputs);
        let network = network(&shape, n_inputs).map_err(|error| {
            scenario.error_at("controller", error.to_string(), "make it smaller")
        })?;
        let refused =
            |error: TrainError| scenario.error_at("training", error.to_string(), "change this");
        let grid = weight_grid(plan.training).map_err(refused)?;
        let trainer = trainer(plan.training).map_err(refused)?;
        if !trainer.ends_by_itself() && !has_budget(plan.stop) {
            let message = "a random search never ends by itself";
            let hint = "give it a budget, for instance evaluations: 100000";
            return Err(scenario.error_at("stop", message.to_owned(), hint).into());
        }
        check_matrices(&trainer, network.n_weights()).map_err(|message| {
            scenario.error_at("training", message, "use fewer units, or TelescopicBlm")
        })?;
        let sets = [
            plan.training_episodes,
            plan.validation_episodes,
            plan.confirmation_episodes,
            plan.test_episodes,
        ];
        let most = sets.iter().map(|set| set.count).max().unwrap_or(0);
        check_signals(&network, most).map_err(|message| {
            scenario.error_at("controller", message, "use fewer units or fewer episodes")
        })?;
        let draw = |name, set, purpose| rig.episodes(scenario, name, set, purpose);
        let full = draw("training", plan.training_episodes, Purpose::TrainingEpisodes)?;
        let curriculum = scenario.value.curriculum.unwrap_or_default();
        let stages = stages(&rig, scenario, full, &curriculum)?;
        let validation = draw("validation", plan.validation_episodes, Purpose::ValidationEpisodes)?;
        // The confirmation takes what it does not say from the test, whose mistakes are told first.
        let test = draw("test", plan.test_episodes, Purpose::TestEpisodes)?;
        let set = plan.confirmation_episodes;
        let confirmation = draw("confirmation", set, Purpose::ConfirmationEpisodes)?;
        Ok(Self {
            stages,
            curriculum,
            validation,
            test,
            confirmation,
            isolation: None,
            seed: scenario.value.seed,
            validate_every: validate_every(plan.training),
            stop: plan.stop.clone(),
            rig,
            shape,
            network,
            grid,
            trainer,
        })
    }

    /// The weights of integer codes.
    #[must_use]
    pub fn weights(&self, codes: &[i32]) -> Vec<f64> {
        codes.iter().map(|&code| self.grid.weight(code)).collect()
    }

    /// Stages of the curriculum, that of the full training episodes included.
    #[must_use]
    pub const fn n_stages(&self) -> usize {
        self.stages.len()
    }

    /// The training episodes, after any easier ones of a curriculum.
    pub(crate) fn full_episodes(&self) -> &EpisodeSet {
        self.stages.last().expect("the full set is a stage")
    }

    pub(crate) fn set(&self, name: SetName) -> &EpisodeSet {
        match name {
            SetName::Training => self.full_episodes(),
            SetName::Validation => &self.validation,
            SetName::Confirmation => &self.confirmation,
            SetName::Test => &self.test,
        }
    }

    /// The options of telescopic BLM, if that is the search.
    #[must_use]
    pub const fn blm(&self) -> Option<&SearchOptions> {
        match &self.trainer {
            Trainer::TelescopicBlm(options) => Some(options),
            Trainer::CmaEs(_) | Trainer::RandomSearch(_) => None,
        }
    }

    /// Trains from `state` on, which is [`TrainingState::new`] at first.
    ///
    /// # Errors
    /// [`TrainError`] if the search refuses its options, the state does not fit, or the plant breaks on a validation or
    /// test.
    pub fn run(
        &self,
        state: TrainingState,
        execution: Execution<'_>,
        watch: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<TrainingOutcome, TrainError> {
        self.check_state(&state)?;
        let objective = ClosedLoopObjective::of(self, execution.isa);
        let judge = Judge::new(self, execution, state);
        match &self.trainer {
            Trainer::TelescopicBlm(options) => {
                speculate(objective, execution.n_threads, |explorer| {
                    Descents::new(judge, *options, explorer, watch).to_the_end()
                })
            }
            Trainer::CmaEs(options) => {
                Generations::new(Sampling::new(judge, &objective, watch), *options).to_the_end()
            }
            Trainer::RandomSearch(initialization) => {
                RandomDraws::new(Sampling::new(judge, &objective, watch), *initialization)
                    .to_the_end()
            }
        }
    }
}

/// CMA-ES keeps a matrix of weights by weights, and a generation of candidates by weights.
fn check_matrices(trainer: &Trainer, n_weights: usize) -> Result<(), String> {
    let Trainer::CmaEs(CmaEsOptions { population, .. }) = trainer else { return Ok(()) };
    let n_rows = population.map_or(n_weights, |population| population.get().max(n_weights));
    if n_rows.saturating_mul(n_weights) > MOST_IN_MATRIX {
        return Err(format!(
            "CMA-ES keeps a matrix of {n_rows} by {n_weights} numbers, more than {MOST_IN_MATRIX} in all"
        ));
    }
    Ok(())
}

/// Whether something other than a target ends a descent that does not end by itself.
fn has_budget(stop: &Stop) -> bool {
    stop.evaluations.is_some()
        || stop.seconds.is_some()
        || stop.descent_evaluations.is_some()
        || stop.patience.is_some()
}

/// The training episodes of each stage of a curriculum: horizon and initial states double from stage to stage, up to the
/// full set.
fn stages(
    rig: &Rig,
    scenario: &ScenarioFile,
    full: EpisodeSet,
    curriculum: &Curriculum,
) -> Result<Vec<EpisodeSet>, TrainError> {
    let mut horizon = match curriculum.horizon_s {
        None => full.horizon(),
        Some(seconds) => {
            rig.closed_loop.timing().ticks("first horizon of the curriculum", seconds).map_err(
                |error| {
                    let hint = "change this value";
                    scenario.error_at("curriculum.horizon_s", error.to_string(), hint)
                },
            )?
        }
    };
    let states = &rig.closed_loop.plant().description().states;
    let centers: Vec<f64> = states.iter().map(|state| state.default).collect();
    let mut scale = curriculum.initial_scale;
    let mut stages = Vec::new();
    while horizon < full.horizon() || scale < 1.0 {
        if (stages.len() + 2).saturating_mul(full.n_numbers()) > MOST_IN_STAGES {
            let message = "the stages of this curriculum hold too many episodes together";
            let hint = "start closer to the full episodes, or with fewer of them";
            return Err(scenario.error_at("curriculum", message, hint).into());
        }
        stages.push(full.eased(horizon.min(full.horizon()), scale.min(1.0), &centers));
        horizon = horizon.saturating_mul(2);
        scale *= 2.0;
    }
    stages.push(full);
    Ok(stages)
}
