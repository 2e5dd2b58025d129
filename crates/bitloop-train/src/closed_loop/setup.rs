//! [`ClosedLoopSetup`]: the closed loop of a scenario, and the distributions of its episodes.

use std::collections::BTreeMap;
use std::path::Path;

use bitloop_host::{FmuPlant, HostError, PlantLibrary, Registry};
use bitloop_net::Network;
use bitloop_plant::{Integrator, LaneMatrix, PlantHandle};
use bitloop_random::{Purpose, Stream};
use bitloop_scenario::{
    ControllerFile, FileError, MOST_STEPS, PlantChoice, ScenarioFile, suggestion,
};
use bitloop_sim::{
    ClosedLoop, Distribution, EpisodeRanges, EpisodeSet, Interface, SimError, Timing,
};

use super::interface::{interface, saved_interface};
use super::uncertainty::with_uncertainty;
use crate::error::TrainError;
use crate::library::Library;

/// The closed loop of a scenario, and where its episodes come from.
#[derive(Clone, Debug)]
pub struct ClosedLoopSetup {
    /// The plant under its sampled, held, scaled control.
    pub closed_loop: ClosedLoop,
    /// The library that the plant comes from, if it comes from one.
    pub library: Option<Library>,
    pub(crate) initial: Vec<Distribution>,
    pub(crate) parameters: Vec<Distribution>,
    seed: u64,
    /// Whether episodes may have more than [`MOST_STEPS`] integration steps.
    allows_long: bool,
}

impl ClosedLoopSetup {
    /// The setup in which a scenario trains: its observations and scales, or else the plant's.
    ///
    /// # Errors
    /// Names in the scenario that the plant does not have, at their place in the file.
    pub fn new(file: &ScenarioFile, registry: &Registry) -> Result<Self, TrainError> {
        Self::of(file, open(file, registry)?)
    }

    /// The same for a plant that is open already.
    pub(crate) fn of(file: &ScenarioFile, opened: OpenedPlant) -> Result<Self, TrainError> {
        let description = opened.plant.description();
        let defaults = Defaults {
            integrator: description.integrators[0],
            step_s: description.step_s,
            sample_time_s: description.sample_time_s,
        };
        let interface = interface(file, description)?;
        Self::build(file, opened, defaults, interface)
    }

    /// The setup of a scenario for a saved controller, with the controller's observations, scales and bounds, and its timing
    /// where the scenario has none.
    ///
    /// # Errors
    /// As [`ClosedLoopSetup::new`]; also observations or controls of the controller that the plant does not have.
    pub fn for_controller(
        file: &ScenarioFile,
        controller: &ControllerFile,
        registry: &Registry,
    ) -> Result<Self, TrainError> {
        let opened = open(file, registry)?;
        let simulation = &controller.value.simulation;
        let defaults = Defaults {
            integrator: simulation.integrator,
            step_s: simulation.step_s,
            sample_time_s: simulation.sample_time_s,
        };
        let interface = saved_interface(controller, opened.plant.description())?;
        Self::build(file, opened, defaults, interface)
    }

    /// The plant, to be set up once more.
    pub(crate) fn opened(&self) -> OpenedPlant {
        OpenedPlant { plant: self.closed_loop.plant().clone(), library: self.library.clone() }
    }

    fn build(
        file: &ScenarioFile,
        OpenedPlant { plant, library }: OpenedPlant,
        defaults: Defaults,
        interface: Interface,
    ) -> Result<Self, TrainError> {
        let scenario = &file.value;
        let description = plant.description();
        let name = description.name.as_str();
        let initial = distributions(file, "initial", name, "state", &scenario.initial, {
            description.states.iter().map(|state| (state.name.as_str(), state.default))
        })?;
        let parameters =
            distributions(file, "parameters", name, "parameter", &scenario.parameters, {
                description.parameters.iter().map(|p| (p.name.as_str(), p.default))
            })?;
        let timing = timing(file, defaults)?;
        let integrator = scenario.simulation.integrator.unwrap_or(defaults.integrator);
        let closed_loop =
            ClosedLoop::new(plant, timing, integrator, interface, scenario.failure_cost)
                .map_err(|error| place(file, "simulation.integrator", &error))?
                .with_failure_charge(scenario.failure_charge)
                .with_penalties(scenario.penalties);
        let closed_loop = with_uncertainty(file, closed_loop)?;
        Ok(Self {
            closed_loop,
            library,
            initial,
            parameters,
            seed: scenario.seed,
            allows_long: false,
        })
    }

    /// The same for episodes of any length, if they are allowed.
    #[must_use]
    pub fn allowing_long(self, allows_long: bool) -> Self {
        Self { allows_long, ..self }
    }

