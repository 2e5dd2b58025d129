//! What linear-quadratic control comes to on the test of a training, as a line of its summary.

use std::num::NonZeroUsize;

use bitloop_plant::Isa;
use bitloop_run::Trained;
use bitloop_scenario::{AnyScenario, ScenarioFile};
use bitloop_train::{LqrBaseline, StopReason};

use crate::environment;
use crate::output::number::error;
use crate::registry;

/// The longest test that is run again for the line, in integration steps: some seconds.
const MOST_STEPS: f64 = 5e8;

/// The scenario of a training of a controller, which may have the line.
pub fn scenario(scenario: &AnyScenario) -> Option<ScenarioFile> {
    match scenario {
        AnyScenario::ClosedLoop(file) => Some(file.clone()),
        AnyScenario::Supervised(_) => None,
    }
}

/// The error of the regulator, where the plant has one and its test is short.
pub fn line(
    file: &ScenarioFile,
    trained: &Trained,
    isa: Isa,
    n_threads: NonZeroUsize,
) -> Option<String> {
    let plant = trained.training.plant()?;
    let test = file.require_test().ok()?;
    let step_s = file.value.simulation.step_s.unwrap_or(plant.step_s);
    let n_steps = f64::from(test.count) * test.horizon_s / step_s;
    if trained.outcome.stop_reason == StopReason::Interrupted || n_steps > MOST_STEPS {
        return None;
    }
    let baseline = LqrBaseline::new(file, &registry::registry(), None, isa, n_threads);
    environment::restore_process();
    let LqrBaseline { test, interface, .. } = baseline.ok()?;
    let feedback =
        if interface.is_some() { "full feedback" } else { "all states fed back, without sensors" };
    test.error.is_finite().then(|| {
        format!(
            "{} on the same test, {} failed, with {feedback}",
            error(test.error),
            test.n_failed()
        )
    })
}
