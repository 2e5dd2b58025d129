//! Each shipped scenario can be set up.

use bitloop_host::Registry;
use bitloop_scenario::{AnyScenario, DataSource};
use bitloop_train::{ClosedLoopSetup, ClosedLoopTask, ExamplesTask};

use crate::ron_files;

#[test]
fn every_shipped_scenario_can_be_set_up() {
    let registry = Registry::built_in();
    let mut n_trainable = 0;
    for path in ron_files("scenarios") {
        let scenario = match AnyScenario::read(&path).unwrap_or_else(|error| panic!("{error}")) {
            AnyScenario::ClosedLoop(scenario) => scenario,
            AnyScenario::Supervised(file) => {
                // Data in files are the user's.
                if matches!(file.value.data, DataSource::Spirals(_)) {
                    ExamplesTask::prepare(&file).unwrap_or_else(|error| panic!("{error}"));
                }
                continue;
            }
        };
        if scenario.value.training.is_some() {
            ClosedLoopTask::prepare(&scenario, &registry).unwrap_or_else(|error| panic!("{error}"));
            n_trainable += 1;
        } else {
            ClosedLoopSetup::new(&scenario, &registry).unwrap_or_else(|error| panic!("{error}"));
            scenario.require_test().unwrap_or_else(|error| panic!("{error}"));
        }
    }
    assert!(n_trainable >= 2);
}
