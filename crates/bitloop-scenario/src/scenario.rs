//! A scenario: which plant, which controller, how it is trained and tested.
//!
//! Owns the fields of the file and their defaults. A part that only training needs may be missing, so
//! that a file can hold a test alone; [`crate::ScenarioFile::require_training`] asks for it.
//!
//! A new field must be skipped in serialization while it has its default, or the digests of all
//! scenarios so far change.

use std::collections::BTreeMap;

use bitloop_sim::Distribution;
use serde::{Deserialize, Serialize};

use crate::{
    controller::ControllerSpec, curriculum::Curriculum, distribution::by_name, episodes::Episodes,
    plant_choice::PlantChoice, simulation::Simulation, start::Start, stop::Stop,
    training::Training,
};

/// Everything that a training or a test depends on, the plant's own code aside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The plant: its name, as `bitloop plant list` shows it, or its library.
    pub plant: PlantChoice,
    /// Plant parameters by name; each is fixed, or drawn for each episode. Default: the plant's.
    #[serde(default, with = "by_name")]
    pub parameters: BTreeMap<String, Distribution>,
    /// What the controller sees, in order. Default: all that the plant offers.
    #[serde(default)]
    pub observations: Option<Vec<String>>,
    /// Integrator and step sizes. Default: the plant's.
    #[serde(default)]
    pub simulation: Simulation,
    /// Where episodes start, by name of the state. Default: the plant's start, mostly 0.
    #[serde(default, with = "by_name")]
    pub initial: BTreeMap<String, Distribution>,
    /// What a failed episode is charged per unit of time until its horizon, 0 or more.
    /// Default: the plant's.
    #[serde(default)]
    pub failure_cost: Option<f64>,
    /// Center and scale of observations and controls by name. Default: the plant's.
    #[serde(default)]
    pub scaling: BTreeMap<String, Scaling>,
    /// The controller to train; a test alone has none.
    #[serde(default)]
    pub controller: Option<ControllerSpec>,
    /// Numbers and lengths of episodes.
    #[serde(default)]
    pub episodes: Episodes,
    /// Shorter and easier training episodes to begin with. Default: none, all as they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curriculum: Option<Curriculum>,
    /// The search; a test alone has none.
    #[serde(default)]
    pub training: Option<Training>,
    /// What the first run starts from. Default: `Random`.
    #[serde(default, skip_serializing_if = "Start::is_random")]
    pub start: Start,
    /// When the training ends. Default: after one run.
    #[serde(default)]
    pub stop: Stop,
    /// Root of all random streams. Default: 1.
    #[serde(default = "default_seed")]
    pub seed: u64,
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
