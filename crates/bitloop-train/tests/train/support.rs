//! What is asked of trainings.

use std::num::NonZeroUsize;

use bitloop_blm::SearchOptions;
use bitloop_plant::Isa;
use bitloop_scenario::{self as file, ScenarioFile};
use bitloop_train::{Outcome, Reached, Scoring, Spent, TelescopicBlm, WorkCounter};

/// Scores on one thread that are never called off.
pub fn scoring(work: &WorkCounter) -> Scoring<'_> {
    Scoring { isa: Isa::best(), n_threads: NonZeroUsize::MIN, work, stop: &|| false }
}

/// The search of a scenario.
pub fn search_options(scenario: &ScenarioFile) -> SearchOptions {
    match scenario.value.training.as_ref().expect("it trains") {
        file::Training::TelescopicBlm(blm) => TelescopicBlm::try_from(blm).expect("sound").options,
        other => panic!("{other:?}"),
    }
}

/// An outcome without the parts that may differ from run to run: times, and speculative work.
pub fn essence(outcome: Outcome) -> Outcome {
    let spent = Spent::default();
    let reached = outcome.reached.map(|reached| Reached { spent, ..reached });
    Outcome { plant_steps: 0, wall_s: 0.0, reached, ..outcome }
}
