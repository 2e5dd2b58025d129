//! [`PlantWorker`]: the side of the worker, which holds the plant and runs whole evaluations.

use std::num::NonZeroUsize;
use std::path::Path;

use bitloop_blm::{Probe, ProbeControl};
use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_scenario::{PlantChoice, ScenarioFile, Start};
use bitloop_sim::{SimError, Workspace};

use super::isolation::message::{Answer, Request, decode, encode};
use super::rollouts::{LocalRollouts, Rollouts};
use super::setup::{OpenedPlant, open_choice};
use super::task::ClosedLoopTask;
use crate::error::TrainError;
use crate::execution::Scoring;
use crate::score::{SetName, WorkCounter};
use crate::task::Task;

/// A plant in a process of its own, which answers the requests of an [`Isolation`](super::Isolation).
#[derive(Debug)]
pub struct PlantWorker {
    registry: Registry,
    opened: Option<OpenedPlant>,
    task: Option<ClosedLoopTask<LocalRollouts>>,
    /// The working memory of probes.
    workspace: Option<Workspace>,
}

impl PlantWorker {
    /// A worker that finds plants by name in `registry`.
    #[must_use]
    pub const fn new(registry: Registry) -> Self {
        Self { registry, opened: None, task: None, workspace: None }
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
            Request::Open { kind, plant } => self.open(&kind.choice(plant)),
            Request::Train { file, scenario } => self.train(&file, &scenario),
            Request::Probe { isa, stage, weights, bound } => {
                self.probe(&isa, stage, &weights, bound).unwrap_or_else(out_of_order)
            }
            Request::Evaluate { isa, set, weights, n_threads } => {
                self.evaluate(&isa, set, &weights, n_threads).unwrap_or_else(out_of_order)
            }
            Request::Diagnose { isa, weights } => {
                self.diagnose(&isa, &weights).unwrap_or_else(out_of_order)
            }
        }
    }

    fn open(&mut self, choice: &PlantChoice) -> Answer {
        match open_choice(choice, Path::new(""), &self.registry) {
            Ok(opened) => {
                let description = Box::new(opened.plant.description().into());
                let capabilities = opened.plant.capabilities();
                let library = opened.library.clone();
                self.opened = Some(opened);
                Answer::Opened { description, capabilities, library }
            }
            Err(error) => Answer::Refused { message: error.to_string(), hint: error.hint() },
        }
    }

    fn train(&mut self, file: &str, scenario: &str) -> Answer {
        let Some(opened) = self.opened.clone() else { return out_of_order() };
        let prepared =
            ScenarioFile::parse(scenario, file).map_err(Into::into).and_then(|mut scenario| {
                // The host knows where the search starts.
                scenario.value.start = Start::Random;
                ClosedLoopTask::with_plant(&scenario, opened)
            });
        match prepared {
            Ok(prepared) => {
                self.task = Some(prepared.task);
                self.workspace = None;
                Answer::Ready
            }
            Err(error) => Answer::Refused { message: error.to_string(), hint: String::new() },
        }
    }

    fn probe(&mut self, isa: &str, stage: usize, weights: &[f64], bound: f64) -> Option<Answer> {
        let task = self.task.as_ref()?;
        let draws_anew = task.fresh_every().is_some() || task.fresh_after_miss();
        let is_known = stage < task.n_stages() || draws_anew;
        if !is_known || weights.len() != task.network().n_weights() {
            return None;
        }
        let workspace = self.workspace.get_or_insert_with(|| task.rollouts.workspace());
        let (isa, work) = (Isa::named(isa).ok()?, WorkCounter::default());
        let control = ProbeControl::alone(bound);
        let probe = task.rollouts.probe(isa, stage, weights, control, workspace, &work).ok()?;
        let cost = if let Probe::Below(cost) = probe { Some(cost) } else { None };
        let (plant_steps, is_faulty) = (work.plant_steps(), probe == Probe::Faulty);
        Some(Answer::Probed { cost, plant_steps, is_faulty })
    }

    fn evaluate(
        &self,
        isa: &str,
        set: SetName,
        weights: &[f64],
        n_threads: usize,
    ) -> Option<Answer> {
        let task = self.task.as_ref()?;
        let (isa, n_threads) = (Isa::named(isa).ok()?, NonZeroUsize::new(n_threads)?);
        // The host ends this process when it calls the evaluation off.
        let scoring = Scoring { isa, n_threads, work: &WorkCounter::default(), stop: &|| false };
        Some(match task.rollouts.evaluate(weights, set, scoring) {
            Ok(evaluation) => Answer::Evaluated(evaluation?.into()),
            Err(TrainError::Sim(SimError::Plant(error))) => error.into(),
            Err(error) => Answer::Refused { message: error.to_string(), hint: String::new() },
        })
    }

    fn diagnose(&self, isa: &str, weights: &[f64]) -> Option<Answer> {
        let task = self.task.as_ref()?;
        let is_fitting = weights.len() == task.network().n_weights();
        let isa = Isa::named(isa).ok().filter(|_| is_fitting)?;
        Some(Answer::Diagnosed(task.rollouts.diagnose(isa, weights)))
    }
}

/// The answer to a request that no host sends at this point.
fn out_of_order() -> Answer {
    Answer::Refused { message: "the request makes no sense here".to_owned(), hint: String::new() }
}
