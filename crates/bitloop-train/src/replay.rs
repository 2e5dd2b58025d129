//! [`Replay`]: a saved controller in a test simulation.
//!
//! The episodes are those of the test set of a scenario: the one that the controller was trained in, unless another is
//! given. They are drawn from the test's streams under the seed of the training, so that a replay gives the test error of
//! the training to the last bit; another scenario has its own seed.

use std::ffi::OsStr;
use std::path::Path;
use std::time::Instant;

use bitloop_blm::WeightGrid;
use bitloop_host::Registry;
use bitloop_net::Network;
use bitloop_plant::{Description, Isa};
use bitloop_random::Purpose;
use bitloop_scenario::{ControllerFile, PlantChoice, ScenarioFile, Weights};
use bitloop_sim::{EpisodeSet, Evaluation, NetworkController, Recorder, Sample, TrajectoryDigest};

use crate::closed_loop::{ClosedLoopSetup, check_signals};
use crate::error::TrainError;
use crate::library::Library;
use crate::network_shape::network;

/// Changes to the scenario's test set for a replay.
#[derive(Clone, Debug, Default)]
pub struct ReplayOptions {
    /// The plant.
    pub plant: Option<PlantChoice>,
    /// Number of episodes.
    pub n_episodes: Option<u32>,
    /// Length of an episode in seconds.
    pub horizon_s: Option<f64>,
    /// Root seed of the episodes.
    pub seed: Option<u64>,
}

/// A controller, ready to be replayed.
#[derive(Debug)]
pub struct Replay {
    setup: ClosedLoopSetup,
    network: Network,
    weights: Vec<f64>,
    episodes: EpisodeSet,
    horizon_s: f64,
    seed: u64,
}

/// The result of a replay.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayOutcome {
    /// Episode by episode, and on the mean.
    pub evaluation: Evaluation,
    /// Length of an episode in seconds.
    pub horizon_s: f64,
    /// Root seed of the episodes.
    pub seed: u64,
    /// Digest of all trajectories.
    pub trajectory_digest: String,
    /// Seconds that the simulation took.
    pub wall_s: f64,
}

impl Replay {
    /// Prepares a controller for a replay, in the given scenario or else in the one that it was trained in.
    ///
    /// # Errors
    /// A controller that does not fit the scenario's plant, or an invalid scenario.
    pub fn new(
        controller: &ControllerFile,
        scenario: Option<&ScenarioFile>,
        options: ReplayOptions,
        registry: &Registry,
    ) -> Result<Self, TrainError> {
        let saved = &controller.value;
        let mut scenario = match scenario {
            Some(scenario) => scenario.clone(),
            None => embedded(controller)?,
        };
        if let Some(plant) = options.plant {
            scenario.value.plant = plant;
        }
        if let PlantChoice::Named(name) = &scenario.value.plant {
            check_plant(controller, name)?;
        }
        if scenario.is_same_but_for_the_seed(&saved.scenario) {
            scenario.value.seed = saved.scenario.seed;
        }
        if let Some(seed) = options.seed {
            scenario.value.seed = seed;
        }
        let setup = ClosedLoopSetup::for_controller(&scenario, controller, registry)?;
        check_plant(controller, &setup.closed_loop.plant().description().name)?;
        let Weights::Codes(codes) = &saved.weights;
        let grid = WeightGrid::new(codes.bits, codes.max_weight)?;
        let mut test = scenario.require_test()?;
        test.count = options.n_episodes.unwrap_or(test.count);
        test.horizon_s = options.horizon_s.unwrap_or(test.horizon_s);
        let network = network(&saved.network, saved.inputs.len())?;
        check_signals(&network, test.count)
            .map_err(|message| controller.error_at("network", message, "run fewer episodes"))?;
        Ok(Self {
            network,
            weights: codes.codes.iter().map(|&code| grid.weight(code)).collect(),
            episodes: setup.episodes(&scenario, "test", test, Purpose::TestEpisodes)?,
            horizon_s: test.horizon_s,
            seed: scenario.value.seed,
            setup,
        })
    }

