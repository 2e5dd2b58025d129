//! Messages between host and worker, in the format of `postcard`, in which numbers keep their bits.

use bitloop_plant::{
    Description, Integrator, Parameter, PlantCallError, StructuralParameter, Variable,
};
use bitloop_scenario::PlantChoice;
use bitloop_sim::{BehaviorShape, Behaviors, EpisodeEnd, EpisodeResult, Evaluation};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::library::Library;
use crate::score::SetName;

/// A request of the host.
#[derive(Debug, Serialize, Deserialize)]
pub enum Request {
    /// Open a plant, whose path is absolute if it has one. Comes first.
    Open { kind: PlantKind, plant: String },
    /// Make a scenario ready for training on that plant.
    Train { file: String, scenario: String },
    /// Probe a candidate on the training episodes of a stage.
    Probe { isa: String, stage: usize, weights: Vec<f64>, bound: f64 },
    /// Run a candidate over a set of episodes in full.
    Evaluate { isa: String, set: SetName, weights: Vec<f64>, n_threads: usize },
    /// Look for the first bad value of a candidate on the training episodes.
    Diagnose { isa: String, weights: Vec<f64> },
}

/// What a plant is opened by.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum PlantKind {
    Name,
    Library,
    Fmu,
}

/// An answer of the worker.
#[derive(Debug, Serialize, Deserialize)]
pub enum Answer {
    Opened {
        description: Box<PlainDescription>,
        capabilities: u32,
        library: Option<Library>,
    },
    Ready,
    /// The request cannot be carried out, and what to do about it.
    Refused {
        message: String,
        hint: String,
    },
    Probed {
        cost: Option<f64>,
        plant_steps: u64,
        is_faulty: bool,
    },
    Evaluated(PlainEvaluation),
    /// The first bad value, in words, if there is one.
    Diagnosed(Option<String>),
    /// The plant answered a call with a status that is not 0.
    Broke {
        plant: String,
        function: String,
        status: i32,
        message: String,
    },
}

/// A message in bytes.
pub fn encode(message: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(message).expect("plain data")
}

/// The message in `bytes`, if they are one.
pub fn decode<M: DeserializeOwned>(bytes: &[u8]) -> Option<M> {
    let (message, rest) = postcard::take_from_bytes(bytes).ok()?;
    rest.is_empty().then_some(message)
}

impl Request {
    /// Opens the plant of a scenario; `path` makes that of a library absolute.
    pub fn open(plant: &PlantChoice, path: impl FnOnce(&str) -> String) -> Self {
        let kind = match plant {
            PlantChoice::Named(_) => PlantKind::Name,
            PlantChoice::Library(_) => PlantKind::Library,
            PlantChoice::Fmu(_) => PlantKind::Fmu,
        };
        let text = plant.text();
        let plant = if plant.path().is_some() { path(text) } else { text.to_owned() };
        Self::Open { kind, plant }
    }
}

impl PlantKind {
    /// The plant that is opened.
    pub const fn choice(self, plant: String) -> PlantChoice {
        match self {
            Self::Name => PlantChoice::Named(plant),
            Self::Library => PlantChoice::Library(plant),
            Self::Fmu => PlantChoice::Fmu(plant),
        }
    }
}

/// A name, a unit, and min, max, center, scale and default.
type PlainVariable = (String, String, [f64; 5]);

/// A description as plain data.
#[derive(Debug, Serialize, Deserialize)]
pub struct PlainDescription {
    name: String,
    version: String,
    summary: String,
    states: Vec<PlainVariable>,
    controls: Vec<PlainVariable>,
    observations: Vec<PlainVariable>,
    parameters: Vec<(String, String, String, [f64; 3])>,
    structure: Vec<(String, String, [u64; 3])>,
    integrators: Vec<u32>,
    step_s: f64,
    sample_time_s: f64,
}

impl From<&Description> for PlainDescription {
    fn from(plant: &Description) -> Self {
        let variables = |all: &[Variable]| {
            let plain = |v: &Variable| {
                let numbers = [v.min, v.max, v.center, v.scale, v.default];
                (v.name.clone(), v.unit.clone(), numbers)
            };
            all.iter().map(plain).collect()
        };
        let parameter = |p: &Parameter| {
            (p.name.clone(), p.unit.clone(), p.meaning.clone(), [p.default, p.min, p.max])
        };
        let structural = |p: &StructuralParameter| {
            (p.name.clone(), p.meaning.clone(), [p.default, p.min, p.max])
        };
        Self {
            name: plant.name.clone(),
            version: plant.version.clone(),
            summary: plant.summary.clone(),
            states: variables(&plant.states),
            controls: variables(&plant.controls),
            observations: variables(&plant.observations),
            parameters: plant.parameters.iter().map(parameter).collect(),
            structure: plant.structure.iter().map(structural).collect(),
            integrators: plant.integrators.iter().map(|integrator| integrator.code()).collect(),
            step_s: plant.step_s,
            sample_time_s: plant.sample_time_s,
        }
    }
}

