//! [`Replay`]: a controller and a test, made ready.

use std::ffi::OsStr;
use std::ops::Range;
use std::path::Path;

use bitloop_blm::WeightGrid;
use bitloop_host::Registry;
use bitloop_net::Network;
use bitloop_plant::picture::Picture;
use bitloop_plant::{Description, Variable};
use bitloop_random::Purpose;
use bitloop_scenario::{ControllerFile, PlantChoice, ScenarioFile, Test, Weights};
use bitloop_sim::{
    BehaviorShape, Channel, ClosedLoop, Distribution, EpisodeSet, Interface, MAX_EPISODES,
    NetworkController, SimError,
};
use bitloop_train::{
    ClosedLoopSetup, Library, TrainError, WorstEpisode, check_signals, network, plant_notes,
};

use crate::block::MOST_EPISODES;
use crate::differences::{Difference, differences};
use crate::outcome::ReplayOutcome;

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
    /// The index of an episode to run alone; the others are left out.
    pub episode: Option<usize>,
    /// Whether episodes may have more integration steps than those of a scenario.
    pub allows_long: bool,
}

/// A controller, ready to be replayed.
#[derive(Debug)]
pub struct Replay {
    pub(crate) setup: ClosedLoopSetup,
    pub(crate) network: Network,
    pub(crate) weights: Vec<f64>,
    scenario: ScenarioFile,
    test: bitloop_scenario::EpisodeSet,
    indices: Range<usize>,
    differences: Vec<Difference>,
    /// Integration steps of an episode.
    horizon: u64,
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
        let scenario = match scenario {
            Some(scenario) => scenario.clone(),
            None => embedded(controller)?,
        };
        Self::build(controller, scenario, options, registry)
    }

    /// Prepares a controller for a test of a suite.
    ///
    /// # Errors
    /// A controller or a plant that the test does not fit.
    pub fn of_test(
        controller: &ControllerFile,
        test: &Test,
        allows_long: bool,
        registry: &Registry,
    ) -> Result<Self, TrainError> {
        let training = embedded(controller)?;
        let scenario = ScenarioFile::inside(test.scenario(&training.value), training.source)?;
        let options = ReplayOptions { seed: test.seed, allows_long, ..ReplayOptions::default() };
        Self::build(controller, scenario, options, registry)
    }

    fn build(
        controller: &ControllerFile,
        mut scenario: ScenarioFile,
        options: ReplayOptions,
        registry: &Registry,
    ) -> Result<Self, TrainError> {
        let saved = &controller.value;
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
        let setup = ClosedLoopSetup::for_controller(&scenario, controller, registry)?
            .allowing_long(options.allows_long);
        check_plant(controller, &setup.closed_loop.plant().description().name)?;
        let Weights::Codes(codes) = &saved.weights;
        let grid = WeightGrid::new(codes.bits, codes.max_weight)?;
        let mut test = scenario.require_test()?;
        test.count = options.n_episodes.unwrap_or(test.count);
        test.horizon_s = options.horizon_s.unwrap_or(test.horizon_s);
        let network = network(&saved.network, saved.inputs.len())?;
        if test.count as usize > MAX_EPISODES {
            let message = format!("{} episodes: at most {MAX_EPISODES} are allowed", test.count);
            return Err(scenario.error_at("episodes.test.count", message, "use fewer").into());
        }
        let n_at_once = test.count.min(MOST_EPISODES);
        check_signals(&network, n_at_once)
            .map_err(|message| controller.error_at("network", message, "use a smaller one"))?;
        // The first episodes show whether what the scenario says makes sense.
        let first: Vec<usize> = (0..n_at_once as usize).collect();
        let first = setup.part(&scenario, "test", test, Purpose::TestEpisodes, &first)?;
        let all = 0..test.count as usize;
        let indices = match options.episode {
            Some(episode) if all.contains(&episode) => episode..episode + 1,
            Some(episode) => {
                let last = all.end - 1;
                let message = format!("there is no episode {episode}: the last one is {last}");
                return Err(scenario.error_at("episodes.test.count", message, "use more").into());
            }
            None => all,
        };
        Ok(Self {
            network,
            indices,
            differences: differences(saved, &scenario.value, &setup),
            weights: codes.codes.iter().map(|&code| grid.weight(code)).collect(),
            horizon: first.horizon(),
            scenario,
            test,
            setup,
        })
    }

    /// Some of the episodes, by their index.
    ///
    /// # Errors
    /// If the plant breaks, or has an invalid failure cost for one of them.
    pub fn draw(&self, episodes: Range<usize>) -> Result<EpisodeSet, TrainError> {
        self.draw_all(&episodes.collect::<Vec<_>>())
    }

    /// The episodes with these indices, in this order.
    pub(crate) fn draw_all(&self, indices: &[usize]) -> Result<EpisodeSet, TrainError> {
        self.setup.part(&self.scenario, "test", self.test, Purpose::TestEpisodes, indices)
    }

    /// The episode with the largest error, drawn again; none if no episode has ended.
    ///
    /// # Errors
    /// As [`draw`](Self::draw).
    pub fn worst(&self, outcome: &ReplayOutcome) -> Result<Option<WorstEpisode>, TrainError> {
        let Some(position) = outcome.evaluation.worst() else { return Ok(None) };
        let (index, error) =
            (outcome.indices[position], outcome.evaluation.episodes[position].error);
        let set = self.draw(index..index + 1)?;
        let which = (index, self.seed(), error);
        Ok(Some(WorstEpisode::of(self.plant(), self.parameters(), (&set, 0), which)))
    }

    /// The observations that are shown beside the states, by their index, and their names: those that are no states, and what
    /// sensors that are not perfect read of states.
    #[must_use]
    pub fn shown_observations(&self) -> Vec<(usize, String)> {
        let (plant, uncertainty) = (self.plant(), self.setup.closed_loop.uncertainty());
        let shown = |(index, observation): (usize, &Variable)| {
            let name = &observation.name;
            let is_state = plant.states.iter().any(|state| state.name == *name);
            match (is_state, uncertainty.has_sensor(index)) {
                (false, _) => Some((index, name.clone())),
                (true, true) => Some((index, format!("reading.{name}"))),
                (true, false) => None,
            }
        };
        plant.observations.iter().enumerate().filter_map(shown).collect()
    }

    /// The closed loop, as the saved controller is connected.
    #[must_use]
    pub const fn closed_loop(&self) -> &ClosedLoop {
        &self.setup.closed_loop
    }

    /// The saved controller.
    #[must_use]
    pub fn controller(&self) -> NetworkController<'_> {
        NetworkController { network: &self.network, weights: &self.weights }
    }

    /// The scenario, as the options change it; the test is [`test`](Self::test).
    #[must_use]
    pub const fn scenario(&self) -> &ScenarioFile {
        &self.scenario
    }

    /// The test, as the options change it.
    #[must_use]
    pub const fn test(&self) -> bitloop_scenario::EpisodeSet {
        self.test
    }

    /// The indices of all episodes that will be run.
    #[must_use]
    pub fn indices(&self) -> Range<usize> {
        self.indices.clone()
    }

    /// Whether another replay has the same episodes: their number, starts, parameters, length and random streams.
    #[must_use]
    pub fn has_same_episodes(&self, other: &Self) -> bool {
        (&self.test, &self.indices, self.seed()) == (&other.test, &other.indices, other.seed())
            && (self.initial(), self.parameters()) == (other.initial(), other.parameters())
            && self.step_s() == other.step_s()
    }

    /// What is not as in the training of the controller.
    #[must_use]
    pub fn differences(&self) -> &[Difference] {
        &self.differences
    }

    /// The distribution of each initial state: `[n_states]`.
    #[must_use]
    pub fn initial(&self) -> &[Distribution] {
        self.setup.initial()
    }

    /// The distribution of each parameter: `[n_parameters]`.
    #[must_use]
    pub fn parameters(&self) -> &[Distribution] {
        self.setup.parameters()
    }

    /// Length of an episode in seconds.
    #[must_use]
    pub const fn horizon_s(&self) -> f64 {
        self.test.horizon_s
    }

    /// Root seed of the episodes.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.scenario.value.seed
    }

    /// Integration steps of an episode.
    pub(crate) const fn horizon(&self) -> u64 {
        self.horizon
    }

    /// Queries of the controller in an episode.
    #[must_use]
    pub fn n_queries(&self) -> u64 {
        self.horizon.div_ceil(self.steps_per_query())
    }

    /// The description of the plant.
    #[must_use]
    pub fn plant(&self) -> &Description {
        self.setup.closed_loop.plant().description()
    }

    /// The positions of the parameters that are drawn at random.
    #[must_use]
    pub fn drawn_parameters(&self) -> Vec<usize> {
        let is_drawn = |at: &usize| !matches!(self.parameters()[*at], Distribution::Fixed(_));
        (0..self.parameters().len()).filter(is_drawn).collect()
    }

    /// The sizes of the figures of behavior.
    pub(crate) fn behavior_shape(&self) -> BehaviorShape {
        let plant = self.plant();
        BehaviorShape { n_controls: plant.controls.len(), n_states: plant.states.len() }
    }

    /// Whether the plant owns its state, so that episodes cannot be paused.
    #[must_use]
    pub fn plant_owns_state(&self) -> bool {
        self.setup.closed_loop.plant().owns_state()
    }

    /// What the plant looks like, if it says so.
    #[must_use]
    pub fn picture(&self) -> Option<&Picture> {
        self.setup.closed_loop.plant().picture()
    }

    /// The library that the plant comes from, if it comes from one.
    #[must_use]
    pub const fn library(&self) -> Option<&Library> {
        self.setup.library.as_ref()
    }

    /// Whether the plant's bits hold on one machine alone.
    #[must_use]
    pub fn has_machine_bits(&self) -> bool {
        self.setup.closed_loop.plant().has_machine_bits()
    }

    /// What a user should know of the plant and its library.
    #[must_use]
    pub fn plant_notes(&self) -> Vec<String> {
        plant_notes(self.library(), self.has_machine_bits())
    }

    /// The digest of the library that the plant comes from, if it comes from one.
    #[must_use]
    pub fn library_digest(&self) -> Option<&str> {
        self.setup.library.as_ref().map(|library| library.digest.as_str())
    }

    /// Seconds from one tick to the next, as it was given.
    #[must_use]
    pub fn step_s(&self) -> f64 {
        self.setup.closed_loop.timing().step_s()
    }

    /// The time of a tick for people and files, in seconds; see [`Timing::decimal_seconds`](bitloop_sim::Timing::decimal_seconds).
    #[must_use]
    pub fn decimal_seconds(&self, tick: u64) -> f64 {
        self.setup.closed_loop.timing().decimal_seconds(tick)
    }

    /// Integration steps from one query of the controller to the next.
    #[must_use]
    pub fn steps_per_query(&self) -> u64 {
        u64::from(self.setup.closed_loop.timing().steps_per_period())
    }

    /// How many episodes will be run.
    #[must_use]
    pub fn n_episodes(&self) -> usize {
        self.indices().len()
    }
}

