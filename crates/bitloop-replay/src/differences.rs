//! [`Difference`]: what of a replay is not as in the training of its controller.

use std::collections::{BTreeMap, BTreeSet};

use bitloop_plant::Description;
use bitloop_scenario::SavedController;
use bitloop_scenario::Scenario;
use bitloop_sim::Distribution;
use bitloop_train::ClosedLoopSetup;

/// Something that is not as in the training of a controller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What differs, as it is called in a scenario.
    pub what: String,
    /// As it was in the training.
    pub training: String,
    /// As it is in the replay.
    pub replay: String,
}

/// All differences between the loop of a replay and that of the training: those of the plant, of the simulation, of penalties,
/// sensors and actuators, and of the parameters. Starts and episodes are the test's own.
pub(crate) fn differences(
    saved: &SavedController,
    scenario: &Scenario,
    setup: &ClosedLoopSetup,
) -> Vec<Difference> {
    let mut all = Vec::new();
    let mut compare = |what: &str, training: String, replay: String| {
        if training != replay {
            all.push(Difference { what: what.to_owned(), training, replay });
        }
    };
    let closed_loop = &setup.closed_loop;
    let description = closed_loop.plant().description();
    let (timing, before) = (closed_loop.timing(), &saved.simulation);
    compare("plant version", saved.plant.version.clone(), description.version.clone());
    let inputs = saved.inputs.iter().map(|input| (&input.name, &input.unit));
    let outputs = saved.outputs.iter().map(|output| (&output.name, &output.unit));
    for (name, unit) in inputs.chain(outputs) {
        let mut variables = description.observations.iter().chain(&description.controls);
        if let Some(variable) = variables.find(|variable| variable.name == *name) {
            compare(&format!("unit of {name}"), unit.clone(), variable.unit.clone());
        }
    }
    let integrators = [before.integrator, closed_loop.integrator()];
    let [training, replay] = integrators.map(|integrator| integrator.name().to_owned());
    compare("simulation.integrator", training, replay);
    let seconds = |seconds: f64| format!("{seconds} s");
    compare("simulation.step_s", seconds(before.step_s), seconds(timing.step_s()));
    compare(
        "simulation.sample_time_s",
        seconds(before.sample_time_s),
        seconds(timing.sample_time_s()),
    );
    let cost = |cost: Option<f64>| cost.map_or("the plant's".to_owned(), |cost| cost.to_string());
    compare("failure_cost", cost(saved.scenario.failure_cost), cost(scenario.failure_cost));
    let charges = [saved.scenario.failure_charge, scenario.failure_charge];
    let [training, replay] = charges.map(|charge| format!("{charge:?}"));
    compare("failure_charge", training, replay);
    let before = saved.scenario.penalties.named();
    for ((name, training), (_, replay)) in before.into_iter().zip(scenario.penalties.named()) {
        compare(&format!("penalties.{name}"), training.to_string(), replay.to_string());
    }
    let [before, now] = [&saved.scenario, scenario].map(|of| of.uncertainty.by_name());
    let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    for name in names {
        let otherwise = if name.starts_with("disturbances.") { "none" } else { "perfect" };
        let of = |named: &BTreeMap<String, String>| {
            named.get(name).map_or(otherwise.to_owned(), String::clone)
        };
        compare(&format!("uncertainty.{name}"), of(&before), of(&now));
    }
    for (name, [training, replay]) in parameters(description, &saved.scenario, scenario) {
        compare(&format!("parameters.{name}"), training.to_string(), replay.to_string());
    }
    all
}

/// The distributions of each parameter in two scenarios.
fn parameters<'a>(
    description: &'a Description,
    training: &'a Scenario,
    replay: &'a Scenario,
) -> impl Iterator<Item = (&'a str, [Distribution; 2])> {
    description.parameters.iter().map(move |parameter| {
        let of = |scenario: &Scenario| match scenario.parameters.get(&parameter.name) {
            Some(distribution) => *distribution,
            None => Distribution::Fixed(parameter.default),
        };
        (parameter.name.as_str(), [of(training), of(replay)])
    })
}