    /// The same with all that the plant lets be observed, as the plant itself scales it.
    ///
    /// # Errors
    /// As [`ClosedLoopSetup::new`].
    pub(crate) fn with_full_feedback(&self) -> Result<Self, TrainError> {
        let interface = Interface::of(self.closed_loop.plant().description());
        Ok(Self { closed_loop: self.closed_loop.with_interface(interface)?, ..self.clone() })
    }

    /// The distribution of each initial state: `[n_states]`.
    #[must_use]
    pub fn initial(&self) -> &[Distribution] {
        &self.initial
    }

    /// The distribution of the parameter that an observation shows under its name, as a set point; none where it is no parameter.
    #[must_use]
    pub fn shown_parameter(&self, observation: &str) -> Option<&Distribution> {
        let parameters = &self.closed_loop.plant().description().parameters;
        let at = parameters.iter().position(|parameter| parameter.name == observation)?;
        self.parameters.get(at)
    }

    /// The distribution of each parameter: `[n_parameters]`.
    #[must_use]
    pub fn parameters(&self) -> &[Distribution] {
        &self.parameters
    }

    /// Digest of the library that the plant comes from, if it comes from one.
    #[must_use]
    pub fn plant_digest(&self) -> Option<&str> {
        self.library.as_ref().map(|library| library.digest.as_str())
    }

    /// The parameters of a typical episode: `[n_parameters]`, each at the middle of its distribution.
    #[must_use]
    pub fn nominal_parameters(&self) -> Vec<f64> {
        self.parameters.iter().map(Distribution::middle).collect()
    }

    /// The episodes of one of the scenario's sets, drawn from the streams of `purpose`.
    ///
    /// # Errors
    /// An invalid value, with its place in the file; `name` is the set's field under `episodes`.
    pub fn episodes(
        &self,
        file: &ScenarioFile,
        name: &str,
        set: bitloop_scenario::EpisodeSet,
        purpose: Purpose,
    ) -> Result<EpisodeSet, TrainError> {
        let all: Vec<usize> = (0..set.count as usize).collect();
        self.part(file, name, set, purpose, &all)
    }

    /// The episodes of a set with these indices, in this order.
    ///
    /// # Errors
    /// As [`ClosedLoopSetup::episodes`].
    pub fn part(
        &self,
        file: &ScenarioFile,
        name: &str,
        set: bitloop_scenario::EpisodeSet,
        purpose: Purpose,
        indices: &[usize],
    ) -> Result<EpisodeSet, TrainError> {
        self.part_of_draw(file, name, set, (purpose, 0), indices)
    }

    /// The same of the set that is drawn after so many others.
    pub(crate) fn part_of_draw(
        &self,
        file: &ScenarioFile,
        name: &str,
        set: bitloop_scenario::EpisodeSet,
        (purpose, draw): (Purpose, u64),
        indices: &[usize],
    ) -> Result<EpisodeSet, TrainError> {
        let ranges = EpisodeRanges {
            initial: self.initial.clone(),
            parameters: self.parameters.clone(),
            horizon_s: set.horizon_s,
            transient_s: set.transient_s,
        };
        let words = |episode| {
            let mut stream = Stream::new(self.seed, purpose, draw, episode);
            move || stream.next_u64()
        };
        let timing = self.closed_loop.timing();
        // The step may be one that the file leaves to its default.
        if !self.allows_long && set.horizon_s / timing.step_s() > MOST_STEPS as f64 * (1.0 + 1e-9) {
            let message = format!("an episode has more than {MOST_STEPS:e} integration steps");
            let hint = "shorten the horizon, or widen the step";
            let field = format!("episodes.{name}.horizon_s");
            return Err(file.error_at(&field, message, hint).into());
        }
        EpisodeSet::draw_part(&self.closed_loop, indices, &ranges, words)
            .map_err(|error| of_episodes(file, name, error))
    }
}

/// An error of the episodes of a set, at the field that caused it.
pub(super) fn of_episodes(file: &ScenarioFile, name: &str, error: SimError) -> TrainError {
    match &error {
        SimError::Plant(_) => error.into(),
        SimError::BadDistribution { name, .. } => {
            let is_state = file.value.initial.contains_key(name);
            let field = if is_state { "initial" } else { "parameters" };
            place(file, &format!("{field}.{name}"), &error).into()
        }
        SimError::BadFailureCost(_) => place(file, "failure_cost", &error).into(),
        SimError::NotMultiple { what: "transient", .. } => {
            place(file, &format!("episodes.{name}.transient_s"), &error).into()
        }
        SimError::TooLarge {
            what:
                "episodes (or none)"
                | "initial states, parameters and delayed signals of all episodes together",
            ..
        } => place(file, &format!("episodes.{name}.count"), &error).into(),
        _ => place(file, &format!("episodes.{name}.horizon_s"), &error).into(),
    }
}

