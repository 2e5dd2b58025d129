//! Each shipped scenario can be set up, and those that `scenario new` wrote are still what it writes.

use std::fs;
use std::num::NonZeroUsize;

use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_scenario::{AnyScenario, DataSource, PlantChoice};
use bitloop_train::{ClosedLoopSetup, ClosedLoopTask, ExamplesTask, FirstScenario};

use crate::{name, ron_files};

/// Lines of such a scenario that may be changed, each below a comment that says why.
const MOST_CHANGED: usize = 3;

#[test]
fn every_shipped_scenario_can_be_set_up() {
    let registry = Registry::built_in();
    let mut n_trainable = 0;
    for path in ron_files("scenarios").into_iter().chain(ron_files("scenarios/shelf")) {
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

#[test]
fn scenarios_of_textbook_plants_are_what_scenario_new_writes_but_for_a_few_lines() {
    let registry = Registry::built_in();
    let files = ron_files("scenarios/shelf");
    assert!(files.len() >= 13, "{files:?}");
    for path in files {
        let file = name(&path);
        let plant = file.trim_end_matches(".ron");
        let shipped = fs::read_to_string(&path).unwrap();
        let choice = PlantChoice::Named(plant.to_owned());
        let written = FirstScenario::new(&choice, &registry, Isa::best(), NonZeroUsize::MIN)
            .unwrap_or_else(|error| panic!("{plant}: {error}"))
            .text(&choice);
        let is_comment = |line: &str| line.trim_start().starts_with("//");
        let lines: Vec<&str> = shipped.lines().collect();
        let changed: Vec<usize> = (0..lines.len())
            .filter(|&at| !is_comment(lines[at]) && !written.lines().any(|line| line == lines[at]))
            .collect();
        assert!(changed.len() <= MOST_CHANGED, "{file}: {changed:?} differ from\n{written}");
        for at in changed {
            let is_explained = lines[at - 1].trim_start().starts_with("// Changed");
            assert!(is_explained, "{file}: line {} is changed, and no comment says why", at + 1);
        }
        let left_out =
            written.lines().filter(|line| !is_comment(line) && !lines.contains(line)).count();
        assert!(left_out <= MOST_CHANGED, "{file}: {left_out} lines are not those of\n{written}");
    }
}
