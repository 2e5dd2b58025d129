//! A scenario: which plant, which controller, how it is trained and tested.
//!
//! Owns the fields of the file and their defaults. A part that only training needs may be missing, so
//! that a file can hold a test alone; [`crate::ScenarioFile::require_training`] asks for it.
//!
//! A new field must be skipped in serialization while it has its default, or the digests of all
//! scenarios so far change.

use std::collections::BTreeMap;

use bitloop_sim::{Aggregate, Distribution, FailureCharge, Penalties};
use serde::{Deserialize, Serialize};

use crate::{
    controller::ControllerSpec,
    curriculum::Curriculum,
    distribution::by_name,
    episodes::Episodes,
    hard_episode::HardEpisode,
    plant_choice::PlantChoice,
    preset::Preset,
    simulation::Simulation,
    start::Start,
    stop::{Stop, StopInFile},
    training::{Training, TrainingInFile},
    uncertainty::Uncertainty,
};

/// Everything that a training or a test depends on, the plant's own code aside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "ScenarioInFile")]
pub struct Scenario {
    /// The plant: its name, as `bitloop plant list` shows it, or its library.
    pub plant: PlantChoice,
    /// Plant parameters by name; each is fixed, or drawn for each episode. Default: the plant's.
    #[serde(serialize_with = "by_name::serialize")]
    pub parameters: BTreeMap<String, Distribution>,
    /// What the controller sees, in order. Default: all that the plant offers.
    pub observations: Option<Vec<String>>,
    /// Integrator and step sizes. Default: the plant's.
    pub simulation: Simulation,
    /// Where episodes start, by name of the state. Default: the plant's start, mostly 0.
    #[serde(serialize_with = "by_name::serialize")]
    pub initial: BTreeMap<String, Distribution>,
    /// What a failed episode is charged in place of its stage cost until its horizon, 0 or more.
    /// Default: the plant's.
    pub failure_cost: Option<f64>,
    /// Whether a failure that costs more by itself is charged that. Default: `AtLeast`, it is.
    #[serde(skip_serializing_if = "FailureCharge::is_at_least")]
    pub failure_charge: FailureCharge,
    /// Costs on the controls, added to the plant's stage cost. Default: none.
    #[serde(skip_serializing_if = "Penalties::is_off")]
    pub penalties: Penalties,
    /// Center and scale of observations and controls by name. Default: the plant's.
    pub scaling: BTreeMap<String, Scaling>,
    /// Sensors and actuators that are not perfect. Default: none.
    #[serde(skip_serializing_if = "Uncertainty::is_none")]
    pub uncertainty: Uncertainty,
    /// The controller to train; a test alone has none.
    pub controller: Option<ControllerSpec>,
    /// Numbers and lengths of episodes.
    pub episodes: Episodes,
    /// How the errors of training, validation and confirmation episodes become one. Default: `Mean`.
    #[serde(skip_serializing_if = "Aggregate::is_mean")]
    pub aggregate: Aggregate,
    /// Hard episodes, which every candidate meets beside the training episodes. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<HardEpisode>,
    /// Evaluations of a run after which the training episodes are drawn anew. Default: never, the same for all candidates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fresh_every: Option<u64>,
    /// Whether they are also drawn anew after weights that are at the target on them have missed it in validation or
    /// confirmation, and after each validation of such weights once the target is reached. Default: where runs follow each
    /// other until one meets a target, by CMA-ES or by telescopic BLM with the measured preset's validations, and without
    /// `fresh_every`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fresh_after_miss: bool,
    /// Shorter and easier training episodes to begin with. Default: none, all as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curriculum: Option<Curriculum>,
    /// The search; a test alone has none.
    pub training: Option<Training>,
    /// What the first run starts from. Default: `Random`.
    #[serde(skip_serializing_if = "Start::is_random")]
    pub start: Start,
    /// When the training ends. Default: after one run.
    pub stop: Stop,
    /// Root of all random streams. Default: 1.
    pub seed: u64,
}

/// The fields as the file gives them.
#[derive(Deserialize)]
#[serde(rename = "Scenario", deny_unknown_fields)]
struct ScenarioInFile {
    plant: PlantChoice,
    #[serde(default, deserialize_with = "by_name::deserialize")]
    parameters: BTreeMap<String, Distribution>,
    #[serde(default)]
    observations: Option<Vec<String>>,
    #[serde(default)]
    simulation: Simulation,
    #[serde(default, deserialize_with = "by_name::deserialize")]
    initial: BTreeMap<String, Distribution>,
    #[serde(default)]
    failure_cost: Option<f64>,
    #[serde(default)]
    failure_charge: FailureCharge,
    #[serde(default)]
    scaling: BTreeMap<String, Scaling>,
    #[serde(default)]
    uncertainty: Uncertainty,
    #[serde(default)]
    penalties: Penalties,
    #[serde(default)]
    controller: Option<ControllerSpec>,
    #[serde(default)]
    episodes: Episodes,
    #[serde(default)]
    aggregate: Aggregate,
    #[serde(default)]
    against: Vec<HardEpisode>,
    #[serde(default)]
    fresh_every: Option<u64>,
    #[serde(default)]
    fresh_after_miss: Option<bool>,
    #[serde(default)]
    curriculum: Option<Curriculum>,
    #[serde(default)]
    training: Option<TrainingInFile>,
    #[serde(default)]
    start: Start,
    #[serde(default)]
    stop: StopInFile,
    #[serde(default = "default_seed")]
    seed: u64,
}

impl From<ScenarioInFile> for Scenario {
    fn from(file: ScenarioInFile) -> Self {
        let preset = file.training.as_ref().and_then(TrainingInFile::preset);
        let draws_after_miss = file.fresh_every.is_none()
            && file.stop.has_target_of_runs()
            && file.training.as_ref().is_some_and(TrainingInFile::draws_after_miss);
        Self {
            plant: file.plant,
            parameters: file.parameters,
            observations: file.observations,
            simulation: file.simulation,
            initial: file.initial,
            failure_cost: file.failure_cost,
            failure_charge: file.failure_charge,
            scaling: file.scaling,
            uncertainty: file.uncertainty,
            penalties: file.penalties,
            controller: file.controller,
            episodes: file.episodes,
            aggregate: file.aggregate,
            against: file.against,
            fresh_every: file.fresh_every,
            fresh_after_miss: file.fresh_after_miss.unwrap_or(draws_after_miss),
            curriculum: file.curriculum,
            training: file.training.map(Training::from),
            start: file.start,
            stop: file.stop.with(preset.and_then(Preset::patience)),
            seed: file.seed,
        }
    }
}

pub(crate) fn default_seed() -> u64 {
    1
}

/// Affine scaling of a signal. A controller's input is (observation - center) / scale, the control
/// center + scale * output.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scaling {
    /// In the signal's unit. Default: 0.
    #[serde(default)]
    pub center: f64,
    /// In the signal's unit, above 0. Default: 1.
    #[serde(default = "default_scale")]
    pub scale: f64,
}

fn default_scale() -> f64 {
    1.0
}

impl Default for Scaling {
    fn default() -> Self {
        Scaling { center: 0.0, scale: default_scale() }
    }
}
