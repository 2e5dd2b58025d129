//! [`PlantWorker`]: the worker's side, which holds the plant and runs whole evaluations.

use std::path::Path;

use bitloop_blm::Probe;
use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_scenario::{PlantChoice, ScenarioFile};
use bitloop_sim::{NetworkController, SimError, Workspace};

use super::message::{Answer, Request, SetName, decode, encode};
use crate::objective::ClosedLoopObjective;
use crate::rig::{Opened, open_choice};
use crate::training::Training;

/// A plant in a process of its own, asked by an [`Isolation`](super::Isolation).
#[derive(Debug)]
pub struct PlantWorker {
    registry: Registry,
    opened: Option<Opened>,
    training: Option<Training>,
    /// For probes, with the stage that it was made for.
    work: Option<(usize, Workspace)>,
}

impl PlantWorker {
    /// A worker that finds plants by name in `registry`.
    #[must_use]
    pub const fn new(registry: Registry) -> Self {
        Self { registry, opened: None, training: None, work: None }
    }

    /// Answers a request of the host.
    pub fn answer(&mut self, request: &[u8]) -> Vec<u8> {
        let answer = match decode(request) {
            Some(request) => self.carry_out(request),
            None => out_of_order(),
        };
        encode(&answer)
    }

    fn carry_out(&mut self, request: Request) -> Answer {
        match request {
            Request::Open { is_library, plant } => self.open(is_library, plant),
            Request::Train { file, scenario } => self.train(&file, &scenario),
            Request::Probe { isa, stage, weights, bound } => {
                self.probe(&isa, stage, &weights, bound).unwrap_or_else(out_of_order)
            }
            Request::Evaluate { isa, set, weights, n_threads } => {
                self.evaluate(&isa, set, &weights, n_threads).unwrap_or_else(out_of_order)
            }
        }
    }

    fn open(&mut self, is_library: bool, plant: String) -> Answer {
        let choice =
            if is_library { PlantChoice::Library(plant) } else { PlantChoice::Named(plant) };
        match open_choice(&choice, Path::new(""), &self.registry) {
            Ok(opened) => {
                let description = Box::new(opened.plant.description().into());
                let library = opened.library.clone();
                self.opened = Some(opened);
                Answer::Opened { description, library }
            }
            Err(error) => Answer::Refused { message: error.to_string(), hint: error.hint() },
        }
    }

    fn train(&mut self, file: &str, scenario: &str) -> Answer {
        let Some(opened) = self.opened.clone() else { return out_of_order() };
        let training = ScenarioFile::parse(scenario, file)
            .map_err(Into::into)
            .and_then(|scenario| Training::build(&scenario, opened));
        match training {
            Ok(training) => {
                self.training = Some(training);
                Answer::Ready
            }
            Err(error) => Answer::Refused { message: error.to_string(), hint: String::new() },
        }
    }

    fn probe(&mut self, isa: &str, stage: usize, weights: &[f64], bound: f64) -> Option<Answer> {
        let training = self.training.as_ref()?;
        let mut objective = ClosedLoopObjective::of(training, Isa::named(isa).ok()?);
        if stage >= training.n_stages() || weights.len() != training.network.n_weights() {
            return None;
        }
        objective.enter(stage);
        let made = self.work.take().filter(|(made_for, _)| *made_for == stage);
        let (_, work) = self.work.insert(made.unwrap_or_else(|| (stage, objective.workspace())));
        let cost = match objective.cost_of(work, stage, weights, bound, &|| false) {
            Probe::Below(cost) => Some(cost),
            Probe::NotBelow => None,
        };
        let (plant_steps, n_faults) = (objective.plant_steps(), objective.n_faults());
        Some(Answer::Probed { cost, plant_steps, n_faults })
    }

    fn evaluate(
        &self,
        isa: &str,
        set: SetName,
        weights: &[f64],
        n_threads: usize,
    ) -> Option<Answer> {
        let training = self.training.as_ref()?;
        let controller = NetworkController { network: &training.network, weights };
        let isa = Isa::named(isa).ok()?;
        let evaluation =
            training.rig.closed_loop.evaluate(isa, &controller, training.set(set), n_threads);
        Some(match evaluation {
            Ok(evaluation) => Answer::Evaluated(evaluation.into()),
            Err(SimError::Plant(error)) => error.into(),
            Err(error) => Answer::Refused { message: error.to_string(), hint: String::new() },
        })
    }
}

/// The answer to what no host asks.
fn out_of_order() -> Answer {
    Answer::Refused { message: "the request makes no sense here".to_owned(), hint: String::new() }
}
