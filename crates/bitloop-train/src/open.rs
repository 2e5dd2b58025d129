//! [`open_training`]: from a scenario of either kind to a training.

use std::sync::Arc;

use bitloop_host::Registry;
use bitloop_scenario::AnyScenario;

use crate::closed_loop::{ClosedLoopTask, Isolation};
use crate::error::TrainError;
use crate::examples::ExamplesTask;
use crate::training::Training;

/// Where plants run.
#[derive(Clone, Debug)]
pub enum PlantAccess<'a> {
    /// In this process, those of a registry.
    Here(&'a Registry),
    /// In processes of their own: the same training, to the last bit.
    Isolated(Arc<Isolation>),
}

/// Prepares a training. This is the only place that matches the kind of a scenario.
///
/// # Errors
/// A missing or invalid value, with its place in the scenario or in the data.
pub fn open_training(
    scenario: &AnyScenario,
    plants: &PlantAccess<'_>,
) -> Result<Box<dyn Training>, TrainError> {
    Ok(match (scenario, plants) {
        (AnyScenario::ClosedLoop(file), PlantAccess::Here(registry)) => {
            Box::new(ClosedLoopTask::prepare(file, registry)?)
        }
        (AnyScenario::ClosedLoop(file), PlantAccess::Isolated(isolation)) => {
            Box::new(ClosedLoopTask::prepare_isolated(file, Arc::clone(isolation))?)
        }
        (AnyScenario::Supervised(file), _) => Box::new(ExamplesTask::prepare(file)?),
    })
}