/// The same closed loop, without scales and bounds: signals in the plant's own units. Penalties and what is uncertain stay as they are.
pub(crate) fn unscaled(closed_loop: &ClosedLoop) -> Result<ClosedLoop, SimError> {
    let unscaled = |channels: &[Channel]| {
        let bounds = (f64::NEG_INFINITY, f64::INFINITY);
        let of =
            |channel: &Channel| Channel { index: channel.index, center: 0.0, scale: 1.0, bounds };
        channels.iter().map(of).collect()
    };
    let interface = closed_loop.interface();
    let interface =
        Interface { inputs: unscaled(&interface.inputs), outputs: unscaled(&interface.outputs) };
    closed_loop.with_interface(interface)
}

/// The scenario inside a controller. A library that is not at the scenario's path, relative to the controller's folder, is
/// opened where it was when the controller was trained, or else beside the controller.
fn embedded(controller: &ControllerFile) -> Result<ScenarioFile, TrainError> {
    let saved = &controller.value;
    let mut scenario = ScenarioFile::inside(saved.scenario.clone(), controller.source.clone())?;
    if let Some(path) = scenario.value.plant.path_mut()
        && let Some(library) = &saved.plant.library
    {
        let name = Path::new(library).file_name().and_then(OsStr::to_str);
        let places = [Some(path.as_str()), Some(library), name];
        let exists = |path: &&str| controller.source.folder().join(path).exists();
        let place = places.into_iter().flatten().find(exists).map(str::to_owned);
        if let Some(place) = place {
            *path = place;
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