impl From<PlainDescription> for Description {
    fn from(plain: PlainDescription) -> Self {
        let variables = |all: Vec<PlainVariable>| {
            let variable = |(name, unit, [min, max, center, scale, default]): PlainVariable| {
                Variable { name, unit, min, max, center, scale, default }
            };
            all.into_iter().map(variable).collect()
        };
        let parameter = |(name, unit, meaning, [default, min, max]): (_, _, _, [f64; 3])| {
            Parameter { name, unit, meaning, default, min, max }
        };
        let structural = |(name, meaning, [default, min, max]): (_, _, [u64; 3])| {
            StructuralParameter { name, meaning, default, min, max }
        };
        Self {
            name: plain.name,
            version: plain.version,
            summary: plain.summary,
            states: variables(plain.states),
            controls: variables(plain.controls),
            observations: variables(plain.observations),
            parameters: plain.parameters.into_iter().map(parameter).collect(),
            structure: plain.structure.into_iter().map(structural).collect(),
            integrators: plain.integrators.into_iter().filter_map(Integrator::from_code).collect(),
            step_s: plain.step_s,
            sample_time_s: plain.sample_time_s,
        }
    }
}

/// An evaluation as plain data: of each episode its error, whether it failed, whether it faulted, and when.
#[derive(Debug, Serialize, Deserialize)]
pub struct PlainEvaluation {
    error: f64,
    episodes: Vec<(f64, Option<u64>, Option<u64>)>,
    plant_steps: u64,
    /// Numbers of controls and states, and all figures.
    behaviors: Option<(usize, usize, Vec<f64>)>,
}

impl From<Evaluation> for PlainEvaluation {
    fn from(evaluation: Evaluation) -> Self {
        let plain = |episode: &EpisodeResult| match episode.end {
            EpisodeEnd::Horizon => (episode.error, None, None),
            EpisodeEnd::Failed { tick } => (episode.error, Some(tick), None),
            EpisodeEnd::Fault { tick } => (episode.error, None, Some(tick)),
        };
        Self {
            error: evaluation.error,
            episodes: evaluation.episodes.iter().map(plain).collect(),
            plant_steps: evaluation.plant_steps,
            behaviors: evaluation.behaviors.map(|behaviors| {
                let BehaviorShape { n_controls, n_states } = behaviors.shape();
                (n_controls, n_states, behaviors.into_values())
            }),
        }
    }
}

impl From<PlainEvaluation> for Evaluation {
    fn from(plain: PlainEvaluation) -> Self {
        let episode = |(error, failed, fault): (_, Option<u64>, Option<u64>)| {
            let end = match (failed, fault) {
                (Some(tick), _) => EpisodeEnd::Failed { tick },
                (None, Some(tick)) => EpisodeEnd::Fault { tick },
                (None, None) => EpisodeEnd::Horizon,
            };
            EpisodeResult { error, end }
        };
        Self {
            error: plain.error,
            episodes: plain.episodes.into_iter().map(episode).collect(),
            plant_steps: plain.plant_steps,
            behaviors: plain.behaviors.and_then(|(n_controls, n_states, values)| {
                Behaviors::of(BehaviorShape { n_controls, n_states }, values)
            }),
        }
    }
}

impl From<PlantCallError> for Answer {
    fn from(error: PlantCallError) -> Self {
        let PlantCallError { plant, function, status, message } = error;
        Self::Broke { plant, function: function.to_owned(), status, message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_with_the_same_bits() {
        let numbers = [0.1, -0.0, 1e300, 5e-324, f64::INFINITY, f64::NEG_INFINITY, 1.0 / 3.0];
        let request = Request::Probe {
            isa: "avx2".to_owned(),
            stage: 1,
            weights: numbers.to_vec(),
            bound: f64::INFINITY,
        };
        let Some(Request::Probe { weights, bound, .. }) = decode(&encode(&request)) else {
            panic!("{request:?}")
        };
        assert_eq!(
            weights.iter().map(|w| w.to_bits()).collect::<Vec<_>>(),
            numbers.map(f64::to_bits)
        );
        assert_eq!(bound, f64::INFINITY);
        assert!(decode::<Request>(b"Hello").is_none());
        let with_more =
            [encode(&Request::open(&PlantChoice::Named("p".into()), str::to_owned)), vec![0]];
        assert!(decode::<Request>(&with_more.concat()).is_none());
    }
}