/// The most numbers in the signals of a worker; they take 1 GiB.
const MOST_SIGNALS: usize = 1 << 27;

/// Refuses a network whose signals would not fit in memory, for so many episodes at once.
///
/// # Errors
/// How many numbers there would be, in words.
pub fn check_signals(network: &Network, n_episodes: u32) -> Result<(), String> {
    let (n_signals, n_lanes) = (network.n_signals(), LaneMatrix::padded(n_episodes as usize));
    if n_signals.saturating_mul(n_lanes) <= MOST_SIGNALS {
        return Ok(());
    }
    Err(format!(
        "the network keeps {n_signals} numbers for each of {n_episodes} episodes, more than {MOST_SIGNALS} in all"
    ))
}

/// An error of the simulation at the field that caused it.
fn place(file: &ScenarioFile, field: &str, error: &SimError) -> FileError {
    file.error_at(field, error.to_string(), "change this value")
}

/// A distribution for every variable: the scenario's, or the plant's default.
pub(super) fn distributions<'a>(
    file: &ScenarioFile,
    field: &str,
    plant: &str,
    kind: &str,
    given: &BTreeMap<String, Distribution>,
    variables: impl Iterator<Item = (&'a str, f64)> + Clone,
) -> Result<Vec<Distribution>, FileError> {
    let names: Vec<&str> = variables.clone().map(|(name, _)| name).collect();
    if let Some(unknown) = given.keys().find(|name| !names.contains(&name.as_str())) {
        let message = format!("plant `{plant}` has no {kind} `{unknown}`");
        return Err(file.error_at_key(
            &format!("{field}.{unknown}"),
            message,
            suggestion(unknown, &names, "it has"),
        ));
    }
    Ok(variables
        .map(|(name, default)| match given.get(name) {
            Some(distribution) => *distribution,
            None => Distribution::Fixed(default),
        })
        .collect())
}

/// Values of what a scenario leaves out.
#[derive(Clone, Copy)]
struct Defaults {
    integrator: Integrator,
    step_s: f64,
    sample_time_s: f64,
}

/// A plant, and the library that it comes from.
#[derive(Clone, Debug)]
pub(crate) struct OpenedPlant {
    pub plant: PlantHandle,
    pub library: Option<Library>,
}

fn open(file: &ScenarioFile, registry: &Registry) -> Result<OpenedPlant, FileError> {
    open_choice(&file.value.plant, file.source.folder(), registry)
        .map_err(|error| plant_error(file, &error))
}

/// A mistake in the file beside an FMU is shown there, and others at the name of the plant.
fn plant_error(file: &ScenarioFile, error: &HostError) -> FileError {
    match error.in_settings() {
        Some(error) => error.clone(),
        None => file.error_at("plant", error.to_string(), error.hint()),
    }
}

/// Checks the FMU of a scenario and the file beside it, if it has one, and runs no code of it.
pub(super) fn check_fmu(file: &ScenarioFile) -> Result<(), FileError> {
    let PlantChoice::Fmu(path) = &file.value.plant else { return Ok(()) };
    FmuPlant::check(&file.source.folder().join(path))
        .map_err(|error| plant_error(file, &error.into()))
}

/// Opens a plant by its name, or by the path of its library seen from `folder`.
pub(crate) fn open_choice(
    plant: &PlantChoice,
    folder: &Path,
    registry: &Registry,
) -> Result<OpenedPlant, HostError> {
    match plant {
        PlantChoice::Named(name) => Ok(OpenedPlant {
            plant: registry.open(name, None)?,
            library: registry.library(name).as_ref().map(Library::from),
        }),
        PlantChoice::Library(path) => {
            let library = PlantLibrary::open(&folder.join(path))?;
            Ok(OpenedPlant { plant: library.plant(None)?, library: Some(Library::from(&library)) })
        }
        PlantChoice::Fmu(path) => {
            let fmu = FmuPlant::open(&folder.join(path))?;
            Ok(OpenedPlant { plant: fmu.plant().clone(), library: Some(Library::from(&fmu)) })
        }
    }
}

fn timing(file: &ScenarioFile, defaults: Defaults) -> Result<Timing, FileError> {
    let simulation = &file.value.simulation;
    let step_s = simulation.step_s.unwrap_or(defaults.step_s);
    let sample_time_s = simulation.sample_time_s.unwrap_or(defaults.sample_time_s);
    Timing::new(step_s, sample_time_s).map_err(|error| {
        let field = if simulation.sample_time_s.is_some() {
            "simulation.sample_time_s"
        } else {
            "simulation.step_s"
        };
        place(file, field, &error)
    })
}