    /// The description of the plant.
    #[must_use]
    pub fn plant(&self) -> &Description {
        self.setup.closed_loop.plant().description()
    }

    /// The library that the plant comes from, if it comes from one.
    #[must_use]
    pub const fn library(&self) -> Option<&Library> {
        self.setup.library.as_ref()
    }

    /// The digest of the library that the plant comes from, if it comes from one.
    #[must_use]
    pub fn library_digest(&self) -> Option<&str> {
        self.setup.library.as_ref().map(|library| library.digest.as_str())
    }

    /// Seconds from one tick to the next.
    #[must_use]
    pub fn step_s(&self) -> f64 {
        self.setup.closed_loop.timing().step_s()
    }

    /// How many episodes will be run.
    #[must_use]
    pub fn n_episodes(&self) -> usize {
        self.episodes.n_episodes()
    }

    /// Runs all episodes to their end, and shows each sample to `recorder`.
    ///
    /// # Errors
    /// [`TrainError`] if the plant breaks.
    pub fn run(
        &self,
        isa: Isa,
        recorder: Option<&mut dyn Recorder>,
    ) -> Result<ReplayOutcome, TrainError> {
        let controller = NetworkController { network: &self.network, weights: &self.weights };
        let started = Instant::now();
        let mut both =
            Both { digest: TrajectoryDigest::new(self.episodes.n_episodes()), other: recorder };
        let evaluation =
            self.setup.closed_loop.record(isa, &controller, &self.episodes, &mut both)?;
        Ok(ReplayOutcome {
            evaluation,
            horizon_s: self.horizon_s,
            seed: self.seed,
            trajectory_digest: both.digest.finish(),
            wall_s: started.elapsed().as_secs_f64(),
        })
    }
}

/// The scenario inside a controller. A library that is not at the scenario's path, relative to the controller's folder, is
/// opened where it was when the controller was trained, or else beside the controller.
fn embedded(controller: &ControllerFile) -> Result<ScenarioFile, TrainError> {
    let saved = &controller.value;
    let mut scenario = ScenarioFile::inside(saved.scenario.clone(), controller.source.clone())?;
    if let PlantChoice::Library(path) = &scenario.value.plant
        && let Some(library) = &saved.plant.library
    {
        let name = Path::new(library).file_name().and_then(OsStr::to_str);
        let places = [Some(path.as_str()), Some(library), name];
        let exists = |path: &&str| controller.source.folder().join(path).exists();
        let place = places.into_iter().flatten().find(exists).map(str::to_owned);
        if let Some(place) = place {
            scenario.value.plant = PlantChoice::Library(place);
        }
    }
    Ok(scenario)
}

/// Refuses a plant of another name.
fn check_plant(controller: &ControllerFile, name: &str) -> Result<(), TrainError> {
    let own = &controller.value.plant.name;
    if own == name {
        return Ok(());
    }
    let message = format!("this controller is for plant `{own}`, but the scenario has `{name}`");
    let hint = "replay it in a scenario of its own plant";
    Err(controller.error_at("plant.name", message, hint).into())
}

/// Shows samples to the digest and to another recorder.
struct Both<'a> {
    digest: TrajectoryDigest,
    other: Option<&'a mut dyn Recorder>,
}

impl Recorder for Both<'_> {
    fn sample(&mut self, sample: &Sample<'_>) {
        self.digest.sample(sample);
        if let Some(other) = &mut self.other {
            other.sample(sample);
        }
    }

    fn end(
        &mut self,
        episode: usize,
        tick: u64,
        state: &[f64],
        result: &bitloop_sim::EpisodeResult,
    ) {
        self.digest.end(episode, tick, state, result);
        if let Some(other) = &mut self.other {
            other.end(episode, tick, state, result);
        }
    }
}
